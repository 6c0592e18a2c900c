// @ts-check
import { closeHttp } from '../../support/http.mjs';
import { writeReport } from '../../support/write-report.mjs';

/**
 * Runs one long suite, writes its report, and ends the process with 1 when a claim does not hold.
 * @param {() => Promise<import('../../support/write-report.mjs').Report>} suite
 */
export async function runSuite(suite) {
  try {
    if (!writeReport(await suite())) process.exitCode = 1;
  } catch (err) {
    console.error(err);
    process.exitCode = 1;
  } finally {
    closeHttp();
  }
}

/**
 * Reads a numeric option such as `--count 20`. Returns `usual` without the option.
 * @param {string} name
 * @param {number} usual
 */
export function readCount(name, usual) {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? usual : Number(process.argv[index + 1]);
}

/**
 * Reads an option such as `--only a,b`. Returns undefined without it.
 * @param {string} name
 * @returns {string[] | undefined}
 */
export function readWords(name) {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? undefined : String(process.argv[index + 1]).split(',');
}

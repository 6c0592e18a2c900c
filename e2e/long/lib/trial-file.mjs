// @ts-check
/** What a long suite found before, on the same commit: it may be run in pieces, and told as one. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { readCommit } from '../../support/write-report.mjs';
import { readWords } from './run-suite.mjs';

/**
 * The file of `--ledger`; without it nothing is kept. With `--tell` nothing is run any more: the report is of what stands
 * there of the commit that was measured last, whatever has been committed since.
 * @template T
 * @param {(trial: T) => boolean} hasPassed
 */
export function openTrialFile(hasPassed) {
  const [file = null] = readWords('ledger') ?? [];
  const isTold = process.argv.includes('--tell');
  /** @type {{ trial: T, commit: string }[]} */
  const all = file !== null && existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)) : [];
  const commit = isTold ? (all.at(-1)?.commit ?? readCommit()) : readCommit();
  const own = all.filter((one) => one.commit === commit).map(({ trial }) => trial);
  return {
    isUsed: file !== null,
    isTold,
    commit,
    /** They need not be made again. */
    kept: own.filter(hasPassed),
    /** Those that did not pass. */
    earlier: own.filter((trial) => !hasPassed(trial)),
    /** @param {T} trial */
    note(trial) {
      if (file !== null) appendFileSync(file, `${JSON.stringify({ trial, commit })}\n`);
    },
  };
}

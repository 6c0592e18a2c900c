// @ts-check
/**
 * Stores the earlier results of a long suite on the same commit, so that a suite can run in parts and have
 * one report.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { readCommit } from '../../support/write-report.mjs';
import { readWords } from './run-suite.mjs';

/**
 * Opens the file that `--ledger` names. Without this option, no results are stored. With `--report-only`, the
 * suite runs nothing and reports the stored results of the most recently measured commit.
 * @template T
 * @param {(trial: T) => boolean} hasPassed
 */
export function openTrialFile(hasPassed) {
  const [file = null] = readWords('ledger') ?? [];
  const isReportOnly = process.argv.includes('--report-only');
  /** @type {{ trial: T, commit: string }[]} */
  const all =
    file !== null && existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
      : [];
  const commit = isReportOnly ? (all.at(-1)?.commit ?? readCommit()) : readCommit();
  const own = all.filter((item) => item.commit === commit).map(({ trial }) => trial);
  return {
    isUsed: file !== null,
    isReportOnly,
    commit,
    /** These trials need not be run again. */
    retained: own.filter(hasPassed),
    /** These trials did not pass. */
    earlier: own.filter((trial) => !hasPassed(trial)),
    /** @param {T} trial */
    note(trial) {
      if (file !== null) appendFileSync(file, `${JSON.stringify({ trial, commit })}\n`);
    },
  };
}

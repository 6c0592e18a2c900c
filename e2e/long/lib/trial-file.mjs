// @ts-check
/** What a long suite found before, on the same commit: it may be run in pieces, and told as one. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { readCommit } from '../../support/write-report.mjs';
import { readWords } from './run-suite.mjs';

/**
 * The file of `--ledger`; without it nothing is kept.
 * @template T
 * @param {(trial: T) => boolean} hasPassed
 */
export function openTrialFile(hasPassed) {
  const [file = null] = readWords('ledger') ?? [];
  const commit = readCommit();
  /** @type {{ trial: T, commit: string }[]} */
  const all = file !== null && existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)) : [];
  const own = all.filter((one) => one.commit === commit).map(({ trial }) => trial);
  return {
    isUsed: file !== null,
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

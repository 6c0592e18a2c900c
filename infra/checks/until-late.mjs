import { it, TestRunner } from 'vitest';
import { TOO_LATE } from './too-late.mjs';

/**
 * Leaves out every file that would begin behind E2E_LATEST_MS (of the clock, in milliseconds): what has begun is ended, and
 * what has not is told as skipped, instead of all being killed at the limit.
 */
export default class UntilLate extends TestRunner {
  /** @override @param {string} path @param {'collect' | 'setup'} source */
  importFile(path, source) {
    const latestMs = Number(process.env['E2E_LATEST_MS'] ?? Number.POSITIVE_INFINITY);
    if (source === 'setup' || Date.now() < latestMs) return super.importFile(path, source);
    it.skip(TOO_LATE, () => {});
    return undefined;
  }
}

import { it, TestRunner } from 'vitest';
import { TOO_LATE } from './too-late.mjs';

/**
 * Leaves out every file that would start after E2E_LATEST_MS (epoch milliseconds). Started files finish, and
 * the others are reported as skipped, so that nothing is killed at the time limit.
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

import { writeFileSync } from 'node:fs';

/**
 * A Vitest reporter that writes errors thrown outside of any test to the file UNHANDLED_FILE, because the
 * JSON report omits them. Each has its stack, and the file that ran at the time, which may not be the cause.
 *
 * @typedef {{file: string | null, message: string, stack: string}} Unhandled
 */
export class UnhandledReporter {
  /** @param {readonly unknown[]} _modules @param {readonly import('vitest').SerializedError[]} errors */
  onTestRunEnd(_modules, errors) {
    const path = process.env['UNHANDLED_FILE'];
    if (path === undefined) return;
    /** @type {Unhandled[]} */
    const reported = errors.map(({ VITEST_TEST_PATH, message, stack }) => ({
      file: typeof VITEST_TEST_PATH === 'string' ? VITEST_TEST_PATH : null,
      message: String(message),
      stack: String(stack ?? ''),
    }));
    writeFileSync(path, JSON.stringify(reported));
  }
}

// Vitest uses the default export of a reporter's file.
export default UnhandledReporter;

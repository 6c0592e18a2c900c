import { writeFileSync } from 'node:fs';

/**
 * Reporter of Vitest that writes what was thrown outside of any test to the file that UNHANDLED_FILE names: the report in
 * JSON has no word of it. Of each: the file that ran meanwhile, which need not be the one it comes from, and the stack.
 *
 * @typedef {{file: string | null, message: string, stack: string}} Unhandled
 */
export class TellUnhandled {
  /** @param {readonly unknown[]} _modules @param {readonly import('vitest').SerializedError[]} errors */
  onTestRunEnd(_modules, errors) {
    const path = process.env['UNHANDLED_FILE'];
    if (path === undefined) return;
    /** @type {Unhandled[]} */
    const told = errors.map(({ VITEST_TEST_PATH, message, stack }) => ({ file: typeof VITEST_TEST_PATH === 'string' ? VITEST_TEST_PATH : null, message: String(message), stack: String(stack ?? '') }));
    writeFileSync(path, JSON.stringify(told));
  }
}

// Vitest takes the default export of a reporter's file.
export default TellUnhandled;

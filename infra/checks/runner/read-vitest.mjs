import { relative } from 'node:path';
import { root } from '../vitest-base.mjs';

/**
 * The result of a Vitest run, read from its JSON report.
 * @typedef {{name: string, message: string}} Failure
 * @typedef {{name: string, seconds: number}} Timed
 * @typedef {{passed: number, failed: number, skipped: number, failures: readonly Failure[], slowest: readonly
 *   Timed[]}} VitestResult `slowest` is sorted, longest first. Names are relative to the repository.
 */

/** The number of slowest files in the report. */
const SLOWEST_MAX = 10;

/**
 * @param {any} json
 * @param {number} code the exit code of the process; the only sign of a failure outside of tests
 * @param {readonly import('./unhandled-reporter.mjs').Unhandled[]} [unhandled] thrown outside of any test
 * @returns {VitestResult}
 */
export function readVitest(json, code, unhandled = []) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests = 0, testResults = [] } = json;
  const broken = testResults.filter((/** @type {any} */ file) => file.status === 'failed');
  const failures = broken.flatMap((/** @type {any} */ file) => {
    const tests = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
    return tests.map((/** @type {any} */ test) => ({
      name: `${relative(root, file.name)} > ${test.fullName}`,
      message: String(test.failureMessages?.[0] ?? '').split('\n')[0],
    }));
  });
  // An error is reported once, even if it was thrown hundreds of times.
  const outside = new Map(unhandled.map((error) => [`${error.file} ${error.stack}`, error]));
  failures.push(...[...outside.values()].map(nameUnhandled));
  const failed = numFailedTests + outside.size;
  return {
    passed: numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
    failures,
    slowest: listSlowest(testResults),
  };
}

/**
 * Describes an unhandled error with the first stack lines in this project, because the test file that was
 * running may not be its cause.
 * @param {import('./unhandled-reporter.mjs').Unhandled} error
 */
function nameUnhandled({ file, message, stack }) {
  const lines = stack
    .split('\n')
    .filter((line) => line.includes(root) && !line.includes('node_modules'))
    .slice(0, 3);
  const locations = lines.map((line) => line.trim().replaceAll(`${root}/`, ''));
  return {
    name: `${file === null ? 'a process' : relative(root, file)} > outside of any test`,
    message: [message.split('\n')[0], ...locations].join(' '),
  };
}

/** @param {any[]} files @returns {Timed[]} */
function listSlowest(files) {
  return takeSlowest(
    files.map(({ name, startTime, endTime }) => ({
      name: relative(root, name),
      seconds: (endTime - startTime) / 1000,
    })),
  );
}

/** @param {readonly Timed[]} files @returns {Timed[]} */
export function takeSlowest(files) {
  return files.toSorted((item, other) => other.seconds - item.seconds).slice(0, SLOWEST_MAX);
}

/**
 * Formats the outcome of a run in one line: the counts, or the first five failures.
 * @param {Pick<VitestResult, 'passed' | 'failed' | 'skipped' | 'failures'>} result
 */
export function formatOutcome({ passed, failed, skipped, failures }) {
  if (failed === 0) return `${passed} passed, ${skipped} skipped`;
  return failures
    .slice(0, 5)
    .map(({ name, message }) => `${name}: ${message}`)
    .join(' | ');
}

import { relative } from 'node:path';
import { TOO_LATE } from './too-late.mjs';
import { root } from './vitest-base.mjs';

/**
 * The result of a Vitest run, read from its JSON report.
 * @typedef {{name: string, message: string}} Failure
 * @typedef {{name: string, seconds: number}} Timed
 * @typedef {{passed: number, failed: number, skipped: number, failures: readonly Failure[], files: readonly
 *   string[], late: readonly string[], slowest: readonly Timed[]}} VitestResult `files` have a failed test or
 *   could not be loaded. `late` were left out because time was nearly up. `slowest` is sorted, longest first.
 *   All are relative to the repository.
 */

/** The maximum number of files to run again. With more broken files, chance is not the cause. */
const FILES_AGAIN_MAX = 3;
/** The maximum number of tests that fail and then pass, in all suites together. */
export const UNSTEADY_MAX = 2;
/** The number of slowest files in the report. */
const SLOWEST_MAX = 10;

/**
 * @param {any} json
 * @param {number} code the exit code, the only sign of a failed process
 * @param {readonly import('./tell-unhandled.mjs').Unhandled[]} [unhandled] thrown outside of any test
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
  // One error may be thrown hundreds of times.
  const outside = new Map(unhandled.map((error) => [`${error.file} ${error.stack}`, error]));
  failures.push(...[...outside.values()].map(nameUnhandled));
  const files = [
    ...broken.map((/** @type {any} */ file) => file.name),
    ...unhandled.map(({ file }) => file ?? ''),
  ].filter((name) => name !== '');
  const failed = numFailedTests + outside.size;
  return {
    passed: numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
    failures,
    files: [...new Set(files.map((name) => relative(root, name)))],
    late: listLate(testResults),
    slowest: listSlowest(testResults),
  };
}

/** @param {any[]} files */
function listLate(files) {
  return files
    .filter(({ assertionResults }) =>
      assertionResults.some((/** @type {any} */ test) => test.title === TOO_LATE),
    )
    .map(({ name }) => relative(root, name));
}

/**
 * Includes the first stack lines of this project, because the running file may not be the cause.
 * @param {import('./tell-unhandled.mjs').Unhandled} error
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
 * Returns whether running the broken files again can separate chance from defects.
 * @param {VitestResult} result
 */
export function isWorthAgain({ failed, failures, files }) {
  return files.length > 0 && failed === failures.length && files.length <= FILES_AGAIN_MAX;
}

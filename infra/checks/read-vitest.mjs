import { relative } from 'node:path';
import { TOO_LATE } from './too-late.mjs';
import { root } from './vitest-base.mjs';

/**
 * What a run of Vitest came to, of its JSON report.
 *
 * @typedef {{name: string, message: string}} Failure
 * @typedef {{name: string, seconds: number}} Timed
 * @typedef {{passed: number, failed: number, skipped: number, failures: readonly Failure[], files: readonly string[], late: readonly string[], slowest: readonly Timed[]}} VitestResult
 *   `files`: those with a failed test, or that could not be loaded; `late`: those left out since the time was nearly up; `slowest`: those that took longest, the longest first. Relative to the repository
 */

/** No more than so many files are run a second time: what breaks more of them is no matter of chance. */
const FILES_AGAIN_MAX = 3;
/** Tests that fail and then pass, in all suites together; with one more the run has failed. */
export const UNSTEADY_MAX = 2;
/** How many of the slowest files are told. */
const SLOWEST_MAX = 10;

/**
 * @param {any} json @param {number} code the exit code, which alone tells that the process failed
 * @param {readonly import('./tell-unhandled.mjs').Unhandled[]} [unhandled] thrown outside of any test
 * @returns {VitestResult}
 */
export function readVitest(json, code, unhandled = []) {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests = 0, testResults = [] } = json;
  const broken = testResults.filter((/** @type {any} */ file) => file.status === 'failed');
  const failures = broken.flatMap((/** @type {any} */ file) => {
    const tests = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
    return tests.map((/** @type {any} */ test) => ({ name: `${relative(root, file.name)} > ${test.fullName}`, message: String(test.failureMessages?.[0] ?? '').split('\n')[0] }));
  });
  // One fault may be thrown hundreds of times.
  const outside = new Map(unhandled.map((error) => [`${error.file} ${error.stack}`, error]));
  failures.push(...[...outside.values()].map(nameUnhandled));
  const files = [...broken.map((/** @type {any} */ file) => file.name), ...unhandled.map(({ file }) => file ?? '')].filter((name) => name !== '');
  const failed = numFailedTests + outside.size;
  return {
    passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed, skipped: numPendingTests + numTodoTests,
    failures, files: [...new Set(files.map((name) => relative(root, name)))], late: listLate(testResults), slowest: listSlowest(testResults),
  };
}

/** @param {any[]} files */
function listLate(files) {
  return files.filter(({ assertionResults }) => assertionResults.some((/** @type {any} */ test) => test.title === TOO_LATE)).map(({ name }) => relative(root, name));
}

/** With the first lines of its stack that are this project's: the file that ran need not be the one it comes from. @param {import('./tell-unhandled.mjs').Unhandled} error */
function nameUnhandled({ file, message, stack }) {
  const lines = stack.split('\n').filter((line) => line.includes(root) && !line.includes('node_modules')).slice(0, 3);
  const places = lines.map((line) => line.trim().replaceAll(`${root}/`, ''));
  return { name: `${file === null ? 'a process' : relative(root, file)} > outside of any test`, message: [message.split('\n')[0], ...places].join(' ') };
}

/** @param {any[]} files @returns {Timed[]} */
function listSlowest(files) {
  return takeSlowest(files.map(({ name, startTime, endTime }) => ({ name: relative(root, name), seconds: (endTime - startTime) / 1000 })));
}

/** @param {readonly Timed[]} files @returns {Timed[]} */
export function takeSlowest(files) {
  return files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST_MAX);
}

/** Whether running the broken files once more can tell chance from fault. @param {VitestResult} result */
export function isWorthAgain({ failed, failures, files }) {
  return files.length > 0 && failed === failures.length && files.length <= FILES_AGAIN_MAX;
}

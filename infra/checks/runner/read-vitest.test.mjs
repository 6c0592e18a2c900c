import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVitest } from './read-vitest.mjs';
import { root } from '../vitest-base.mjs';

const file = (/** @type {string} */ name, /** @type {string[]} */ ...failed) => ({
  name: join(root, name),
  startTime: 1_000,
  endTime: 3_500,
  status: failed.length > 0 ? 'failed' : 'passed',
  assertionResults: [
    { status: 'passed', fullName: 'fine' },
    ...failed.map((fullName) => ({ status: 'failed', fullName, failureMessages: ['expected 1\n at there'] })),
  ],
});
const report = (/** @type {ReturnType<typeof file>[]} */ ...testResults) => ({
  numPassedTests: 5,
  numFailedTests: testResults
    .flatMap((entry) => entry.assertionResults)
    .filter((test) => test.status === 'failed').length,
  numPendingTests: 1,
  testResults,
});

describe('the report of a run', () => {
  it('readVitest lists each failed test with its file and the first line of its message', () => {
    expect(readVitest(report(file('a.test.ts', 'one'), file('b.test.ts')), 1)).toEqual({
      passed: 5,
      failed: 1,
      skipped: 1,
      failures: [{ name: 'a.test.ts > one', message: 'expected 1' }],
      slowest: [
        { name: 'a.test.ts', seconds: 2.5 },
        { name: 'b.test.ts', seconds: 2.5 },
      ],
    });
  });
  it('readVitest lists the ten slowest files, slowest first', () => {
    const files = Array.from({ length: 12 }, (_, index) => ({
      ...file(`${index}.test.ts`),
      endTime: 1_000 + 1_000 * index,
    }));
    expect(readVitest(report(...files), 0).slowest.map(({ name, seconds }) => `${name} ${seconds}`)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${11 - index}.test.ts ${11 - index}`),
    );
  });
  it('readVitest reports a failure when the process failed without a failed test', () => {
    expect(readVitest(report(file('a.test.ts')), 1).failed).toBe(1);
  });
  it('readVitest reports an error outside of any test with its stack lines in the repository', () => {
    const stack = `Error: gone\n    at a (${root}/libs/a/src/b.ts:3:1)\n    at c (${root}/node_modules/c/c.js:1:1)`;
    const result = readVitest(report(file('a.test.ts')), 1, [
      { file: join(root, 'a.test.ts'), message: 'gone\nmore', stack },
      { file: join(root, 'a.test.ts'), message: 'gone\nmore', stack },
      { file: null, message: 'lost', stack: '' },
    ]);
    expect(result.failures).toEqual([
      { name: 'a.test.ts > outside of any test', message: 'gone at a (libs/a/src/b.ts:3:1)' },
      { name: 'a process > outside of any test', message: 'lost' },
    ]);
    expect(result.failed).toBe(2);
  });
});

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
  it('each failed test is named with its file and first line', () => {
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
  it('the ten slowest files are listed, slowest first', () => {
    const files = Array.from({ length: 12 }, (_, index) => ({
      ...file(`${index}.test.ts`),
      endTime: 1_000 + 1_000 * index,
    }));
    expect(readVitest(report(...files), 0).slowest.map(({ name, seconds }) => `${name} ${seconds}`)).toEqual(
      Array.from({ length: 10 }, (_, index) => `${11 - index}.test.ts ${11 - index}`),
    );
  });
  it('a failed process without a failed test is a failure', () => {
    expect(readVitest(report(file('a.test.ts')), 1).failed).toBe(1);
  });
  it('an error outside of any test is reported with the stack lines of this project', () => {
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

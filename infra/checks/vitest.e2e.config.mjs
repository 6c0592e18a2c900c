import { defineConfig } from 'vitest/config';
import { longFirst } from './long-first.mjs';
import { decorators, root } from './vitest-base.mjs';

/** These journeys kill processes or measure memory, so no other journey may run at the same time. */
const ALONE = ['e2e/journeys/faults.e2e.ts', 'e2e/journeys/streams.e2e.ts'];
/** Each takes more than half a minute. */
const LONG = [
  'console-schema',
  'console',
  'console-screens',
  'console-data',
  'console-query',
  'console-keyboard',
  'cli',
];
/** Patterns of files to leave out, separated by commas. Vitest's `--exclude` does not apply to projects. */
const OMITTED = (process.env['E2E_LEAVE_OUT'] ?? '').split(',').filter((pattern) => pattern !== '');
const ELSEWHERE = ['**/node_modules/**', '**/dist/**', 'e2e/long/**', ...OMITTED];

/**
 * @param {string} name
 * @param {string[]} include
 * @param {string[]} exclude
 * @param {{maxWorkers: number, groupOrder: number, runner?: string}} turn
 */
const group = (name, include, exclude, { maxWorkers, groupOrder, runner }) => ({
  root,
  oxc: decorators,
  test: {
    name,
    include,
    exclude,
    maxWorkers,
    ...(runner === undefined ? {} : { runner }),
    pool: /** @type {const} */ ('forks'),
    sequence: { groupOrder },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});

/**
 * Tests the whole product from outside. It is started once for the run, and each file signs up a separate
 * person.
 */
export default defineConfig({
  root,
  test: {
    globalSetup: ['infra/checks/global-product.mjs'],
    sequence: { sequencer: longFirst(LONG.map((name) => `${name}.e2e.ts`)) },
    teardownTimeout: 30_000,
    projects: [
      group('together', ['e2e/**/*.e2e.ts'], [...ELSEWHERE, ...ALONE], {
        maxWorkers: 2,
        groupOrder: 0,
        runner: 'infra/checks/until-late.mjs',
      }),
      group('alone', ALONE, ELSEWHERE, { maxWorkers: 1, groupOrder: 1 }),
    ],
  },
});

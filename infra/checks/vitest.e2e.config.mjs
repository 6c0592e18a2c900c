import { defineConfig } from 'vitest/config';
import { longFirst } from './runner/long-first.mjs';
import { NIGHTLY_JOURNEYS, selectFiles } from './runner/nightly.mjs';
import { decorators, root } from './vitest-base.mjs';

/** These journeys kill processes or measure memory, so no other journey may run at the same time. */
const ALONE = ['e2e/journeys/robustness/faults.e2e.ts', 'e2e/journeys/data-api/streams.e2e.ts'];
/** Files that take more than half a minute each. */
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
const OMITTED = (process.env['E2E_OMIT'] ?? '').split(',').filter((pattern) => pattern !== '');
const { include, exclude } = selectFiles(['e2e/**/*.e2e.ts'], NIGHTLY_JOURNEYS);
const ELSEWHERE = ['**/node_modules/**', '**/dist/**', 'e2e/long/**', ...OMITTED, ...exclude];

/** @param {string} path */
const isSelected = (path) =>
  process.env['TEST_SET'] === 'nightly' ? include.includes(path) : !exclude.includes(path);

/**
 * @param {string} name
 * @param {string[]} include
 * @param {string[]} exclude
 * @param {{maxWorkers: number, groupOrder: number}} order
 */
const group = (name, include, exclude, { maxWorkers, groupOrder }) => ({
  root,
  oxc: decorators,
  test: {
    name,
    include,
    exclude,
    maxWorkers,
    pool: /** @type {const} */ ('forks'),
    sequence: { groupOrder },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});

/**
 * Tests the whole product through its public interfaces. The product is started once per run, and each file
 * signs up its own user.
 */
export default defineConfig({
  root,
  test: {
    globalSetup: ['infra/checks/runner/global-product.mjs'],
    sequence: { sequencer: longFirst(LONG.map((name) => `${name}.e2e.ts`)) },
    teardownTimeout: 30_000,
    projects: [
      group('together', include, [...ELSEWHERE, ...ALONE], {
        maxWorkers: 2,
        groupOrder: 0,
      }),
      group('alone', ALONE.filter(isSelected), ELSEWHERE, { maxWorkers: 1, groupOrder: 1 }),
    ],
  },
});

import { defineConfig } from 'vitest/config';
import { longFirst } from './long-first.mjs';
import { decorators, root } from './vitest-base.mjs';

/** They kill its processes, or measure its memory: nobody else may use the product meanwhile. */
const ALONE = ['e2e/journeys/faults.e2e.ts', 'e2e/journeys/streams.e2e.ts'];
/** More than half a minute each. */
const LONG = ['console-schema', 'console', 'console-screens', 'console-data', 'console-query', 'console-keyboard', 'cli'];
/** Patterns that the runner leaves out, by commas: what Vitest is told by `--exclude` does not reach projects. */
const LEFT_OUT = (process.env['E2E_LEAVE_OUT'] ?? '').split(',').filter((pattern) => pattern !== '');
const ELSEWHERE = ['**/node_modules/**', '**/dist/**', 'e2e/long/**', ...LEFT_OUT];

/**
 * @param {string} name @param {string[]} include @param {string[]} exclude
 * @param {{maxWorkers: number, groupOrder: number, runner?: string}} turn
 */
const group = (name, include, exclude, { maxWorkers, groupOrder, runner }) => ({
  root,
  oxc: decorators,
  test: {
    name, include, exclude, maxWorkers, ...(runner === undefined ? {} : { runner }),
    pool: /** @type {const} */ ('forks'),
    sequence: { groupOrder },
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});

/** The whole product from outside, started once for the run; each file is a person of its own on it. */
export default defineConfig({
  root,
  test: {
    globalSetup: ['infra/checks/global-product.mjs'],
    sequence: { sequencer: longFirst(LONG.map((name) => `${name}.e2e.ts`)) },
    teardownTimeout: 30_000,
    projects: [
      group('together', ['e2e/**/*.e2e.ts'], [...ELSEWHERE, ...ALONE], { maxWorkers: 2, groupOrder: 0, runner: 'infra/checks/until-late.mjs' }),
      group('alone', ALONE, ELSEWHERE, { maxWorkers: 1, groupOrder: 1 }),
    ],
  },
});

import { defineConfig } from 'vitest/config';
import { NIGHTLY_UNIT, selectFiles } from './runner/nightly.mjs';
import { decorators, root, server } from './vitest-base.mjs';

/**
 * Tests that run in their own process, because they replace modules or `fetch`, or measure the cost of a
 * stage of the hot path.
 */
const APART = [
  'apps/console/src/data/**/*.test.{ts,tsx}',
  'apps/console/src/**/use-*.test.ts',
  'apps/console/src/preload-*.test.ts',
  'bench/**/*.test.mjs',
];

const SHARED = [
  'libs/*/src/**/*.test.ts',
  'apps/*/src/**/*.test.{ts,tsx}',
  'infra/local/**/*.test.mjs',
  'infra/test-servers/**/*.test.mjs',
  'infra/checks/**/!(launcher|planted).test.mjs',
];
const apart = selectFiles(APART, NIGHTLY_UNIT);

/** @param {string} name @param {string[]} include @param {{exclude?: string[], isolate: boolean}} options */
const group = (name, include, { exclude = [], isolate }) => ({
  root,
  oxc: decorators,
  test: {
    name,
    include,
    isolate,
    server,
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.int.test.*', '**/*.e2e.*', ...exclude],
    testTimeout: 10_000,
    expect: { poll: { timeout: 8_000 } },
  },
});

/**
 * Configures the unit tests, which use no server or network. Files share a process, because loading the code
 * takes longer than running the tests.
 */
export default defineConfig({
  root,
  test: {
    projects: [
      group('shared', selectFiles(SHARED, []).include, { exclude: APART, isolate: false }),
      group('apart', apart.include, { exclude: apart.exclude, isolate: true }),
    ],
  },
});

import { defineConfig } from 'vitest/config';
import { root } from './vitest-base.mjs';

/** Configures the tests that check every lint rule with a planted violation. Run a build first. */
export default defineConfig({
  root,
  test: { include: ['infra/checks/rules/planted.test.mjs'], testTimeout: 60_000, hookTimeout: 180_000 },
});

import { defineConfig } from 'vitest/config';
import { root } from './vitest-base.mjs';

/** Tests every rule with a planted violation. Needs a build. */
export default defineConfig({
  root,
  test: { include: ['infra/checks/rules/planted.test.mjs'], testTimeout: 60_000, hookTimeout: 180_000 },
});

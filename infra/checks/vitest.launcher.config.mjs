import { defineConfig } from 'vitest/config';
import { root } from './vitest-base.mjs';

/** The launcher as a person uses it: started, killed, started again. */
export default defineConfig({ root, test: { include: ['infra/checks/launcher.test.mjs'], testTimeout: 90_000, hookTimeout: 120_000, fileParallelism: false } });

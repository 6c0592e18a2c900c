import type { FailPointName, FailPoints } from '../pipeline/fail-points.js';

/**
 * Loaded with ROWHOUSE_ENV=test only. A request that names a point in `X-Fail-Point` kills the process there, as a
 * power cut would; a test in the same process arms a point with an action of its own.
 */
export interface TestFailPoints extends FailPoints {
  /** For the next call that reaches the point. */
  arm(name: FailPointName, action: () => Promise<void> | void): void;
}

export function createFailPoints(): TestFailPoints {
  const armed = new Map<FailPointName, () => Promise<void> | void>();
  return {
    arm: (name, action) => void armed.set(name, action),
    async reach(name, headers) {
      const action = armed.get(name);
      armed.delete(name);
      await action?.();
      if (headers['x-fail-point'] !== name) return;
      process.kill(process.pid, 'SIGKILL');
      await new Promise<never>(() => undefined);
    },
  };
}

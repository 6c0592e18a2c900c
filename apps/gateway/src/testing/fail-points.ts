import type { ServerResponse } from 'node:http';
import type { FailPointName, FailPoints } from '../pipeline/fail-points.js';

/**
 * Loaded with ROWHOUSE_ENV=test only. A request that names a point in `X-Fail-Point` kills the process there, as a
 * power cut would; a test in the same process arms a point with an action of its own.
 */
export interface TestFailPoints extends FailPoints {
  /** For the next call that reaches the point. */
  arm(name: FailPointName, action: () => Promise<void> | void): void;
}

type Action = () => Promise<void> | void;

export function createFailPoints(): TestFailPoints {
  const armed = new Map<FailPointName, Action>();
  const take = (name: FailPointName): Action | undefined => {
    const action = armed.get(name);
    armed.delete(name);
    return action;
  };
  return {
    arm: (name, action) => void armed.set(name, action),
    async reach(name, headers) {
      await take(name)?.();
      if (headers['x-fail-point'] === name) await killProcess();
    },
    watch(headers, res) {
      const isNamed = headers['x-fail-point'] === 'after_first_byte';
      const action = take('after_first_byte') ?? (isNamed ? killProcess : undefined);
      if (action !== undefined) breakOff(res, action);
    },
  };
}

async function killProcess(): Promise<void> {
  process.kill(process.pid, 'SIGKILL');
  await new Promise<never>(() => undefined);
}

/** One byte of the answer is with the network when `action` runs, and no other follows. */
function breakOff(res: ServerResponse, action: Action): void {
  res.end = (() => {
    res.socket?.write('H', () => void Promise.resolve(action()).then(() => res.destroy()));
    return res;
  }) as ServerResponse['end'];
}

import type { ServerResponse } from 'node:http';
import type { FailPointName, FailPoints } from '../idempotency/fail-points.js';

/**
 * Fail points, loaded with ROWHOUSE_ENV=test only. A request that names a point in `X-Fail-Point` kills the
 * process there, like a power failure. A test in the same process can set its own action for a point.
 */
export interface TestFailPoints extends FailPoints {
  /** Sets the action for the next call that reaches the point. */
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
      if (action !== undefined) abort(res, action);
    },
  };
}

async function killProcess(): Promise<void> {
  process.kill(process.pid, 'SIGKILL');
  await new Promise<never>(() => undefined);
}

/** Runs `action` after one byte of the response was sent. No further byte follows. */
function abort(res: ServerResponse, action: Action): void {
  res.end = (() => {
    res.socket?.write('H', () => void Promise.resolve(action()).then(() => res.destroy()));
    return res;
  }) as ServerResponse['end'];
}

import { AppError } from '@rowhouse/errors';
import { createGateMap } from '../tenant/gate-map.js';
import type { LoopTurns } from './loop-turns.js';

/**
 * Large bodies of a database become rows a few at a time, and those that wait stay the bytes that came: what is read of
 * a body is many times its size, lives until the server has taken it, and each clean-up of young memory would copy it.
 */
export interface LargeBodies {
  /** Null: the body is read by the way. Else it is the body's turn when this resolves; to be called when its request is done. Rejects with `limit.busy`. */
  turn(schemaName: string, body: Buffer | null): Promise<() => void> | null;
  sweep(): void;
}

/** A smaller one is read by the way. */
const LARGE_BYTES_MIN = 16 * 1024;
/** One more than a database has sessions for such statements, so that none of these rests. */
const WORKED_ON_MAX = 5;
/** As many as it has sessions in company: what more bodies have become lives while it waits, and each clean-up of young memory takes time from the others. */
const WORKED_ON_IN_COMPANY_MAX = 2;
const WAITING_MAX = 512;
const WAIT_MS = 5_000;

export function isLargeBody(body: Buffer | null): boolean {
  return body !== null && body.length > LARGE_BYTES_MIN;
}

export function createLargeBodies(turns: Pick<LoopTurns, 'wait' | 'hasCompany'>): LargeBodies {
  const gates = createGateMap({
    runningMax: (schemaName) => (turns.hasCompany(schemaName) ? WORKED_ON_IN_COMPANY_MAX : WORKED_ON_MAX), waitingMax: WAITING_MAX, waitMs: WAIT_MS,
    toError: () => new AppError('limit.busy', { retryAfterSeconds: 1, detail: 'Too many large bodies wait for this database.', hint: 'Send fewer at once.', internal: 'large bodies' }),
  });
  return {
    turn(schemaName, body) {
      if (!isLargeBody(body)) return null;
      return gates.of(schemaName).enter().then((leave) => new Promise((resolve) => turns.wait(schemaName, () => resolve(leave))));
    },
    sweep: () => gates.sweep(),
  };
}

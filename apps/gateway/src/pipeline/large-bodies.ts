import { AppError } from '@rowhouse/errors';
import { createFairRoom } from '../tenant/fair-room.js';
import { createGateMap } from '../tenant/gate-map.js';
import type { LoopTurns } from './loop-turns.js';

/**
 * Large bodies of a database become rows a few at a time, and those that wait stay the bytes that came: what is read of
 * a body is many times its size, lives until the server has taken it, and each clean-up of young memory would copy it.
 */
export interface LargeBodies {
  /** Null: the body is read by the way. Else it is the body's turn when this resolves; to be called when its request is done. Rejects with `limit.busy`. */
  turn(schemaName: string, body: Buffer | null): Promise<() => void> | null;
  /** What a body that is read while it comes holds of itself. */
  hold(schemaName: string): HeldBytes;
  sweep(): void;
}

export interface HeldBytes {
  /** Throws `limit.busy` where there is no room for so many. */
  resize(bytes: number): void;
  end(): void;
}

/** Of each body that is read while it comes, not counted. */
const HELD_BYTES_FREE = 64 * 1024;
/** A smaller one is read by the way. */
const LARGE_BYTES_MIN = 16 * 1024;
/** One more than a database has sessions for such statements, so that none of these rests. */
const WORKED_ON_MAX = 5;
/** As many as it has sessions in company: what more bodies have become lives while it waits, and each clean-up of young memory takes time from the others. */
const WORKED_ON_IN_COMPANY_MAX = 2;
const WAITING_MAX = 512;
const WAIT_MS = 5_000;
/** Of all that wait or are worked on: a quarter of what bodies may take is for those that are on their way. */
const BYTES_MAX = 192 * 1024 * 1024;

export function isLargeBody(body: Buffer | null): boolean {
  return body !== null && body.length > LARGE_BYTES_MIN;
}

export function createLargeBodies(turns: Pick<LoopTurns, 'wait' | 'hasCompany'>, bytesMax = BYTES_MAX): LargeBodies {
  const room = createFairRoom(bytesMax);
  const gates = createGateMap({
    runningMax: (schemaName) => (turns.hasCompany(schemaName) ? WORKED_ON_IN_COMPANY_MAX : WORKED_ON_MAX), waitingMax: WAITING_MAX, waitMs: WAIT_MS, toError: tooMany,
  });

  async function enter(schemaName: string, bytes: number): Promise<() => void> {
    if (!room.take(schemaName, bytes)) throw tooMany();
    try {
      const leave = await gates.of(schemaName).enter();
      await new Promise<void>((resolve) => turns.wait(schemaName, resolve));
      return () => {
        room.give(schemaName, bytes);
        leave();
      };
    } catch (error) {
      room.give(schemaName, bytes);
      throw error;
    }
  }

  return {
    hold(schemaName) {
      let counted = 0;
      return {
        resize(bytes) {
          const more = Math.max(0, bytes - HELD_BYTES_FREE) - counted;
          if (more > 0 && !room.take(schemaName, more)) throw tooMany();
          if (more < 0) room.give(schemaName, -more);
          counted += more;
        },
        end: () => room.give(schemaName, counted),
      };
    },
    turn: (schemaName, body) => (body !== null && isLargeBody(body) ? enter(schemaName, body.length) : null),
    sweep: () => gates.sweep(),
  };
}

function tooMany(): AppError {
  return new AppError('limit.busy', { retryAfterSeconds: 1, detail: 'Too many large bodies wait for this database.', hint: 'Send fewer at once.', internal: 'large bodies' });
}

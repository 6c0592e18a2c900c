import { AppError } from '@rowhouse/errors';
import { createGateMap } from '@rowhouse/runtime';
import { createBodyRoom, type BodyHolder } from '../tenant/body-room.js';
import type { LoopTurns } from './loop-turns.js';

/**
 * Large bodies of a database become rows a few at a time, and those that wait stay the bytes that came: what is read of
 * a body is many times its size, lives until the server has taken it, and each clean-up of young memory would copy it.
 */
export interface LargeBodies {
  /** Null: the body is read by the way. Else it is the body's turn when this resolves; to be called when its request is done. Rejects with `limit.busy`. */
  turn(holder: BodyHolder, body: Buffer | null): Promise<() => void> | null;
  /** What a body that is read while it comes holds of itself. */
  hold(holder: BodyHolder): HeldBytes;
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
  const room = createBodyRoom(bytesMax);
  const gates = createGateMap({
    runningMax: (schemaName) => (turns.hasCompany(schemaName) ? WORKED_ON_IN_COMPANY_MAX : WORKED_ON_MAX), waitingMax: WAITING_MAX, waitMs: WAIT_MS, toError: tooMany,
  });

  async function enter(holder: BodyHolder, bytes: number): Promise<() => void> {
    const { schemaName } = holder;
    if (!room.take(holder, bytes)) throw noRoom();
    try {
      const leave = await gates.of(schemaName).enter();
      await new Promise<void>((resolve) => turns.wait(schemaName, resolve));
      return () => {
        room.give(holder, bytes);
        leave();
      };
    } catch (error) {
      room.give(holder, bytes);
      throw error;
    }
  }

  return {
    hold(holder) {
      let counted = 0;
      return {
        resize(bytes) {
          const more = Math.max(0, bytes - HELD_BYTES_FREE) - counted;
          if (more > 0 && !room.take(holder, more)) throw noRoom();
          if (more < 0) room.give(holder, -more);
          counted += more;
        },
        end: () => room.give(holder, counted),
      };
    },
    turn: (holder, body) => (body !== null && isLargeBody(body) ? enter(holder, body.length) : null),
    sweep: () => gates.sweep(),
  };
}

function noRoom(): AppError {
  return new AppError('limit.busy', { retryAfterSeconds: 1, detail: 'Large bodies of this database, and of others that the same account made, hold as much as there is room for.', hint: 'Send fewer at once.', internal: 'room of large bodies' });
}

function tooMany(): AppError {
  return new AppError('limit.busy', { retryAfterSeconds: 1, detail: 'Too many large bodies wait for this database.', hint: 'Send fewer at once.', internal: 'large bodies' });
}

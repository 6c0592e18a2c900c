import {
  openReservation,
  createGateMap,
  createBodyMemoryBudget,
  type BodyOwner,
  type EventLoopScheduler,
} from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import type { TenantDatabase } from '../tenant/tenant.js';

/**
 * Limits how many large bodies of a database are parsed at the same time. While a body waits, only its
 * received bytes are held. A parsed body takes many times more memory until the database server has received
 * its rows.
 */
export interface LargeBodies {
  /**
   * Waits until the body may be processed, and resolves with a function to call when the request is done.
   * Returns null when the body is small and can be parsed directly.
   *
   * @throws AppError `limit.busy`
   */
  enter(holder: BodyOwner, body: Buffer | null): Promise<() => void> | null;
  /** Opens a reservation for the bytes that a streamed body has in memory. */
  hold(holder: BodyOwner): HeldBytes;
  sweep(): void;
}

export interface HeldBytes {
  /** @throws AppError `limit.busy` when the budget does not have this many bytes left */
  resize(bytes: number): void;
  end(): void;
}

/** The number of bytes of each streamed body that do not count towards the budget. */
const HELD_BYTES_FREE = 64 * 1024;
/** Bodies above this size are large. */
const LARGE_BYTES_MIN = 16 * 1024;
/**
 * The maximum number of large bodies processed at once for one database. It is one more than the database's
 * sessions for long writes, so that no session waits for a body to be parsed.
 */
const PROCESSED_MAX = 5;
/**
 * The maximum while other tenants are active. It equals the number of sessions that a database may use in
 * that case.
 */
const PROCESSED_WITH_NEIGHBORS_MAX = 2;
const WAITING_MAX = 512;
const WAIT_MS = 5_000;
/**
 * The budget in bytes for all bodies that wait or are processed. It is three quarters of `BODIES_BYTES_MAX`.
 */
const BYTES_MAX = 192 * 1024 * 1024;

export function isLargeBody(body: Buffer | null): boolean {
  return body !== null && body.length > LARGE_BYTES_MIN;
}

export function createLargeBodies(
  scheduler: Pick<EventLoopScheduler, 'wait' | 'hasActiveNeighbors'>,
  bytesMax = BYTES_MAX,
): LargeBodies {
  const bodyBudget = createBodyMemoryBudget(bytesMax);
  const gates = createGateMap({
    runningMax: (schemaName) =>
      scheduler.hasActiveNeighbors(schemaName) ? PROCESSED_WITH_NEIGHBORS_MAX : PROCESSED_MAX,
    waitingMax: WAITING_MAX,
    waitMs: WAIT_MS,
    toError: tooMany,
  });

  async function enter(holder: BodyOwner, bytes: number): Promise<() => void> {
    const { schemaName } = holder;
    if (!bodyBudget.take(holder, bytes)) throw tooMuchMemory();
    try {
      const leave = await gates.of(schemaName).enter();
      await new Promise<void>((resolve) => scheduler.wait(schemaName, resolve));
      return () => {
        bodyBudget.give(holder, bytes);
        leave();
      };
    } catch (error) {
      bodyBudget.give(holder, bytes);
      throw error;
    }
  }

  return {
    hold(holder) {
      const reservation = openReservation(bodyBudget, holder, HELD_BYTES_FREE);
      return {
        resize(bytes) {
          if (!reservation.resize(bytes)) throw tooMuchMemory();
        },
        end: () => reservation.end(),
      };
    },
    enter: (holder, body) => (body !== null && isLargeBody(body) ? enter(holder, body.length) : null),
    sweep: () => gates.sweep(),
  };
}

function tooMuchMemory(): AppError {
  return new AppError('limit.busy', {
    retryAfterSeconds: 1,
    detail: 'This account has reached its memory limit for large request bodies.',
    hint: 'Send fewer at once.',
    internal: 'memory of large bodies',
  });
}

function tooMany(): AppError {
  return new AppError('limit.busy', {
    retryAfterSeconds: 1,
    detail: 'Too many large request bodies are waiting for this database.',
    hint: 'Send fewer at once.',
    internal: 'large bodies',
  });
}

/** Returns the owner and the database to which the bodies of a request are charged. */
export function bodyOwnerOf({ record }: Pick<TenantDatabase, 'record'>): BodyOwner {
  return { ownerId: record.accountId ?? record.projectId, schemaName: record.schemaName };
}

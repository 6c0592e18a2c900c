import { AppError } from '@rowhouse/errors';

/** The bytes that one response takes from the budget. A response of less than 256 KiB takes none. */
export interface ResponseHold {
  /**
   * Counts received bytes.
   *
   * @throws AppError `limit.concurrency` if the database has used its share, `limit.busy` if the process
   *   has used its budget
   */
  readonly add: (bytes: number) => void;
  /**
   * Returns the bytes to the budget. Call it after the response was sent or discarded. It can be called
   * several times.
   */
  readonly release: () => void;
  readonly isHolding: () => boolean;
}

export interface ResponseMemoryBudget {
  open(databaseId: string): ResponseHold;
  /** Returns the number of bytes that all responses of the process hold. */
  heldBytes(): number;
}

/** The number of bytes that a response takes from the budget in one step. */
const STEP_BYTES = 256 * 1024;
const HINT = 'Request fewer rows or columns, or stream them with Accept: application/x-ndjson.';

/**
 * Creates a budget that limits the memory of buffered responses, for each database and for the process. A
 * buffered response remains in memory until the client has received it, and its serialization delays all
 * other requests.
 */
export function createResponseMemoryBudget(bounds: {
  readonly processBytesMax: number;
  readonly databaseBytesMax: number;
}): ResponseMemoryBudget {
  let total = 0;
  const byDatabase = new Map<string, number>();

  function take(databaseId: string): void {
    const own = (byDatabase.get(databaseId) ?? 0) + STEP_BYTES;
    if (own > bounds.databaseBytesMax) {
      throw new AppError('limit.concurrency', {
        detail: 'This database has reached its memory limit for large responses.',
        hint: HINT,
        retryAfterSeconds: 1,
      });
    }
    if (total + STEP_BYTES > bounds.processBytesMax)
      throw new AppError('limit.busy', {
        detail: 'Too many large responses are being sent.',
        hint: HINT,
        retryAfterSeconds: 1,
      });
    byDatabase.set(databaseId, own);
    total += STEP_BYTES;
  }

  function give(databaseId: string, bytes: number): void {
    total -= bytes;
    const own = (byDatabase.get(databaseId) ?? 0) - bytes;
    if (own > 0) byDatabase.set(databaseId, own);
    else byDatabase.delete(databaseId);
  }

  return {
    heldBytes: () => total,
    open(databaseId) {
      let counted = 0;
      let takenCount = 0;
      return {
        add(bytes) {
          counted += bytes;
          while (counted - takenCount >= STEP_BYTES) {
            take(databaseId);
            takenCount += STEP_BYTES;
          }
        },
        release() {
          if (takenCount > 0) give(databaseId, takenCount);
          counted = 0;
          takenCount = 0;
        },
        isHolding: () => takenCount > 0,
      };
    },
  };
}

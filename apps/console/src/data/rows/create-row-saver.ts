import type { DatabaseResponse } from '@rowhouse/contracts';
import { ApiError, isUnknownOutcome } from '../client/api-error.js';
import type { TableView } from '../schema/read-tables.js';
import { applyChanges, type BatchResult, type RowChange, type SavedChange } from './apply-changes.js';

/** The result of a save. `sent` is the set of changes that is stored now. */
export type SaveResult =
  | Exclude<BatchResult, { readonly kind: 'done' }>
  | { readonly kind: 'done'; readonly sent: readonly RowChange[]; readonly saved: readonly SavedChange[] };

export type SaveRows = (
  database: DatabaseResponse,
  table: TableView,
  changes: readonly RowChange[],
) => Promise<SaveResult>;

/** A batch that was sent and may have been stored, because no response has said that it failed. */
interface Attempt {
  readonly database: DatabaseResponse;
  readonly table: TableView;
  readonly changes: readonly RowChange[];
  isMinimal: boolean;
}

/**
 * Returns a function that saves the changes of one table. After a lost response, the same changes can be
 * saved again without being stored twice, because all attempts share one idempotency key until one succeeds.
 *
 * If the changes were edited after a lost response, the gateway reports whether the earlier set was stored.
 * Then `sent` of the result is the earlier set, and the later changes remain to be saved.
 *
 * The gateway stores idempotency keys by API key. Attempts are therefore only recognized as long as the
 * console has the same session key, which is 12 minutes.
 */
export function createRowSaver(): SaveRows {
  let idempotencyKey = createIdempotencyKey();
  let attempts: Attempt[] = [];

  async function send(attempt: Attempt): Promise<SaveResult> {
    try {
      const { database, table, changes, isMinimal } = attempt;
      const result = await applyChanges(database, table, changes, { idempotencyKey, isMinimal });
      if (result.kind === 'rejected') {
        if (!isUnknownOutcome(result.error)) forget(attempt);
        return result;
      }
      idempotencyKey = createIdempotencyKey();
      attempts = [];
      return { kind: 'done', sent: changes, saved: result.saved };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'idempotency.too_large' && !attempt.isMinimal) {
        attempt.isMinimal = true;
        return send(attempt);
      }
      if (!isUnknownOutcome(error)) forget(attempt);
      throw error;
    }
  }

  /**
   * Sends the earlier batches again to find out which of them the gateway has stored under the idempotency
   * key.
   */
  async function replayEarlier(mismatch: ApiError): Promise<SaveResult> {
    for (const attempt of attempts.toReversed()) {
      try {
        return await send(attempt);
      } catch (error) {
        if (!isMismatch(error)) throw error;
      }
    }
    throw mismatch;
  }

  function forget(attempt: Attempt): void {
    attempts = attempts.filter((other) => other !== attempt);
  }

  return async (database, table, changes) => {
    const attempt: Attempt = { database, table, changes, isMinimal: false };
    attempts.push(attempt);
    try {
      return await send(attempt);
    } catch (error) {
      if (!isMismatch(error)) throw error;
      return replayEarlier(error);
    }
  };
}

function isMismatch(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'idempotency.mismatch';
}

/** Returns 128 random bits. `crypto.randomUUID` does not exist on pages without TLS. */
function createIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

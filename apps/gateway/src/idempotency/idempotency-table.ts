import { IDEMPOTENCY_TABLE, sideSchemaName } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import {
  collectRows,
  ignoreRows,
  isDuplicateKey,
  isRowLocked,
  quoteName,
  type RunStatement,
} from '@rowhouse/mysql';
import type { StoredResponse } from './stored-response.js';

/** Identifies the stored record of an idempotency key. Each key lineage has its own records. */
export interface RecordId {
  readonly schemaName: string;
  readonly lineageId: string;
  readonly key: string;
}

export type FoundRecord =
  | { readonly kind: 'none' }
  /** The record is older than 24 hours, and treated as missing. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'stored'; readonly fingerprint: Buffer; readonly response: StoredResponse };

/** Thrown when another request with the same key inserted its record first and has ended. */
export class RecordTakenError extends Error {
  constructor() {
    super('another request inserted the idempotency record');
    this.name = 'RecordTakenError';
  }
}

const RETAINED_HOURS = 24;
const ROW_BYTES_MAX = 1024 * 1024;
/** The SQL condition for expired records. */
const IS_EXPIRED = `created_at < UTC_TIMESTAMP(3) - INTERVAL ${RETAINED_HOURS} HOUR`;

/**
 * Finds the record.
 *
 * @throws AppError `idempotency.running` (409) while another transaction holds it
 */
export async function findRecord(run: RunStatement, id: RecordId): Promise<FoundRecord> {
  const sql = `SELECT status, fingerprint, headers, body, ${IS_EXPIRED} FROM ${tableOf(id.schemaName)} WHERE lineage_id = ? AND idempotency_key = ? FOR UPDATE NOWAIT`;
  const { rows } = await rejectWhileLocked(
    run(sql, [id.lineageId, id.key], collectRows({ bytesMax: ROW_BYTES_MAX })),
  );
  const [row] = rows.rows;
  if (row === undefined) return { kind: 'none' };
  const [status, fingerprint, headers, body, isExpired] = row;
  if (Number(isExpired) === 1) return { kind: 'expired' };
  if (status === null || !Buffer.isBuffer(fingerprint)) throw running();
  return {
    kind: 'stored',
    fingerprint,
    response: { status: Number(status), headers: String(headers), body: Buffer.isBuffer(body) ? body : null },
  };
}

/**
 * Inserts the record, as the first statement in the transaction of the write.
 *
 * @throws RecordTakenError when the record exists
 * @throws AppError `idempotency.running` (409) while another transaction holds it
 */
export async function insertRecord(
  run: RunStatement,
  id: RecordId,
  fingerprint: Buffer,
  isExpired: boolean,
): Promise<void> {
  const table = tableOf(id.schemaName);
  if (isExpired)
    await run(
      `DELETE FROM ${table} WHERE lineage_id = ? AND idempotency_key = ? AND ${IS_EXPIRED}`,
      [id.lineageId, id.key],
      ignoreRows,
    );
  try {
    await rejectWhileLocked(
      run(
        `INSERT INTO ${table} (lineage_id, idempotency_key, fingerprint, created_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))`,
        [id.lineageId, id.key, fingerprint],
        ignoreRows,
      ),
    );
  } catch (error) {
    throw isDuplicateKey(error) ? new RecordTakenError() : error;
  }
}

/** Stores the response, as the last statement in the transaction of the write. */
export async function completeRecord(
  run: RunStatement,
  id: RecordId,
  { status, headers, body }: StoredResponse,
): Promise<void> {
  const sql = `UPDATE ${tableOf(id.schemaName)} SET status = ?, headers = ?, body = ? WHERE lineage_id = ? AND idempotency_key = ?`;
  await run(sql, [status, headers, body, id.lineageId, id.key], ignoreRows);
}

/** Deletes up to `rowsMax` expired records, and returns their number. */
export async function sweepRecords(run: RunStatement, schemaName: string, rowsMax: number): Promise<number> {
  const { counts } = await run(
    `DELETE FROM ${tableOf(schemaName)} WHERE ${IS_EXPIRED} LIMIT ${rowsMax}`,
    [],
    ignoreRows,
  );
  return counts.affectedRows;
}

function tableOf(schemaName: string): string {
  return `${quoteName(sideSchemaName(schemaName))}.${quoteName(IDEMPOTENCY_TABLE)}`;
}

/** Converts the error of a locked record to 409 `idempotency.running`. */
async function rejectWhileLocked<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw isRowLocked(error) ? running() : error;
  }
}

function running(): AppError {
  return new AppError('idempotency.running', { retryAfterSeconds: 1 });
}

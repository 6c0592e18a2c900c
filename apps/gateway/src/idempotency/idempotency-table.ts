import { IDEMPOTENCY_TABLE, sideSchemaName } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { collectRows, DatabaseFault, ignoreRows, quoteName, type RunStatement } from '@rowhouse/mysql';
import type { StoredResponse } from './stored-response.js';

/** The row of one idempotency key in one key lineage. */
export interface RecordId {
  readonly schemaName: string;
  readonly lineageId: string;
  readonly key: string;
}

export type FoundRecord =
  | { readonly kind: 'none' }
  /** Older than 24 hours, and treated as missing. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'kept'; readonly fingerprint: Buffer; readonly answer: StoredResponse };

/** Thrown when another request with the same key inserted its record first and has ended. */
export class RecordTaken extends Error {}

const RETAINED_HOURS = 24;
const ROW_BYTES_MAX = 1024 * 1024;
const DUPLICATE = 1062;
/** The errors of NOWAIT on MariaDB and on MySQL. The first is also the error of a lock wait timeout. */
const LOCKED_NUMBERS = new Set([1205, 3572]);

const OLD = `created_at < UTC_TIMESTAMP(3) - INTERVAL ${RETAINED_HOURS} HOUR`;

/** Finds the record. Rejects with 409 `idempotency.running` while another transaction holds it. */
export async function findRecord(run: RunStatement, id: RecordId): Promise<FoundRecord> {
  const sql = `SELECT status, fingerprint, headers, body, ${OLD} FROM ${tableOf(id.schemaName)} WHERE lineage_id = ? AND idempotency_key = ? FOR UPDATE NOWAIT`;
  const { rows } = await whileUnlocked(
    run(sql, [id.lineageId, id.key], collectRows({ bytesMax: ROW_BYTES_MAX })),
  );
  const [row] = rows.rows;
  if (row === undefined) return { kind: 'none' };
  const [status, fingerprint, headers, body, isOld] = row;
  if (Number(isOld) === 1) return { kind: 'expired' };
  if (status === null || !Buffer.isBuffer(fingerprint)) throw running();
  return {
    kind: 'kept',
    fingerprint,
    answer: { status: Number(status), headers: String(headers), body: Buffer.isBuffer(body) ? body : null },
  };
}

/** Inserts the record, as the first statement in the transaction of the write. Rejects with RecordTaken. */
export async function insertRecord(
  run: RunStatement,
  id: RecordId,
  fingerprint: Buffer,
  isExpired: boolean,
): Promise<void> {
  const table = tableOf(id.schemaName);
  if (isExpired)
    await run(
      `DELETE FROM ${table} WHERE lineage_id = ? AND idempotency_key = ? AND ${OLD}`,
      [id.lineageId, id.key],
      ignoreRows,
    );
  try {
    await whileUnlocked(
      run(
        `INSERT INTO ${table} (lineage_id, idempotency_key, fingerprint, created_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))`,
        [id.lineageId, id.key, fingerprint],
        ignoreRows,
      ),
    );
  } catch (error) {
    throw error instanceof DatabaseFault && error.errno === DUPLICATE ? new RecordTaken() : error;
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
    `DELETE FROM ${tableOf(schemaName)} WHERE ${OLD} LIMIT ${rowsMax}`,
    [],
    ignoreRows,
  );
  return counts.affectedRows;
}

function tableOf(schemaName: string): string {
  return `${quoteName(sideSchemaName(schemaName))}.${quoteName(IDEMPOTENCY_TABLE)}`;
}

async function whileUnlocked<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw error instanceof DatabaseFault && LOCKED_NUMBERS.has(error.errno) ? running() : error;
  }
}

function running(): AppError {
  return new AppError('idempotency.running', { retryAfterSeconds: 1 });
}

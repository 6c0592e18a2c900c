import { type ChangeEntry, type ChangeKind, OFFLINE_KEYS_MAX_MS } from '@rowhouse/contracts';
import type { AdminPool, AdminSession } from '@rowhouse/mysql';
import { readJson } from '../sql-values.js';

/**
 * The reason why a gateway may still serve a request from the state before a change log entry. It has not
 * applied the entry (`behind`), has older requests in progress (`old_requests`), or lost its lease without
 * releasing it (`cut_off`).
 */
export type LagReason = 'behind' | 'old_requests' | 'cut_off';

export interface GatewayLag {
  readonly gatewayId: string;
  readonly reason: LagReason;
}

interface LeaseRow {
  readonly gateway_id: string;
  readonly applied_through_seq: number;
  readonly exceptions: unknown;
  readonly is_live: number;
}

/**
 * Returns the cell's gateways that may still use a state of the database before `seq`. A gateway that cannot
 * reach the platform database serves known API keys for ten minutes, so it is included during this time.
 */
export async function listGatewayLags(
  pool: AdminPool,
  cellId: string,
  databaseId: string,
  seq: number,
): Promise<GatewayLag[]> {
  const rows = await pool.rows<LeaseRow>(
    `SELECT gateway_id, applied_through_seq, exceptions, expires_at > UTC_TIMESTAMP(3) AS is_live FROM gateway_lease
     WHERE cell_id = ? AND expires_at > UTC_TIMESTAMP(3) - INTERVAL ? MICROSECOND`,
    [cellId, OFFLINE_KEYS_MAX_MS * 1_000],
  );
  return rows.flatMap((row) => {
    const reason = readReason(row, databaseId, seq);
    return reason === null ? [] : [{ gatewayId: row.gateway_id, reason }];
  });
}

function readReason(row: LeaseRow, databaseId: string, seq: number): LagReason | null {
  if (Number(row.is_live) !== 1) return 'cut_off';
  if (Number(row.applied_through_seq) < seq) return 'behind';
  return (readJson<readonly string[]>(row.exceptions) ?? []).includes(databaseId) ? 'old_requests' : null;
}

/**
 * Returns the gateways of the cell with a valid lease that may still use a snapshot of the database before
 * `seq`. They have not applied this entry, or have a request in progress that uses an older snapshot. An
 * empty list means that all gateways have acknowledged the change.
 */
export async function listLaggingGateways(
  pool: AdminPool,
  cellId: string,
  databaseId: string,
  seq: number,
): Promise<string[]> {
  const lags = await listGatewayLags(pool, cellId, databaseId, seq);
  return lags.filter(({ reason }) => reason !== 'cut_off').map(({ gatewayId }) => gatewayId);
}

/**
 * Writes the next entry of the cell's change log. It must be the last call in a transaction, because it locks
 * the row with the last number until the commit. With this lock, the numbers have no gaps and are in the
 * order of the commits.
 */
export async function appendChange(
  session: AdminSession,
  change: {
    readonly cellId: string;
    readonly databaseId: string;
    readonly kind: ChangeKind;
    readonly version: number;
  },
): Promise<ChangeEntry> {
  const bumped = await session.run(
    'UPDATE change_log_head SET last_seq = LAST_INSERT_ID(last_seq + 1) WHERE cell_id = ?',
    [change.cellId],
  );
  if (bumped.affectedRows === 0) {
    await session.run(
      'INSERT INTO change_log_head (cell_id, last_seq) VALUES (?, LAST_INSERT_ID(1)) ON DUPLICATE KEY UPDATE last_seq = LAST_INSERT_ID(last_seq + 1)',
      [change.cellId],
    );
  }
  const [row] = await session.rows<{ seq: number }>('SELECT LAST_INSERT_ID() AS seq');
  const seq = Number(row?.seq);
  await session.run(
    'INSERT INTO change_log (cell_id, seq, database_id, kind, version, created_at) VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(3))',
    [change.cellId, seq, change.databaseId, change.kind, change.version],
  );
  return { seq, database_id: change.databaseId, kind: change.kind, version: change.version };
}

/**
 * Writes an entry with `appendChange`, with the current version of the database's row. Call it after the row
 * was changed and its version was incremented.
 */
export async function appendDatabaseChange(
  session: AdminSession,
  change: { readonly cellId: string; readonly databaseId: string; readonly kind: ChangeKind },
): Promise<ChangeEntry> {
  const [row] = await session.rows<{ version: number }>('SELECT version FROM tenant_database WHERE id = ?', [
    change.databaseId,
  ]);
  return appendChange(session, { ...change, version: Number(row?.version ?? 0) });
}

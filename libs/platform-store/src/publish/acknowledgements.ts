import { OFFLINE_KEYS_MAX_MS } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { readJson } from '../json-column.js';

/**
 * Why a gateway may still serve a request of a database by what was true before an entry of the change log:
 * it has not applied the entry, it runs requests that began before, or it lost its lease without giving it up.
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
 * The gateways of the cell that have not left behind what was true of the database before `seq`. A gateway that is cut off
 * from the platform database serves known keys for ten minutes, and counts for as long.
 */
export async function listGatewayLags(pool: AdminPool, cellId: string, databaseId: string, seq: number): Promise<GatewayLag[]> {
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
 * The live gateways of the cell that have not yet left behind every snapshot of the database older than `seq`:
 * their watermark is below it, or they still serve a request on an older one. Empty means acknowledged by all.
 */
export async function listLaggingGateways(pool: AdminPool, cellId: string, databaseId: string, seq: number): Promise<string[]> {
  const lags = await listGatewayLags(pool, cellId, databaseId, seq);
  return lags.filter(({ reason }) => reason !== 'cut_off').map(({ gatewayId }) => gatewayId);
}

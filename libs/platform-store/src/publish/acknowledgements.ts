import type { AdminPool } from '@rowhouse/mysql';
import { readJson } from '../json-column.js';

/**
 * The live gateways of the cell that have not yet left behind every snapshot of the database older than `seq`:
 * their watermark is below it, or they still serve a request on an older one. Empty means acknowledged by all.
 */
export async function listLaggingGateways(pool: AdminPool, cellId: string, databaseId: string, seq: number): Promise<string[]> {
  const rows = await pool.rows<{ gateway_id: string; applied_through_seq: number; exceptions: unknown }>(
    'SELECT gateway_id, applied_through_seq, exceptions FROM gateway_lease WHERE cell_id = ? AND expires_at > UTC_TIMESTAMP(3)',
    [cellId],
  );
  return rows
    .filter((row) => Number(row.applied_through_seq) < seq || (readJson<readonly string[]>(row.exceptions) ?? []).includes(databaseId))
    .map((row) => row.gateway_id);
}

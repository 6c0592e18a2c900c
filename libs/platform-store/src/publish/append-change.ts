import type { ChangeEntry, ChangeKind } from '@rowhouse/contracts';
import type { AdminSession } from '@rowhouse/mysql';

/**
 * Writes the next entry of the cell's change log. Call it last in a transaction, since it locks the head row
 * until the commit. That lock makes the sequence contiguous and gives it the commit order.
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

import type { TransferTable } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import type { Snapshot } from '@rowhouse/schema-model';
import { createRowDigest, makeRowText } from './row-text.js';

/**
 * Reads every loaded row and compares the digest with the file's digest of the table.
 * Throws `transfer.differs`.
 */
export async function verifyTables(
  connection: AdminConnection,
  snapshot: Snapshot,
  tables: readonly TransferTable[],
): Promise<void> {
  const differing: string[] = [];
  // Rows of a dump have no digest: each piece was counted when it was loaded, and triggers
  // may have changed other rows.
  for (const expected of tables.filter(({ digest }) => digest !== null)) {
    const table = snapshot.tables.find((entry) => entry.name === expected.name);
    const found = createRowDigest();
    if (table !== undefined)
      for await (const row of connection.stream<{ t: string | null }>(makeRowText(table).select))
        found.add(row.t ?? '');
    if (found.rows !== expected.rows || found.digest !== expected.digest)
      differing.push(`${expected.name} (${found.rows} of ${expected.rows} rows)`);
  }
  if (differing.length > 0)
    throw new AppError('transfer.differs', {
      detail: `${differing.join(', ')} came out otherwise than the file says.`,
      extra: { tables: differing },
    });
}

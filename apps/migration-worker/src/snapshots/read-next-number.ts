import type { AdminConnection } from '@rowhouse/mysql';

/**
 * Returns the next AUTO_INCREMENT number as the server prints it, since its views may be a day old. `table`
 * is quoted. Returns null when the table has no number yet.
 */
export async function readNextNumber(connection: AdminConnection, table: string): Promise<string | null> {
  const [visible] = await connection.rows<Record<string, string>>(`SHOW CREATE TABLE ${table}`);
  return findNextNumber(visible?.['Create Table'] ?? '');
}

/** Searches only after the columns, since a column's comment may contain anything. */
export function findNextNumber(createTable: string): string | null {
  return /\bAUTO_INCREMENT=(\d+)/.exec(createTable.slice(createTable.lastIndexOf('\n)')))?.[1] ?? null;
}

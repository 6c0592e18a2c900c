import type { AdminConnection } from '@rowhouse/mysql';

/** The number that AUTO_INCREMENT gives next, as the server itself writes it: its views may be a day behind. `table`: quoted. Null: it counts nothing yet. */
export async function readNextNumber(connection: AdminConnection, table: string): Promise<string | null> {
  const [shown] = await connection.rows<Record<string, string>>(`SHOW CREATE TABLE ${table}`);
  return findNextNumber(shown?.['Create Table'] ?? '');
}

/** Behind the columns: a comment of one may say anything. */
export function findNextNumber(createTable: string): string | null {
  return /\bAUTO_INCREMENT=(\d+)/.exec(createTable.slice(createTable.lastIndexOf('\n)')))?.[1] ?? null;
}

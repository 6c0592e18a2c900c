import type { AdminConnection } from '@rowhouse/mysql';
import { quoteName } from '@rowhouse/mysql';
import { COPY_ROWS_MAX } from '../online-ddl/steps/algorithm-fallback.js';

export async function countTable(
  connection: AdminConnection,
  schemaName: string,
  table: string,
): Promise<number> {
  const [counted] = await connection.rows<{ n: number }>(
    `SELECT COUNT(*) AS n FROM (SELECT 1 FROM ${quoteName(table)} LIMIT ${COPY_ROWS_MAX}) few`,
  );
  const few = Number(counted?.n ?? 0);
  if (few < COPY_ROWS_MAX) return few;
  const [estimate] = await connection.rows<{ n: number | null }>(
    'SELECT TABLE_ROWS AS n FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?',
    [schemaName, table],
  );
  return Math.max(few, Number(estimate?.n ?? 0));
}

/**
 * Returns the next AUTO_INCREMENT number of a table, or null before the first number. It is read from the
 * CREATE statement, because the server's statistics may be a day old. `table` is a quoted name.
 */
export async function readNextNumber(connection: AdminConnection, table: string): Promise<string | null> {
  const [visible] = await connection.rows<Record<string, string>>(`SHOW CREATE TABLE ${table}`);
  return findNextNumber(visible?.['Create Table'] ?? '');
}

/** The search starts after the columns, because a column's comment may contain any text. */
export function findNextNumber(createTable: string): string | null {
  return /\bAUTO_INCREMENT=(\d+)/.exec(createTable.slice(createTable.lastIndexOf('\n)')))?.[1] ?? null;
}

const SETS_COUNTER = /^ALTER TABLE `((?:[^`]|``)+)` AUTO_INCREMENT = (\d+)$/;

/**
 * Returns whether a statement sets AUTO_INCREMENT to a number that the table has passed since the plan was
 * made. For other statements, it returns false.
 */
export async function isCounterPassed(connection: AdminConnection, sql: string): Promise<boolean> {
  const [, table, next] = SETS_COUNTER.exec(sql) ?? [];
  if (table === undefined || next === undefined) return false;
  const current = await readNextNumber(connection, quoteName(table.replaceAll('``', '`')));
  return current !== null && BigInt(current) >= BigInt(next);
}

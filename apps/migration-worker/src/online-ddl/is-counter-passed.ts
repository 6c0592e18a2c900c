import { quoteName, type AdminConnection } from '@rowhouse/mysql';
import { readNextNumber } from '../snapshots/read-next-number.js';

const SETS_COUNTER = /^ALTER TABLE `((?:[^`]|``)+)` AUTO_INCREMENT = (\d+)$/;

/** Returns whether the statement sets AUTO_INCREMENT to a number that the table has reached since it was planned. */
export async function isCounterPassed(connection: AdminConnection, sql: string): Promise<boolean> {
  const [, table, next] = SETS_COUNTER.exec(sql) ?? [];
  if (table === undefined || next === undefined) return false;
  const current = await readNextNumber(connection, quoteName(table.replaceAll('``', '`')));
  return current !== null && BigInt(current) >= BigInt(next);
}

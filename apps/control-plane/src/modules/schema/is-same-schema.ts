import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Snapshot } from '@rowhouse/schema-model';

/** The number of tables compared per slice. */
const TABLES_PER_TURN = 32;

/**
 * Returns whether two schemas are written alike. Schemas with hundreds of tables are megabytes of text, so it
 * works in slices.
 */
export async function isSameSchema(one: Snapshot, other: Snapshot | null): Promise<boolean> {
  if (other === null || one.tables.length !== other.tables.length) return false;
  if (JSON.stringify({ ...one, tables: [] }) !== JSON.stringify({ ...other, tables: [] })) return false;
  for (const [at, table] of one.tables.entries()) {
    if (at > 0 && at % TABLES_PER_TURN === 0) await nextTurn();
    if (JSON.stringify(table) !== JSON.stringify(other.tables[at])) return false;
  }
  return true;
}

import { setImmediate as nextSlice } from 'node:timers/promises';
import type { Snapshot } from '@rowhouse/schema-model';

/** The number of tables compared per slice. */
const TABLES_PER_TURN = 32;

/**
 * Returns whether two schemas are written alike. Schemas with hundreds of tables are megabytes of text, so it
 * works in slices.
 */
export async function isSameSchema(snapshot: Snapshot, other: Snapshot | null): Promise<boolean> {
  if (other === null || snapshot.tables.length !== other.tables.length) return false;
  if (JSON.stringify({ ...snapshot, tables: [] }) !== JSON.stringify({ ...other, tables: [] })) return false;
  for (const [index, table] of snapshot.tables.entries()) {
    if (index > 0 && index % TABLES_PER_TURN === 0) await nextSlice();
    if (JSON.stringify(table) !== JSON.stringify(other.tables[index])) return false;
  }
  return true;
}

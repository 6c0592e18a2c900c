import { createHash } from 'node:crypto';
import type { TableRights } from '@rowhouse/contracts';

/**
 * Names a set of readable tables: '' for every table, else SHA-256 in hex over the sorted names of the tables with `read`.
 * Keys with equal sets share one query account.
 */
export function hashReadRights(tables: TableRights | null): string {
  if (tables === null) return '';
  const readable = Object.keys(tables).filter((table) => tables[table]?.includes('read')).sort();
  return createHash('sha256').update(JSON.stringify(readable)).digest('hex');
}

import { createHash } from 'node:crypto';
import type { Scope, TableRights } from '@rowhouse/contracts';

/**
 * Returns a text that identifies a set of readable tables. It is empty for all tables. Otherwise, it is the
 * hexadecimal SHA-256 of the sorted names of the tables with `read`. API keys with equal sets share a
 * database account for queries.
 */
export function hashReadRights(tables: TableRights | null): string {
  if (tables === null) return '';
  const readable = Object.keys(tables)
    .filter((table) => tables[table]?.includes('read'))
    .sort();
  return createHash('sha256').update(JSON.stringify(readable)).digest('hex');
}

const VERBS = ['read', 'write', 'delete'] as const;

/**
 * Returns the rights of an API key for SQL that writes: for each table, the verbs that the key's scopes also
 * allow. The table '' means every table.
 */
export function toWriteRights(scopes: readonly Scope[], tables: TableRights | null): TableRights {
  const allowed = VERBS.filter((verb) => scopes.includes(verb));
  if (tables === null) return { '': allowed };
  return Object.fromEntries(
    Object.entries(tables).map(([table, verbs]) => [table, allowed.filter((verb) => verbs.includes(verb))]),
  );
}

/**
 * Returns the hexadecimal SHA-256 of a set of write rights. API keys with equal sets share a database
 * account.
 */
export function hashWriteRights(scopes: readonly Scope[], tables: TableRights | null): string {
  const rights = Object.entries(toWriteRights(scopes, tables)).filter(([, verbs]) => verbs.length > 0);
  return createHash('sha256')
    .update(JSON.stringify(rights.sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
}

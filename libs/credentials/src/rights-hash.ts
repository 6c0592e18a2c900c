import { createHash } from 'node:crypto';
import type { Scope, TableRights } from '@rowhouse/contracts';

/**
 * Returns the identifier of a set of readable tables: an empty string for all tables, otherwise the SHA-256
 * in hex of the sorted names of tables with `read`. Keys with equal sets share one query account.
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
 * Returns the rights of a key for writing SQL: for each table, the verbs that the key's scopes also allow.
 * The table '' stands for every table.
 */
export function toWriteRights(scopes: readonly Scope[], tables: TableRights | null): TableRights {
  const allowed = VERBS.filter((verb) => scopes.includes(verb));
  if (tables === null) return { '': allowed };
  return Object.fromEntries(
    Object.entries(tables).map(([table, verbs]) => [table, allowed.filter((verb) => verbs.includes(verb))]),
  );
}

/** Returns the SHA-256 in hex of a set of write rights. Keys with equal sets share one account. */
export function hashWriteRights(scopes: readonly Scope[], tables: TableRights | null): string {
  const rights = Object.entries(toWriteRights(scopes, tables)).filter(([, verbs]) => verbs.length > 0);
  return createHash('sha256')
    .update(JSON.stringify(rights.sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
}

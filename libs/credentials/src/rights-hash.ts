import { createHash } from 'node:crypto';
import type { Scope, TableRights } from '@rowhouse/contracts';

/**
 * Names a set of readable tables: '' for every table, else SHA-256 in hex over the sorted names of the tables with `read`.
 * Keys with equal sets share one query account.
 */
export function hashReadRights(tables: TableRights | null): string {
  if (tables === null) return '';
  const readable = Object.keys(tables).filter((table) => tables[table]?.includes('read')).sort();
  return createHash('sha256').update(JSON.stringify(readable)).digest('hex');
}

const VERBS = ['read', 'write', 'delete'] as const;

/** What a key may do with SQL that writes: the verbs of each table that its scopes allow too. The table '' stands for every table. */
export function toWriteRights(scopes: readonly Scope[], tables: TableRights | null): TableRights {
  const allowed = VERBS.filter((verb) => scopes.includes(verb));
  if (tables === null) return { '': allowed };
  return Object.fromEntries(Object.entries(tables).map(([table, verbs]) => [table, allowed.filter((verb) => verbs.includes(verb))]));
}

/** Names such a set: SHA-256 in hex. Keys with equal sets share one account. */
export function hashWriteRights(scopes: readonly Scope[], tables: TableRights | null): string {
  const rights = Object.entries(toWriteRights(scopes, tables)).filter(([, verbs]) => verbs.length > 0);
  return createHash('sha256').update(JSON.stringify(rights.sort(([a], [b]) => (a < b ? -1 : 1)))).digest('hex');
}

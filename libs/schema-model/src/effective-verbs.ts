import type { Rights, Verb } from './types.js';

/**
 * What `rights` allow on a table; null: the table does not exist for them.
 * A key without verbs (scope `schema` or `query` alone) still sees the tables it is not kept from, with an empty list.
 */
export function effectiveVerbs(rights: Rights, table: string): readonly Verb[] | null {
  if (rights.tables === null) return rights.verbs;
  if (!Object.hasOwn(rights.tables, table)) return null;
  const allowed = rights.tables[table] ?? [];
  if (allowed.length === 0) return null;
  return rights.verbs.filter((verb) => allowed.includes(verb));
}

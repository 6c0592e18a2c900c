import type { Rights, Verb } from './types.js';

/**
 * Returns the verbs that `rights` allow on a table, or null when the table does not exist for
 * them. A key without verbs (scope `schema` or `query` only) still sees all tables that are not
 * excluded, with an empty list.
 */
export function effectiveVerbs(rights: Rights, table: string): readonly Verb[] | null {
  if (rights.tables === null) return rights.verbs;
  if (!Object.hasOwn(rights.tables, table)) return null;
  const allowed = rights.tables[table] ?? [];
  if (allowed.length === 0) return null;
  return rights.verbs.filter((verb) => allowed.includes(verb));
}

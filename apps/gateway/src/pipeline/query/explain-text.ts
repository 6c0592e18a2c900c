import type { GuardedRead } from '@rowhouse/query-engine';

export type CleanCell = <T>(cell: T) => T;

/**
 * Creates a function that cleans the output of EXPLAIN. The output contains `schema.alias`, and names that
 * replaced others in the statement sent to the server. The function removes the real schema name and restores
 * the names of the user's text. Returns null for statements other than EXPLAIN.
 */
export function createExplainCleaner(
  { kind, substitutions }: Pick<GuardedRead, 'kind' | 'substitutions'>,
  schemaName: string,
): CleanCell | null {
  if (kind !== 'explain') return null;
  // The longest names come first, because `given1` is a prefix of `given10`. All are replaced in one pass,
  // because a table may have the name of a stand-in.
  const standIn =
    substitutions.size === 0
      ? null
      : new RegExp([...substitutions.keys()].sort((a, b) => b.length - a.length).join('|'), 'g');
  const clean = (text: string): string => {
    const plain = text
      .replaceAll(`\`${schemaName}\`.`, '')
      .replaceAll(`${schemaName}.`, '')
      .replaceAll(schemaName, 'database');
    return standIn === null ? plain : plain.replaceAll(standIn, (found) => substitutions.get(found) ?? found);
  };
  return (cell) => (typeof cell === 'string' ? (clean(cell) as typeof cell) : cell);
}

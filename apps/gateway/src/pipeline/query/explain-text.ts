import type { GuardedRead } from '@rowhouse/query-engine';

export type CleanCell = <T>(cell: T) => T;

/**
 * EXPLAIN speaks of `schema.alias`, and of the names that went to the server in the place of others: what it says is
 * told without the schema's real name, and in the names of the text. Null for what is no EXPLAIN.
 */
export function createExplainCleaner({ kind, standIns }: Pick<GuardedRead, 'kind' | 'standIns'>, schemaName: string): CleanCell | null {
  if (kind !== 'explain') return null;
  // The longest first, and all in one go: `given1` begins `given10`, and a table may be called like a stand-in.
  const standIn = standIns.size === 0 ? null : new RegExp([...standIns.keys()].sort((a, b) => b.length - a.length).join('|'), 'g');
  const clean = (text: string): string => {
    const plain = text.replaceAll(`\`${schemaName}\`.`, '').replaceAll(`${schemaName}.`, '').replaceAll(schemaName, 'database');
    return standIn === null ? plain : plain.replaceAll(standIn, (found) => standIns.get(found) ?? found);
  };
  return (cell) => (typeof cell === 'string' ? (clean(cell) as typeof cell) : cell);
}

import type { GuardedRead } from '@rowhouse/query-engine';

export type CleanCell = <T>(cell: T) => T;

/**
 * EXPLAIN speaks of `schema.alias`, and of the names that went to the server in the place of others: what it says is
 * told without the schema's real name, and in the names of the text. Null for what is no EXPLAIN.
 */
export function createExplainCleaner({ kind, standIns }: Pick<GuardedRead, 'kind' | 'standIns'>, schemaName: string): CleanCell | null {
  if (kind !== 'explain') return null;
  const clean = (text: string): string => {
    let result = text.replaceAll(`\`${schemaName}\`.`, '').replaceAll(`${schemaName}.`, '').replaceAll(schemaName, 'database');
    for (const [standIn, name] of standIns) result = result.replaceAll(standIn, name);
    return result;
  };
  return (cell) => (typeof cell === 'string' ? (clean(cell) as typeof cell) : cell);
}

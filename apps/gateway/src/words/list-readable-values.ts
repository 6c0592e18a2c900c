import type { ColumnValues } from '@rowhouse/nl-engine';
import type { Table } from '@rowhouse/schema-model';
import type { QuestionWords } from './question-words.js';

export type UnindexedColumns = Readonly<Record<string, readonly string[]>>;

/**
 * Values of the columns that a key may read. What the index still holds of a column that was hidden or left out a moment
 * ago feeds no answer and no prompt either.
 */
export function listReadableValues(tables: readonly Table[], words: QuestionWords, unindexed: UnindexedColumns): readonly ColumnValues[] {
  const columns = new Map(tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]));
  return words.values.filter((entry) => columns.get(entry.table)?.has(entry.column) === true && unindexed[entry.table]?.includes(entry.column) !== true);
}

import type { ColumnValues } from '@rowhouse/nl-engine';
import type { Table } from '@rowhouse/schema-model';
import type { QuestionVocabulary } from './question-vocabulary.js';

export type UnindexedColumns = Readonly<Record<string, readonly string[]>>;

/**
 * Returns the indexed values of readable columns. It filters out columns that were just hidden or excluded,
 * which the index may still contain.
 */
export function listReadableValues(
  tables: readonly Table[],
  vocabulary: QuestionVocabulary,
  unindexed: UnindexedColumns,
): readonly ColumnValues[] {
  const columns = new Map(
    tables.map((table) => [table.name, new Set(table.columns.map((column) => column.name))]),
  );
  return vocabulary.values.filter(
    (entry) =>
      columns.get(entry.table)?.has(entry.column) === true &&
      unindexed[entry.table]?.includes(entry.column) !== true,
  );
}

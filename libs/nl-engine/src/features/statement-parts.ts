import { memoizeByObject, type Column, type Table } from '@rowhouse/schema-model';
import type { Candidate } from '../ranked-candidates.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import type { Aggregate, ColumnRef } from '../types.js';

/** A column that a statement returns. */
export interface ReturnedColumn {
  readonly ref: ColumnRef;
  /** The aggregate function. Null if the column's values themselves are returned. */
  readonly fn: Aggregate | null;
  readonly bound: Bound;
}

/** Returns the tables and columns that a statement uses. */
export const listUsedNames = memoizeByObject(collectUsedNames);

function collectUsedNames({
  assignment: { draft, tables, paths, columns, values },
}: Candidate): ReadonlySet<Column | Table> {
  const duplicates = draft.mentions.flatMap((mention, index) =>
    mention.duplicateOf === undefined
      ? []
      : (paths[index] ?? []).flatMap(({ from, fromColumns }) =>
          from.columns.filter((column) => fromColumns.includes(column.name)),
        ),
  );
  const bounds = [...columns.values(), ...values.values()];
  const edges = [...paths, ...bounds.map((bound) => bound.path)].flat();
  return new Set<Column | Table>([
    ...tables,
    ...duplicates,
    ...edges.flatMap((edge) => [edge.from, edge.to]),
    ...bounds.flatMap((bound) => [bound.table, bound.column]),
  ]);
}

/** Returns the words in a table's or column's name. */
export function wordsOf(entry: Column | Table, { lexicon }: LinkedQuestion): readonly string[] {
  return ('columns' in entry ? lexicon.tableWords.get(entry) : lexicon.columnWords.get(entry)) ?? [];
}

/** Returns the columns that a statement returns, in order. Labels of rows are not included. */
export function listReturnedColumns({ draft, columns }: Assignment): readonly ReturnedColumn[] {
  return draft.targets.flatMap((target) => {
    const bound = target.kind === 'column' ? columns.get(target.column) : undefined;
    return target.kind === 'column' && bound !== undefined
      ? [{ ref: target.column, fn: target.fn, bound }]
      : [];
  });
}

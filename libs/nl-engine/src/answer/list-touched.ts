import type { Column, Table } from '@rowhouse/schema-model';
import { rememberOf } from '../grammar/reader.js';
import type { Candidate } from '../ranked-candidates.js';

/** Returns the tables and columns that a statement uses. */
export const listTouched = rememberOf(collectTouched);

function collectTouched({
  assignment: { draft, tables, paths, columns, values },
}: Candidate): ReadonlySet<Column | Table> {
  const duplicates = draft.mentions.flatMap((mention, index) =>
    mention.twinOf === undefined
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

import type { Snapshot } from '@rowhouse/schema-model';
import type { ColumnValues } from '../src/lexicon/lexicon.js';
import type { TableRows } from './own-rows.js';

/** Returns the value index for these rows. It contains the distinct texts of every text column. */
export function listColumnValues(snapshot: Snapshot, rows: readonly TableRows[]): ColumnValues[] {
  return rows.flatMap(({ table, columns, rows: created }) =>
    columns.flatMap((name, index) => {
      const column = snapshot.tables
        .find((entry) => entry.name === table)
        ?.columns.find((entry) => entry.name === name);
      if (column?.valueKind !== 'string') return [];
      return [
        {
          table,
          column: name,
          values: [
            ...new Set(created.flatMap((row) => (typeof row[index] === 'string' ? [row[index]] : []))),
          ],
        },
      ];
    }),
  );
}

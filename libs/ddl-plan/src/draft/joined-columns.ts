import type { ForeignKey, Snapshot } from '@rowhouse/schema-model';

export interface JoinedColumn {
  readonly table: string;
  readonly column: string;
}
export interface JoiningKey {
  readonly table: string;
  readonly key: ForeignKey;
}

/**
 * Returns the foreign keys that join a column to others, directly or through other columns, and all of these
 * columns. Their types change together.
 */
export function findJoinedColumns(
  snapshot: Snapshot,
  start: JoinedColumn,
): { columns: JoinedColumn[]; keys: JoiningKey[] } {
  const columns = [start];
  const keys = new Map<string, JoiningKey>();
  for (const at of columns) {
    for (const table of snapshot.tables) {
      for (const key of table.foreignKeys) {
        key.columns.forEach((name, index) => {
          const source = { table: table.name, column: name };
          const target = { table: key.referencedTable, column: key.referencedColumns[index] ?? '' };
          if (!isSame(at, source) && !isSame(at, target)) return;
          keys.set(`${table.name} ${key.name}`, { table: table.name, key });
          for (const other of [source, target])
            if (!columns.some((known) => isSame(known, other))) columns.push(other);
        });
      }
    }
  }
  return { columns, keys: [...keys.values()] };
}

function isSame(a: JoinedColumn, b: JoinedColumn): boolean {
  return a.table === b.table && a.column === b.column;
}

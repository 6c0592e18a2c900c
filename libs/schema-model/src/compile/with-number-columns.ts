import type { Column, Rights, Snapshot } from '../types.js';

/**
 * Returns the snapshot with each TINYINT(1) column of `numberColumns` changed to a plain TINYINT, whose
 * values are numbers. Returns the same object if none of these columns exists.
 */
export function withNumberColumns(snapshot: Snapshot, numberColumns: Rights['numberColumns']): Snapshot {
  if (numberColumns === undefined) return snapshot;
  let isChanged = false;
  const tables = snapshot.tables.map((table) => {
    const names = ownMember(numberColumns, table.name) ?? [];
    if (!table.columns.some((column) => names.includes(column.name) && isTinyBoolean(column))) return table;
    isChanged = true;
    const columns = table.columns.map((column): Column =>
      names.includes(column.name) && isTinyBoolean(column)
        ? { ...column, sqlType: 'tinyint', valueKind: 'integer' }
        : column,
    );
    return { ...table, columns };
  });
  return isChanged ? { ...snapshot, tables } : snapshot;
}

/**
 * Reports whether a column is a TINYINT(1), which clients read as a boolean. A BIT(1) is always a boolean,
 * because it can only contain 0 and 1, so it is not included.
 */
export function isTinyBoolean({ sqlType }: Pick<Column, 'sqlType'>): boolean {
  return sqlType.trim().toLowerCase() === 'tinyint(1)';
}

/** Returns a record's own member. Plain access would also find inherited members, such as `constructor`. */
export function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

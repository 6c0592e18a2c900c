import type { Column, Rights, Snapshot } from '../types.js';

/**
 * Returns the snapshot with the named TINYINT(1) columns as plain TINYINT.
 * Returns the same object when it has none of them.
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
 * Returns whether a column is a TINYINT(1), which clients read as a boolean.
 * BIT(1) is not included, as it can only hold 0 and 1.
 */
export function isTinyBoolean({ sqlType }: Pick<Column, 'sqlType'>): boolean {
  return sqlType.trim().toLowerCase() === 'tinyint(1)';
}

/** Returns an own member of a record. A table may be named `constructor`, which every object inherits. */
export function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

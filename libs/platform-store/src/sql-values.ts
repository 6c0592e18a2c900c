/** Returns this number of placeholders, such as `?,?,?`. */
export function toMarks(count: number): string {
  return Array.from({ length: count }, () => '?').join(',');
}

/** Returns the list after VALUES. It contains `row` in parentheses for each element of `rows`. */
export function toRowMarks(rows: readonly unknown[], row: string): string {
  return rows.map(() => `(${row})`).join(',');
}

/**
 * Parses the value of a JSON column, which is text in MariaDB and already parsed in MySQL.
 * Returns null for SQL NULL.
 */
export function readJson<T>(value: unknown): T | null {
  if (value === null || value === undefined) return null;
  return (typeof value === 'string' ? JSON.parse(value) : value) as T;
}

/** Returns placeholders such as `?,?,?`, in the given number. */
export function toMarks(count: number): string {
  return Array.from({ length: count }, () => '?').join(',');
}

/** Returns the list after VALUES. It contains `row` in parentheses once for each element of `rows`. */
export function toRowMarks(rows: readonly unknown[], row: string): string {
  return rows.map(() => `(${row})`).join(',');
}

/**
 * Parses the value of a JSON column. MariaDB returns it as text, and MySQL as a parsed value. Returns null
 * for SQL NULL.
 */
export function readJson<T>(value: unknown): T | null {
  if (value === null || value === undefined) return null;
  return (typeof value === 'string' ? JSON.parse(value) : value) as T;
}

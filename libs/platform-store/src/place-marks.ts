/** Returns this number of placeholders, such as `?,?,?`. */
export function toMarks(count: number): string {
  return Array.from({ length: count }, () => '?').join(',');
}

/** Returns the list after VALUES, with `row` in parentheses for each row. */
export function toRowMarks(rows: readonly unknown[], row: string): string {
  return rows.map(() => `(${row})`).join(',');
}

/** `?,?,?`: so many places for values. */
export function toMarks(count: number): string {
  return Array.from({ length: count }, () => '?').join(',');
}

/** What stands behind VALUES: `row`, in parentheses, for each of the rows. */
export function toRowMarks(rows: readonly unknown[], row: string): string {
  return rows.map(() => `(${row})`).join(',');
}

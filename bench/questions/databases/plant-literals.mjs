// @ts-check
/**
 * @typedef {import('./make-database.mjs').MadeTable} MadeTable
 * @typedef {import('./gold-literals.mjs').Literal} Literal
 */

/**
 * Makes sure that each text of a gold query exists in its column: replaces another value by each text that no
 * row has yet.
 * @param {readonly MadeTable[]} tables
 * @param {ReadonlyMap<string, readonly Literal[]>} literals by `table.column` in lower case
 */
export function plantLiterals(tables, literals) {
  for (const table of tables) {
    for (const [position, column] of table.columns.entries()) {
      const texts = (literals.get(`${table.name}.${column.name}`.toLowerCase()) ?? [])
        .filter((literal) => !literal.isPattern)
        .map((literal) => literal.text);
      if (!column.sqlType.startsWith('VARCHAR') || texts.length === 0) continue;
      plantIn(table.rows, position, texts);
    }
  }
}

/**
 * @param {(string | number | null)[][]} rows
 * @param {number} position the index of the column
 * @param {readonly string[]} texts
 */
function plantIn(rows, position, texts) {
  const requested = new Set(texts.map(toKey));
  const existing = new Map(rows.map((row) => [toKey(row[position]), 0]));
  for (const row of rows) existing.set(toKey(row[position]), (existing.get(toKey(row[position])) ?? 0) + 1);
  for (const text of new Set(texts)) {
    if (existing.has(toKey(text))) continue;
    const row =
      rows.find((entry) => !requested.has(toKey(entry[position]))) ??
      rows.find((entry) => (existing.get(toKey(entry[position])) ?? 0) > 1);
    if (row === undefined) continue;
    existing.set(toKey(row[position]), (existing.get(toKey(row[position])) ?? 1) - 1);
    existing.set(toKey(text), 1);
    row[position] = text;
  }
}

/** @param {string | number | null | undefined} value */
function toKey(value) {
  return String(value).toLowerCase();
}

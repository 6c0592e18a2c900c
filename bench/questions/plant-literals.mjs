// @ts-check
/**
 * @typedef {import('./make-database.mjs').MadeTable} MadeTable
 * @typedef {import('./gold-literals.mjs').Literal} Literal
 */

/**
 * Replaces other values by texts that a gold query compares
 * with and that no row has yet, so that the named value exists.
 * @param {readonly MadeTable[]} tables
 * @param {ReadonlyMap<string, readonly Literal[]>} literals by `table.column` in lower case
 */
export function plantLiterals(tables, literals) {
  for (const table of tables) {
    for (const [place, column] of table.columns.entries()) {
      const texts = (literals.get(`${table.name}.${column.name}`.toLowerCase()) ?? []).filter((literal) => !literal.isPattern).map((literal) => literal.text);
      if (!column.sqlType.startsWith('VARCHAR') || texts.length === 0) continue;
      plantIn(table.rows, place, texts);
    }
  }
}

/**
 * @param {(string | number | null)[][]} rows
 * @param {number} place the index of the column
 * @param {readonly string[]} texts
 */
function plantIn(rows, place, texts) {
  const wanted = new Set(texts.map(toKey));
  const standing = new Map(rows.map((row) => [toKey(row[place]), 0]));
  for (const row of rows) standing.set(toKey(row[place]), (standing.get(toKey(row[place])) ?? 0) + 1);
  for (const text of new Set(texts)) {
    if (standing.has(toKey(text))) continue;
    const row = rows.find((entry) => !wanted.has(toKey(entry[place]))) ?? rows.find((entry) => (standing.get(toKey(entry[place])) ?? 0) > 1);
    if (row === undefined) continue;
    standing.set(toKey(row[place]), (standing.get(toKey(row[place])) ?? 1) - 1);
    standing.set(toKey(text), 1);
    row[place] = text;
  }
}

/** @param {string | number | null | undefined} value */
function toKey(value) {
  return String(value).toLowerCase();
}

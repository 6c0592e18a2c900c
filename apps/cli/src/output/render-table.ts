export type Cell = string | number | boolean | null | undefined;

/**
 * Renders columns at the width of their longest cell, with numbers right-aligned. The widest text columns are
 * cut at `width`, the width of the terminal. Null disables this.
 */
export function renderTable(
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  width: number | null,
): string[] {
  const texts = rows.map((row) => heads.map((_, index) => toText(row[index])));
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...texts.map((row) => Array.from(row[index] ?? '').length)),
  );
  if (width !== null) shrink(widths, width - 2 * (heads.length - 1));
  const isNumber = heads.map(
    (_, index) =>
      rows.every((row) => typeof row[index] === 'number' || row[index] === null) &&
      rows.some((row) => typeof row[index] === 'number'),
  );
  const toLine = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => fit(cell, widths[index] ?? 0, isNumber[index] === true))
      .join('  ')
      .trimEnd();
  return [toLine(heads.map((head) => head.toUpperCase())), ...texts.map(toLine)];
}

/** Returns one line of printable text, since values must not move the cursor. */
function toText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  return String(cell)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
}

function shrink(widths: number[], capacity: number): void {
  for (let total = widths.reduce((sum, item) => sum + item, 0); total > capacity; total -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= 12) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

function fit(text: string, width: number, isRight: boolean): string {
  const letters = Array.from(text);
  if (letters.length > width) return `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
  const pad = ' '.repeat(width - letters.length);
  return isRight ? pad + text : text + pad;
}

import type { ColumnView } from '../../../data/schema/read-tables.js';
import { readValue } from '../record/read-value.js';
import { readCopiedValue } from './cell-block.js';
import type { CellPosition } from './cell-position.js';
import type { GridRow } from './grid-row.js';

interface PastedRow {
  readonly row: GridRow;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Pastes clipboard text in the format of spreadsheets into the grid, starting at a cell. `rejected` is the
 * number of cells that do not accept their value.
 */
export function pasteCells(
  text: string,
  position: CellPosition,
  rows: readonly GridRow[],
  columns: readonly ColumnView[],
): { readonly pasted: readonly PastedRow[]; readonly rejected: number } {
  // A clipboard may change the line breaks of a text.
  const copiedValue = readCopiedValue();
  const isCopiedValue = copiedValue !== null && toUnixText(text) === toUnixText(copiedValue);
  const lines = isCopiedValue ? [[copiedValue]] : readTsv(text);
  let rejected = 0;
  const pasted = lines.flatMap((cells, down) => {
    const row = rows[position.row + down];
    if (row === undefined || (row.path === null && !row.isNew)) {
      rejected += cells.length;
      return [];
    }
    const values: Record<string, unknown> = {};
    cells.forEach((cell, right) => {
      const column = columns[position.column + right];
      const read = column === undefined || column.isGenerated ? null : readValue(column, cell);
      if (column === undefined || read?.kind !== 'value') rejected += 1;
      else values[column.name] = read.value;
    });
    return Object.keys(values).length === 0 ? [] : [{ row, values }];
  });
  return { pasted, rejected };
}

function toUnixText(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Reads cells in the clipboard format of spreadsheets, as `writeTsv` writes them. */
export function readTsv(text: string): string[][] {
  const source = text.replace(/\r?\n$/, '');
  const separator = /\t|\r?\n|$/g;
  const lines: string[][] = [];
  let [cells, start] = [[] as string[], 0];
  for (;;) {
    const quoted = readQuoted(source, start);
    separator.lastIndex = quoted?.end ?? start;
    const { 0: found, index } = separator.exec(source) as RegExpExecArray;
    cells.push(quoted?.cell ?? source.slice(start, index));
    start = index + found.length;
    if (found === '\t') continue;
    lines.push(cells);
    if (found === '') return lines;
    cells = [];
  }
}

/**
 * Reads a quoted cell. Returns null for a plain cell. Spreadsheets quote only cells with special characters,
 * so the quotes of `"a"` belong to the value.
 */
function readQuoted(text: string, start: number): { readonly cell: string; readonly end: number } | null {
  if (text[start] !== '"') return null;
  let close = text.indexOf('"', start + 1);
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close < 0 || !/^(?:\t|\r?\n|$)/.test(text.slice(close + 1, close + 3))) return null;
  const inner = text.slice(start + 1, close);
  return /[\t\n\r]|""/.test(inner) ? { cell: inner.replaceAll('""', '"'), end: close + 1 } : null;
}

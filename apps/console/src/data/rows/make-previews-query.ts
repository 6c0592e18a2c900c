import { CutValue } from './cell-text.js';
import { isCutShort, kindOf } from './column-kinds.js';
import { quoteName } from '../schema/read-tables.js';
import type { ColumnView, TableView } from '../schema/read-tables.js';

/** The number of characters of a long value that the grid loads. */
const PREVIEW_CHARACTERS = 256;
/** The maximum number of keys in one statement, because the length of a statement is limited. */
const KEYS_MAX = 500;

export interface PreviewsQuery {
  readonly query: string;
  readonly params: readonly (string | number | boolean)[];
}

/**
 * Returns the columns with long values. A separate statement loads the beginnings of these values. Returns an
 * empty list if the table has no usable key.
 */
export function listPreviewColumns(table: TableView): ColumnView[] {
  const keys = table.columns.filter((column) => table.primaryKey.includes(column.name));
  if (
    table.kind === 'view' ||
    keys.length === 0 ||
    keys.some((key) => !['integer', 'string', 'uuid'].includes(key.valueKind) || isCutShort(key))
  )
    return [];
  return table.columns.filter(isCutShort);
}

/** Creates the query that loads the beginnings and the lengths of long values in these rows. */
export function makePreviewsQuery(
  table: TableView,
  columns: readonly ColumnView[],
  rows: readonly Readonly<Record<string, unknown>>[],
): PreviewsQuery {
  const keys = table.columns.filter((column) => table.primaryKey.includes(column.name));
  const visible = [
    ...keys.map(
      (key, index) =>
        `${key.valueKind === 'integer' ? `CAST(${quoteName(key.name)} AS CHAR)` : quoteName(key.name)} AS k${index}`,
    ),
    ...columns.flatMap((column, index) => [
      `${previewOf(column)} AS v${index}`,
      `${kindOf(column) === 'binary' ? 'LENGTH' : 'CHAR_LENGTH'}(${quoteName(column.name)}) AS n${index}`,
    ]),
  ];
  const params: (string | number | boolean)[] = [];
  const location = (key: ColumnView, value: unknown): string => {
    const text = String(value as string | number);
    // Digits are written into the statement, because a parameter would be rounded or compared as text.
    if (key.valueKind === 'integer' && /^-?\d+$/.test(text)) return text;
    params.push(text);
    return '?';
  };
  const requested = rows
    .slice(0, KEYS_MAX)
    .map((row) => keys.map((key) => location(key, row[key.name])).join(', '));
  const left =
    keys.length === 1
      ? quoteName(keys[0]?.name ?? '')
      : `(${keys.map((key) => quoteName(key.name)).join(', ')})`;
  const list = keys.length === 1 ? requested.join(', ') : requested.map((values) => `(${values})`).join(', ');
  return {
    query: `SELECT ${visible.join(', ')} FROM ${quoteName(table.name)} WHERE ${left} IN (${list})`,
    params,
  };
}

function previewOf(column: ColumnView): string {
  return kindOf(column) === 'binary'
    ? `HEX(LEFT(${quoteName(column.name)}, 16))`
    : `LEFT(${quoteName(column.name)}, ${PREVIEW_CHARACTERS})`;
}

/** Returns the values that the previews query has loaded, by the row's key as text. Long values are cut. */
export function readPreviews(
  table: TableView,
  columns: readonly ColumnView[],
  found: readonly Readonly<Record<string, unknown>>[],
): Map<string, Record<string, unknown>> {
  return new Map(
    found.map((row) => [
      table.primaryKey
        .map((name) =>
          String(
            row[
              `k${table.columns.filter((column) => table.primaryKey.includes(column.name)).findIndex((column) => column.name === name)}`
            ],
          ),
        )
        .join('\u0000'),
      Object.fromEntries(
        columns.map((column, index) => [
          column.name,
          readPreview(column, row[`v${index}`], Number(row[`n${index}`] ?? 0)),
        ]),
      ),
    ]),
  );
}

function readPreview(column: ColumnView, start: unknown, length: number): unknown {
  if (start === null || start === undefined) return null;
  const text = typeof start === 'string' ? start : JSON.stringify(start);
  if (kindOf(column) === 'binary') return new CutValue(text, length, 'bytes');
  return kindOf(column) === 'long' && length <= PREVIEW_CHARACTERS
    ? text
    : new CutValue(text, length, 'characters');
}

/** Returns a row's key as text, in the form that `readPreviews` uses. */
export function keyTextOf(
  table: Pick<TableView, 'primaryKey'>,
  row: Readonly<Record<string, unknown>>,
): string {
  return table.primaryKey.map((name) => String(row[name] as string | number)).join('\u0000');
}

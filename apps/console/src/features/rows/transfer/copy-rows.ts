import { toGatewayAddress, toTablePath } from '../../../data/gateway/call-gateway.js';
import { CutValue, toCellText, UNREAD, type Row, writeTsv } from '../../../data/rows/cell-text.js';
import { quoteName } from '../../../data/schema/read-tables.js';
import type { ColumnView, TableView } from '../../../data/schema/read-tables.js';
import { quoteAddress } from '@rowhouse/emitters/quote-for-shell';

export type CopyForm = 'json' | 'sql' | 'curl' | 'tsv';

/**
 * Returns rows as text for other programs. Values that are not fully loaded are left out. `tsv` is for
 * spreadsheets, so values that look like formulas are escaped. Cells that are copied to be pasted into a grid
 * use another function.
 */
export function copyRows(
  form: CopyForm,
  table: TableView,
  columns: readonly ColumnView[],
  rows: readonly Row[],
  location: { readonly baseUrl: string; readonly paths: readonly (string | null)[] },
): string {
  if (form === 'json')
    return JSON.stringify(
      rows.length === 1 ? pick(columns, rows[0] ?? {}) : rows.map((row) => pick(columns, row)),
      null,
      2,
    );
  if (form === 'sql') return rows.map((row) => makeInsert(table, columns, row)).join('\n');
  if (form === 'curl')
    return location.paths
      .map(
        (path) =>
          `curl ${quoteAddress(toGatewayAddress(location.baseUrl, `${toTablePath(table)}${path === null ? '' : `/${path}`}`))} \\\n  -H "Authorization: Bearer $ROWHOUSE_KEY"`,
      )
      .join('\n\n');
  return writeTsv([
    columns.map((column) => column.name),
    ...rows.map((row) => columns.map((column) => toSheetText(column, row[column.name]))),
  ]);
}

const TEXTS: readonly string[] = ['string', 'enum', 'set'];
const FORMULA_START = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Escapes text that a spreadsheet would run as a formula, because the rows may contain untrusted input. */
function toSheetText(column: ColumnView, value: unknown): string {
  const text = toCellText(value);
  return TEXTS.includes(column.valueKind) && FORMULA_START.test(text) ? `'${text}` : text;
}

function isWhole(value: unknown): boolean {
  return value !== undefined && value !== UNREAD && !(value instanceof CutValue);
}

function pick(columns: readonly ColumnView[], row: Row): Row {
  return Object.fromEntries(
    columns
      .filter((column) => isWhole(row[column.name]))
      .map((column) => [column.name, toJsonValue(column, row[column.name])]),
  );
}

/**
 * Converts a value for JSON. Large numbers are loaded as text and become JSON numbers if no digit is lost.
 */
function toJsonValue(column: ColumnView, value: unknown): unknown {
  if (
    (column.valueKind === 'integer' || column.valueKind === 'decimal') &&
    typeof value === 'string' &&
    String(Number(value)) === value
  )
    return Number(value);
  return value;
}

function makeInsert(table: TableView, columns: readonly ColumnView[], row: Row): string {
  const provided = columns.filter((column) => !column.isGenerated && isWhole(row[column.name]));
  const names = provided.map((column) => quoteName(column.name)).join(', ');
  return `INSERT INTO ${quoteName(table.name)} (${names}) VALUES (${provided.map((column) => toSql(column, row[column.name])).join(', ')});`;
}

/** Returns an SQL literal that MySQL parses as this value. */
export function toSql(column: ColumnView, value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (column.valueKind === 'binary') return value === '' ? "''" : `FROM_BASE64('${toCellText(value)}')`;
  if (column.valueKind === 'geometry') return `ST_GeomFromGeoJSON(${quoteText(JSON.stringify(value))})`;
  if (column.valueKind === 'set' && Array.isArray(value)) return quoteText(value.join(','));
  const text = column.valueKind === 'json' ? JSON.stringify(value) : toCellText(value);
  if (
    ['integer', 'decimal', 'float', 'double', 'bit', 'year'].includes(column.valueKind) &&
    /^-?[\d.]+(e[+-]?\d+)?$/i.test(text)
  )
    return text;
  return quoteText(
    column.valueKind === 'datetime' || column.valueKind === 'timestamp'
      ? text.replace('T', ' ').replace(/Z$/, '')
      : text,
  );
}

function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\0', '\\0').replaceAll('\x1a', '\\Z')}'`;
}

import { createHash } from 'node:crypto';
import { quoteName } from '@rowhouse/mysql';
import type { Column, Table } from '@rowhouse/schema-model';

/**
 * Formats rows as the values of an INSERT. The server formats the text, so it is exact for all types. Equal
 * rows therefore have equal texts at both ends of a transfer.
 */
export interface RowText {
  /**
   * Selects one column `t`: the row's values separated by commas.
   * It is NULL for a row that is too large for the server.
   */
  readonly select: string;
  /** The text `INSERT INTO … VALUES`, to be followed by `(…),(…)`. */
  readonly insert: string;
  /**
   * The INSERT prefix for rows that `isLax` marks. Strict servers accept the empty value of an ENUM only with
   * INSERT IGNORE.
   */
  readonly laxInsert: string;
}

/**
 * Returns the statements for a table.
 *
 * @param blank columns whose values are omitted; they must accept NULL or have a default
 */
export function makeRowText(table: Table, blank: readonly string[] = []): RowText {
  const columns = listCarried(table).filter((column) => !blank.includes(column.name));
  const names = columns.map((column) => quoteName(column.name)).join(', ');
  const enums = columns
    .filter((column) => column.valueKind === 'enum')
    .map((column) => `IFNULL(${quoteName(column.name)} + 0, 1) = 0`);
  const into = `INTO ${quoteName(table.name)} (${names}) VALUES\n`;
  return {
    select: `SELECT ${writeRowText(columns.map(toTextColumn))} AS t${enums.length === 0 ? '' : `, ${enums.join(' OR ')} AS isLax`} FROM ${quoteName(table.name)}`,
    insert: `INSERT ${into}`,
    laxInsert: `INSERT IGNORE ${into}`,
  };
}

/** A row of `select`. */
export interface SelectedRow {
  readonly t: string | null;
  readonly isLax?: number | string;
}

/**
 * Returns an SQL expression for the values of one row, separated by commas. It is an empty text if the table
 * has no column to transfer, but the rows are still counted.
 */
export function writeRowText(columns: readonly TextColumn[]): string {
  return columns.length === 0 ? `''` : `CONCAT_WS(',', ${columns.map(valueText).join(', ')})`;
}

export interface TextColumn extends Pick<Column, 'name' | 'valueKind'> {
  /** The column's character set. Absent in moves that an older version started. */
  readonly charset?: string | null;
}

/**
 * Returns the properties that are needed to format a column as text. BIT(1) is a boolean in the API, but as
 * text it would be its byte.
 */
export function toTextColumn({
  name,
  valueKind,
  type,
  charset,
}: Pick<Column, 'name' | 'valueKind' | 'type' | 'charset'>): TextColumn {
  return { name, valueKind: type === 'bit' ? 'bit' : valueKind, charset };
}

/** Returns the columns to transfer, without generated ones. */
export function listCarried(table: Table): Column[] {
  return table.columns.filter((column) => column.generated === null);
}

function valueText(column: TextColumn): string {
  const name = quoteName(column.name);
  switch (column.valueKind) {
    case 'bit':
      return `IFNULL(CAST(${name} AS UNSIGNED), 'NULL')`;
    // The value is converted to DOUBLE, because servers print only six digits of a FLOAT.
    case 'float':
    case 'double':
      return doubleText(`CAST(${name} AS DOUBLE)`);
    case 'integer':
    case 'decimal':
    case 'boolean':
    case 'year':
      return `IFNULL(${name}, 'NULL')`;
    case 'binary':
    case 'geometry':
    case 'vector':
      return `IF(${name} IS NULL, 'NULL', CONCAT('x''', HEX(${name}), ''''))`;
    // The empty value of an ENUM has the number 0 and occurs in legacy data. It is not necessarily a label.
    case 'enum':
      return `IF(${name} + 0 = 0, '0', QUOTE(CONVERT(${name} USING utf8mb4)))`;
    default:
      return plainText(column);
  }
}

/** Character sets whose texts can be converted to Unicode and back without loss. */
const UNICODE = new Set(['utf8mb4', 'utf8mb3', 'utf8', 'ucs2', 'utf16', 'utf16le', 'utf32', 'latin1']);

/**
 * Returns SQL that formats a text. Bytes without a Unicode character are written as bytes. They occur in
 * legacy texts in Shift JIS, GBK or ASCII.
 */
function plainText({ name: column, charset }: TextColumn): string {
  const name = quoteName(column);
  const text = `QUOTE(CONVERT(${name} USING utf8mb4))`;
  if (charset === undefined || charset === null || UNICODE.has(charset)) return text;
  const isSame = `CAST(CONVERT(CONVERT(${name} USING utf8mb4) USING ${charset}) AS BINARY) <=> CAST(${name} AS BINARY)`;
  return `IF(${isSame}, ${text}, CONCAT('x''', HEX(${name}), ''''))`;
}

/**
 * Returns the SQL for a number. Minus zero gets an exponent, because it would lose its sign as an integer.
 */
function doubleText(double: string): string {
  return `IFNULL(IF(CONCAT(${double}) = '-0', '-0e0', CONCAT(${double})), 'NULL')`;
}

/** A digest of rows whose order does not matter: their number and the sum of their hashes. */
export interface RowDigest {
  add(text: string): void;
  readonly rows: number;
  /** The sum of the hashes, as 16 hexadecimal digits. */
  readonly digest: string;
}

export function createRowDigest(): RowDigest {
  let rows = 0;
  let sum = 0n;
  return {
    add(text) {
      rows += 1;
      sum = (sum + createHash('sha256').update(text).digest().readBigUInt64LE()) & 0xffff_ffff_ffff_ffffn;
    },
    get rows() {
      return rows;
    },
    get digest() {
      return sum.toString(16).padStart(16, '0');
    },
  };
}

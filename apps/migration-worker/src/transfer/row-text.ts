import { createHash } from 'node:crypto';
import { quoteName } from '@rowhouse/mysql';
import type { Column, Table } from '@rowhouse/schema-model';

/**
 * Rows as the text of INSERT values, written by the server itself: exact for every type, and the same text for the same
 * row on both ends of a transfer.
 */
export interface RowText {
  /** Gives one column `t`: the row's values with commas between them. NULL for a row that is too large for the server to say. */
  readonly select: string;
  /** `INSERT INTO … VALUES`, to be followed by `(…),(…)`. */
  readonly insert: string;
  /** The same for rows that `isLax` marks. Strict servers take the empty value of an ENUM by INSERT IGNORE only. */
  readonly laxInsert: string;
}

/**
 * @param blank columns that go without their values; they must take NULL or have a default
 */
export function makeRowText(table: Table, blank: readonly string[] = []): RowText {
  const columns = listCarried(table).filter((column) => !blank.includes(column.name));
  const names = columns.map((column) => quoteName(column.name)).join(', ');
  const enums = columns.filter((column) => column.valueKind === 'enum').map((column) => `IFNULL(${quoteName(column.name)} + 0, 1) = 0`);
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

/** The expression of one row's values with commas between them. A table may consist of nothing that is carried: its rows count all the same. */
export function writeRowText(columns: readonly TextColumn[]): string {
  return columns.length === 0 ? `''` : `CONCAT_WS(',', ${columns.map(valueText).join(', ')})`;
}

export interface TextColumn extends Pick<Column, 'name' | 'valueKind'> {
  /** Missing in moves that an older version began. */
  readonly charset?: string | null;
}

/** BIT(1) is a boolean to the API; as text it would be its byte. */
export function toTextColumn({ name, valueKind, type, charset }: Pick<Column, 'name' | 'valueKind' | 'type' | 'charset'>): TextColumn {
  return { name, valueKind: type === 'bit' ? 'bit' : valueKind, charset };
}

/** What the server computes by itself is not carried. */
export function listCarried(table: Table): Column[] {
  return table.columns.filter((column) => column.generated === null);
}

function valueText(column: TextColumn): string {
  const name = quoteName(column.name);
  switch (column.valueKind) {
    case 'bit': return `IFNULL(CAST(${name} AS UNSIGNED), 'NULL')`;
    // As DOUBLE, since a FLOAT says six digits of itself.
    case 'float': case 'double': return doubleText(`CAST(${name} AS DOUBLE)`);
    case 'integer': case 'decimal': case 'boolean': case 'year': return `IFNULL(${name}, 'NULL')`;
    case 'binary': case 'geometry': case 'vector': return `IF(${name} IS NULL, 'NULL', CONCAT('x''', HEX(${name}), ''''))`;
    // The empty value of legacy data, number 0, may be no label.
    case 'enum': return `IF(${name} + 0 = 0, '0', QUOTE(CONVERT(${name} USING utf8mb4)))`;
    default: return plainText(column);
  }
}

/** Character sets whose every character is one of Unicode and comes back from it as it was. */
const UNICODE = new Set(['utf8mb4', 'utf8mb3', 'utf8', 'ucs2', 'utf16', 'utf16le', 'utf32', 'latin1']);

/** Bytes that Unicode has no character for, as legacy texts in Shift JIS, GBK or ASCII may have, go as they are. */
function plainText({ name: column, charset }: TextColumn): string {
  const name = quoteName(column);
  const text = `QUOTE(CONVERT(${name} USING utf8mb4))`;
  if (charset === undefined || charset === null || UNICODE.has(charset)) return text;
  const isSame = `CAST(CONVERT(CONVERT(${name} USING utf8mb4) USING ${charset}) AS BINARY) <=> CAST(${name} AS BINARY)`;
  return `IF(${isSame}, ${text}, CONCAT('x''', HEX(${name}), ''''))`;
}

/** As an integer, minus zero would lose its sign. */
function doubleText(double: string): string {
  return `IFNULL(IF(CONCAT(${double}) = '-0', '-0e0', CONCAT(${double})), 'NULL')`;
}

/** Over rows in any order: how many there were and the sum of their hashes. */
export interface RowDigest {
  add(text: string): void;
  readonly rows: number;
  /** 16 hex digits. */
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

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
}

/**
 * @param blank columns that go without their values; they must take NULL or have a default
 */
export function makeRowText(table: Table, blank: readonly string[] = []): RowText {
  const columns = listCarried(table).filter((column) => !blank.includes(column.name));
  const names = columns.map((column) => quoteName(column.name)).join(', ');
  return { select: `SELECT ${writeRowText(columns)} AS t FROM ${quoteName(table.name)}`, insert: `INSERT INTO ${quoteName(table.name)} (${names}) VALUES\n` };
}

/** The expression of one row's values with commas between them. A table may consist of nothing that is carried: its rows count all the same. */
export function writeRowText(columns: readonly TextColumn[]): string {
  return columns.length === 0 ? `''` : `CONCAT_WS(',', ${columns.map(valueText).join(', ')})`;
}

export type TextColumn = Pick<Column, 'name' | 'valueKind'>;

/** What the server computes by itself is not carried. */
export function listCarried(table: Table): Column[] {
  return table.columns.filter((column) => column.generated === null);
}

function valueText(column: TextColumn): string {
  const name = quoteName(column.name);
  switch (column.valueKind) {
    case 'bit': return `IFNULL(CAST(${name} AS UNSIGNED), 'NULL')`;
    // As DOUBLE, since a FLOAT says six digits of itself.
    case 'float': case 'double': return `IFNULL(CAST(${name} AS DOUBLE), 'NULL')`;
    case 'integer': case 'decimal': case 'boolean': case 'year': return `IFNULL(${name}, 'NULL')`;
    case 'binary': case 'geometry': case 'vector': return `IF(${name} IS NULL, 'NULL', CONCAT('x''', HEX(${name}), ''''))`;
    default: return `QUOTE(CONVERT(${name} USING utf8mb4))`;
  }
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

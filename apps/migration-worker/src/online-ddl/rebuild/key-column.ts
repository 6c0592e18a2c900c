import { quoteName } from '@rowhouse/mysql';
import type { RawColumn } from '@rowhouse/schema-model';
import type { KeyColumn } from '@rowhouse/platform-store';

const NUMBERS = /^(tinyint|smallint|mediumint|int|bigint|decimal|year)$/;
const QUOTED = /^(date|datetime|timestamp|time|uuid|inet4|inet6)$/;

export function toKeyColumn(from: RawColumn, to: RawColumn): KeyColumn {
  const isSame =
    from.sqlType === to.sqlType && from.charset === to.charset && from.collation === to.collation;
  return {
    from: from.name,
    to: to.name,
    chunkBy: chunkKind(from),
    charset: from.charset,
    collation: from.collation,
    castType: isSame ? null : variableType(to),
    ...(isSame ? {} : { shadow: { chunkBy: chunkKind(to), charset: to.charset, collation: to.collation } }),
  };
}

/**
 * Returns how the column divides a table into chunks, or null if it cannot. ENUM and SET values compare as
 * texts but sort as numbers. Floating-point numbers have no exact text.
 */
function chunkKind(column: RawColumn): KeyColumn['chunkBy'] {
  if (NUMBERS.test(column.type)) return 'number';
  if (/^(char|varchar)$/.test(column.type)) return 'text';
  if (/^(binary|varbinary)$/.test(column.type)) return 'bytes';
  return QUOTED.test(column.type) ? 'quoted' : null;
}

function variableType(column: RawColumn): string {
  return column.charset === null
    ? column.sqlType
    : `${column.sqlType} CHARACTER SET ${column.charset} COLLATE ${column.collation ?? ''}`;
}

/**
 * Returns the key columns that divide the table into chunks. These are the first columns, up to one whose
 * values have no exact text.
 */
export function chunkColumns(columns: readonly KeyColumn[]): KeyColumn[] {
  const end = columns.findIndex((column) => column.chunkBy === null);
  return columns.slice(0, end < 0 ? columns.length : end);
}

/** Returns the columns of the shadow table that correspond to these columns. */
export function toShadowColumns(columns: readonly KeyColumn[]): KeyColumn[] {
  return columns.map((column) => ({
    ...column,
    from: column.to,
    ...(column.castType === null ? {} : (column.shadow ?? { chunkBy: null })),
  }));
}

/**
 * Returns an SQL expression that reads a column's value as text, in the form that `writeKeyValue` accepts.
 */
export function readKeyValue(column: KeyColumn, name: string): string {
  return column.chunkBy === 'text' || column.chunkBy === 'bytes' ? `HEX(${name})` : `CAST(${name} AS CHAR)`;
}

/**
 * Returns a literal with exactly this value, character set and collation.
 * Throws for text that no server returned.
 */
export function writeKeyValue(column: KeyColumn, text: string): string {
  const form =
    column.chunkBy === 'number'
      ? /^-?\d+(\.\d+)?$/
      : column.chunkBy === 'quoted'
        ? /^[-0-9a-fA-F:. ]*$/
        : /^[0-9A-F]*$/;
  if (!form.test(text)) throw new Error(`a key value of ${column.from} cannot be written`);
  if (column.chunkBy === 'number') return text;
  if (column.chunkBy === 'quoted') return `'${text}'`;
  return column.chunkBy === 'bytes'
    ? `x'${text}'`
    : `_${column.charset ?? 'utf8mb4'} x'${text}' COLLATE ${column.collation ?? 'utf8mb4_bin'}`;
}

/** Returns a condition such as `(a, b) > (1, 2)`, written so that both engines use an index range for it. */
export function compareKey(
  columns: readonly KeyColumn[],
  values: readonly string[],
  sign: '>' | '<=',
  alias: string,
): string {
  const [first] = columns;
  if (first === undefined) return 'TRUE';
  const strict = sign[0] as '>' | '<';
  const name = (column: KeyColumn): string => `${alias}${quoteName(column.from)}`;
  const literal = (index: number): string => writeKeyValue(columns[index] as KeyColumn, values[index] ?? '');
  const terms = columns.map((column, position) => {
    const equal = columns.slice(0, position).map((earlier, index) => `${name(earlier)} = ${literal(index)}`);
    const last = position === columns.length - 1 ? sign : strict;
    return [...equal, `${name(column)} ${last} ${literal(position)}`].join(' AND ');
  });
  if (terms.length === 1) return terms[0] ?? 'TRUE';
  return `(${name(first)} ${strict}= ${literal(0)} AND (${terms.map((term) => `(${term})`).join(' OR ')}))`;
}

/** A session that reads rows, like those of `libs/mysql`. */
interface RowReader {
  rows<Row>(sql: string): Promise<readonly Row[]>;
}

/**
 * Returns the key of the last of the next `rows` rows after the key `after`. Returns null if fewer rows
 * remain. `table` is a quoted name.
 */
export async function findBound(
  source: RowReader,
  { table, keyIndex }: { readonly table: string; readonly keyIndex: string },
  columns: readonly KeyColumn[],
  after: readonly string[] | null,
  rows: number,
): Promise<string[] | null> {
  if (columns.length === 0) return null;
  const reads = columns
    .map((column, index) => `${readKeyValue(column, quoteName(column.from))} AS v${index}`)
    .join(', ');
  const order = columns.map((column) => quoteName(column.from)).join(', ');
  const where = after === null ? 'TRUE' : compareKey(columns, after, '>', '');
  const [found] = await source.rows<Record<string, string>>(
    `SELECT ${reads} FROM ${table} FORCE INDEX (${quoteName(keyIndex)}) WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET ${rows - 1}`,
  );
  return found === undefined ? null : columns.map((_column, index) => String(found[`v${index}`]));
}

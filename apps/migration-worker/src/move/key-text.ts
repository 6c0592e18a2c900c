import { quoteName } from '@rowhouse/mysql';
import { readKeyValue, writeKeyValue } from '../online-ddl/rebuild/key-column.js';
import type { KeyColumn } from '@rowhouse/platform-store';

/**
 * The text for NULL. Other values are written as digits, hexadecimal numbers, dates or addresses, so they
 * never equal this text.
 */
const NO_VALUE = '~';

/**
 * Returns an expression that writes the columns' values as one text without loss.
 * `alias` is `OLD.`, `NEW.`, `t.` or empty.
 */
export function formatKey(columns: readonly KeyColumn[], alias: string): string {
  const values = columns.map(
    (column) => `IFNULL(${formatValue(column, `${alias}${quoteName(column.from)}`)}, '${NO_VALUE}')`,
  );
  return `CONCAT_WS(',', ${values.join(', ')})`;
}

/**
 * Returns the SQL for one value.
 * The texts of ENUM and SET may contain commas and quotes, so they are written in hexadecimal.
 */
function formatValue(column: KeyColumn, name: string): string {
  return column.chunkBy === null ? `HEX(CONVERT(${name} USING utf8mb4))` : readKeyValue(column, name);
}

/**
 * Returns a condition that the columns equal the values of `text`. Returns null when one of the values is
 * NULL, because NULL equals nothing. Throws for a text that `formatKey` cannot produce.
 */
export function matchKey(
  columns: readonly KeyColumn[],
  text: string,
  alias: string,
  names: readonly string[] = columns.map((column) => column.from),
): string | null {
  const literals = formatLiterals(columns, text);
  return literals === null
    ? null
    : literals.map((literal, index) => `${alias}${quoteName(names[index] ?? '')} = ${literal}`).join(' AND ');
}

/** Returns a condition `(a, b) IN (…)` for keys of one table, written so that both engines use the index. */
export function matchKeys(columns: readonly KeyColumn[], texts: readonly string[], alias: string): string {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined)
    return `${alias}${quoteName(only.from)} IN (${texts.map((text) => formatLiterals(columns, text)?.[0] ?? 'NULL').join(', ')})`;
  return `(${texts.map((text) => `(${matchKey(columns, text, alias) ?? 'FALSE'})`).join(' OR ')})`;
}

function formatLiterals(columns: readonly KeyColumn[], text: string): string[] | null {
  const values = text.split(',');
  if (values.length !== columns.length) throw new Error('a noted key does not have the columns of its table');
  if (values.includes(NO_VALUE)) return null;
  return columns.map((column, index) => writeLiteral(column, values[index] ?? ''));
}

function writeLiteral(column: KeyColumn, text: string): string {
  if (column.chunkBy !== null) return writeKeyValue(column, text);
  if (!/^[0-9A-F]*$/.test(text)) throw new Error(`a key value of ${column.from} cannot be written`);
  // A literal takes the collation of the column. An expression with another collation would conflict with it.
  return `_utf8mb4 x'${text}'`;
}

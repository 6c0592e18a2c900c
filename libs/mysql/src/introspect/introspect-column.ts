import { readExpression, type ColumnDefault, type EngineKind, type RawColumn } from '@rowhouse/schema-model';
import type { ColumnRow } from './introspect-rows.js';

/**
 * Converts a row of information_schema.
 *
 * @param definition the column's definition after its name in SHOW CREATE TABLE; empty for columns of views
 */
export function toRawColumn(row: ColumnRow, definition: string, engine: EngineKind): RawColumn {
  const extra = row.EXTRA.toLowerCase();
  const isNullable = row.IS_NULLABLE === 'YES';
  const type = row.DATA_TYPE.toLowerCase();
  return {
    name: row.COLUMN_NAME,
    type,
    sqlType: row.COLUMN_TYPE,
    nullable: isNullable,
    default:
      engine === 'mariadb'
        ? readMariadbDefault(row.COLUMN_DEFAULT, isNullable)
        : readMysqlDefault(row.COLUMN_DEFAULT, isNullable, extra, definition),
    autoIncrement: extra.includes('auto_increment'),
    generated:
      extra.includes('stored generated') || extra.includes('persistent')
        ? 'stored'
        : extra.includes('virtual generated')
          ? 'virtual'
          : null,
    invisible: extra.includes('invisible'),
    unsigned: / unsigned\b/.test(row.COLUMN_TYPE),
    maxLength: toNumber(row.CHARACTER_MAXIMUM_LENGTH),
    precision: toNumber(row.NUMERIC_PRECISION),
    scale: toNumber(row.NUMERIC_SCALE),
    fraction: toNumber(row.DATETIME_PRECISION),
    charset: row.CHARACTER_SET_NAME,
    collation: row.COLLATION_NAME,
    labels: type === 'enum' || type === 'set' ? readLabels(row.COLUMN_TYPE) : null,
    onUpdateNow: extra.includes('on update current_timestamp'),
    comment: row.COLUMN_COMMENT,
    definition,
  };
}

/**
 * Normalizes a column's definition. It names the character set and collation only if they differ from the
 * table's. MySQL's own text depends on how the column was once written, so two equal columns could have
 * different texts.
 */
export function normalizeDefinition(
  definition: string,
  row: ColumnRow,
  tableCollation: string | null,
): string {
  if (row.COLLATION_NAME === null || !definition.startsWith(row.COLUMN_TYPE)) return definition;
  const rest = definition.slice(row.COLUMN_TYPE.length).replace(/^( CHARACTER SET \w+)?( COLLATE \w+)?/, '');
  const clause =
    row.COLLATION_NAME === tableCollation
      ? ''
      : ` CHARACTER SET ${row.CHARACTER_SET_NAME ?? ''} COLLATE ${row.COLLATION_NAME}`;
  return `${row.COLUMN_TYPE}${clause}${rest}`;
}

function toNumber(value: number | string | null): number | null {
  return value === null ? null : Number(value);
}

/**
 * Parses a column's default on MariaDB, which returns it as SQL text: a quoted literal, a number, NULL or an
 * expression.
 */
function readMariadbDefault(text: string | null, isNullable: boolean): ColumnDefault {
  if (text === null) return isNullable ? { kind: 'null' } : { kind: 'none' };
  if (text.toUpperCase() === 'NULL') return { kind: 'null' };
  if (/^'[\s\S]*'$/.test(text)) return { kind: 'literal', text: unquoteText(text) };
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return { kind: 'literal', text };
  return { kind: 'expression', text };
}

/**
 * Parses a column's default on MySQL, which returns the content of a literal. EXTRA marks expressions, except
 * for some forms of CURRENT_TIMESTAMP. For an expression, the text comes from SHOW CREATE, because the text
 * in information_schema has escaped quotes and broken non-ASCII characters.
 */
function readMysqlDefault(
  text: string | null,
  isNullable: boolean,
  extra: string,
  definition: string,
): ColumnDefault {
  if (text === null) return isNullable ? { kind: 'null' } : { kind: 'none' };
  const expression = extra.includes('default_generated') ? readExpression(definition, 'DEFAULT') : null;
  if (expression !== null) return { kind: 'expression', text: expression };
  if (extra.includes('default_generated') || /^current_timestamp(\(\d*\))?$/i.test(text))
    return { kind: 'expression', text };
  return { kind: 'literal', text };
}

function unquoteText(text: string): string {
  return text
    .slice(1, -1)
    .replace(/''|\\(.)/gs, (_match, escaped: string | undefined) =>
      escaped === undefined ? "'" : unescapeChar(escaped),
    );
}

function unescapeChar(char: string): string {
  const known: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0', Z: '\x1a', b: '\b' };
  return known[char] ?? char;
}

/** Parses the labels of `enum('a','b''c')`. */
function readLabels(sqlType: string): string[] {
  const labels: string[] = [];
  for (const match of sqlType.matchAll(/'((?:[^'\\]|''|\\.)*)'/gs)) labels.push(unquoteText(match[0]));
  return labels;
}

/**
 * Normalizes negative numbers in an expression. MySQL prints `-5` as `-(5)` once it has read the expression
 * back, and as `-5` after the next time. With one form, a schema that is loaded from its own SQL text equals
 * itself. Quoted texts and names are unchanged.
 */
export function settleExpression(text: string): string {
  if (!text.includes('-(')) return text;
  return text.replace(
    /'(?:[^'\\]|''|\\[\s\S])*'|`(?:[^`]|``)*`|-\((\d+(?:\.\d+)?)\)/g,
    (whole, digits: string | undefined) => (digits === undefined ? whole : `-${digits}`),
  );
}

import type { Column } from '@rowhouse/schema-model';
import { withoutCheck } from '../diff/drop-columns.js';
import { quoteText, findOutsideTexts, skipText } from '../sql-text.js';
import type { ColumnChange, NewColumn } from './edit-types.js';

const WORD = ' DEFAULT ';

/** Informal type names and the SQL types that they become. */
const SHORT_TYPES: Readonly<Record<string, string>> = {
  string: 'varchar(255)',
  text: 'text',
  integer: 'int',
  number: 'double',
  boolean: 'boolean',
  money: 'decimal(12,2)',
  email: 'varchar(255)',
  url: 'varchar(500)',
  timestamp: 'timestamp',
  file: 'longblob',
};
/**
 * The form of an SQL type: one or two words, numbers or quoted labels in parentheses, and
 * attributes of numbers and texts.
 */
const TYPE_FORM =
  /^[a-z]+( (precision|varying))?(\((\d+(,\s*\d+)?|'(?:[^'\\]|''|\\.)*'(,\s*'(?:[^'\\]|''|\\.)*')*)\))?( unsigned)?( zerofill)?( character set \w+)?( collate \w+)?$/i;

/**
 * Returns the SQL type, or null when the text has no such form.
 * Whether the type exists is decided by the server.
 */
export function toSqlType(type: string): string | null {
  const text = type.trim();
  const short = SHORT_TYPES[text.toLowerCase()];
  if (short !== undefined) return short;
  return TYPE_FORM.test(text) ? text : null;
}

/** Returns the text after the column's name, as CREATE TABLE has it. */
export function newColumnText(column: NewColumn, sqlType: string): string {
  const comment =
    column.comment === undefined || column.comment === '' ? '' : ` COMMENT ${quoteText(column.comment)}`;
  if (column.generated !== undefined)
    return `${sqlType} GENERATED ALWAYS AS (${column.generated.expression}) ${column.generated.stored === true ? 'STORED' : 'VIRTUAL'}${comment}`;
  const isNullable = column.nullable ?? false;
  return `${sqlType} ${isNullable ? 'NULL' : 'NOT NULL'}${defaultText(column)}${column.auto_increment === true ? ' AUTO_INCREMENT' : ''}${comment}`;
}

function defaultText(column: Pick<NewColumn, 'default' | 'default_expression'>): string {
  if (column.default_expression !== undefined) return ` DEFAULT ${column.default_expression}`;
  if (column.default === undefined) return '';
  return ` DEFAULT ${valueText(column.default)}`;
}

function valueText(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'number' ? String(value) : quoteText(value);
}

/**
 * Returns the text of an existing column with some parts changed, as CREATE TABLE has it. Parts that the
 * change does not name stay.
 */
export function changedColumnText(column: Column, change: ColumnChange, sqlType: string | null): string {
  if (change.generated !== undefined)
    return newColumnText(
      { ...change, name: column.name, type: '', comment: change.comment ?? column.comment },
      sqlType ?? column.sqlType,
    );
  if (column.generated !== null) return generatedText(column, change, sqlType);
  const isNullable = change.nullable ?? column.nullable;
  const isCounting = change.auto_increment ?? column.autoIncrement;
  const comment = change.comment ?? column.comment;
  const isSameKind = sqlType === null;
  const parts = [
    sqlType ?? typeText(column),
    isNullable ? 'NULL' : 'NOT NULL',
    isCounting ? '' : changedDefault(column, change, isNullable, isSameKind),
    column.onUpdateNow && isSameKind
      ? `ON UPDATE CURRENT_TIMESTAMP${(column.fraction ?? 0) === 0 ? '' : `(${column.fraction ?? 0})`}`
      : '',
    isCounting ? 'AUTO_INCREMENT' : '',
    column.invisible ? 'INVISIBLE' : '',
    comment === '' ? '' : `COMMENT ${quoteText(comment)}`,
    isSameKind ? column.definition.slice(withoutCheck(column.definition).length).trim() : '',
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns the type with the column's own character set when it differs from the table's. */
function typeText(column: Column): string {
  const own =
    /^ CHARACTER SET \w+ COLLATE \w+/.exec(column.definition.slice(column.sqlType.length))?.[0] ?? '';
  return `${column.sqlType}${own}`;
}

function changedDefault(
  column: Column,
  change: ColumnChange,
  isNullable: boolean,
  isSameKind: boolean,
): string {
  if (change.no_default === true) return '';
  if (change.default !== undefined || change.default_expression !== undefined)
    return defaultText(change).trim();
  if (!isSameKind) return '';
  const text = readDefaultText(column.definition);
  return text === null || (text === 'NULL' && !isNullable) ? '' : `DEFAULT ${text}`;
}

/** Returns the text of a changed generated column. Its expression is only available in the old definition. */
function generatedText(column: Column, change: Partial<NewColumn>, sqlType: string | null): string {
  const rest = column.definition.slice(column.sqlType.length);
  const plain = change.comment === undefined ? rest : rest.replace(/ COMMENT '(?:[^'\\]|''|\\.)*'/, '');
  return `${sqlType ?? column.sqlType}${plain}${change.comment === undefined || change.comment === '' ? '' : ` COMMENT ${quoteText(change.comment)}`}`;
}

/**
 * Returns the DEFAULT clause of a column definition without the word DEFAULT, as
 * the server wrote it, or null.
 */
function readDefaultText(definition: string): string | null {
  const index = findOutsideTexts(definition, WORD);
  return index < 0 ? null : readValue(definition.slice(index + WORD.length));
}

/** Reads a quoted text with its introducer, an expression in parentheses, or a word with its parentheses. */
function readValue(text: string): string {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "'") {
      index = skipText(text, index);
      if (depth === 0) return text.slice(0, index + 1);
    } else if (text[index] === '(') depth += 1;
    else if (text[index] === ')') depth -= 1;
    else if (text[index] === ' ' && depth === 0) return text.slice(0, index);
  }
  return text;
}

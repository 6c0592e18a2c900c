import { ownMember, type Column } from '@rowhouse/schema-model';
import { withoutCheck } from '../diff/drop-columns.js';
import { quoteText, findOutsideTexts, skipText } from '../sql-text.js';
import type { ColumnChange, NewColumn } from './edit-types.js';

const WORD = ' DEFAULT ';

/** Informal type names, and the SQL types for which they stand. */
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
 * Matches an SQL type: one or two words, then numbers or quoted labels in parentheses, then attributes of
 * numbers and texts.
 */
const TYPE_FORM =
  /^[a-z]+( (precision|varying))?(\((\d+(,\s*\d+)?|'(?:[^'\\]|''|\\.)*'(,\s*'(?:[^'\\]|''|\\.)*')*)\))?( unsigned)?( zerofill)?( character set \w+)?( collate \w+)?$/i;

/**
 * Returns the SQL type for a text. Returns null if the text does not have the form of a type. Only the server
 * decides whether the type exists.
 */
export function toSqlType(type: string): string | null {
  const text = type.trim();
  const short = ownMember(SHORT_TYPES, text.toLowerCase());
  if (short !== undefined) return short;
  return TYPE_FORM.test(text) ? text : null;
}

/** Returns the definition of a new column, without its name, in the form that CREATE TABLE uses. */
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
 * Returns the definition of an existing column after a change, in the form that CREATE TABLE uses. Parts that
 * the change does not contain remain the same.
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

/** Returns the type of a column. It includes the character set if that differs from the table's. */
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

/**
 * Returns the definition of a generated column after a change. Its expression is taken from the old
 * definition, because only this contains it.
 */
function generatedText(column: Column, change: Partial<NewColumn>, sqlType: string | null): string {
  const rest = column.definition.slice(column.sqlType.length);
  const plain = change.comment === undefined ? rest : rest.replace(/ COMMENT '(?:[^'\\]|''|\\.)*'/, '');
  return `${sqlType ?? column.sqlType}${plain}${change.comment === undefined || change.comment === '' ? '' : ` COMMENT ${quoteText(change.comment)}`}`;
}

/**
 * Returns the default in a column's definition as the server wrote it, without the word DEFAULT. Returns null
 * for a column without a default.
 */
function readDefaultText(definition: string): string | null {
  const index = findOutsideTexts(definition, WORD);
  return index < 0 ? null : readValue(definition.slice(index + WORD.length));
}

/**
 * Reads a default value: a quoted text with its character set introducer, an expression in parentheses, or a
 * word, possibly with parentheses.
 */
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

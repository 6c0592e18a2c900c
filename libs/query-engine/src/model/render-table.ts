import type { Column, Table } from '@rowhouse/schema-model';
import { countUtf8Bytes } from '../lexer/scan-text.js';

export interface RenderOptions {
  /**
   * The maximum number of columns to list. Keys are always listed, and the remaining columns are only
   * counted.
   */
  readonly columnsMax: number;
  /**
   * The folded words of the question. If not all columns fit, those whose names contain such a word come
   * first.
   */
  readonly words: ReadonlySet<string>;
}

const COMMENT_CHARACTERS_MAX = 120;

const LABELS_MAX = 20;

const LABEL_CHARACTERS_MAX = 40;

/**
 * Describes one table in a few lines: the names as they must be written, types, keys, labels and comments.
 * Text that users wrote is shortened, and cannot end the enclosed block.
 */
export function renderTable(table: Table, { columnsMax, words }: RenderOptions): string {
  const visible = chooseColumns(table, columnsMax, words);
  const lines = visible.map((column) => `  ${renderColumn(column)}`);
  const remaining = table.columns.length - visible.length;
  if (remaining > 0) lines.push(`  (${remaining} more columns)`);
  if (table.primaryKey !== null) lines.push(`  primary key (${table.primaryKey.map(quoteName).join(', ')})`);
  for (const key of table.foreignKeys)
    lines.push(
      `  (${key.columns.map(quoteName).join(', ')}) references ${quoteName(key.referencedTable)} (${key.referencedColumns.map(quoteName).join(', ')})`,
    );
  return `${table.kind} ${quoteName(table.name)}${renderComment(table.comment)}\n${lines.join('\n')}`;
}

function chooseColumns(table: Table, columnsMax: number, words: ReadonlySet<string>): readonly Column[] {
  if (table.columns.length <= columnsMax) return table.columns;
  const keys = new Set([...(table.primaryKey ?? []), ...table.foreignKeys.flatMap((key) => key.columns)]);
  const rank = (column: Column): number =>
    keys.has(column.name) ? 0 : nameWords(column.name).some((word) => words.has(word)) ? 1 : 2;
  const chosen = new Set([...table.columns].sort((a, b) => rank(a) - rank(b)).slice(0, columnsMax));
  return table.columns.filter((column) => chosen.has(column));
}

function nameWords(name: string): string[] {
  return name.toLowerCase().split('_');
}

function renderColumn(column: Column): string {
  const labels =
    column.labels === null
      ? ''
      : ` one of ${column.labels
          .slice(0, LABELS_MAX)
          .map((label) => `'${cleanText(label, LABEL_CHARACTERS_MAX).replaceAll("'", "''")}'`)
          .join(', ')}`;
  return `${quoteName(column.name)} ${column.labels === null ? column.sqlType : column.type}${labels}${column.nullable ? ' null' : ''}${renderComment(column.comment)}`;
}

function renderComment(comment: string): string {
  const text = cleanText(comment, COMMENT_CHARACTERS_MAX);
  return text === '' ? '' : ` -- ${text}`;
}

/**
 * Puts a name in backquotes unless it consists of letters, digits and underscores. Removes the markers that
 * enclose data.
 */
export function quoteName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `\`${cleanText(name, 64).replaceAll('`', '``')}\``;
}

/** Returns a text on one line, without control characters, markers and angle brackets. */
export function cleanText(text: string, charactersMax: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[<>]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, charactersMax);
}

/**
 * The number of bytes for each token, which is a low estimate. Names with underscores and texts in other
 * scripts need more tokens than English prose.
 */
const BYTES_PER_TOKEN = 3.2;

/** Estimates the number of tokens in a text. The estimate is too high rather than too low. */
export function estimateTokens(text: string): number {
  return Math.ceil(countUtf8Bytes(text) / BYTES_PER_TOKEN);
}

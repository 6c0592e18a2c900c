import { memoizeByObject, type Column, type Table } from '@rowhouse/schema-model';
import { splitName } from '../lexicon/split-name.js';
import { isNumeric } from './column-kinds.js';
import { wordSet } from '../words/word-set.js';

const known = new Set<string>(['name', 'title', 'first', 'last']);

/**
 * Returns the label of a table, which is the columns by which people recognize its rows. It is the name or
 * title, the first and last name, a similar text, or otherwise the primary key. The result is cached.
 */
export const findLabel = memoizeByObject(findLabelAhead);

function findLabelAhead(table: Table): readonly Column[] {
  const tableWords = splitName(table.name, known);
  const named = table.columns.map((column) => ({
    column,
    words: splitName(column.name, known).flatMap((word) => splitOffName(word, tableWords)),
  }));
  const find = (requested: string): Column | undefined =>
    named.find(({ words }) => words.filter((word) => !tableWords.includes(word)).join(' ') === requested)
      ?.column;
  const name = find('name');
  if (name !== undefined) return [name];
  // The first and last name have priority over `title`, which in such a table is a job title.
  const [first, last] = [find('first name') ?? find('name first'), find('last name') ?? find('name last')];
  if (first !== undefined && last !== undefined) return [first, last];
  const single = find('title') ?? find('full name');
  if (single !== undefined) return [single];
  const own = named.find(({ words }) => words.join(' ') === tableWords.join(' '))?.column;
  if (own !== undefined && own.valueKind === 'string') return [own];
  const [key, ...more] = table.primaryKey ?? [];
  const keyWords = more.length > 0 ? [] : (named.find(({ column }) => column.name === key)?.words ?? []);
  const keyNoun =
    keyWords.length > 1 && keyWords.at(-1) === 'id'
      ? named.find(
          ({ column, words }) =>
            column.valueKind === 'string' && words.join(' ') === keyWords.slice(0, -1).join(' '),
        )?.column
      : undefined;
  if (keyNoun !== undefined) return [keyNoun];
  const ending = named.filter(({ words }) => words.at(-1) === 'name' || words.at(-1) === 'title');
  if (ending.length === 1 && ending[0] !== undefined) return [ending[0].column];
  const [described, ...others] =
    key === undefined || more.length > 0 || !isNumericKey(table, key)
      ? []
      : named.filter(
          ({ column, words }) =>
            column.valueKind === 'string' &&
            DESCRIPTIVE_NOUNS.has(words.at(-1) ?? '') &&
            !words.includes('other'),
        );
  if (described !== undefined && others.length === 0) return [described.column];
  const [identifier, ...rivals] =
    key === undefined || more.length > 0 || !isNumericKey(table, key)
      ? []
      : named.filter(({ column, words }) => column.name !== key && isIdentifier(column, words, tableWords));
  if (identifier !== undefined && rivals.length === 0) return [identifier.column];
  return (table.primaryKey ?? table.columns.slice(0, 1).map((column) => column.name)).flatMap((name) =>
    table.columns.filter((column) => column.name === name),
  );
}

/**
 * Separates `name` from a word that begins with the name of its table, such as `pilotname` in the table
 * `pilots`.
 */
function splitOffName(word: string, tableWords: readonly string[]): string[] {
  const start = word.slice(0, -4);
  return word.endsWith('name') && tableWords.includes(start) ? [start, 'name'] : [word];
}

/**
 * The last words in names of text columns that describe a row. Such a column is the label of rows that have
 * no name.
 */
const DESCRIPTIVE_NOUNS = wordSet('detail label subject caption');

/**
 * Names of columns with identifiers that people know, such as plates. They are labels of rows that have no
 * name.
 */
const IDENTIFIER_NAMES = new Set([
  'plate',
  'license plate',
  'licence plate',
  'registration',
  'barcode',
  'sku',
  'isbn',
  'vin',
  'login',
  'nickname',
  'handle',
]);

/** Reports whether the column contains an identifier that people know, such as a room number or a plate. */
function isIdentifier(
  { valueKind }: Column,
  words: readonly string[],
  tableWords: readonly string[],
): boolean {
  if (words.join(' ') === [...tableWords, 'number'].join(' ')) return true;
  return (
    valueKind === 'string' &&
    IDENTIFIER_NAMES.has(words.filter((word) => word !== 'number' && !tableWords.includes(word)).join(' '))
  );
}

/** Reports whether the key is a number. People may recognize a row by a code, but not by such a number. */
function isNumericKey(table: Table, key: string): boolean {
  return table.columns.some((column) => column.name === key && isNumeric(column));
}

import { memoizeByObject, type Column, type Table } from '@rowhouse/schema-model';
import { splitName } from '../lexicon/split-name.js';
import { isNumeric } from './column-kinds.js';
import { wordSet } from '../words/word-set.js';

const known = new Set<string>(['name', 'title', 'first', 'last']);

/**
 * Returns the columns that identify a row for people: its name or
 * title, or first and last name, or else its key. The result is cached.
 */
export const findLabel = memoizeByObject(findLabelAhead);

function findLabelAhead(table: Table): readonly Column[] {
  const tableWords = splitName(table.name, known);
  const named = table.columns.map((column) => ({
    column,
    words: splitName(column.name, known).flatMap((word) => cutName(word, tableWords)),
  }));
  const find = (requested: string): Column | undefined =>
    named.find(({ words }) => words.filter((word) => !tableWords.includes(word)).join(' ') === requested)
      ?.column;
  const name = find('name');
  if (name !== undefined) return [name];
  // A title next to a first and last name is a position.
  const [first, last] = [find('first name') ?? find('name first'), find('last name') ?? find('name last')];
  if (first !== undefined && last !== undefined) return [first, last];
  const single = find('title') ?? find('full name');
  if (single !== undefined) return [single];
  const own = named.find(({ words }) => words.join(' ') === tableWords.join(' '))?.column;
  if (own !== undefined && own.valueKind === 'string') return [own];
  const [key, ...more] = table.primaryKey ?? [];
  const keyWords = more.length > 0 ? [] : (named.find(({ column }) => column.name === key)?.words ?? []);
  const bare =
    keyWords.length > 1 && keyWords.at(-1) === 'id'
      ? named.find(
          ({ column, words }) =>
            column.valueKind === 'string' && words.join(' ') === keyWords.slice(0, -1).join(' '),
        )?.column
      : undefined;
  if (bare !== undefined) return [bare];
  const ending = named.filter(({ words }) => words.at(-1) === 'name' || words.at(-1) === 'title');
  if (ending.length === 1 && ending[0] !== undefined) return [ending[0].column];
  const [messages, ...others] =
    key === undefined || more.length > 0 || !isNumbered(table, key)
      ? []
      : named.filter(
          ({ column, words }) =>
            column.valueKind === 'string' && TELLING.has(words.at(-1) ?? '') && !words.includes('other'),
        );
  if (messages !== undefined && others.length === 0) return [messages.column];
  const [marked, ...rivals] =
    key === undefined || more.length > 0 || !isNumbered(table, key)
      ? []
      : named.filter(({ column, words }) => column.name !== key && isMark(column, words, tableWords));
  if (marked !== undefined && rivals.length === 0) return [marked.column];
  return (table.primaryKey ?? table.columns.slice(0, 1).map((column) => column.name)).flatMap((name) =>
    table.columns.filter((column) => column.name === name),
  );
}

/** Splits `pilotname` of `pilots` into two words. */
function cutName(word: string, tableWords: readonly string[]): string[] {
  const start = word.slice(0, -4);
  return word.endsWith('name') && tableWords.includes(start) ? [start, 'name'] : [word];
}

/** Last words of text columns that describe a row and serve as its label without a name. */
const TELLING = wordSet('detail label subject caption');

/** Identifiers on objects, and login names, which serve as labels without a name. */
const MARKS = new Set([
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

/** Returns whether the column is an identifier such as `room_number` of a room or a text on an object. */
function isMark({ valueKind }: Column, words: readonly string[], tableWords: readonly string[]): boolean {
  if (words.join(' ') === [...tableWords, 'number'].join(' ')) return true;
  return (
    valueKind === 'string' &&
    MARKS.has(words.filter((word) => word !== 'number' && !tableWords.includes(word)).join(' '))
  );
}

/** Returns whether the key is a number. People do not recognize rows by numbers, but may recognize codes. */
function isNumbered(table: Table, key: string): boolean {
  return table.columns.some((column) => column.name === key && isNumeric(column));
}

import { cleanText } from './render-table.js';

/** The distinct values of a text column, from the database's value index. */
export interface IndexedColumn {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
}

/** A stored value that the question contains. */
export interface ValueHit {
  readonly table: string;
  readonly column: string;
  readonly value: string;
}

const HITS_MAX = 12;
const HITS_PER_VALUE_MAX = 4;
export const VALUE_CHARACTERS_MAX = 80;
/**
 * The number of characters from which a value is compared without case. Shorter values such as `DE` and `XL`
 * must match exactly.
 */
const BLIND_CHARACTERS_MIN = 3;

/**
 * Returns the stored values that the question contains, with the longest first. They give the model the
 * spelling and the column of a value. They reveal nothing, because the question contains every returned text.
 *
 * @param indexed only columns that the key may read
 */
export function findValueHits(question: string, indexed: readonly IndexedColumn[]): ValueHit[] {
  const folded = question.toLowerCase();
  const hits: ValueHit[] = [];
  for (const { table, column, values } of indexed) {
    for (const value of values) if (isStated(value, question, folded)) hits.push({ table, column, value });
  }
  // The order of the index depends on the server. Sorting makes the prompt for a question reproducible.
  hits.sort(
    (a, b) => b.value.length - a.value.length || compare(a.table, b.table) || compare(a.column, b.column),
  );
  const counts = new Map<string, number>();
  const few = hits.filter(({ value }) => {
    const count = (counts.get(value.toLowerCase()) ?? 0) + 1;
    counts.set(value.toLowerCase(), count);
    return count <= HITS_PER_VALUE_MAX;
  });
  return few.slice(0, HITS_MAX);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isStated(value: string, question: string, folded: string): boolean {
  if (value.length < 2 || value.length > VALUE_CHARACTERS_MAX) return false;
  const ignoresCase = value.length >= BLIND_CHARACTERS_MIN;
  const requested = ignoresCase ? value.toLowerCase() : value;
  const text = ignoresCase ? folded : question;
  for (
    let position = text.indexOf(requested);
    position !== -1;
    position = text.indexOf(requested, position + 1)
  ) {
    // Ignores a value that cannot be written unchanged on one line.
    if (isWhole(text, position, position + requested.length, ignoresCase))
      return cleanText(value, VALUE_CHARACTERS_MAX) === value;
  }
  return false;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Reports whether a match begins and ends at a word boundary. With `mayGoOn`, a plural ending may follow. */
function isWhole(text: string, start: number, end: number, mayGoOn: boolean): boolean {
  if (start > 0 && LETTER.test(text.charAt(start - 1)) && LETTER.test(text.charAt(start))) return false;
  const following = mayGoOn ? text.slice(end).replace(/^(?:e?s|'s)(?![\p{L}\p{N}])/u, '') : text.slice(end);
  return following === '' || !LETTER.test(following.charAt(0)) || !LETTER.test(text.charAt(end - 1));
}

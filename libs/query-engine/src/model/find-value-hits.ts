import { cleanText } from './render-table.js';

/** Distinct values of one text column, as the tenant's value index has them. */
export interface IndexedColumn {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
}

/** A value of the rows that the question itself says. */
export interface ValueHit {
  readonly table: string;
  readonly column: string;
  readonly value: string;
}

const HITS_MAX = 12;
const HITS_PER_VALUE_MAX = 4;
export const VALUE_CHARACTERS_MAX = 80;
/** Shorter ones, `DE` and `XL`, only as they are written. */
const BLIND_CHARACTERS_MIN = 3;

/**
 * Values whose whole text stands in the question, the longest first: they say how the value is written and which column
 * has it. Nothing is found that the asker did not write.
 *
 * @param indexed of what the key may read and nothing else
 */
export function findValueHits(question: string, indexed: readonly IndexedColumn[]): ValueHit[] {
  const folded = question.toLowerCase();
  const hits: ValueHit[] = [];
  for (const { table, column, values } of indexed) {
    for (const value of values) if (isSaid(value, question, folded)) hits.push({ table, column, value });
  }
  // The order of an index is the server's: the same question has the same prompt everywhere.
  hits.sort((a, b) => b.value.length - a.value.length || compare(a.table, b.table) || compare(a.column, b.column));
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

function isSaid(value: string, question: string, folded: string): boolean {
  if (value.length < 2 || value.length > VALUE_CHARACTERS_MAX) return false;
  const isBlind = value.length >= BLIND_CHARACTERS_MIN;
  const wanted = isBlind ? value.toLowerCase() : value;
  const text = isBlind ? folded : question;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    // What cannot stand on one line without marks could not be told as it is written.
    if (isWhole(text, at, at + wanted.length, isBlind)) return cleanText(value, VALUE_CHARACTERS_MAX) === value;
  }
  return false;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Between word ends; a plural ending may follow. */
function isWhole(text: string, start: number, end: number, mayGoOn: boolean): boolean {
  if (start > 0 && LETTER.test(text.charAt(start - 1)) && LETTER.test(text.charAt(start))) return false;
  const behind = mayGoOn ? text.slice(end).replace(/^(?:e?s|'s)(?![\p{L}\p{N}])/u, '') : text.slice(end);
  return behind === '' || !LETTER.test(behind.charAt(0)) || !LETTER.test(text.charAt(end - 1));
}

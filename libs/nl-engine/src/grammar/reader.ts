import { memoizeByObject } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/linked-question.js';

/** A parsed value. `position` is the index of the next token. */
export interface Parsed<T> {
  readonly position: number;
  readonly cost: number;
  readonly value: T;
}

/** Returns the word or punctuation mark at an index in lower case. Returns an empty text for other tokens. */
export function wordAt(q: LinkedQuestion, position: number): string {
  const token = q.tokens[position];
  return token === undefined || token.kind === 'quoted' || token.kind === 'date' ? '' : token.lower;
}

/** Returns the index after all consecutive words that are in this set. */
export function skipWords(q: LinkedQuestion, position: number, words: ReadonlySet<string>): number {
  let next = position;
  while (words.has(wordAt(q, next))) next += 1;
  return next;
}

/** Returns the index of the last token before `position` that is not in this set of words. */
export function skipBack(q: LinkedQuestion, position: number, words: ReadonlySet<string>): number {
  let next = position;
  while (words.has(wordAt(q, next))) next -= 1;
  return next;
}

/** Phrases as lists of words, grouped by their first word. Within a group, the longest come first. */
export type PhraseSet = ReadonlyMap<string, readonly (readonly string[])[]>;

const phraseSets = new Map<string, PhraseSet>();

/** Creates a set from phrases that are separated by `|`, such as `at least|over`. The result is cached. */
export function phraseSet(text: string): PhraseSet {
  const known = phraseSets.get(text);
  if (known !== undefined) return known;
  const byFirst = new Map<string, (readonly string[])[]>();
  for (const phrase of text
    .split('|')
    .map((item) => item.trim().split(/\s+/))
    .sort((a, b) => b.length - a.length)) {
    const first = phrase[0] ?? '';
    byFirst.set(first, [...(byFirst.get(first) ?? []), phrase]);
  }
  phraseSets.set(text, byFirst);
  return byFirst;
}

/** Returns the index after the longest phrase that begins at `position`. Returns -1 if none begins there. */
export function matchPhrase(q: LinkedQuestion, position: number, phrases: PhraseSet): number {
  for (const phrase of phrases.get(wordAt(q, position)) ?? []) {
    if (phrase.every((word, offset) => wordAt(q, position + offset) === word))
      return position + phrase.length;
  }
  return -1;
}

/** Caches the results of a parser by token. The parser must not depend on the previous tokens. */
export function remember<T>(
  read: (q: LinkedQuestion, position: number) => T,
): (q: LinkedQuestion, position: number) => T {
  const resultsOf = memoizeByObject<LinkedQuestion, Map<number, T>>(() => new Map());
  return (q, position) => {
    const locations = resultsOf(q);
    const found = locations.get(position);
    if (found !== undefined) return found;
    const created = read(q, position);
    locations.set(position, created);
    return created;
  };
}

/**
 * Reports whether `both`, `shared` or `common` precedes the values. The condition then needs two rows, each
 * with one of the values, because a row has only one value in a column.
 */
export function saysBoth(q: LinkedQuestion, position: number): boolean {
  return q.tokens
    .slice(Math.max(0, position - 5), position)
    .some((token) => ['both', 'shared', 'common'].includes(token.lower));
}

import type { LinkedQuestion } from '../link/link-question.js';
import type { Condition, Draft, Mention, Interpretation, TableLink } from '../types.js';
import { wordSet } from '../words/word-set.js';

/** A parsed value with the index of the next token in `position`. */
export interface Parsed<T> {
  readonly position: number;
  readonly cost: number;
  readonly value: T;
}

export const EMPTY_DRAFT: Draft = {
  targets: [],
  mentions: [],
  groups: [],
  orders: [],
  limit: null,
  distinct: false,
  unmatched: [],
  focus: -1,
};

/** Returns the word or mark at an index in lower case, or an empty string for other tokens. */
export function wordAt(q: LinkedQuestion, position: number): string {
  const token = q.tokens[position];
  return token === undefined || token.kind === 'quoted' || token.kind === 'date' ? '' : token.lower;
}

export function skipWords(q: LinkedQuestion, position: number, words: ReadonlySet<string>): number {
  let next = position;
  while (words.has(wordAt(q, next))) next += 1;
  return next;
}

/** Returns the index before all consecutive words of this set. */
export function skipBack(q: LinkedQuestion, position: number, words: ReadonlySet<string>): number {
  let next = position;
  while (words.has(wordAt(q, next))) next -= 1;
  return next;
}

/** Phrases by their first word, longest first. */
export type PhraseSet = ReadonlyMap<string, readonly (readonly string[])[]>;

const phraseSets = new Map<string, PhraseSet>();

/** Builds a set from a text such as `a b|c`. The result is cached. */
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

/** Returns the index after the longest phrase that starts at `position`, or -1 if none exists. */
export function matchPhrase(q: LinkedQuestion, position: number, phrases: PhraseSet): number {
  for (const phrase of phrases.get(wordAt(q, position)) ?? []) {
    if (phrase.every((word, offset) => wordAt(q, position + offset) === word))
      return position + phrase.length;
  }
  return -1;
}

/** Caches the result of a parser for each token, since it does not depend on the tokens before. */
export function remember<T>(
  read: (q: LinkedQuestion, position: number) => T,
): (q: LinkedQuestion, position: number) => T {
  const placesOf = rememberOf<LinkedQuestion, Map<number, T>>(() => new Map());
  return (q, position) => {
    const locations = placesOf(q);
    const found = locations.get(position);
    if (found !== undefined) return found;
    const created = read(q, position);
    locations.set(position, created);
    return created;
  };
}

/** Caches a value that is derived from a question or a statement. */
export function rememberOf<K extends object, T>(make: (thing: K) => T): (thing: K) => T {
  const known = new WeakMap<K, { readonly created: T }>();
  return (thing) => {
    const found = known.get(thing);
    if (found !== undefined) return found.created;
    const created = make(thing);
    known.set(thing, { created });
    return created;
  };
}

export const DETERMINERS: ReadonlySet<string> = wordSet(`
  the a an all their its his her any some these those our both existing available listed own corresponding
  respective particular specific given other this that single
`);
export const EACH: ReadonlySet<string> = wordSet('each every per');
export const DISTINCT: ReadonlySet<string> = wordSet('distinct different unique');

export function advance(
  interpretation: Interpretation,
  position: number,
  cost: number,
  change: Partial<Draft> = {},
): Interpretation {
  return { position, cost: interpretation.cost + cost, draft: { ...interpretation.draft, ...change } };
}

export function addMention(
  draft: Draft,
  mention: { readonly links: readonly TableLink[] } & Partial<Mention>,
  parent: number,
): Draft {
  const created: Mention = {
    negated: false,
    quantity: null,
    conditions: [],
    tie: [],
    isAlternative: false,
    ...mention,
    parent,
  };
  return { ...draft, mentions: [...draft.mentions, created], focus: draft.mentions.length };
}

/** Returns the index of the mention of the same table, by its closest names, or -1 if none exists. */
export function findSame(draft: Draft, links: readonly TableLink[]): number {
  const closest = Math.min(...links.map((link) => link.cost));
  return draft.mentions.findIndex((mention) => {
    const own = Math.min(...mention.links.map((link) => link.cost));
    return mention.links.some(
      (link) =>
        link.cost <= own + 0.3 &&
        links.some((other) => other.table === link.table && other.cost <= closest + 0.3),
    );
  });
}

export function addConditions(draft: Draft, mention: number, conditions: readonly Condition[]): Draft {
  if (conditions.length === 0) return draft;
  const flat = conditions.flatMap((condition) => (condition.kind === 'all' ? condition.parts : [condition]));
  return {
    ...draft,
    mentions: draft.mentions.map((entry, position) =>
      position === mention ? { ...entry, conditions: [...entry.conditions, ...flat] } : entry,
    ),
  };
}

/**
 * Returns whether `both`, `shared` or `common` precedes the values.
 * Each of two rows then has one of the values, since a row has only one value in a column.
 */
export function saysBoth(q: LinkedQuestion, position: number): boolean {
  return q.tokens
    .slice(Math.max(0, position - 5), position)
    .some((token) => ['both', 'shared', 'common'].includes(token.lower));
}

export function putTies(condition: Condition, owner: number): Condition {
  switch (condition.kind) {
    case 'any':
    case 'all':
      return { ...condition, parts: condition.parts.map((part) => putTies(part, owner)) };
    case 'value':
      return { ...condition, owner: condition.owner ?? owner };
    case 'topCount':
      return condition;
    case 'toAggregate':
      return {
        ...condition,
        column: { ...condition.column, owner: condition.column.owner ?? owner },
        where: condition.where.map((part) => putTies(part, owner)),
      };
    default:
      return { ...condition, column: { ...condition.column, owner: condition.column.owner ?? owner } };
  }
}

import type { LinkedQuestion } from '../../link/linked-question.js';
import { isCalendar } from '../../resolve/column-kinds.js';
import type { ColumnLink, ColumnRef, Condition } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { remember, skipWords, wordAt, type Parsed } from '../reader.js';
import { wordSet } from '../../words/word-set.js';

/**
 * Words after which a participle is a verb instead of an adjective, as in `delivered in May` and `paid by
 * Ada`.
 */
const AFTER_VERB = wordSet(`
  in on at by to from for of with since before after between during until within over the a an more less
  most least last this than as under
`);
/** Words that the name of a time column may contain in addition to its verb. */
const AROUND_TIME = wordSet('on at date day time timestamp');
const YET = wordSet('yet already so far');

/**
 * Parses adjectives that name a boolean column, such as `published` and `unpublished`. A participle may also
 * name a time column that can be NULL. `unreturned` then means that `returned_on` is NULL.
 */
export const readFlags = remember(findFlags);

function findFlags(q: LinkedQuestion, position: number): Parsed<Condition>[] {
  const found: Parsed<Condition>[] = [];
  const add = (to: number, links: readonly ColumnLink[], make: (column: ColumnRef) => Condition): void => {
    if (links.length > 0)
      found.push({ position: to, cost: 0.05, value: make({ links, owner: null, position }) });
  };
  const isValue =
    (value: number) =>
    (column: ColumnRef): Condition => ({
      kind: 'compare',
      column,
      op: '=',
      value: { kind: 'number', value },
    });
  const isFilled =
    (negated: boolean) =>
    (column: ColumnRef): Condition => ({ kind: 'null', column, negated });
  for (const span of q.columns[position] ?? []) add(span.to, span.links.filter(isFlag), isValue(1));
  const positive = /^(un|in|non)(.{4,})$/.exec(wordAt(q, position))?.[2];
  if (positive !== undefined)
    add(position + 1, (q.lexicon.columns.get(positive) ?? []).filter(isFlag), isValue(0));
  if (!isAdjective(q, position)) return found;
  add(position + 1, listEventTimes(q, wordAt(q, position)), isFilled(true));
  if (positive !== undefined) add(position + 1, listEventTimes(q, positive), isFilled(false));
  return found;
}

function isFlag({ column, cost, isPart }: ColumnLink): boolean {
  return column.valueKind === 'boolean' && cost < 0.5 && isPart !== true;
}

function isAdjective(q: LinkedQuestion, position: number): boolean {
  const next = q.tokens[skipWords(q, position + 1, YET)];
  return next === undefined || next.kind === 'mark' || (next.kind === 'word' && !AFTER_VERB.has(next.lower));
}

/**
 * Returns the time columns that can be NULL and are named by this participle, such as `returned_on` for
 * `returned`.
 */
function listEventTimes({ lexicon }: LinkedQuestion, participle: string): readonly ColumnLink[] {
  if (!isVerb(participle)) return [];
  return (lexicon.columns.get(participle) ?? []).filter(({ column, cost, isPart }) => {
    const words = lexicon.columnWords.get(column) ?? [];
    return (
      isCalendar(column) &&
      column.nullable &&
      cost < 0.5 &&
      isPart !== true &&
      words.includes(participle) &&
      words.every((word) => word === participle || AROUND_TIME.has(word))
    );
  });
}

const FIRST_WORDS_OF_FLAGS = wordSet('has have');
const OWNING_WORDS = wordSet('with has have having had');
const LACKING_WORDS = wordSet('without no');
const LACKING_WORDS_OR_ARTICLES = new Set([...LACKING_WORDS, 'a', 'an', 'any', 'the']);

/**
 * Parses a boolean column whose name begins with `has`, such as `has_balcony` in `rooms with a balcony` and
 * `rooms without a balcony`. The tokens from `from` to `position` precede the noun or its negation.
 */
export function readOwnedFlags(
  q: LinkedQuestion,
  from: number,
  position: number,
): readonly Parsed<Condition>[] {
  const start = skipWords(q, position, LACKING_WORDS_OR_ARTICLES);
  const before = q.tokens.slice(from, start).map(({ lower }) => lower);
  const isLacking = before.some((word) => LACKING_WORDS.has(word));
  if (!isLacking && !before.some((word) => OWNING_WORDS.has(word))) return [];
  return (q.columns[start] ?? []).flatMap((span) => {
    const links = span.links.filter(
      (link) => isFlag(link) && FIRST_WORDS_OF_FLAGS.has(q.lexicon.columnWords.get(link.column)?.[0] ?? ''),
    );
    return links.length === 0
      ? []
      : [
          {
            position: span.to,
            cost: 0.05,
            value: {
              kind: 'compare' as const,
              column: { links, owner: null, position: start },
              op: '=' as const,
              value: { kind: 'number' as const, value: isLacking ? 0 : 1 },
            },
          },
        ];
  });
}

const AFTER_NEGATION = wordSet('been be yet being currently still');
const NEGATIONS = wordSet("not never n't");

/**
 * Parses the names of boolean columns after words such as `that are`, `that are not` or `that have not been`.
 * These words end at `position`. `isBe` reports whether the last of them is a form of `be`.
 */
export function readPredicateFlags(
  q: LinkedQuestion,
  from: number,
  position: number,
  isBe: boolean,
): readonly Parsed<Condition>[] {
  const isNegated = NEGATIONS.has(wordAt(q, position));
  if (!isNegated && (position === from || !isBe)) return [];
  const parts = readFlags(q, isNegated ? skipWords(q, position + 1, AFTER_NEGATION) : position);
  return parts.flatMap((parsed) => {
    const value = isNegated ? invertFlag(parsed.value) : parsed.value;
    return value === null ? [] : [{ ...parsed, position: skipWords(q, parsed.position, YET), value }];
  });
}

function invertFlag(condition: Condition): Condition | null {
  if (condition.kind === 'null') return { ...condition, negated: !condition.negated };
  return condition.kind === 'compare' && condition.op === '=' ? { ...condition, op: '!=' } : null;
}

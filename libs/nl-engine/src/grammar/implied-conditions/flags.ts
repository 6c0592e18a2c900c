import type { LinkedQuestion } from '../../link/linked-question.js';
import { isCalendar } from '../../resolve/column-kinds.js';
import type { ColumnLink, ColumnRef, Condition } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { remember, skipWords, wordAt, type Parsed } from '../reader.js';
import { wordSet } from '../../words/word-set.js';

/** Words after which a participle is not an adjective, as in `delivered in May` and `paid by Ada`. */
const BEHIND_VERB = wordSet(`
  in on at by to from for of with since before after between during until within over the a an more less
  most least last this than as under
`);
/** Words that the name of a time column may have in addition to its verb. */
const AROUND_TIME = wordSet('on at date day time timestamp');
const YET = wordSet('yet already so far');

/**
 * Parses adjectives for boolean columns, as in `published` and `unpublished`. Also parses `returned` and
 * `unreturned` when a nullable time column records the event: NULL means that it has not happened yet.
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
  return next === undefined || next.kind === 'mark' || (next.kind === 'word' && !BEHIND_VERB.has(next.lower));
}

/**
 * Returns nullable time columns that are named by exactly this participle, as `returned_on` by `returned`.
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

const LEADS = wordSet('has have');
const OWNING = wordSet('with has have having had');
const LACKING = wordSet('without no');
const LACKED = new Set([...LACKING, 'a', 'an', 'any', 'the']);

/**
 * Parses `rooms with a balcony` and `rooms without a balcony` for boolean columns that start with `has`.
 * The words from `from` to `position` are those before the noun or before the word that negates it.
 */
export function readOwnedFlags(
  q: LinkedQuestion,
  from: number,
  position: number,
): readonly Parsed<Condition>[] {
  const start = skipWords(q, position, LACKED);
  const before = q.tokens.slice(from, start).map(({ lower }) => lower);
  const isLacking = before.some((word) => LACKING.has(word));
  if (!isLacking && !before.some((word) => OWNING.has(word))) return [];
  return (q.columns[start] ?? []).flatMap((span) => {
    const links = span.links.filter(
      (link) => isFlag(link) && LEADS.has(q.lexicon.columnWords.get(link.column)?.[0] ?? ''),
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

const BEEN = wordSet('been be yet being currently still');
const NOT = wordSet("not never n't");

/**
 * Parses flags after `that are`, `that are not` and `that have not been`.
 * `position` is the index after these words, and `isBe` is set when the last of them is a form of `be`.
 */
export function readPredicateFlags(
  q: LinkedQuestion,
  from: number,
  position: number,
  isBe: boolean,
): readonly Parsed<Condition>[] {
  const isNegated = NOT.has(wordAt(q, position));
  if (!isNegated && (position === from || !isBe)) return [];
  const parts = readFlags(q, isNegated ? skipWords(q, position + 1, BEEN) : position);
  return parts.flatMap((parsed) => {
    const value = isNegated ? invertFlag(parsed.value) : parsed.value;
    return value === null ? [] : [{ ...parsed, position: skipWords(q, parsed.position, YET), value }];
  });
}

function invertFlag(condition: Condition): Condition | null {
  if (condition.kind === 'null') return { ...condition, negated: !condition.negated };
  return condition.kind === 'compare' && condition.op === '=' ? { ...condition, op: '!=' } : null;
}

import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric } from '../../resolve/column-kinds.js';
import type { Aggregate, Interpretation, Target } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { addTarget, advance } from '../draft.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import {
  matchPhrase,
  type Parsed,
  type PhraseSet,
  phraseSet,
  remember,
  skipWords,
  wordAt,
} from '../reader.js';
import { readOwnedColumns } from './column-targets.js';

const AGGREGATES: readonly (readonly [Aggregate, PhraseSet])[] = [
  ['avg', phraseSet('average|mean|avg|average value of|average of')],
  [
    'sum',
    phraseSet(`
      total|sum|sum of|total amount of|total value of|total of|combined|overall|sum total of|how much total
    `),
  ],
  ['max', phraseSet('maximum|max|highest|largest|greatest|biggest|most|latest|longest|top|maximal|oldest')],
  ['min', phraseSet('minimum|min|lowest|smallest|least|earliest|shortest|minimal|youngest')],
];

/** Parses one or more names of aggregate functions, such as `average` or `maximum and minimum`. */
const readAggregateNames = remember(findAggregateNames);

function findAggregateNames(q: LinkedQuestion, from: number): Parsed<readonly Aggregate[]>[] {
  const found: Parsed<readonly Aggregate[]>[] = [];
  const names: Aggregate[] = [];
  let position = from;
  for (;;) {
    const longest = AGGREGATES.flatMap(([fn, phrases]) => {
      const to = matchPhrase(q, position, phrases);
      return to < 0 ? [] : [{ fn, to }];
    }).sort((a, b) => b.to - a.to)[0];
    if (longest === undefined) break;
    names.push(longest.fn);
    position = longest.to;
    // In `total amount of payments`, `amount` may also be the name of a column.
    if (wordAt(q, position - 2) === 'amount' && wordAt(q, position - 3) === 'total')
      found.push({ position: position - 2, cost: 0.05, value: [...names] });
    const isUnambiguous =
      ['average', 'mean', 'maximum', 'max', 'minimum', 'min', 'total', 'sum', 'avg'].includes(
        wordAt(q, position - 1),
      ) || wordAt(q, position - 1) === 'of';
    found.push({ position, cost: isUnambiguous ? 0 : 0.15, value: [...names] });
    const next = matchPhrase(q, position, phraseSet(', and|,|and|and the|, and the|or'));
    if (next < 0) break;
    position = next;
  }
  return found.reverse();
}

const AFTER_AGGREGATE = wordSet('of the all their its value for a');

/** Skips `number of` before a number column, as in `average number of attendances`. */
function skipNumberOf(q: LinkedQuestion, from: number): { readonly to: number; readonly isNumber: boolean } {
  const to = matchPhrase(
    q,
    from,
    phraseSet(
      'number of|numbers of|amount of|count of|number of people|numbers of people|number of the|level of',
    ),
  );
  return to < 0 ? { to: from, isNumber: false } : { to: skipWords(q, to, AFTER_AGGREGATE), isNumber: true };
}

/**
 * Parses aggregates of a column, such as `average age`, `maximum and minimum price` or `total amount of
 * sales`.
 */
export function readAggregate(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  for (const names of readAggregateNames(q, from)) {
    const start = skipWords(q, names.position, AFTER_AGGREGATE);
    const number = skipNumberOf(q, start);
    // In `the average amount of sales`, `amount` may also be the name of a column.
    const starts = [
      number,
      ...(number.isNumber && wordAt(q, start) === 'amount' ? [{ to: start, isNumber: false }] : []),
    ];
    for (const { phrase, owner, to, cost, isNumber } of starts.flatMap((candidate) =>
      readOwnedColumns(q, candidate.to, interpretation.draft).map((column) => ({
        ...column,
        isNumber: candidate.isNumber,
      })),
    )) {
      if (
        (isNumber && !phrase.links.some((link) => isNumeric(link.column))) ||
        (needsAge(q, names.position) && q.tokens[to - 1]?.lemma !== 'age')
      )
        continue;
      let draft = owner;
      const ownerId = owner === interpretation.draft ? null : owner.focus;
      for (const fn of names.value)
        draft = addTarget(draft, {
          kind: 'column',
          column: { ...toRef(phrase, ownerId), isChildColumn: true },
          fn,
          distinct: phrase.distinct,
        });
      const item = advance(interpretation, to, names.cost + cost, draft);
      interpretations.push(item, ...readSameAggregate(q, item, names.value, ownerId));
    }
  }
  return interpretations;
}

/**
 * Reports whether the word before `following` is a superlative of age, after which only a column with an age
 * is possible. `the oldest age` is a maximum, but the oldest year would be a minimum.
 */
function needsAge(q: LinkedQuestion, following: number): boolean {
  return ['oldest', 'youngest'].includes(wordAt(q, following - 1));
}

/** Applies the aggregate functions to further columns in a list, as in `average age and height`. */
function readSameAggregate(
  q: LinkedQuestion,
  interpretation: Interpretation,
  names: readonly Aggregate[],
  owner: number | null,
): Interpretation[] {
  const next = matchPhrase(
    q,
    interpretation.position,
    phraseSet(`
    , and|and|,|as well as|and the|, and the
  `),
  );
  if (next < 0) return [];
  return readColumns(q, next)
    .filter((column) => column.value.links.some((link) => isNumeric(link.column)))
    .flatMap((column) => {
      let { draft } = interpretation;
      for (const fn of names)
        draft = addTarget(draft, { kind: 'column', column: toRef(column.value, owner), fn, distinct: false });
      const item = { position: column.position, cost: interpretation.cost + column.cost - 0.25, draft };
      return [item, ...readSameAggregate(q, item, names, owner)];
    });
}

/**
 * Computes the average of a number column if it is the only returned column, as in `how old is each gender,
 * on average?`.
 */
export function readOnAverage(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = matchPhrase(
    q,
    skipWords(q, interpretation.position, wordSet(',')),
    phraseSet('on average|on an average'),
  );
  const { targets } = interpretation.draft;
  const numbers = targets.filter(isNumber);
  if (position < 0 || numbers.length !== 1) return [];
  return [
    advance(interpretation, position, 0.1, {
      targets: targets.map((target) =>
        isNumber(target)
          ? { ...target, column: { ...target.column, isChildColumn: true }, fn: 'avg' as const }
          : target,
      ),
    }),
  ];
}

function isNumber(target: Target): target is Target & { readonly kind: 'column' } {
  return (
    target.kind === 'column' &&
    target.fn === null &&
    target.column.links.some((link) => isNumeric(link.column))
  );
}

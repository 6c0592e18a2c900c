import type { LinkedQuestion } from '../../link/linked-question.js';
import { isCalendar } from '../../resolve/column-kinds.js';
import type { Draft, Interpretation, TimeUnit } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, phraseSet, remember, skipWords, wordAt } from '../reader.js';
import { EACH } from '../word-classes.js';
import { addConditions, addMention, advance, findMentionOfTable, setOwner } from '../draft.js';
import { costOfTableKey } from '../targets/column-targets.js';
import { wordSet } from '../../words/word-set.js';

const BEFORE_EACH = phraseSet(`
  for the different|in the different|across the different|across different|for all the different|for|in|of|
  by|at|from|on|within|under|does|do|did|with|to|has|have|across|belonging to|associated with|
  corresponding to|that|are there in|offered by|grouped by|there in|are in|are there for|for all|
  for different|in different|by different|of different|from different|at different|and for|live in|are|
  held by|owned by|made by|published by|are held by|located in|placed by|played by|provided by|offered in|
  are offered by|taught by|are from|there are in|there are for|there for|are there at|that belong to|
  working in|work in|working for|work for|used by|assigned to|produced by|is in|there at|are there on|
  written by|directed by|performed by|received by|taken by|registered in|enrolled in|had by|among|amongst|
  throughout|inside|over|between|during
`);

const BEFORE_GROUP_KEY = new Set([
  ...EACH,
  'of',
  'the',
  'different',
  'distinct',
  'unique',
  'possible',
  'available',
  'single',
  'individual',
]);

const BEFORE_REPEATED_COLUMN = phraseSet(`
  with that|of that|in that|at that|for that|having that|from that|by that|with this|of this|in this|
  for this|for each|of each|in each|with each|at each|of the same|with the same|in the same|
  for the corresponding|from each|by each|on each|on that|who got the|that got the|who have the|
  that have the|who has the|that has the|who had the|that had the|having the|having each|having this|
  who received the|that received the|who are in the|that are in the|who belong to the|that belong to the|
  who are in that|that are in that|that belong to that|who belong to that|with such|with said
`);

/**
 * Parses a phrase that repeats a group or a returned column and adds no meaning, as in `the number of schools
 * with that denomination`.
 */
export function readBackReference(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = matchPhrase(q, interpretation.position, BEFORE_REPEATED_COLUMN);
  const { draft } = interpretation;
  if (position < 0 || draft.targets.length === 0) return [];
  const plain = draft.targets.flatMap((target) =>
    target.kind === 'column' && target.fn === null ? [target.column] : [],
  );
  const known = [
    ...plain,
    ...draft.groups.flatMap((group) => (group.kind === 'column' ? [group.column] : [])),
  ];
  const isCounted = draft.targets.some(
    (target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null),
  );
  if (known.length === 0 || !isCounted) return [];
  return readColumns(q, position)
    .filter((column) =>
      column.value.links.some((link) =>
        known.some((ref) => ref.links.some((other) => other.column === link.column)),
      ),
    )
    .map((column) => advance(interpretation, column.position, 0.1));
}

/** The additional cost of groups after `by`, which may also name who did something, as in `orders by Ada`. */
const BY_COST = 0.15;

/**
 * The additional cost of groups after `all`. `the average price for all products` usually means a single
 * number.
 */
const FOR_ALL_COST = 0.4;

/**
 * Parses the groups of a question, such as `for each department`, `per year`, `grouped by country` or `does
 * each user have`.
 */
export function readGroups(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const position = findGroupStart(q, interpretation.position);
  if (position < 0) return [];
  const groupBy = matchPhrase(
    q,
    interpretation.position,
    phraseSet('grouped by|group by|broken down by|per|by'),
  );
  const from = groupBy > 0 ? groupBy : position;
  const keys =
    matchSorted(q, interpretation.position) > 0
      ? readSortedGroups(q, interpretation)
      : readGroupKeys(q, { ...interpretation, position: from }, draft);
  const allCost =
    wordAt(q, position) === 'all' || (wordAt(q, position - 1) === 'all' && !EACH.has(wordAt(q, position)))
      ? FOR_ALL_COST
      : 0;
  return keys.map((key) => ({
    ...key,
    cost:
      key.cost +
      allCost +
      (groupBy > 0 && wordAt(q, groupBy - 1) === 'by' && groupBy - interpretation.position === 1
        ? BY_COST
        : 0),
  }));
}

const GROUPED_AND_SORTED = phraseSet(
  ['grouped by and', 'grouped and']
    .flatMap((first) =>
      ['', 'alphabetically '].flatMap((adverb) =>
        ['ordered', 'sorted', 'listed'].map((verb) => `${first} ${adverb}${verb} by`),
      ),
    )
    .join('|'),
);

function matchSorted(q: LinkedQuestion, from: number): number {
  return matchPhrase(q, wordAt(q, from) === ',' ? from + 1 : from, GROUPED_AND_SORTED);
}

/** Parses a column by which rows are both grouped and sorted, as in `grouped and ordered by language`. */
function readSortedGroups(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const position = matchSorted(q, interpretation.position);
  if (position < 0 || interpretation.draft.orders.length > 0) return [];
  return readGroupKey(q, { ...interpretation, position }).flatMap((item) => {
    const group = item.draft.groups.at(-1);
    return group?.kind === 'column'
      ? [
          {
            ...item,
            draft: {
              ...item.draft,
              orders: [
                {
                  key: { kind: 'column' as const, column: group.column, fn: null },
                  direction: 'asc' as const,
                },
              ],
            },
          },
        ]
      : [];
  });
}

const findGroupStart = remember(lookForGroupStart);

function lookForGroupStart(q: LinkedQuestion, from: number): number {
  const start = wordAt(q, from) === ',' ? from + 1 : from;
  const sorted = matchSorted(q, from);
  if (sorted > 0) return sorted;
  const grouped = matchPhrase(q, start, phraseSet('grouped by|group by|broken down by|per'));
  if (grouped > 0) return grouped;
  const by = matchPhrase(q, start, phraseSet('by'));
  if (by > 0) return by;
  const before = Math.max(matchPhrase(q, start, BEFORE_EACH), skipToEach(q, start));
  const position = before > 0 ? before : start;
  return EACH.has(wordAt(q, position)) || (before > 0 && ['all', 'different'].includes(wordAt(q, before - 1)))
    ? position
    : -1;
}

/**
 * Skips function words and verbs before `each` or `every`, as in `that correspond to each` and `are held in
 * every`. Returns -1 if neither of them follows.
 */
function skipToEach(q: LinkedQuestion, from: number): number {
  let position = from;
  while (position < from + 5 && (BEFORE_EACH_WORDS.has(wordAt(q, position)) || isVerb(wordAt(q, position))))
    position += 1;
  return position > from && EACH.has(wordAt(q, position)) ? position : -1;
}

const BEFORE_EACH_WORDS = wordSet(`
  that which who there are is were was do does did been have has to with in for by at from on of correspond
  along having using within
`);

/**
 * Parses an aggregate for each row to which other rows belong, as in `the average price of each supplier's
 * products`.
 */
export function readEachOwner(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const start = skipWords(q, interpretation.position, wordSet('of for in across among'));
  if (
    start === interpretation.position ||
    !EACH.has(wordAt(q, start)) ||
    draft.mentions.length > 0 ||
    draft.targets.length === 0 ||
    draft.targets.some((target) => target.kind !== 'column' || target.fn === null)
  )
    return [];
  return readEntities(q, start)
    .filter((parsed) => ["'s", "'"].includes(wordAt(q, parsed.position)) && parsed.value.orders.length === 0)
    .flatMap((parsed) =>
      readEntities(q, parsed.position + 1)
        .filter((rows) => rows.value.conditions.length + rows.value.orders.length === 0)
        .map((rows) => {
          const rooted = addMention(draft, { links: rows.value.links }, -1);
          const placed = addMention(rooted, { links: parsed.value.links }, 0);
          const targets = draft.targets.map((target) =>
            target.kind === 'column'
              ? { ...target, column: { ...target.column, owner: target.column.owner ?? 0 } }
              : target,
          );
          return advance(interpretation, rows.position, parsed.cost + rows.cost, {
            ...addConditions(
              placed,
              1,
              parsed.value.conditions.map((condition) => setOwner(condition, 1)),
            ),
            targets,
            groups: [{ kind: 'rows', mention: 1 }],
            focus: 0,
          });
        }),
    );
}

/** Parses up to three columns to group by, joined by `and` or commas. */
function readGroupKeys(q: LinkedQuestion, interpretation: Interpretation, draft: Draft): Interpretation[] {
  const interpretations: Interpretation[] = [];
  let unfinished: Interpretation[] = [{ ...interpretation, draft }];
  for (let step = 0; step < 3; step += 1) {
    unfinished = unfinished.flatMap((item) => readGroupKey(q, item));
    interpretations.push(...unfinished);
    unfinished = unfinished.flatMap((item) => {
      const next = matchPhrase(q, item.position, phraseSet('and|, and|,'));
      return next < 0 ? [] : [{ ...item, position: next }];
    });
  }
  return interpretations;
}

function readGroupKey(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  const position = skipWords(q, interpretation.position, BEFORE_GROUP_KEY);
  const columns = readColumns(q, position).map((column) =>
    advance(interpretation, skipClauseEnd(q, column.position), column.cost + costOfTableKey(q, column), {
      groups: [...draft.groups, { kind: 'column', column: toRef(column.value) }],
    }),
  );
  const rows = readEntities(q, position).flatMap((entity) => {
    const owned = readColumns(q, wordAt(q, entity.position) === "'s" ? entity.position + 1 : entity.position);
    const known = findMentionOfTable(draft, entity.value.links);
    const placed =
      known >= 0
        ? { ...draft, focus: known }
        : addMention(draft, { links: entity.value.links }, draft.mentions.length > 0 ? 0 : -1);
    const id = placed.focus;
    const bound = addConditions(
      placed,
      id,
      entity.value.conditions.map((condition) => setOwner(condition, id)),
    );
    const whole = advance(interpretation, skipClauseEnd(q, entity.position), entity.cost, {
      ...bound,
      groups: [...draft.groups, { kind: 'rows', mention: id }],
    });
    return [
      whole,
      ...owned.map((column) =>
        advance(interpretation, skipClauseEnd(q, column.position), entity.cost + column.cost, {
          ...bound,
          groups: [...draft.groups, { kind: 'column', column: toRef(column.value, id) }],
        }),
      ),
    ];
  });
  return [
    ...columns,
    ...rows,
    ...(columns.length > 0 ? [] : readTimeUnit(q, { ...interpretation, position })),
  ];
}

/** Words for the units of time by which rows can be grouped. */
const UNITS: ReadonlyMap<string, TimeUnit> = new Map([
  ['day', 'day'],
  ['date', 'day'],
  ['month', 'month'],
  ['year', 'year'],
  ['daily', 'day'],
  ['monthly', 'month'],
  ['yearly', 'year'],
]);

/** Parses groups by a unit of time, as in `by month` and `per year`, if no column has this name. */
function readTimeUnit(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const unit = UNITS.get(wordAt(q, interpretation.position));
  const links = q.lexicon.dateColumns.filter((link) => isCalendar(link.column));
  if (unit === undefined || links.length === 0) return [];
  return [
    advance(interpretation, interpretation.position + 1, 0.1, {
      groups: [
        ...interpretation.draft.groups,
        { kind: 'column', column: { links, owner: null, position: interpretation.position }, unit },
      ],
    }),
  ];
}

const CLAUSE_ENDINGS = wordSet(`
  have has had do does take make use offer host group there respectively to in for at from with
`);

/** Skips verbs and function words at the end of a clause, such as `advise` in `does each teacher advise`. */
function skipClauseEnd(q: LinkedQuestion, position: number): number {
  let next = position;
  while (
    CLAUSE_ENDINGS.has(wordAt(q, next)) ||
    (isVerb(wordAt(q, next)) && (q.tables[next] ?? []).length + (q.columns[next] ?? []).length === 0)
  )
    next += 1;
  const token = q.tokens[next];
  return token === undefined || token.kind === 'mark' ? next : position;
}

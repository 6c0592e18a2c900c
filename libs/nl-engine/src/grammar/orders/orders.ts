import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Interpretation, Order, OrderKey } from '../../types.js';
import { wordSet } from '../../words/word-set.js';
import { advance } from '../draft.js';
import { readOrderKey } from './order-keys.js';
import { matchPhrase, phraseSet, skipWords, wordAt } from '../reader.js';
import {
  isAlphabetical,
  namesMeasure,
  readDirection,
  readEndFirst,
  readMeasuredOrder,
  readDirectionBeforeKey,
} from './sort-directions.js';

/** Phrases that begin an order, such as `sort the results by` and `listed in order of`. */
const SORTING = [
  'sorted',
  'ordered',
  'listed',
  'arranged',
  'ranked',
  'displayed',
  'organized',
  'sorting',
  'ordering',
  'sort first',
  'sorted first',
  'ordered first',
  ...[
    'sort',
    'order',
    'list',
    'arrange',
    'rank',
    'show',
    'display',
    'present',
    'return',
    'give',
    'put',
    'organize',
  ].flatMap((verb) =>
    ['', ' them', ' it', ' the results', ' the result', ' results', ' the list', ' the names'].map(
      (object) => `${verb}${object}`,
    ),
  ),
];

const SORTED_BY = phraseSet(
  [
    'alphabetically by|in order by|in order of|in the order of|according to|based on|by|in|sorted|ordered|put them in|arranged|in terms of|in a',
    ...SORTING.flatMap((word) =>
      [
        'by',
        'in',
        'according to',
        'based on',
        'using',
        'in order of',
        'in the order of',
        'in terms of',
        'by the',
      ].flatMap((link) => [`${word} ${link}`, `and ${word} ${link}`]),
    ),
  ].join('|'),
);

const ASCENDING = phraseSet('increasing|ascending|the order of ascending|order of ascending');

const DESCENDING = phraseSet('descending|decreasing|the order of descending|order of descending');

/**
 * Parses an order with or without its column, such as `ordered by name`, `in descending order of age` or
 * `alphabetically`.
 */
export function readOrders(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  if (interpretation.draft.targets.length === 0 || interpretation.draft.limit === 1) return [];
  const start =
    wordAt(q, interpretation.position) === ',' ||
    wordAt(q, interpretation.position) === 'and' ||
    wordAt(q, interpretation.position) === '.'
      ? interpretation.position + 1
      : interpretation.position;
  const opening = matchPhrase(q, start, phraseSet('and|order|sort|show them|list them'));
  const starts = [start, ...(opening > 0 ? [opening] : [])];
  return starts.flatMap((position) => [
    ...readBy(q, interpretation, position),
    ...readDirectionAlone(q, interpretation, position),
  ]);
}

function readBy(q: LinkedQuestion, interpretation: Interpretation, from: number): Interpretation[] {
  const by = Math.max(matchPhrase(q, from, SORTED_BY), matchDirectionBy(q, from));
  if (by < 0) return [];
  const start = skipWords(q, by, wordSet("the their its a an each 's"));
  const precedingDirection = readDirectionBeforeKey(q, start);
  const ascending = Math.max(
    matchPhrase(q, start, ASCENDING),
    precedingDirection?.direction === 'asc' ? precedingDirection.position : -1,
  );
  const descending = Math.max(
    matchPhrase(q, start, DESCENDING),
    precedingDirection?.direction === 'desc' ? precedingDirection.position : -1,
  );
  const position = Math.max(ascending, descending, start);
  const before = wordAt(q, by - 2);
  const isPlain = ['in', 'sorted', 'ordered', 'arranged', 'a'].includes(wordAt(q, by - 1));
  if (isPlain && ascending < 0 && descending < 0) return [];
  const statedDirection =
    descending > 0 || /^(descending|decreasing)$/.test(before)
      ? ('desc' as const)
      : ascending > 0 || /^(ascending|increasing)$/.test(before)
        ? ('asc' as const)
        : null;
  const keys = readKeys(
    q,
    interpretation,
    skipWords(q, position, wordSet('the their its of by a order each your')),
    statedDirection,
  );
  // A single `by` may also mean groups or an acting person, unless the question begins with a sorting verb.
  const isOnlyBy =
    wordAt(q, by - 1) === 'by' &&
    by - from === 1 &&
    !['sort', 'order', 'rank', 'arrange'].includes(wordAt(q, 0));
  // If a request for rows begins with a verb such as `list`, `by` probably means an order.
  const isListed =
    interpretation.draft.targets.every((target) => target.kind === 'rows') &&
    ['list', 'show', 'display', 'give'].includes(wordAt(q, 0));
  return keys.map((key) => ({
    ...key,
    cost: key.cost + (isOnlyBy && statedDirection === null ? (isListed ? 0.2 : 0.5) : 0),
  }));
}

/** Matches a direction directly before `by`, as in `ascending by frequency`. */
function matchDirectionBy(q: LinkedQuestion, from: number): number {
  return matchPhrase(q, from, phraseSet('ascending by|descending by|increasing by|decreasing by'));
}

/** Parses the sort keys after `by`, each with an optional direction. */
function readKeys(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  statedDirection: 'asc' | 'desc' | null,
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  let unfinished: Interpretation[] = [{ ...interpretation, position: from }];
  for (let step = 0; step < 3 && unfinished.length > 0; step += 1) {
    unfinished = unfinished.flatMap((item) =>
      readOrderKey(q, item).flatMap(({ parsed, draft }) => {
        const after = readDirection(q, parsed.position) ?? readEndFirst(q, parsed.position);
        const order: Order = {
          key: parsed.value,
          direction:
            after?.direction ??
            statedDirection ??
            (item.draft.limit !== null &&
            wordAt(q, 0) !== 'bottom' &&
            q.tokens.some((token) => token.lower === 'top')
              ? 'desc'
              : 'asc'),
        };
        return [
          {
            position: after?.position ?? parsed.position,
            cost: item.cost + parsed.cost,
            draft: { ...draft, orders: [...draft.orders, order] },
          },
        ];
      }),
    );
    interpretations.push(...unfinished);
    unfinished = unfinished.flatMap((item) => {
      const next = matchPhrase(
        q,
        item.position,
        phraseSet(', and then by|and then by|then by|, then by|and by|, and|and|,|, then|then'),
      );
      return next < 0 ? [] : [{ ...item, position: skipWords(q, next, wordSet('the their by in')) }];
    });
  }
  return interpretations;
}

/**
 * Parses an order that names no column. `in alphabetical order` sorts by the first returned column, and `from
 * oldest to youngest` by the column that the adjectives measure.
 */
function readDirectionAlone(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  const start = matchPhrase(
    q,
    from,
    phraseSet('sorted|ordered|listed|arranged|sort them|order them|and sort them|sort|ranked|displayed'),
  );
  const position = start > 0 ? start : from;
  if (interpretation.draft.orders.length > 0) return [];
  const measured = readMeasuredOrder(q, position);
  if (measured !== null)
    return [advance(interpretation, measured.position, 0.1, { orders: [measured.value] })];
  const direction = readDirection(q, position);
  // If the sort column follows, as in `descending by age`, `readBy` parses the phrase.
  if (
    direction === null ||
    namesMeasure(q, position, direction.position) ||
    ['by', 'of'].includes(wordAt(q, direction.position))
  )
    return [];
  const [first] = interpretation.draft.targets;
  const counted = interpretation.draft.targets.find(
    (target) => target.kind === 'count' || (target.kind === 'column' && target.fn !== null),
  );
  if (
    counted !== undefined &&
    interpretation.draft.targets.length + interpretation.draft.groups.length > 1 &&
    !isAlphabetical(q, position, direction.position)
  ) {
    const key: OrderKey =
      counted.kind === 'column'
        ? { kind: 'column', column: counted.column, fn: counted.fn }
        : { kind: 'count', mention: counted.kind === 'count' ? counted.mention : 0 };
    return [
      advance(interpretation, direction.position, 0.15, {
        orders: [{ key, direction: direction.direction }],
      }),
    ];
  }
  if (first?.kind !== 'column' || first.fn !== null) return [];
  return [
    advance(interpretation, direction.position, 0.1, {
      orders: [{ key: { kind: 'column', column: first.column, fn: null }, direction: direction.direction }],
    }),
  ];
}

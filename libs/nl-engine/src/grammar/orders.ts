import type { LinkedQuestion } from '../link/link-question.js';
import { isNumeric } from '../resolve/fits-literal.js';
import { isKey } from '../resolve/is-key.js';
import type { Aggregate, Order, OrderKey, Interpretation } from '../types.js';
import { readAdjective } from '../words/adjectives.js';
import { readColumns, readEntities, readSuperlative, toRef } from './noun-phrase.js';
import { findNumberColumns } from './superlatives.js';
import {
  addMention,
  advance,
  matchPhrase,
  phraseSet,
  type Parsed,
  remember,
  skipWords,
  wordAt,
} from './reader.js';
import { readSpan, readWay, readMethodOf, type SortDirection } from './ways.js';
import { wordSet } from '../words/word-set.js';

/** Phrases that introduce an order, such as `sort the results by` and `listed in order of`. */
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
const BY = phraseSet(
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
const WAY_UP = phraseSet('increasing|ascending|the order of ascending|order of ascending');
const WAY_DOWN = phraseSet('descending|decreasing|the order of descending|order of descending');

/** Parses `ordered by name`, `in descending order of age` and `alphabetically`. */
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
  const by = Math.max(matchPhrase(q, from, BY), matchMethodBy(q, from));
  if (by < 0) return [];
  const start = skipWords(q, by, wordSet("the their its a an each 's"));
  const method = readMethodOf(q, start);
  const up = Math.max(matchPhrase(q, start, WAY_UP), method?.direction === 'asc' ? method.position : -1);
  const down = Math.max(matchPhrase(q, start, WAY_DOWN), method?.direction === 'desc' ? method.position : -1);
  const position = Math.max(up, down, start);
  const before = wordAt(q, by - 2);
  const isPlain = ['in', 'sorted', 'ordered', 'arranged', 'a'].includes(wordAt(q, by - 1));
  if (isPlain && up < 0 && down < 0) return [];
  const provided =
    down > 0 || /^(descending|decreasing)$/.test(before)
      ? ('desc' as const)
      : up > 0 || /^(ascending|increasing)$/.test(before)
        ? ('asc' as const)
        : null;
  const keys = readKeys(
    q,
    interpretation,
    skipWords(q, position, wordSet('the their its of by a order each your')),
    provided,
  );
  // In `sort the names of products by price`, the verb is at the start.
  const isLoose =
    wordAt(q, by - 1) === 'by' &&
    by - from === 1 &&
    !['sort', 'order', 'rank', 'arrange'].includes(wordAt(q, 0));
  // `list the students by last name` also sorts.
  const isListed =
    interpretation.draft.targets.every((target) => target.kind === 'rows') &&
    ['list', 'show', 'display', 'give'].includes(wordAt(q, 0));
  return keys.map((key) => ({
    ...key,
    cost: key.cost + (isLoose && provided === null ? (isListed ? 0.2 : 0.5) : 0),
  }));
}

/** Parses the direction before the key, as in `ascending by frequency`. */
function matchMethodBy(q: LinkedQuestion, from: number): number {
  return matchPhrase(q, from, phraseSet('ascending by|descending by|increasing by|decreasing by'));
}

/** Parses the keys after `by`, each with an optional direction. */
function readKeys(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
  provided: 'asc' | 'desc' | null,
): Interpretation[] {
  const interpretations: Interpretation[] = [];
  let front: Interpretation[] = [{ ...interpretation, position: from }];
  for (let step = 0; step < 3 && front.length > 0; step += 1) {
    front = front.flatMap((item) =>
      readKey(q, item).flatMap(({ piece: parsed, draft }) => {
        const after = readDirection(q, parsed.position) ?? readEndFirst(q, parsed.position);
        const order: Order = {
          key: parsed.value,
          direction:
            after?.direction ??
            provided ??
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
    interpretations.push(...front);
    front = front.flatMap((item) => {
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

function readKey(
  q: LinkedQuestion,
  interpretation: Interpretation,
): { piece: Parsed<OrderKey>; draft: Interpretation['draft'] }[] {
  const { draft } = interpretation;
  const found: { piece: Parsed<OrderKey>; draft: Interpretation['draft'] }[] = [];
  const count = matchPhrase(
    q,
    interpretation.position,
    phraseSet('number of|the number of|total number of|count of|how many'),
  );
  if (count > 0) {
    for (const entity of readEntities(q, count)) {
      const known = draft.mentions.findIndex((mention) =>
        mention.links.some((link) => entity.value.links.some((other) => other.table === link.table)),
      );
      const placed =
        known >= 0
          ? draft
          : addMention(draft, { links: entity.value.links }, Math.min(0, draft.mentions.length - 1));
      const rival = findNumberColumns(q, count).some(
        ({ to, links }) =>
          to === entity.position &&
          links.some((link) =>
            draft.mentions.some((mention) => mention.links.some((own) => own.table === link.table)),
          ),
      )
        ? 0.6
        : 0;
      found.push({
        piece: {
          position: entity.position,
          cost: entity.cost + rival,
          value: { kind: 'count', mention: known >= 0 ? known : placed.focus },
        },
        draft: { ...placed, focus: draft.focus },
      });
    }
    // `by number of sales` may refer to a column.
    for (const column of readColumns(q, count)) {
      const links = column.value.links.filter(
        (link) => isNumeric(link.column) && link.isPart !== true && !isKey(link.table, link.column),
      );
      if (links.length > 0)
        found.push({
          piece: {
            position: column.position,
            cost: column.cost + 0.15,
            value: { kind: 'column', column: { ...toRef(column.value), links }, fn: null },
          },
          draft,
        });
    }
  }
  for (const entity of readEntities(q, interpretation.position)) {
    const known = draft.targets.find(
      (target) =>
        target.kind === 'count' &&
        draft.mentions[target.mention]?.links.some((link) =>
          entity.value.links.some((other) => other.table === link.table),
        ) === true,
    );
    if (known?.kind === 'count' && ['count', 'counts'].includes(wordAt(q, entity.position)))
      found.push({
        piece: {
          position: entity.position + 1,
          cost: entity.cost,
          value: { kind: 'count', mention: known.mention },
        },
        draft,
      });
  }
  const size = matchPhrase(
    q,
    interpretation.position,
    phraseSet(
      'frequency|number|count|counts|the count|their count|the frequency|their frequency|the number|number of records|the number of records|occurrences|number of occurrences',
    ),
  );
  const counted = draft.targets.find((target) => target.kind === 'count');
  if (size > 0)
    found.push({
      piece: {
        position: size,
        cost: 0.15,
        value: counted?.kind === 'count' ? { kind: 'count', mention: counted.mention } : { kind: 'size' },
      },
      draft,
    });
  const aggregate = matchPhrase(
    q,
    interpretation.position,
    phraseSet('average|mean|total|sum of|maximum|minimum'),
  );
  const fn: Aggregate | null =
    aggregate < 0
      ? null
      : (({ average: 'avg', mean: 'avg', total: 'sum', sum: 'sum', maximum: 'max', minimum: 'min' } as const)[
          wordAt(q, interpretation.position)
        ] ?? null);
  for (const column of readColumns(q, aggregate < 0 ? interpretation.position : aggregate))
    found.push({
      piece: {
        position: column.position,
        cost: column.cost,
        value: { kind: 'column', column: toRef(column.value), fn },
      },
      draft,
    });
  // In `the average rating of each product, sorted by rating`, the order refers to the shown average.
  if (aggregate < 0)
    found.push(
      ...listShownNumbers(q, interpretation.position, draft).map((parsed) => ({ piece: parsed, draft })),
    );
  const entityOwned = readEntities(q, interpretation.position).flatMap((entity) =>
    readColumns(q, wordAt(q, entity.position) === "'s" ? entity.position + 1 : entity.position).map(
      (column) => ({ entity, column }),
    ),
  );
  for (const { entity, column } of entityOwned) {
    const owner = draft.mentions.findIndex((mention) =>
      mention.links.some((link) => entity.value.links.some((other) => other.table === link.table)),
    );
    if (owner >= 0)
      found.push({
        piece: {
          position: column.position,
          cost: entity.cost + column.cost,
          value: { kind: 'column', column: toRef(column.value, owner), fn: null },
        },
        draft,
      });
  }
  return found;
}

function listShownNumbers(
  q: LinkedQuestion,
  position: number,
  { targets }: Interpretation['draft'],
): Parsed<OrderKey>[] {
  return readColumns(q, position).flatMap((column) =>
    targets.flatMap((target) => {
      if (target.kind !== 'column' || target.fn === null) return [];
      const isSame = target.column.links.some((link) =>
        column.value.links.some((other) => other.column === link.column),
      );
      return isSame
        ? [
            {
              position: column.position,
              cost: column.cost,
              value: { kind: 'column' as const, column: target.column, fn: target.fn },
            },
          ]
        : [];
    }),
  );
}

const readDirection = remember(findDirection);

function findDirection(q: LinkedQuestion, from: number): SortDirection | null {
  const position = wordAt(q, from) === ',' ? from + 1 : from;
  const order = matchPhrase(q, position, phraseSet('in the order of ascending|in order'));
  const methods = [
    readWay(q, position),
    readSpan(q, position),
    order < 0 ? null : { position: order, direction: 'asc' as const },
  ].flatMap((method) => method ?? []);
  return methods.sort((a, b) => b.position - a.position)[0] ?? null;
}

/** Parses the direction in `by price, cheapest first`. */
function readEndFirst(q: LinkedQuestion, from: number): SortDirection | null {
  const measured = readMeasured(q, wordAt(q, from) === ',' ? from + 1 : from);
  return measured === null ? null : { position: measured.position, direction: measured.value.direction };
}

/**
 * Parses an order without a key. `in alphabetical order` sorts by the first shown column, and
 * `from oldest to youngest` by the column that the adjective measures.
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
  const measured = readMeasured(q, position);
  if (measured !== null)
    return [advance(interpretation, measured.position, 0.1, { orders: [measured.value] })];
  const direction = readDirection(q, position);
  // In `descending by age`, the key follows.
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

function isAlphabetical(q: LinkedQuestion, from: number, to: number): boolean {
  return q.tokens.slice(from, to).some((token) => /^(alphabet|lexicograph|chronolog|z$)/.test(token.lower));
}

/**
 * Returns whether the words imply their own key.
 * `newest first` refers to a time and `cheapest first` to a price, never to the first shown column.
 */
function namesMeasure(q: LinkedQuestion, from: number, to: number): boolean {
  return (
    q.tokens
      .slice(from, to)
      .some(
        (token) => token.lower !== 'last' && readAdjective(token.lower) !== null && !GENERAL.has(token.lower),
      ) ||
    q.tokens
      .slice(from, to)
      .some((token) => ['expensive', 'recent', 'chronological', 'chronologically'].includes(token.lower))
  );
}

const GENERAL = wordSet(`
  high higher highest low lower lowest large largest larger small smallest big biggest short shortest long
  longest
`);

/**
 * Parses `newest first`, `from the oldest to the youngest` and
 * `starting with the oldest` as an order by the column that the adjective measures.
 */
const readMeasured = remember(findMeasured);

function findMeasured(q: LinkedQuestion, from: number): Parsed<Order> | null {
  const first = matchPhrase(
    q,
    from,
    phraseSet('starting with the|beginning with the|starting from the|beginning from the'),
  );
  if (first > 0) return readSuperlative(q, first);
  const isSpan = wordAt(q, from) === 'from';
  const found = readSuperlative(q, isSpan ? (wordAt(q, from + 1) === 'the' ? from + 2 : from + 1) : from);
  if (found === null) return null;
  if (!isSpan)
    return wordAt(q, found.position) === 'first' ? { ...found, position: found.position + 1 } : null;
  if (wordAt(q, found.position) !== 'to') return null;
  const other = skipWords(q, found.position + 1, wordSet('the most least'));
  return readAdjective(wordAt(q, other)) === null ? null : { ...found, position: other + 1 };
}

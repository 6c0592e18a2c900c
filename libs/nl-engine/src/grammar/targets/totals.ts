import type { Column, Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../../link/linked-question.js';
import { isNumeric, isKey } from '../../resolve/column-kinds.js';
import type { Aggregate, ColumnLink, Condition, Interpretation, Span, TableLink } from '../../types.js';
import { readComparedNumber } from '../conditions/comparators.js';
import { readEntities } from '../nouns/entity-phrases.js';
import { type ColumnPhrase } from '../nouns/column-phrases.js';
import {
  matchPhrase,
  type PhraseSet,
  phraseSet,
  type Parsed,
  remember,
  skipWords,
  wordAt,
} from '../reader.js';
import { DETERMINERS } from '../word-classes.js';
import { advance, placeEntity } from '../draft.js';
import { wordSet } from '../../words/word-set.js';

/** The last words in names of number columns that can be summed. */
const SUMMABLE = wordSet('quantity amount unit total revenue sale cost stock hour day minute');

const TOTAL_OF = phraseSet(
  'total of|sum of|total value of|total amount of|total worth of|grand total of|combined value of',
);
/** The last words in names of number columns that contain money or values. */
const MONEY_NOUNS = wordSet('amount price cost total value sum fee fare');
const SUMMABLE_MONEY_NOUNS = wordSet('amount total sum value');
/** Words that indicate a column with money, anywhere in its name. */
const PRICES = wordSet('price cost fee fare amount');
const TOTAL_COST = 0.15;
const BARE_TOTAL_COST = 0.2;
const AGGREGATES: readonly (readonly [Aggregate, PhraseSet])[] = [
  ['avg', phraseSet('average|mean|avg')],
  ['max', phraseSet('highest|maximum|max')],
  ['min', phraseSet('lowest|minimum|min')],
];
const AGGREGATE_COST = 0.3;

/** Parses a total of rows as the sum of their only column with money, as in `total of unpaid fines`. */
export function readTotalOf(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  const of = matchPhrase(q, from, TOTAL_OF);
  // Without `of`, the phrase may also mean a row count, as in `total fines`, so it has a higher cost.
  const hasNoOf =
    of < 0 && wordAt(q, from) === 'total' && q.tokens[from + 1]?.lemma !== q.tokens[from + 1]?.lower;
  const position = hasNoOf ? from + 1 : of;
  if (position < 0 || interpretation.draft.mentions.length > 0) return [];
  return readEntities(q, position)
    .filter(({ value }) => value.orders.length === 0 && !value.isEach && !value.distinct)
    .flatMap((entity) => {
      const links = entity.value.links.flatMap(({ table, cost }) =>
        listSummableMoneyColumn(q, table)
          .filter((column) => !hasNoOf || q.lexicon.columnWords.get(column)?.at(-1) === 'amount')
          .map((column) => ({ table, column, cost })),
      );
      if (links.length === 0) return [];
      const draft = placeEntity(interpretation.draft, entity.value, -1);
      return [
        advance(interpretation, entity.position, entity.cost + (hasNoOf ? BARE_TOTAL_COST : TOTAL_COST), {
          ...draft,
          targets: [
            ...draft.targets,
            {
              kind: 'column',
              column: { links, owner: draft.focus, position: from, isChildColumn: true },
              fn: 'sum',
              distinct: false,
            },
          ],
        }),
      ];
    });
}

/**
 * Parses an aggregate of a table as an aggregate of its only column with money, as in `average payment` and
 * `highest fine`.
 */
export function readValueOf(
  q: LinkedQuestion,
  interpretation: Interpretation,
  from: number,
): Interpretation[] {
  if (interpretation.draft.mentions.length > 0 || wordAt(q, 0) === 'which') return [];
  return AGGREGATES.flatMap(([fn, phrases]) => {
    const position = matchPhrase(q, from, phrases);
    if (position < 0) return [];
    return readEntities(q, position)
      .filter(
        ({ position: end, value }) =>
          value.orders.length + value.conditions.length === 0 &&
          !value.isEach &&
          !value.distinct &&
          q.tokens[end - 1]?.lemma === q.tokens[end - 1]?.lower &&
          (q.columns[end] ?? []).length === 0,
      )
      .flatMap((entity) => {
        const links = entity.value.links
          .filter(({ cost }) => cost < NEAR_COST)
          .flatMap(({ table, cost }) =>
            listSummableMoneyColumn(q, table).map((column) => ({ table, column, cost })),
          );
        if (links.length === 0) return [];
        const draft = placeEntity(interpretation.draft, entity.value, -1);
        return [
          advance(interpretation, entity.position, entity.cost + AGGREGATE_COST, {
            ...draft,
            targets: [
              ...draft.targets,
              {
                kind: 'column',
                column: { links, owner: draft.focus, position: from, isChildColumn: true },
                fn,
                distinct: false,
              },
            ],
          }),
        ];
      });
  });
}

const NEAR_COST = 0.3;
const YEARS = [1_900, 2_100] as const;

/**
 * Parses a number after a table as a condition on the table's only column with money, as in `payments above
 * 50`. A number that may be a year is excluded.
 */
export const readMoneyCondition = remember(
  (q: LinkedQuestion, from: number): readonly Parsed<Condition>[] => {
    const compared = readComparedNumber(q, from);
    const next = compared === null ? undefined : q.tokens[compared.position];
    const isEnd =
      next === undefined ||
      next.kind === 'mark' ||
      ['and', 'or', 'in', 'from', 'by', 'per', 'for', 'sorted', 'ordered'].includes(next.lower);
    const isYear = compared !== null && compared.value.value >= YEARS[0] && compared.value.value <= YEARS[1];
    if (
      compared === null ||
      compared.op === null ||
      compared.op === '=' ||
      compared.op === '!=' ||
      !isEnd ||
      isYear
    )
      return [];
    const named = new Set(
      [...q.tables.slice(0, from), ...q.values.slice(Math.max(0, from - 1), from)]
        .flatMap((spans): readonly Span<TableLink>[] => spans)
        .flatMap((span) =>
          span.to === from ? span.links.filter(({ cost }) => cost < NEAR_COST).map(({ table }) => table) : [],
        ),
    );
    const links = [...named].flatMap((table) =>
      listMoneyColumn(q, table).map((column) => ({ table, column, cost: 0 })),
    );
    return links.length === 0
      ? []
      : [
          {
            position: compared.position,
            cost: BARE_COST,
            value: {
              kind: 'compare',
              column: { links, owner: null, position: from },
              op: compared.op,
              value: compared.value,
            },
          },
        ];
  },
);

const BARE_COST = 0.3;

/** Returns the only column with money in a table. Returns an empty list if the table has none or several. */
function listMoneyColumn({ lexicon }: LinkedQuestion, table: Table): readonly Column[] {
  const worth = table.columns.filter(
    (column) =>
      isNumeric(column) &&
      column.valueKind !== 'boolean' &&
      !isKey(table, column) &&
      isMoneyName(lexicon.columnWords.get(column) ?? []),
  );
  return worth.length === 1 ? worth : [];
}

/**
 * Returns the only column with money if a sum of its values has a meaning, as for amounts and totals. Prices
 * are excluded, because `total products` does not mean the sum of their prices.
 */
function listSummableMoneyColumn(q: LinkedQuestion, table: Table): readonly Column[] {
  return listMoneyColumn(q, table).filter((column) => {
    const words = q.lexicon.columnWords.get(column) ?? [];
    return SUMMABLE_MONEY_NOUNS.has(words.at(-1) ?? '') || words[0] === 'total';
  });
}

/**
 * Reports whether `total` with the plural of a table means a row count, as in `total orders`, although there
 * is a column `total`.
 */
export function countsTotalRows(q: LinkedQuestion, { position, value }: Parsed<ColumnPhrase>): boolean {
  const noun = q.tokens[position];
  return (
    wordAt(q, value.position) === 'total' &&
    position === value.position + 1 &&
    noun?.kind === 'word' &&
    noun.lemma !== noun.lower &&
    (q.tables[position] ?? []).some((span) => span.links.some(({ cost }) => cost < NEAR_COST))
  );
}

function isMoneyName(words: readonly string[]): boolean {
  return MONEY_NOUNS.has(words.at(-1) ?? '') || words.some((word) => PRICES.has(word));
}

/**
 * Reports whether a column with totals before a plural means the sum over the rows, as in `total amount of
 * completed bookings` for the column `total_amount`.
 */
export function isSumOverRows(q: LinkedQuestion, { position, value }: Parsed<ColumnPhrase>): boolean {
  const noun = skipWords(q, position + 1, DETERMINERS);
  const isTotal =
    wordAt(q, value.position) === 'total' &&
    position === value.position + 2 &&
    MONEY_NOUNS.has(wordAt(q, value.position + 1)) &&
    ['of', 'for', 'from'].includes(wordAt(q, position));
  return (
    isTotal &&
    value.links.every(({ column }) => isNumeric(column)) &&
    readEntities(q, noun).some(
      (entity) =>
        !entity.value.isEach && q.tokens[entity.position - 1]?.lemma !== q.tokens[entity.position - 1]?.lower,
    )
  );
}

/**
 * Returns the columns with amounts if a question uses the name of their table as a number. The table contains
 * amounts for several locations, such as the table `stock` for `the stock of the lamp`. The caller sums the
 * columns.
 */
export function listAmountLinks(
  q: LinkedQuestion,
  { position: to, value }: Parsed<ColumnPhrase>,
): readonly ColumnLink[] {
  return value.links.filter(
    (link) =>
      q.lexicon.amounts.get(link.table) === link.column && namesTable(q, value.position, to, link.table),
  );
}

function namesTable(q: LinkedQuestion, from: number, to: number, table: Table): boolean {
  return (q.tables[from] ?? []).some(
    (span) => span.to === to && span.links.some((link) => link.table === table),
  );
}

/** Returns the columns that are summed if `per` follows them, as in `qty per order`. */
export function listSummablePer(
  q: LinkedQuestion,
  { position, value }: Parsed<ColumnPhrase>,
): readonly ColumnLink[] {
  if (wordAt(q, position) !== 'per') return [];
  return value.links.filter(
    ({ table, column, isPart }) =>
      isPart !== true &&
      isNumeric(column) &&
      !isKey(table, column) &&
      isSummable(q.lexicon.columnWords.get(column) ?? []),
  );
}

function isSummable(words: readonly string[]): boolean {
  return SUMMABLE.has(words.at(-1) ?? '') || words[0] === 'total';
}

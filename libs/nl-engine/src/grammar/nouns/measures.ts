import type { LinkedQuestion } from '../../link/linked-question.js';
import type { ColumnLink, ColumnRef, Order } from '../../types.js';
import { type Measure, readAdjective, readRated } from '../../words/adjectives.js';
import { listDatesOfEvent } from '../relations/verb-references.js';
import { type Parsed, remember, wordAt } from '../reader.js';

/**
 * Parses a superlative as an order by the column that it measures, such as `oldest`, `most expensive` or
 * `least costly`.
 */
export const readSuperlative = remember(findSuperlative);

function findSuperlative(q: LinkedQuestion, position: number): Parsed<Order> | null {
  const word = wordAt(q, position);
  const ratedColumns = RATING_WORDS.has(word) ? readRated(wordAt(q, position + 1)) : null;
  if (ratedColumns !== null) return toRatedOrder(q, position, ratedColumns);
  const eventDates =
    ['most', 'least'].includes(word) && wordAt(q, position + 1) === 'recently'
      ? listDatesOfEvent(q, wordAt(q, position + 2))
      : [];
  // `most recently` with a verb means the date of this event, as in `the most recently opened track`.
  if (eventDates.length > 0)
    return {
      position: position + 3,
      cost: 0.15,
      value: {
        key: { kind: 'column', column: { links: eventDates, owner: null, position }, fn: null },
        direction: word === 'most' ? 'desc' : 'asc',
      },
    };
  const isMost = word === 'most' || word === 'least';
  const adjective = readAdjective(wordAt(q, isMost ? position + 1 : position));
  if (adjective === null || (isMost ? adjective.degree !== 'plain' : adjective.degree !== 'most'))
    return null;
  const column = toMeasured(q, adjective.measure, position);
  if (column === null) return null;
  const isUp = (adjective.measure.direction === 'up') !== (word === 'least');
  return {
    position: position + (isMost ? 2 : 1),
    cost: 0.1,
    value: {
      key: { kind: 'column', column: column.ref, fn: null },
      direction: isUp !== column.isReversed ? 'desc' : 'asc',
    },
  };
}

/** Words before `paid` and `rated`. The value is true if the word asks for the highest value. */
const RATING_WORDS: ReadonlyMap<string, boolean> = new Map([
  ['highest', true],
  ['best', true],
  ['top', true],
  ['most', true],
  ['lowest', false],
  ['worst', false],
  ['least', false],
]);

function toRatedOrder(q: LinkedQuestion, position: number, columns: readonly string[]): Parsed<Order> | null {
  const measured = toMeasured(q, { columns, direction: 'up' }, position);
  const isUp = RATING_WORDS.get(wordAt(q, position)) === true;
  return measured === null
    ? null
    : {
        position: position + 2,
        cost: 0.1,
        value: {
          key: { kind: 'column', column: measured.ref, fn: null },
          direction: isUp !== measured.isReversed ? 'desc' : 'asc',
        },
      };
}

/**
 * Returns the columns that an adjective may measure. Returns null if the schema has none. A column with a
 * reversed scale, such as the birth date for `old`, is returned only if no other column matches.
 */
export function toMeasured(
  q: LinkedQuestion,
  measure: Measure,
  position: number,
): { readonly ref: ColumnRef; readonly isReversed: boolean } | null {
  const listLinks = (isReversed: boolean): ColumnLink[] =>
    measure.columns
      .filter((name) => name.startsWith('-') === isReversed)
      .flatMap((name, rank) =>
        (q.lexicon.columns.get(name.replace(/^-/, '').split(' ').sort().join(' ')) ?? []).map((link) => ({
          ...link,
          cost: link.cost + Math.min(0.3, 0.1 * rank),
        })),
      );
  const [plain, reversed] = [
    addCreationTimes(q, measure, '', listLinks(false)),
    addCreationTimes(q, measure, '-', listLinks(true)),
  ];
  if (plain.length > 0) return { ref: { links: plain, owner: null, position }, isReversed: false };
  return reversed.length > 0 ? { ref: { links: reversed, owner: null, position }, isReversed: true } : null;
}

/** Adds the columns with the creation time of rows, if the adjective can refer to a date. */
function addCreationTimes(
  { lexicon }: LinkedQuestion,
  measure: Measure,
  sign: '' | '-',
  links: readonly ColumnLink[],
): readonly ColumnLink[] {
  if (!measure.columns.includes(`${sign}date`)) return links;
  return [
    ...links,
    ...lexicon.creationTimes.filter((time) => links.every((link) => link.column !== time.column)),
  ];
}

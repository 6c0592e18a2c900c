import type { LinkedQuestion } from '../../link/linked-question.js';
import type { ColumnRef, Condition } from '../../types.js';
import { readAdjective, readVerbMeasure, CAPACITY_MEASURE, takesGuests } from '../../words/adjectives.js';
import { wordSet } from '../../words/word-set.js';
import { readComparand } from './aggregate-comparisons.js';
import { readConditions } from './conditions.js';
import { isNumberLink } from '../../resolve/column-kinds.js';
import { readColumns } from '../nouns/column-phrases.js';
import { toMeasured } from '../nouns/measures.js';
import { type Parsed, skipWords, wordAt } from '../reader.js';
import { readComparison } from './predicates.js';

/**
 * Parses a comparative adjective that implies the compared column, as in `older than 20` and `taller than
 * average`.
 */
export function readAdjectiveFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const isMore = ['more', 'less'].includes(wordAt(q, from));
  const adjective = readAdjective(wordAt(q, isMore ? from + 1 : from));
  const position = from + (isMore ? 2 : 1);
  if (
    adjective === null ||
    (isMore ? adjective.degree !== 'plain' : adjective.degree !== 'more') ||
    wordAt(q, position) !== 'than'
  )
    return [];
  const measured = toMeasured(q, adjective.measure, from);
  if (measured === null || measured.isReversed) return [];
  const isUp = (adjective.measure.direction === 'up') !== (wordAt(q, from) === 'less');
  const numeric = { ...measured.ref, links: measured.ref.links.filter(isNumberLink) };
  if (numeric.links.length === 0) return [];
  return readComparand(q, position + 1, {
    column: numeric,
    op: isUp ? '>' : '<',
    cost: 0.1,
    readConditions,
  }).map((parsed) => ({ ...parsed, position: skipUnit(q, parsed.position) }));
}

/**
 * Parses a verb that implies the compared column, as in `cost more than 100` and `earn between 3000 and
 * 4000`.
 */
export function readVerbFirst(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  // `room for` implies a column for the capacity, as in `with room for more than 15 guests`.
  const isCapacity = ['room', 'space'].includes(wordAt(q, from)) && wordAt(q, from + 1) === 'for';
  const measure = isCapacity ? CAPACITY_MEASURE : readVerbMeasure(wordAt(q, from));
  const measured = measure === null ? null : toMeasured(q, measure, from);
  if (measured === null) return [];
  const column = { ...measured.ref, links: measured.ref.links.filter(isNumberLink) };
  return column.links.length === 0
    ? []
    : readComparison(q, isCapacity ? from + 2 : from + 1, column, false, 0.1).map((parsed) => ({
        ...parsed,
        position: skipMeasured(q, from, skipUnit(q, parsed.position), column),
      }));
}

/**
 * Skips words after a number that repeat what the verb measures, as in `earn more than 3000 in salary` and
 * `accommodate more than 300 guests`.
 */
function skipMeasured(q: LinkedQuestion, verbAt: number, position: number, { links }: ColumnRef): number {
  const again =
    wordAt(q, position) !== 'in'
      ? []
      : readColumns(q, position + 1).filter((column) =>
          column.value.links.some((link) => links.some((own) => own.column === link.column)),
        );
  const token = q.tokens[position];
  if (
    again.length > 0 ||
    token?.kind !== 'word' ||
    token.lemma === token.lower ||
    !takesGuests(wordAt(q, verbAt))
  )
    return again[0]?.position ?? position;
  return position + 1;
}

const UNITS = wordSet(`
  years year old cm kg km feet meters metres miles pounds dollars minutes hours seconds days inches grams
  degrees usd percent
`);

/** Skips a unit of measurement after a number, as in `20 years` and `5 kg`. */
export function skipUnit(q: LinkedQuestion, position: number): number {
  return skipWords(q, position, UNITS);
}

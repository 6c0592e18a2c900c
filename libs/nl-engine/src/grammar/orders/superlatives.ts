import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Interpretation } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { wordSet } from '../../words/word-set.js';
import { nestSuperlative } from '../implied-conditions/nested-superlatives.js';
import { wordAt } from '../reader.js';
import { readByAdjective, readByColumn, readByDate, readByVerb } from './superlative-columns.js';
import { readByCount } from './superlative-counts.js';

const BEFORE_SUPERLATIVE = wordSet(`
  can could ever charge part responsible with has have had having that which who whose by in of is are was
  were the a on at for and contain contains where , from hold holds received got receives offers offer
  produced scored uses use belongs belong to their its owns own does do did most also taken takes took made
  published written wrote been be used played won taught attended enrolled participated ordered bought
  placed hosted held directed treated assigned serves serve runs run hosts performed appeared shown served
  employs employ ranked
`);

/**
 * Parses any superlative after its rows, such as `with the highest salary` or `that has the most students`.
 */
export function readSuperlatives(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  if (draft.orders.length > 0 || (draft.mentions.length === 0 && draft.targets.length === 0)) return [];
  const ends = listStarts(q, interpretation.position);
  return ends.flatMap((start) => {
    const limit = readLimit(q, start);
    // The words `at most` and `at least` are comparators instead.
    const isComparator = ['at', 'to'].includes(wordAt(q, limit.position - 1));
    const interpretations = [
      ...(isComparator
        ? []
        : [
            ...readByColumn(q, interpretation, limit.position, limit.value),
            ...readByCount(q, interpretation, limit.position, limit.value),
          ]),
      ...readByAdjective(q, interpretation, limit.position, limit.value),
      ...readByVerb(q, interpretation, limit.position, limit.value),
      ...readByDate(q, interpretation, limit.position),
    ];
    return interpretations.flatMap((item) => nestSuperlative(q, item, draft.focus));
  });
}

const SORTED = wordSet(`
  order ordered sort sorted sorting ascending descending increasing decreasing listed arranged starting
  beginning
`);

const STARTS_MAX = 6;

const LONGER_INTRODUCTIONS = wordSet('charge responsible part');

function listStarts(q: LinkedQuestion, from: number): number[] {
  const starts: number[] = [];
  // With words such as `charge`, the superlative may come later, as in `who is in charge of the most`.
  const startsMax = q.tokens
    .slice(from, from + STARTS_MAX)
    .some(({ lower }) => LONGER_INTRODUCTIONS.has(lower))
    ? STARTS_MAX + 2
    : STARTS_MAX;
  for (let position = from; position < from + startsMax; position += 1) {
    starts.push(position);
    // After `was`, `ordered` is an event instead of a sorting word, as in `the product that was ordered most
    // often`.
    const isPassiveVerb =
      wordAt(q, position) === 'ordered' && ['was', 'were', 'been'].includes(wordAt(q, position - 1));
    if (
      (SORTED.has(wordAt(q, position)) && !isPassiveVerb) ||
      (!BEFORE_SUPERLATIVE.has(wordAt(q, position)) && !isVerb(wordAt(q, position)))
    )
      break;
  }
  return starts;
}

function readLimit(q: LinkedQuestion, from: number): { readonly position: number; readonly value: number } {
  const isTop = wordAt(q, from) === 'top';
  const token = q.tokens[isTop ? from + 1 : from];
  if (token?.kind !== 'number' || !Number.isInteger(token.value) || token.value > 1_000)
    return { position: from, value: 1 };
  return { position: (isTop ? from + 2 : from + 1) - (isTop ? 2 : 0), value: token.value };
}

import type { LinkedQuestion } from '../../link/linked-question.js';
import type { Interpretation } from '../../types.js';
import { isVerb } from '../../words/verbs.js';
import { wordSet } from '../../words/word-set.js';
import { readNested } from '../implied-conditions/nested-superlatives.js';
import { wordAt } from '../reader.js';
import { readByAdjective, readByColumn, readByTime, readByVerb } from './superlative-columns.js';
import { readByCount } from './superlative-counts.js';

const INTRO = wordSet(`
  can could ever charge part responsible with has have had having that which who whose by in of is are was
  were the a on at for and contain contains where , from hold holds received got receives offers offer
  produced scored uses use belongs belong to their its owns own does do did most also taken takes took made
  published written wrote been be used played won taught attended enrolled participated ordered bought
  placed hosted held directed treated assigned serves serve runs run hosts performed appeared shown served
  employs employ ranked
`);

/** Parses `with the highest salary`, `that has the most students` and `with the 3 largest areas`. */
export function readSuperlatives(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const { draft } = interpretation;
  if (draft.orders.length > 0 || (draft.mentions.length === 0 && draft.targets.length === 0)) return [];
  const ends = listStarts(q, interpretation.position);
  return ends.flatMap((start) => {
    const limit = readLimit(q, start);
    // `at most` and `at least` compare.
    const isIdiom = ['at', 'to'].includes(wordAt(q, limit.position - 1));
    const interpretations = [
      ...(isIdiom
        ? []
        : [
            ...readByColumn(q, interpretation, limit.position, limit.value),
            ...readByCount(q, interpretation, limit.position, limit.value),
          ]),
      ...readByAdjective(q, interpretation, limit.position, limit.value),
      ...readByVerb(q, interpretation, limit.position, limit.value),
      ...readByTime(q, interpretation, limit.position),
    ];
    return interpretations.flatMap((item) => readNested(q, item, draft.focus));
  });
}

const SORTED = wordSet(`
  order ordered sort sorted sorting ascending descending increasing decreasing listed arranged starting
  beginning
`);

const STARTS_MAX = 6;

const CHARGES = wordSet('charge responsible part');

function listStarts(q: LinkedQuestion, from: number): number[] {
  const starts: number[] = [];
  // `who is in charge of the most` has five words before the superlative.
  const target = q.tokens.slice(from, from + STARTS_MAX).some(({ lower }) => CHARGES.has(lower))
    ? STARTS_MAX + 2
    : STARTS_MAX;
  for (let position = from; position < from + target; position += 1) {
    starts.push(position);
    // In `the product that was ordered most often`, the verb is an event rather than an order.
    const isDone =
      wordAt(q, position) === 'ordered' && ['was', 'were', 'been'].includes(wordAt(q, position - 1));
    if (
      (SORTED.has(wordAt(q, position)) && !isDone) ||
      (!INTRO.has(wordAt(q, position)) && !isVerb(wordAt(q, position)))
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

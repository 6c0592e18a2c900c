import type { LinkedQuestion } from '../link/linked-question.js';
import type { Literal } from '../types.js';
import { matchPhrase, phraseSet, type Parsed, wordAt } from './reader.js';
import { readValues } from './values.js';

/** Parses `between 1 and 5`, `from 1 to 5` and `in the range of 1 to 5`. */
export function readBetween(q: LinkedQuestion, from: number): Parsed<readonly [Literal, Literal]> | null {
  const start = matchPhrase(
    q,
    from,
    phraseSet(`
      between|from|in between|ranging from|ranging between|range from|in range|in a range of|
      in a range from|in a range between|in the range|in the range of|in the range from|
      in the range between|within the range|within the range of|within the range from|
      within the range between
    `),
  );
  if (start < 0) return null;
  const [low] = readValues(q, start);
  if (low === undefined || !['and', 'to', '-', 'through', 'until'].includes(wordAt(q, low.position)))
    return null;
  const [high] = readValues(q, low.position + 1);
  const kind = low.value.literal.kind;
  return high === undefined || high.value.literal.kind !== kind
    ? null
    : { position: high.position, cost: 0, value: [low.value.literal, high.value.literal] };
}

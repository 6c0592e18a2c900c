import type { LinkedQuestion } from '../link/linked-question.js';
import type { Interpretation } from '../types.js';
import { isVerb } from '../words/verbs.js';
import { wordSet } from '../words/word-set.js';
import { COST_MAX, completeInterpretation } from './complete-interpretation.js';
import { readFilters } from './conditions/filters.js';
import { toDraftKey } from './draft-key.js';
import { readBackReference, readEachOnes, readGroups } from './groups/groups.js';
import { readBareCount, readByThem, readEachAgain, readOrderedCount } from './groups/repeated-counts.js';
import { readSame } from './implied-conditions/shared-values.js';
import { readOpenings } from './openings.js';
import { readOrders } from './orders/orders.js';
import { readSuperlatives } from './orders/superlatives.js';
import { skipWords, wordAt } from './reader.js';
import { readClauseOwner } from './relations/clause-owner.js';
import { readRelations } from './relations/relations.js';
import { readTimes } from './relations/row-counts.js';
import { skipLastVerb, skipMark, skipPronoun, skipSmallWord, readUnmatched } from './skipped-words.js';
import { readFollowUp, readMoreTargets, readOwner } from './targets/more-targets.js';
import { readOnAverage } from './targets/aggregate-targets.js';
import { readSpokenVerb } from './targets/when-and-where.js';
import { MARKS } from './word-classes.js';

/** The maximum number of interpretations kept at each token. */
const BEAM = 40;

/**
 * The maximum number of interpretations to continue in the whole question. The search stops at this limit.
 */
const STEPS_MAX = 250;

const TAIL = wordSet(`
  anything something there respectively listed recorded in total we have do exist please each the database
  are is so far overall currently all ever shown used available altogether together does list result records
  our system too also been made you one ones there? came come of them before file yet once past it to at
  with from those these on for represented here has had holds offered involved recorded registered dollars
  dollar usd record records database info information
`);

const MARKS_AND_TAIL = new Set([...MARKS, ...TAIL]);

/** Returns the interpretations of the whole question, cheapest first. */
export function readQuestion(q: LinkedQuestion): Interpretation[] {
  const beams: Interpretation[][] = Array.from({ length: q.tokens.length + 1 }, () => []);
  const put = (interpretation: Interpretation): void => {
    if (interpretation.cost <= COST_MAX && interpretation.position <= q.tokens.length)
      beams[interpretation.position]?.push(interpretation);
  };
  for (const interpretation of readOpenings(q)) put(interpretation);
  const done: Interpretation[] = [];
  let steps = 0;
  for (let position = 0; position <= q.tokens.length; position += 1) {
    for (const interpretation of retainBest(beams[position] ?? [])) {
      if (isAtEnd(q, position) && interpretation.draft.targets.length > 0)
        done.push(completeInterpretation(q, interpretation));
      steps += 1;
      if (position < q.tokens.length && steps <= STEPS_MAX)
        for (const next of readOn(q, interpretation)) if (next.position > position) put(next);
    }
  }
  return retainFirst(done.sort((a, b) => a.cost - b.cost));
}

function retainBest(interpretations: Interpretation[]): Interpretation[] {
  interpretations.sort((a, b) => a.cost - b.cost);
  const cache = new Map<string, Interpretation>();
  for (const interpretation of interpretations) {
    if (cache.size >= BEAM) break;
    const key = toDraftKey(interpretation.draft);
    if (!cache.has(key)) cache.set(key, interpretation);
  }
  return [...cache.values()];
}

/** Removes duplicates, since an interpretation may end before or after the last mark. */
function retainFirst(interpretations: readonly Interpretation[]): Interpretation[] {
  const cache = new Map<string, Interpretation>();
  for (const interpretation of interpretations) {
    const key = toDraftKey({ ...interpretation.draft, focus: 0 });
    if (!cache.has(key)) cache.set(key, interpretation);
  }
  return [...cache.values()];
}

function isAtEnd(q: LinkedQuestion, position: number): boolean {
  const end = skipWords(q, position, MARKS_AND_TAIL);
  // `do we employ` and `that we own` add no condition.
  return (
    (wordAt(q, end - 1) === 'we' && isVerb(wordAt(q, end)) ? skipWords(q, end + 1, MARKS_AND_TAIL) : end) >=
    q.tokens.length
  );
}

function readOn(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const rest = [
    readFilters,
    readRelations,
    readSame,
    readSuperlatives,
    readOrders,
    readGroups,
    readEachOnes,
    readClauseOwner,
    readBackReference,
    readBareCount,
    readOrderedCount,
    readEachAgain,
    readByThem,
    readTimes,
    readSpokenVerb,
    readOnAverage,
  ].flatMap((rule) => rule(q, interpretation));
  return [
    ...rest,
    ...readMoreTargets(q, interpretation),
    ...readOwner(q, interpretation),
    ...skipMark(q, interpretation),
    ...readFollowUp(q, interpretation),
    ...skipLastVerb(q, interpretation),
    ...skipPronoun(q, interpretation),
    ...skipSmallWord(q, interpretation),
    ...readUnmatched(q, interpretation),
  ];
}

import type { LinkedQuestion } from '../link/linked-question.js';
import type { Interpretation } from '../types.js';
import { isVerb } from '../words/verbs.js';
import { wordSet } from '../words/word-set.js';
import { COST_MAX, completeInterpretation } from './complete-interpretation.js';
import { readFilters } from './conditions/filters.js';
import { toDraftKey } from './draft-key.js';
import { readBackReference, readEachOwner, readGroups } from './groups/groups.js';
import { readBareCount, readByThem, readEachAgain, readOrderedCount } from './groups/repeated-counts.js';
import { readSharedValues } from './implied-conditions/shared-values.js';
import { readOpenings } from './openings.js';
import { readOrders } from './orders/orders.js';
import { readSuperlatives } from './orders/superlatives.js';
import { skipWords, wordAt } from './reader.js';
import { readClauseOwner } from './relations/clause-owner.js';
import { readRelations } from './relations/relations.js';
import { readRowCountCondition } from './relations/row-counts.js';
import { skipLastVerb, skipMark, skipPronoun, skipEmptyPhrase, readUnmatched } from './skipped-words.js';
import { readFollowUp, readMoreTargets, readOwner } from './targets/more-targets.js';
import { readOnAverage } from './targets/aggregate-targets.js';
import { skipImpliedVerb } from './targets/when-and-where.js';
import { MARKS } from './word-classes.js';

/** The beam width, which is the maximum number of interpretations that are continued at each token. */
const BEAM_WIDTH = 40;

/**
 * The maximum number of interpretations that are continued for the whole question. The search ends at this
 * number.
 */
const STEPS_MAX = 250;

const WORDS_WITHOUT_MEANING = wordSet(`
  anything something there respectively listed recorded in total we have do exist please each the database
  are is so far overall currently all ever shown used available altogether together does list result records
  our system too also been made you one ones there? came come of them before file yet once past it to at
  with from those these on for represented here has had holds offered involved recorded registered dollars
  dollar usd record records database info information
`);

const MARKS_AND_WORDS_WITHOUT_MEANING = new Set([...MARKS, ...WORDS_WITHOUT_MEANING]);

/**
 * Returns the interpretations of the whole question in the order of their costs, by a beam search over the
 * tokens.
 */
export function readQuestion(q: LinkedQuestion): Interpretation[] {
  const beams: Interpretation[][] = Array.from({ length: q.tokens.length + 1 }, () => []);
  const addToBeam = (interpretation: Interpretation): void => {
    if (interpretation.cost <= COST_MAX && interpretation.position <= q.tokens.length)
      beams[interpretation.position]?.push(interpretation);
  };
  for (const interpretation of readOpenings(q)) addToBeam(interpretation);
  const done: Interpretation[] = [];
  let steps = 0;
  for (let position = 0; position <= q.tokens.length; position += 1) {
    for (const interpretation of listCheapest(beams[position] ?? [])) {
      if (isAtEnd(q, position) && interpretation.draft.targets.length > 0)
        done.push(completeInterpretation(q, interpretation));
      steps += 1;
      if (position < q.tokens.length && steps <= STEPS_MAX)
        for (const next of continueInterpretation(q, interpretation))
          if (next.position > position) addToBeam(next);
    }
  }
  return dropDuplicates(done.sort((a, b) => a.cost - b.cost));
}

function listCheapest(interpretations: Interpretation[]): Interpretation[] {
  interpretations.sort((a, b) => a.cost - b.cost);
  const byKey = new Map<string, Interpretation>();
  for (const interpretation of interpretations) {
    if (byKey.size >= BEAM_WIDTH) break;
    const key = toDraftKey(interpretation.draft);
    if (!byKey.has(key)) byKey.set(key, interpretation);
  }
  return [...byKey.values()];
}

/** Removes duplicates. An interpretation may end before or after the last punctuation mark. */
function dropDuplicates(interpretations: readonly Interpretation[]): Interpretation[] {
  const byKey = new Map<string, Interpretation>();
  for (const interpretation of interpretations) {
    const key = toDraftKey({ ...interpretation.draft, focus: 0 });
    if (!byKey.has(key)) byKey.set(key, interpretation);
  }
  return [...byKey.values()];
}

function isAtEnd(q: LinkedQuestion, position: number): boolean {
  const end = skipWords(q, position, MARKS_AND_WORDS_WITHOUT_MEANING);
  // A clause at the end about `we` adds no condition, as in `do we employ` and `that we own`.
  return (
    (wordAt(q, end - 1) === 'we' && isVerb(wordAt(q, end))
      ? skipWords(q, end + 1, MARKS_AND_WORDS_WITHOUT_MEANING)
      : end) >= q.tokens.length
  );
}

function continueInterpretation(q: LinkedQuestion, interpretation: Interpretation): Interpretation[] {
  const found = [
    readFilters,
    readRelations,
    readSharedValues,
    readSuperlatives,
    readOrders,
    readGroups,
    readEachOwner,
    readClauseOwner,
    readBackReference,
    readBareCount,
    readOrderedCount,
    readEachAgain,
    readByThem,
    readRowCountCondition,
    skipImpliedVerb,
    readOnAverage,
  ].flatMap((rule) => rule(q, interpretation));
  return [
    ...found,
    ...readMoreTargets(q, interpretation),
    ...readOwner(q, interpretation),
    ...skipMark(q, interpretation),
    ...readFollowUp(q, interpretation),
    ...skipLastVerb(q, interpretation),
    ...skipPronoun(q, interpretation),
    ...skipEmptyPhrase(q, interpretation),
    ...readUnmatched(q, interpretation),
  ];
}

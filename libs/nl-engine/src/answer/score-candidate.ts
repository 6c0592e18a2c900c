import type { Measures } from './measure-candidate.js';

/**
 * How much each measure speaks for a statement being what was asked: a logistic regression, with a little damping, over what the engine made
 * of the training questions whose schemas are not held out, rounded. `rowTargets` and what follows are set by hand: which column of a row a
 * gold query shows, and whether "at most two" takes in none, is a matter of taste in that set, not of understanding.
 */
export const SCORE_WEIGHTS: Measures = {
  constant: 2.8, cost: -1.200, costly: 0.450, near: -1.700, margin: 0.614, rivals: -0.100, words: -0.150, linkMax: 0.500, tableCost: 0.700, parts: -0.200, strangers: -0.400, bareValues: 0.305, manyPaths: -0.634, waysides: -0.559, guessed: -0.246, longPaths: -0.373, mentions: -0.100, looseMentions: -0.168, looseVerbs: -0.250, negated: -0.350, quantities: -0.400, groups: -0.603, mixed: -0.028, sizeOrders: 0.450, limited: -0.638, tops: -0.500, alternatives: -0.605, distinct: 0.400, countDistinct: -0.483, countsValues: -0.500, subAggregates: 0.103, saysBoth: -0.300, unsaidMost: -0.500, unsaidCount: -0.400, unsaidOrder: -0.400, unsaidTotal: -0.200, rowTargets: -0.100, keyTargets: -0.800, rowGroups: 0.000, fewer: -0.300,
};

const { constant = 0, ...weights } = SCORE_WEIGHTS;

/** 0 to 1: the share of statements with these measures that were right. */
export function scoreCandidate(measures: Measures): number {
  let sum = constant;
  for (const [name, weight] of Object.entries(weights)) sum += weight * Math.min(5, Math.max(-1, measures[name] ?? 0));
  return 1 / (1 + Math.exp(-sum));
}

/** The best reading is answered when so many in a hundred like it are right, … */
const SCORE_MIN = 0.82;
/** … when no other is about as close (0.5 less the distance to the next), … */
const NEAR_MAX = 0.25;
/** How near another reading may be where rows hang on others over a third table: which of several such tables was meant, it may tell. */
const NEAR_OVER_TABLES_MAX = 0.1;

/**
 * What a statement must not do, whatever its score: pass over a name of the schema, even one that its words are only near to, an `or`, a number,
 * something quoted; ask for what the question says already; …
 */
const VETOES = ['untouched', 'loose', 'unsaidOr', 'unsaidValues', 'asksOnlyKnown', 'textCompares', 'eachLimited', 'unsaidSort', 'keyDistinct', 'everythingBeside', 'lostDetails', 'mixedAny', 'mixedOr', 'summedAny', 'ofOther', 'farTimes'];

/** Is there something that no score outweighs? */
export function isDoubtful(measures: Measures): boolean {
  const of = (name: string): number => measures[name] ?? 0;
  // Groups beside a verb that no name answers to (`medicines prescribed for each brand`): what the verb speaks of may be what is counted.
  const losesVerb = of('groups') > 0 && of('looseVerbs') > 0;
  return VETOES.some((name) => of(name) > 0) || of('near') > NEAR_MAX || losesVerb || (of('longPaths') > 0 && of('near') > NEAR_OVER_TABLES_MAX);
}

export function isTrusted(measures: Measures): boolean {
  return scoreCandidate(measures) >= SCORE_MIN && !isDoubtful(measures);
}

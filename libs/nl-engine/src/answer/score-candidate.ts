import type { Measures } from './measure-candidate.js';

/**
 * How much each measure speaks for a statement being what was asked: a logistic regression, with a little damping, over what the engine made
 * of the training questions whose schemas are not held out and of the project's own, rounded. `rowTargets` and what follows are set by hand: which column of a row a
 * gold query shows, and whether "at most two" takes in none, is a matter of taste in that set, not of understanding.
 */
export const SCORE_WEIGHTS: Measures = {
  constant: 3.94, cost: -1.52, costly: 0.48, near: -2.03, margin: 0.42, rivals: -0.14, words: -0.80, linkMax: 0.78, tableCost: 0.66, strangers: -0.29, bent: -0.66, bareValues: 0.29, bareTimes: -0.18, waysides: -0.52, guessed: -0.80, longPaths: -0.26, selfWays: 0.08, looseMentions: -0.28, looseVerbs: -0.12, verbColumns: 0.11, passedTables: -0.75, negated: -0.43, quantities: -0.41, groups: -0.90, sizeOrders: 0.83, limited: -0.81, tops: -1.14, alternatives: -0.11, unsaidAny: -0.21, twins: 0.08, strays: 0.06, distinct: 0.29, countDistinct: -0.35, countsValues: -0.72, subAggregates: 0.36, shownKinds: 0.09, selfOrders: -0.20, saysBoth: -0.26, saysAlso: 0.29, saysOrder: 0.33, unsaidEach: -0.37, unsaidMost: -0.83, unsaidOrder: -0.67, unsaidTotal: -0.20, rowTargets: -0.10, keyTargets: -0.80, fewer: -0.30, asksKnown: -0.50,
};

const { constant = 0, ...weights } = SCORE_WEIGHTS;

/** 0 to 1: the share of statements with these measures that were right. */
export function scoreCandidate(measures: Measures): number {
  let sum = constant;
  for (const [name, weight] of Object.entries(weights)) sum += weight * Math.min(5, Math.max(-1, measures[name] ?? 0));
  return 1 / (1 + Math.exp(-sum));
}

/** The best reading is answered when so many in a hundred like it are right, … */
const SCORE_MIN = 0.86;
/** … when no other is about as close (0.5 less the distance to the next), … */
const NEAR_MAX = 0.35;
/** How near another reading may be where rows hang on others over a third table: which of several such tables was meant, it may tell. */
const NEAR_OVER_TABLES_MAX = 0.1;

/**
 * What a statement must not do, whatever its score: pass over a name of the schema, even one that its words are only near to, an `or`, a number,
 * something quoted, a verb that names a table, a number of them; show only what the question says already, or a key that stands for other rows; …
 */
const VETOES = ['untouched', 'loose', 'unsaidOr', 'unsaidValues', 'asksOnlyKnown', 'textCompares', 'eachLimited', 'unsaidSort', 'keyDistinct', 'everythingBeside', 'lostDetails', 'mixedAny', 'mixedOr', 'eitherAnd', 'summedAny', 'ofOther', 'farTimes', 'verbTables', 'foreignShown', 'foreignLabels', 'halfNamed', 'loneTables', 'keyChoices', 'verbColumns', 'parallel', 'manyPaths', 'unsaidCount', 'unsaidNumbers'];

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

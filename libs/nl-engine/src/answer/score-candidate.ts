import type { Measures } from './measure-candidate.js';

/**
 * How much each measure speaks for a statement being what was asked: a logistic regression, with a little damping, over what the engine made
 * of the training questions whose schemas are not held out, of the same questions where the schema calls one of their names something that no
 * word says (half as much), and of the project's own, rounded. `rowTargets`, `keyTargets`, `fewer` and `asksKnown` are set by hand: which column
 * of a row a gold query shows, and whether "at most two" takes in none, is a matter of taste in that set, not of understanding.
 */
export const SCORE_WEIGHTS: Measures = {
  constant: 3.40, alternatives: -0.22, asksKnown: -0.50, awayShown: -0.30, awayUsed: -0.32, bareValues: 0.27, bent: -0.86, cost: -2.12, costly: 1.03, countDistinct: -0.14, countsValues: -0.38, distinct: 0.10, fewer: -0.30, groups: -0.72, guessed: 0.18, keyTargets: -0.80, limited: -0.61, linkMax: 0.94, longPaths: -0.29, looseMentions: -0.55, looseVerbs: -0.07, margin: 0.45, near: -2.11, negated: -0.18, partNames: -0.78, passedTables: -0.62, quantities: -0.24, rivals: -0.03, rowTargets: -0.10, saysAlso: 0.73, saysBoth: 0.16, saysOrder: 0.39, selfOrders: -0.37, selfWays: 0.34, shownKinds: -0.07, sizeOrders: 0.66, strangers: -0.04, strays: 0.20, subAggregates: 0.21, tableCost: 0.85, tops: -1.50, twins: 0.34, unknown: -0.15, unsaidAny: -0.80, unsaidEach: -0.23, unsaidMost: -1.09, unsaidOrder: -0.85, unsaidTotal: -0.52, verbColumns: -0.73, waysides: 0.27, words: -0.45,
};

const { constant = 0, ...weights } = SCORE_WEIGHTS;

/** 0 to 1: the share of statements with these measures that were right. */
export function scoreCandidate(measures: Measures): number {
  let sum = constant;
  for (const [name, weight] of Object.entries(weights)) sum += weight * Math.min(5, Math.max(-1, measures[name] ?? 0));
  return 1 / (1 + Math.exp(-sum));
}

/** The best reading is answered when its score is that of `BOUNDS`, when no other is about as close (0.5 less the distance to the next), … */
const NEAR_MAX = 0.35;

/**
 * What a statement must not do, whatever its score: pass over a name of the schema, even one that its words are only near to, an `or`, a number,
 * something quoted, a verb that names a table, a number of them; show only what the question says already, or a key that stands for other rows; sum up single rows, name rows by a number though they have a
 * text that may be their name, show a column of rows far off, call a name what is called otherwise,
 * take a condition to a table that nothing else speaks of, call rows by a name that is qualified as another's, take a column that is only called
 * nearly so (`measure-columns.ts`); …
 */
const VETOES = ['untouched', 'loose', 'unsaidOr', 'unsaidValues', 'asksOnlyKnown', 'textCompares', 'eachLimited', 'unsaidSort', 'keyDistinct', 'everythingBeside', 'lostDetails', 'mixedAny', 'mixedOr', 'eitherAnd', 'summedAny', 'ofOther', 'farTimes', 'verbTables', 'foreignShown', 'foreignLabels', 'halfNamed', 'loneTables', 'keyChoices', 'verbColumns', 'parallel', 'unsaidCount', 'unsaidNumbers', 'keyNames', 'otherNames', 'strayHeads', 'ones', 'keyLabels', 'toldLabels', 'farShown', 'countedShown', 'orderShown', 'unsaidExcept', 'countsHeld', 'toldNames', 'awayUsed', 'keyCompares', 'cutShort', 'otherKinds', 'altered', 'partNames',
  // Not what was asked for, though every name is one of the question's (`measure-slips.ts`), and compared with what it hardly can be (`measure-literals.ts`).
  'nounVerbs', 'sameShown', 'pinnedCounts', 'halfFull', 'ownNumbers', 'plainTotals', 'codeGroups', 'straysShown', 'mixedNumbers', 'nearerPassed', 'coarseTimes', 'bareKeys', 'keyNumbers', 'numberTexts', 'sharedOr',
  // What nobody asks for in these words (`measure-misreadings.ts`).
  'wholeBeside', 'groupsSummed', 'ownCounts', 'rankEnds', 'titles', 'heldTotals', 'codeShown', 'cutOff', 'ownGroups', 'listCounts', 'keyForName', 'pinnedTimes',
  // What overlooks something that the schema has (`measure-oversights.ts`).
  'farSums', 'selfNamed', 'heldQuantities', 'bothAttributes', 'numbersOf', 'perPlain'];

/** A statement that fewer words of the question than that name something of may cost so much at most, and from a lower cost on needs a higher score. */
const HEARD_MIN = 3;
const [FEW_COST_MAX, FEW_COST_MIN, FEW_SCORE_MIN] = [1.35, 0.85, 0.84];
/** What costs more than that is mostly said in many words: with so many of them heard, and such a score, it may cost so much. */
const [COST_MAX, MANY_HEARD_MIN, MANY_SCORE_MIN] = [1.7, 4, 0.8];
export const MANY_COST_MAX = 2.3;
/** The same where a table is passed over that a word names. Over schemas that call things otherwise than who asks, both kinds fail most. */
const PASSING_SCORE_MIN = 0.86;

/** The least scores, 0 to 1: so many in a hundred like the statement must be right; the others where more goes wrong than elsewhere. */
export interface Bounds {
  readonly scoreMin: number;
  /** What is shown stands with other rows than those asked for. */
  readonly awayMin: number;
  /** Rows hang on others over a third table, and neither a quoted value nor a negation says what for. */
  readonly longMin: number;
  /** More than one foreign key is followed, or one row's are meant that comes first, and nothing is quoted. */
  readonly waysMin: number;
}

/** Those in use, chosen over schemas left out (`bench/questions/choose-bounds.mjs`). */
export const BOUNDS: Bounds = { scoreMin: 0.77, awayMin: 0.86, longMin: 0.9, waysMin: 0.86 };

/** Is there something that no score outweighs, or not one that is just enough elsewhere? Other bounds are for those who choose them. */
export function isDoubtful(measures: Measures, bounds = BOUNDS): boolean {
  const of = (name: string): number => measures[name] ?? 0;
  // Groups beside a verb that no name answers to (`medicines prescribed for each brand`): what the verb speaks of may be what is counted.
  const losesVerb = of('groups') > 0 && of('looseVerbs') > 0 && of('ways') > 0;
  // `how many schools are there?`, of which only a column far from the word speaks: one word alone tells too little of what is meant.
  const isCostly = of('cost') > MANY_COST_MAX || (of('cost') > COST_MAX && (of('heard') < MANY_HEARD_MIN || scoreCandidate(measures) < MANY_SCORE_MIN));
  const guessesWord = (of('heard') < HEARD_MIN && of('cost') > FEW_COST_MAX) || (of('heard') < 2 && of('countsValues') > 0) || (of('heard') < 2 && of('partKinds') > 0);
  return isCostly || guessesWord || scoreCandidate(measures) < findWeakMin(measures, bounds) || VETOES.some((name) => of(name) > 0) || of('near') > NEAR_MAX || losesVerb;
}

function findWeakMin(measures: Measures, { awayMin, longMin, waysMin }: Bounds): number {
  const of = (name: string): number => measures[name] ?? 0;
  const isFew = of('heard') < HEARD_MIN && of('cost') > FEW_COST_MIN;
  return Math.max(isFew ? FEW_SCORE_MIN : 0, of('passedTables') > 0 ? PASSING_SCORE_MIN : 0, of('awayShown') > 0 ? awayMin : 0, of('openWays') > 0 ? longMin : 0, of('manyWays') > 0 ? waysMin : 0);
}

export function isTrusted(measures: Measures): boolean {
  return scoreCandidate(measures) >= (isPlainKind(measures) ? PLAIN_SCORE_MIN : BOUNDS.scoreMin) && !isDoubtful(measures);
}

/** Enough for kinds of statements that the score thinks worse of than they are: over the schemas tuned on hardly any of these below the bound was wrong as asked. */
const PLAIN_SCORE_MIN = 0.6;

/** Rows counted for each of those that one key leads to, so many of them asked for; in one table what each kind sums up to, or those that come first. */
function isPlainKind(measures: Measures): boolean {
  const of = (name: string): number => measures[name] ?? 0;
  const isCounted = of('ways') === 1 && ((of('groups') > 0 && of('counts') > 0) || (of('quantities') > 0 && of('negated') === 0));
  const isOneTable = of('ways') === 0 && ((of('groups') > 0 && of('sums') > 0 && of('counts') === 0) || (of('limited') > 0 && of('sizeOrders') === 0 && of('groups') === 0 && of('sums') === 0));
  return (isCounted || isOneTable) && of('awayShown') === 0 && of('tops') === 0 && of('cost') <= COST_MAX;
}

import type { Measures } from '../features/measure-candidate.js';
/**
 * The weights of the features in a statement's score, and the constant term of the score. A feature without a
 * weight may still disqualify a statement (see `VETOES`).
 *
 * `node bench/questions/training/fit-weights.mjs --readings file` fits the weights with a logistic
 * regression, whose regularization is weak. The values here are rounded. The data are the training questions
 * for all schemas except the held-out ones, and the project's own questions. They also contain each question
 * with one name of its schema replaced by an unknown one, with half the weight. `bench/questions/README.md`
 * describes the data.
 *
 * The weights of `rowTargets`, `keyTargets`, `fewer` and `asksKnown` were chosen by hand, because the
 * reference queries are not consistent about them. These queries differ in the column that identifies a row,
 * and in whether "at most two" includes none.
 */
export const SCORE_WEIGHTS = {
  constant: 3.4,
  alternatives: -0.22,
  asksKnown: -0.5,
  joinedShown: -0.3,
  joinedUsed: -0.32,
  bareValues: 0.27,
  inflected: -0.86,
  cost: -2.12,
  costly: 1.03,
  countDistinct: -0.14,
  countsValues: -0.38,
  distinct: 0.1,
  fewer: -0.3,
  groups: -0.72,
  guessed: 0.18,
  keyTargets: -0.8,
  limited: -0.61,
  linkMax: 0.94,
  longPaths: -0.29,
  looseMentions: -0.55,
  looseVerbs: -0.07,
  margin: 0.45,
  near: -2.11,
  negated: -0.18,
  partNames: -0.78,
  passedTables: -0.62,
  quantities: -0.24,
  rivals: -0.03,
  rowTargets: -0.1,
  saysAlso: 0.73,
  saysBoth: 0.16,
  saysOrder: 0.39,
  selfOrders: -0.37,
  selfJoins: 0.34,
  shownKinds: -0.07,
  sizeOrders: 0.66,
  unknownTexts: -0.04,
  unmatchedWords: 0.2,
  subAggregates: 0.21,
  tableCost: 0.85,
  tops: -1.5,
  duplicates: 0.34,
  unknown: -0.15,
  unsaidAny: -0.8,
  unsaidEach: -0.23,
  unsaidMost: -1.09,
  unsaidOrder: -0.85,
  unsaidTotal: -0.52,
  verbColumns: -0.73,
  pathTables: 0.27,
  words: -0.45,
} as const satisfies Partial<Record<keyof Measures | 'constant', number>>;

const { constant, ...weights } = SCORE_WEIGHTS;
const WEIGHTS = Object.entries(weights) as readonly (readonly [name: keyof Measures, weight: number])[];

/**
 * Returns the estimated share of correct statements among all statements with these features, from 0 to 1. A
 * missing feature counts as 0.
 */
export function scoreCandidate(measures: Partial<Measures>): number {
  let sum: number = constant;
  for (const [name, weight] of WEIGHTS) sum += weight * Math.min(5, Math.max(-1, measures[name] ?? 0));
  return 1 / (1 + Math.exp(-sum));
}

/** The maximum closeness of the next statement, which is 0.5 minus the difference in cost. */
const NEAR_MAX = 0.35;

/** Features that disqualify a statement if their value is above 0, whatever its score. */
const VETOES = [
  'untouched',
  'loose',
  'unsaidOr',
  'unsaidValues',
  'asksOnlyKnown',
  'textCompares',
  'eachLimited',
  'unsaidSort',
  'keyDistinct',
  'everythingBeside',
  'lostDetails',
  'mixedAny',
  'mixedOr',
  'eitherAnd',
  'summedAny',
  'ofOther',
  'relatedTimes',
  'verbTables',
  'foreignShown',
  'foreignLabels',
  'halfNamed',
  'partlyNamedTables',
  'keyChoices',
  'verbColumns',
  'parallel',
  'unsaidCount',
  'unsaidNumbers',
  'keyNames',
  'otherNames',
  'unmatchedHeads',
  'ones',
  'keyLabels',
  'descriptiveLabels',
  'relatedShown',
  'countedShown',
  'orderShown',
  'unsaidExcept',
  'countsHeld',
  'substitutedNames',
  'joinedUsed',
  'keyCompares',
  'cutShort',
  'otherKinds',
  'altered',
  'partNames',
  'skippedNouns',
  'sameShown',
  'countsOfNamedRow',
  'partialFullNames',
  'ownNumbers',
  'plainTotals',
  'codeGroups',
  'unmatchedShown',
  'mixedNumbers',
  'ignoredOwnColumns',
  'coarseTimes',
  'bareKeys',
  'keyNumbers',
  'numberTexts',
  'sharedOr',
  'everythingAndColumn',
  'groupsSummed',
  'ownCounts',
  'rankEnds',
  'titles',
  'heldTotals',
  'codeShown',
  'cutOff',
  'ownGroups',
  'listCounts',
  'keyForName',
  'pinnedTimes',
  'relatedSums',
  'selfNamed',
  'heldQuantities',
  'bothAttributes',
  'numbersOf',
  'perPlain',
] as const satisfies readonly (keyof Measures)[];

/**
 * Bounds for statements that express few words of the question. Such a statement expresses fewer than
 * `EXPLAINED_MIN` words. Its maximum cost is `FEW_COST_MAX`. If it costs at least `FEW_COST_MIN`, its score
 * must be at least `FEW_SCORE_MIN`.
 */
const EXPLAINED_MIN = 3;
const [FEW_COST_MAX, FEW_COST_MIN, FEW_SCORE_MIN] = [1.35, 0.85, 0.84];
/**
 * A statement that costs more than `COST_MAX` must express at least `MANY_EXPLAINED_MIN` words of the
 * question and have a score of at least `MANY_SCORE_MIN`. Its cost may then be at most `MANY_COST_MAX`.
 */
const [COST_MAX, MANY_EXPLAINED_MIN, MANY_SCORE_MIN] = [1.7, 4, 0.8];
export const MANY_COST_MAX = 2.3;
/**
 * The minimum score if the question names a table that the statement does not use. Like statements that
 * express few words, these fail most often for schemas whose names differ from the words that users choose.
 */
const PASSING_SCORE_MIN = 0.86;

/**
 * The minimum scores. A score is an estimated share of correct statements. `scoreMin` applies to all
 * statements, and the other bounds to kinds that are wrong more often.
 */
export interface Bounds {
  readonly scoreMin: number;
  /** The minimum score if a returned column belongs to other rows than the requested ones. */
  readonly joinedMin: number;
  /**
   * The minimum score if a third table joins the rows, and the question contains neither a quoted value nor a
   * negation that explains this.
   */
  readonly longMin: number;
  /**
   * The minimum score if nothing is quoted, and the statement uses several foreign keys or the first row of
   * another table.
   */
  readonly waysMin: number;
}

/** The bounds in use. `bench/questions/training/choose-bounds.mjs` chooses them with held-out schemas. */
export const BOUNDS: Bounds = { scoreMin: 0.77, joinedMin: 0.86, longMin: 0.9, waysMin: 0.86 };

/**
 * Reports whether the statement has a disqualifying feature, or a score below one of the bounds. Other values
 * of `bounds` are only passed in order to choose them.
 */
export function isDoubtful(measures: Partial<Measures>, bounds = BOUNDS): boolean {
  const of = (name: keyof Measures): number => measures[name] ?? 0;
  // In `medicines prescribed for each brand`, a verb that matches no name may name the rows to count.
  const losesVerb = of('groups') > 0 && of('looseVerbs') > 0 && of('ways') > 0;
  // In `how many schools are there?`, a single word is not sufficient evidence for a column whose name is
  // only distantly related.
  const isCostly =
    of('cost') > MANY_COST_MAX ||
    (of('cost') > COST_MAX &&
      (of('explained') < MANY_EXPLAINED_MIN || scoreCandidate(measures) < MANY_SCORE_MIN));
  const guessesWord =
    (of('explained') < EXPLAINED_MIN && of('cost') > FEW_COST_MAX) ||
    (of('explained') < 2 && of('countsValues') > 0) ||
    (of('explained') < 2 && of('partKinds') > 0);
  return (
    isCostly ||
    guessesWord ||
    scoreCandidate(measures) < findWeakMin(measures, bounds) ||
    VETOES.some((name) => of(name) > 0) ||
    of('near') > NEAR_MAX ||
    losesVerb
  );
}

function findWeakMin(measures: Partial<Measures>, { joinedMin, longMin, waysMin }: Bounds): number {
  const of = (name: keyof Measures): number => measures[name] ?? 0;
  const isFew = of('explained') < EXPLAINED_MIN && of('cost') > FEW_COST_MIN;
  return Math.max(
    isFew ? FEW_SCORE_MIN : 0,
    of('passedTables') > 0 ? PASSING_SCORE_MIN : 0,
    of('joinedShown') > 0 ? joinedMin : 0,
    of('unreliablePaths') > 0 ? longMin : 0,
    of('ambiguousPaths') > 0 ? waysMin : 0,
  );
}

/** Reports whether a statement with these features is returned as the answer, without alternatives. */
export function isTrusted(measures: Partial<Measures>): boolean {
  return (
    scoreCandidate(measures) >= (isPlainKind(measures) ? PLAIN_SCORE_MIN : BOUNDS.scoreMin) &&
    !isDoubtful(measures)
  );
}

/**
 * The minimum score for kinds of statements whose score is too low. With the schemas that were used for
 * tuning, almost none of these statements were wrong.
 */
const PLAIN_SCORE_MIN = 0.6;

/**
 * Reports whether the statement counts rows that one foreign key connects, for groups or in a condition. Sums
 * for each group, and the first rows of a single table, are also included.
 */
function isPlainKind(measures: Partial<Measures>): boolean {
  const of = (name: keyof Measures): number => measures[name] ?? 0;
  const isCounted =
    of('ways') === 1 &&
    ((of('groups') > 0 && of('counts') > 0) || (of('quantities') > 0 && of('negated') === 0));
  const isOneTable =
    of('ways') === 0 &&
    ((of('groups') > 0 && of('sums') > 0 && of('counts') === 0) ||
      (of('limited') > 0 && of('sizeOrders') === 0 && of('groups') === 0 && of('sums') === 0));
  return (isCounted || isOneTable) && of('joinedShown') === 0 && of('tops') === 0 && of('cost') <= COST_MAX;
}

import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import { countIgnoredValues } from '../list-candidates.js';
import type { Bound } from '../resolve/assignment.js';
import { listRankingMentions } from '../resolve/draft-references.js';
import type { Edge } from '../resolve/table-graph.js';
import type { Condition, Draft } from '../types.js';
import { measureTargetMisreadings } from './measure-target-misreadings.js';
import { measureColumns } from './measure-columns.js';
import { measureConditions } from './measure-conditions.js';
import { measureLinks } from './measure-links.js';
import { measureLiterals } from './measure-literals.js';
import { measureMisreadings } from './measure-misreadings.js';
import { measureNames } from './measure-names.js';
import { measureShown, hasKeyLabel, returnsOnlyKnownValues, aggregatesSingleRows } from './measure-shown.js';
import { measureNumberMisreadings } from './measure-number-misreadings.js';
import { measureShownMisreadings } from './measure-shown-misreadings.js';
import { explainsLess, scoreUnexplained } from './score-unexplained.js';
import { toMeaning } from '../answer/to-meaning.js';
import { wordSet } from '../words/word-set.js';

/**
 * The features that determine how reliable a statement is. `score-candidate.ts` contains their weights. The
 * type is derived from the functions that measure the features, so a wrong name is a compile error.
 */
export type Measures = Readonly<ReturnType<typeof measureCandidate>>;

const RIVAL_SPREAD = 0.6;
const RIVALS_MAX = 5;
const MARGIN_MAX = 1.5;

/**
 * Returns the features of a candidate statement.
 *
 * @param all the candidate statements, ordered by cost, which are read only as far as necessary
 */
export function measureCandidate(candidate: Candidate, all: Iterable<Candidate>, q: LinkedQuestion) {
  const { margin, rivals } = measureRivals(candidate, all, q);
  const unexplained = scoreUnexplained(candidate, q);
  const { draft, columns } = candidate.assignment;
  const conditions = draft.mentions.flatMap((mention) => mention.conditions.flatMap(listConditionParts));
  return {
    ...unexplained,
    ...measureParts(candidate, q),
    ...measurePaths(candidate, q),
    ...measureMentions(candidate),
    ...measureTargets(candidate, q),
    ...measureGroupsAndOrders(draft),
    cost: candidate.cost,
    costly: Math.max(0, candidate.cost - 0.7),
    near: Math.min(1, Math.max(0, 0.5 - margin)),
    margin,
    rivals,
    words: q.tokens.length / 10,
    unknownTexts: countUnknownTexts(conditions, columns, q),
    bareValues: conditions.filter((condition) => condition.kind === 'value').length,
    subAggregates: conditions.filter(
      (condition) => condition.kind === 'toAggregate' || condition.kind === 'aggregate',
    ).length,
    tops: conditions.filter(({ kind }) => FIRST_ROW_CONDITIONS.has(kind)).length,
    alternatives: conditions.filter((condition) => condition.kind === 'any').length,
    unmatchedWords: draft.unmatched.length,
    unsaidValues: countIgnoredValues(q, candidate),
    tableCost: sumTableCosts(candidate),
    partlyNamedTables: unexplained.explained < 2 ? countPartlyNamedTables(candidate, q) : 0,
  };
}

/**
 * Measures the join paths to columns and related rows, and the costs of the links between words and columns.
 */
function measurePaths(candidate: Candidate, q: LinkedQuestion) {
  const { draft, columns, values, paths } = candidate.assignment;
  const bounds = [
    ...[...columns].filter(([ref]) => ref.isChildColumn !== true).map(([, bound]) => bound),
    ...values.values(),
  ];
  const linkCosts = [...columns].map(
    ([ref, bound]) => ref.links.find((link) => link.column === bound.column)?.cost ?? 0.3,
  );
  const isCountedInGroups = draft.groups.length > 0 && draft.targets.some(({ kind }) => kind === 'count');
  return {
    linkMax: Math.max(0, ...linkCosts),
    pathTables: bounds.filter((bound) => bound.via !== null).length,
    guessed: [...paths, ...bounds.map((bound) => bound.path)].flat().filter((edge) => !edge.isDeclared)
      .length,
    longPaths: paths.filter((path) => path.length > 1).length,
    unreliablePaths:
      draft.mentions.some((mention) => mention.negated) || q.tokens.some(({ kind }) => kind === 'quoted')
        ? 0
        : paths.filter(
            (path, index) => path.length > 1 && !isCountedInGroups && !hasReliablePath(candidate, index, q),
          ).length,
    ambiguousPaths: hasAmbiguousPaths(candidate, q) ? 1 : 0,
  };
}

function measureMentions({ assignment: { draft, columns } }: Candidate) {
  const { mentions } = draft;
  return {
    looseMentions: mentions.filter(
      (mention, index) =>
        index > 0 &&
        mention.conditions.length === 0 &&
        !mention.negated &&
        mention.quantity === null &&
        !contributesToResult(index, columns, draft),
    ).length,
    negated: mentions.filter((mention) => mention.negated).length,
    fewer: mentions.filter((mention) => mention.quantity !== null && mention.quantity.op.startsWith('<'))
      .length,
    quantities: mentions.filter((mention) => mention.quantity !== null).length,
    duplicates: mentions.filter((mention) => mention.duplicateOf !== undefined).length,
  };
}

function measureTargets({ assignment: { draft, tables } }: Candidate, q: LinkedQuestion) {
  const { targets } = draft;
  const columnTargets = targets.filter((target) => target.kind === 'column');
  return {
    rowTargets: targets.filter((target) => target.kind === 'rows').length,
    keyTargets: targets.filter((target) => target.kind === 'rows' && hasKeyLabel(tables[target.mention]))
      .length,
    counts: targets.filter(({ kind }) => kind === 'count').length,
    sums:
      columnTargets.filter(({ fn }) => fn !== null && fn !== 'count').length +
      draft.orders.filter(({ key }) => key.kind === 'column' && key.fn !== null).length,
    countsValues: asksForDistinct(q) ? 0 : columnTargets.filter(({ fn }) => fn === 'count').length,
    countDistinct: targets.filter(
      (target) =>
        (target.kind === 'count' && target.distinct) ||
        (target.kind === 'column' && target.distinct && target.fn === 'count'),
    ).length,
  };
}

function measureGroupsAndOrders({ groups, orders, limit, distinct }: Draft) {
  return {
    groups: groups.length,
    sizeOrders: orders.filter(({ key }) => key.kind !== 'column').length,
    limited: limit === null ? 0 : 1,
    distinct: distinct ? 1 : 0,
  };
}

function measureParts(candidate: Candidate, q: LinkedQuestion) {
  return {
    ...measureShown(candidate, q),
    ...measureConditions(candidate, q),
    ...measureNames(candidate, q),
    ...measureLinks(candidate, q),
    ...measureTargetMisreadings(candidate, q),
    ...measureColumns(candidate, q),
    ...measureShownMisreadings(candidate, q),
    ...measureLiterals(candidate, q),
    ...measureMisreadings(candidate, q),
    ...measureNumberMisreadings(candidate, q),
  };
}

/**
 * Returns the difference in cost to the next statement with another meaning, and the number of such
 * statements within `RIVAL_SPREAD`. Reads only as many candidates as necessary.
 */
function measureRivals(
  candidate: Candidate,
  all: Iterable<Candidate>,
  q: LinkedQuestion,
): { readonly margin: number; readonly rivals: number } {
  let [margin, rivals] = [Number.POSITIVE_INFINITY, 0];
  for (const other of all) {
    const isNear = other.cost < candidate.cost + RIVAL_SPREAD;
    if (
      other.cost >= candidate.cost + MARGIN_MAX ||
      rivals === RIVALS_MAX ||
      (!isNear && margin < Number.POSITIVE_INFINITY)
    )
      break;
    if (!isRival(other, candidate, q)) continue;
    margin = Math.min(margin, other.cost - candidate.cost);
    if (isNear) rivals += 1;
  }
  return { margin: Math.min(MARGIN_MAX, margin), rivals };
}

/**
 * Reports whether another statement is a plausible alternative with a different meaning. It is not if it only
 * omits parts of the candidate, aggregates single rows, or returns only values that the question contains.
 */
function isRival(other: Candidate, candidate: Candidate, q: LinkedQuestion): boolean {
  return (
    other !== candidate &&
    (!aggregatesSingleRows(other.assignment) || aggregatesSingleRows(candidate.assignment)) &&
    findMeaning(other, q) !== findMeaning(candidate, q) &&
    !explainsLess(other, candidate, q) &&
    !returnsOnlyKnownValues(other.assignment)
  );
}

const meanings = new WeakMap<Candidate, string>();

function findMeaning(candidate: Candidate, { lexicon }: LinkedQuestion): string {
  const found = meanings.get(candidate) ?? toMeaning(candidate.assignment, lexicon.graph);
  meanings.set(candidate, found);
  return found;
}

function listConditionParts(condition: Condition): Condition[] {
  return condition.kind === 'any' || condition.kind === 'all'
    ? [condition, ...condition.parts.flatMap(listConditionParts)]
    : [condition];
}

/** Counts the texts in conditions that are not among the stored values of their column. */
function countUnknownTexts(
  conditions: readonly Condition[],
  columns: ReadonlyMap<unknown, Bound>,
  q: LinkedQuestion,
): number {
  return conditions.filter((condition) => {
    if (condition.kind !== 'compare' || condition.value.kind !== 'text') return false;
    const bound = columns.get(condition.column);
    const known = bound === undefined ? undefined : q.lexicon.valuesOf.get(bound.column);
    return known !== undefined && !known.has(condition.value.text.toLowerCase());
  }).length;
}

function contributesToResult(
  mention: number,
  columns: ReadonlyMap<unknown, Bound>,
  draft: Candidate['assignment']['draft'],
): boolean {
  return (
    listRankingMentions(draft).has(mention) ||
    draft.mentions.some((other) => other.parent === mention) ||
    [...columns.values()].some((bound) => bound.mention === mention) ||
    draft.targets.some((target) => target.kind !== 'column' && target.mention === mention) ||
    draft.groups.some((group) => group.kind === 'rows' && group.mention === mention) ||
    draft.orders.some(({ key }) => key.kind === 'count' && key.mention === mention)
  );
}

function asksForDistinct({ tokens }: LinkedQuestion): boolean {
  return tokens.some(({ lower }) => lower === 'distinct' || lower === 'different' || lower === 'unique');
}

/**
 * Reports whether the question may mean several join paths. This is the case if no quoted value identifies a
 * row, and the rows depend on several foreign keys or on the first row of another table. Counts per row are
 * excluded, as in `comments per post by user`.
 */
function hasAmbiguousPaths(candidate: Candidate, q: LinkedQuestion): boolean {
  const { draft, paths, columns, values } = candidate.assignment;
  if (q.tokens.some(({ kind }) => kind === 'quoted') || draft.targets.some(({ kind }) => kind === 'size'))
    return false;
  const [mentionPaths, joinedEdges] = [
    paths.map((path, index) => (hasReliablePath(candidate, index, q) ? path.slice(0, 1) : path)),
    [...columns.values(), ...values.values()].flatMap(({ path }) => path),
  ];
  // No column is joined, and each mention is connected to its parent by one foreign key.
  const areAllDirect =
    joinedEdges.length === 0 &&
    mentionPaths.every((path) => path.length < 2) &&
    !draft.mentions.some(({ negated }) => negated);
  return (
    (mentionPaths.flat().length + joinedEdges.length > 1 && !areAllDirect) ||
    draft.mentions.some((mention) =>
      mention.conditions.flatMap(listConditionParts).some(({ kind }) => FIRST_ROW_CONDITIONS.has(kind)),
    )
  );
}

/**
 * Reports whether the path to a mention is reliable: it consists of declared foreign keys to single rows, or
 * its rows are counted for the order. For the training questions, such statements were almost always correct.
 * Counted rows must not have a quantity column, because the question may mean the sum of quantities.
 */
function hasReliablePath(
  { assignment: { draft, paths, tables } }: Candidate,
  mention: number,
  { lexicon }: LinkedQuestion,
): boolean {
  const isForward = ({ from, to, fromColumns, isDeclared }: Edge): boolean =>
    isDeclared &&
    from.foreignKeys.some(
      (key) => key.referencedTable === to.name && key.columns.join() === fromColumns.join(),
    );
  const isRanked = draft.orders.some(({ key }) => key.kind === 'count' && key.mention === mention);
  return (
    (paths[mention] ?? []).every(isForward) ||
    (isRanked &&
      tables[mention]?.columns.some((column) =>
        AMOUNT_NOUNS.has(lexicon.columnWords.get(column)?.at(-1) ?? ''),
      ) !== true)
  );
}

const AMOUNT_NOUNS = wordSet('quantity amount unit');

const FIRST_ROW_CONDITIONS = new Set<Condition['kind']>(['top', 'topCount', 'topValue']);

/** Returns the sum of the costs of the links between words and tables. */
function sumTableCosts({ assignment: { draft, tables } }: Candidate): number {
  return draft.mentions.reduce(
    (sum, mention, index) => sum + (mention.links.find((link) => link.table === tables[index])?.cost ?? 0),
    0,
  );
}

/** The cost of a link above which the word is only a part or a synonym of the table's name. */
const PART_OF_NAME_COST = 0.55;

/**
 * Counts tables that the question names by a part of their name, as in `how many clubs are there?` for the
 * table `book_club`.
 */
function countPartlyNamedTables(
  { assignment: { draft, tables } }: Candidate,
  { lexicon, tokens }: LinkedQuestion,
): number {
  return draft.mentions.filter((mention, index) => {
    const table = tables[index];
    const words = table === undefined ? [] : (lexicon.tableWords.get(table) ?? []);
    const cost = mention.links.find((link) => link.table === table)?.cost ?? 0;
    return (
      mention.links !== lexicon.people &&
      cost > PART_OF_NAME_COST &&
      words.length > 1 &&
      tokens.some((token) => words.includes(token.lemma))
    );
  }).length;
}

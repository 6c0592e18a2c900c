import type { Column, Table } from '@rowhouse/schema-model';
import { isBe } from '../grammar/conditions/comparators.js';
import { wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import { findLabel } from '../resolve/find-label.js';
import { isNumeric, isKey } from '../resolve/column-kinds.js';
import type { ColumnRef, Mention } from '../types.js';
import { findStatedWords } from './measure-links.js';
import { wordsOf, listReturnedColumns, type ReturnedColumn } from './statement-parts.js';
import { wordSet } from '../words/word-set.js';

/** Returns features of statements that use every word of the question but have an improbable meaning. */
export function measureMisreadings({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft, columns, tables } = assignment;
  const returned = listReturnedColumns(assignment);
  const plain = returned.filter(({ fn }) => fn === null);
  const counted = new Set(
    draft.targets.flatMap((target) => (target.kind === 'count' ? [target.mention] : [])),
  );
  return {
    everythingAndColumn: draft.targets.filter(
      (target) =>
        target.kind === 'everything' &&
        plain.some(({ bound }) => bound.mention === target.mention && bound.path.length === 0),
    ).length,
    groupsSummed: countGroupsSummed(assignment, returned),
    ownCounts: plain.filter(
      ({ bound }) => counted.has(bound.mention) && isLabelOfCounted(bound, tables[bound.mention]),
    ).length,
    rankEnds: countRankEnds(assignment, returned, q),
    titles: [...columns].filter(([ref, bound]) => isTitleOfPerson(ref, bound, q)).length,
    heldTotals: asksForTotalNumber(q)
      ? draft.targets.filter(({ kind }) => kind === 'count').length * countQuantityTables(assignment, q)
      : 0,
    codeShown: draft.targets.filter(
      (target) => target.kind === 'rows' && hasCodeAndText(tables[target.mention], q),
    ).length,
    partKinds: returned.filter(
      ({ ref, fn, bound }) =>
        fn === 'count' && (ref.links.find((link) => link.column === bound.column)?.cost ?? 0) > 0,
    ).length,
    ownGroups: countOwnGroups(assignment, q),
    listCounts: draft.targets.filter(
      (target) =>
        target.kind === 'count' &&
        isListWithoutKey(tables[target.mention], draft.mentions[target.mention], q),
    ).length,
    keyForName: plain.filter(
      (item) => returnsKeyForName(item, q) || (plain.length > 1 && answersWhoByNumber(item, q)),
    ).length,
    pinnedTimes: countTimesOfNamedRows(assignment, q),
    cutOff: INCOMPLETE_QUESTION.test(
      q.tokens.map(({ kind, lower }) => (kind === 'quoted' ? '"' : lower)).join(' '),
    )
      ? 1
      : 0,
  };
}

/**
 * Counts aggregates of a column by which the statement also groups the rows, as in `the total salary for each
 * salary`.
 */
function countGroupsSummed({ draft, columns }: Assignment, returned: readonly ReturnedColumn[]): number {
  const grouped = new Set(
    draft.groups.flatMap((group) =>
      group.kind === 'column' ? (columns.get(group.column)?.column ?? []) : [],
    ),
  );
  return returned.filter(({ fn, bound }) => fn !== null && fn !== 'count' && grouped.has(bound.column))
    .length;
}

/**
 * Reports whether counted rows are grouped by their own label, so that each group has one row. In `the name
 * and the number of students of each department`, the name is not that of the students. Labels that are
 * foreign keys are excluded.
 */
function isLabelOfCounted({ column, table, path }: Bound, counted: Table | undefined): boolean {
  return (
    path.length === 0 &&
    table === counted &&
    table.primaryKey !== null &&
    findLabel(table).includes(column) &&
    !table.foreignKeys.some((key) => key.columns.includes(column.name))
  );
}

/** The last words in names of columns in which the lowest number is the best. */
const RANK_NOUNS = wordSet('rank ranking position place standing');
const RANK_SUPERLATIVES = wordSet('highest lowest top best worst bottom');

/**
 * Counts sort keys and extremes of rank columns, because `the highest rank` may be the first or the last one.
 */
function countRankEnds(
  { draft, columns }: Assignment,
  returned: readonly ReturnedColumn[],
  q: LinkedQuestion,
): number {
  if (!q.tokens.some(({ lower }) => RANK_SUPERLATIVES.has(lower))) return 0;
  const sorted =
    draft.limit === null
      ? []
      : draft.orders.flatMap(({ key }) =>
          key.kind === 'column' && key.fn === null ? (columns.get(key.column) ?? []) : [],
        );
  const extremes = returned.flatMap(({ fn, bound }) => (fn === 'max' || fn === 'min' ? [bound] : []));
  return [...sorted, ...extremes].filter(({ column }) => RANK_NOUNS.has(wordsOf(column, q).at(-1) ?? ''))
    .length;
}

/**
 * Reports whether `title` is linked to another column of a table of people. A person's title is not the
 * person's name.
 */
function isTitleOfPerson(ref: ColumnRef, bound: Bound, q: LinkedQuestion): boolean {
  return (
    q.lexicon.people.some(({ table }) => table === bound.table) &&
    findStatedWords(ref, bound, q).stated.join(' ') === 'title' &&
    !wordsOf(bound.column, q).includes('title')
  );
}

function asksForTotalNumber(q: LinkedQuestion): boolean {
  return q.tokens.some(({ lower }, index) => lower === 'total' && TOTAL_NOUNS.has(wordAt(q, index + 1)));
}

const TOTAL_NOUNS = wordSet('number amount quantity count');
const AMOUNT_NOUNS = wordSet('quantity qty amount number count units');

/**
 * Counts joined tables that have a quantity column. `the total number of products in orders` may ask for the
 * sum of quantities instead of a number of rows.
 */
function countQuantityTables({ paths }: Assignment, q: LinkedQuestion): number {
  const junctions = paths.flatMap((path) => path.slice(0, -1).map(({ to }) => to));
  return junctions.filter((table) =>
    table.columns.some(
      (column) =>
        isNumeric(column) && !isKey(table, column) && AMOUNT_NOUNS.has(wordsOf(column, q).at(-1) ?? ''),
    ),
  ).length;
}

const CODE_NOUNS = wordSet('code id number no abbreviation symbol');
const TEXT_NOUNS = wordSet('description title text');

/**
 * Reports whether the label of the rows is a code, and they also have a text. `the role of Ada` may mean
 * either of them.
 */
function hasCodeAndText(table: Table | undefined, q: LinkedQuestion): boolean {
  return (
    table !== undefined &&
    findLabel(table).every((column) => CODE_NOUNS.has(wordsOf(column, q).at(-1) ?? '')) &&
    table.columns.some((column) => TEXT_NOUNS.has(wordsOf(column, q).at(-1) ?? ''))
  );
}

/**
 * Matches questions that end where an object is missing, such as `the organizations which are involved in`,
 * and mistakes such as `for each each`.
 */
const INCOMPLETE_QUESTION =
  /\b(?:(?:that|which|who) (?:is|are|was|were|has been|have been) \w+ (?:in|of|with|to|for|by)|for (?:each|every)(?: each| every)?|(?:that|which|who) (?:has|have|had) (?:a |the )?\w+ name|and|or|than|whose|the)[\s.?]*$/;

/**
 * Counts groups by a column that labels the counted rows themselves, so that each group has one row. An
 * example is `the institution category with the most institutions`.
 */
function countOwnGroups({ draft, columns, tables }: Assignment, q: LinkedQuestion): number {
  const isCounted = (mention: number): boolean =>
    draft.orders.some(({ key }) => key.kind === 'size') ||
    draft.targets.some((target) => target.kind === 'count' && target.mention === mention);
  // If the question names no groups, the returned columns are the groups, as in `the most common
  // description`.
  const refs =
    draft.groups.length > 0
      ? draft.groups.flatMap((group) => (group.kind === 'column' ? [group.column] : []))
      : draft.targets.flatMap((target) =>
          target.kind === 'column' && target.fn === null ? [target.column] : [],
        );
  return refs
    .flatMap((ref) => columns.get(ref) ?? [])
    .filter((bound) => {
      const { table, column, mention, path } = bound;
      return (
        path.length === 0 &&
        table === tables[mention] &&
        isCounted(mention) &&
        isLabelOfReferenced(bound, q) &&
        !isForeignKey(column, table)
      );
    }).length;
}

/** The last words in names of columns that label the rows of a lookup table. */
const LABEL_NOUNS = wordSet('name title description detail text label');
const CATEGORY_NOUNS = wordSet('type kind category class status');

/**
 * Reports whether a column labels the rows of a referenced table. For `the description of the most frequent
 * type`, a count for each description would count the types themselves.
 */
function isLabelOfReferenced({ table, column }: Bound, q: LinkedQuestion): boolean {
  const [label, ...more] = findLabel(table);
  const last = wordsOf(column, q).at(-1) ?? '';
  const isReferenced = q.lexicon.snapshot.tables.some(
    (other) => other !== table && other.foreignKeys.some((key) => key.referencedTable === table.name),
  );
  const isIndependent = isReferenced || table.foreignKeys.length === 0;
  if (table.primaryKey?.length !== 1 || CATEGORY_NOUNS.has(last)) return false;
  return (
    (isIndependent && hasNameOfTable(column, table, q)) ||
    (table.columns.length === 2 && LABEL_NOUNS.has(last)) ||
    (isReferenced && label === column && more.length === 0)
  );
}

function hasNameOfTable(column: Column, table: Table, q: LinkedQuestion): boolean {
  return wordsOf(column, q).join(' ') === q.lexicon.tableWords.get(table)?.join(' ');
}

function isForeignKey({ name }: Column, table: Table): boolean {
  return table.foreignKeys.some((key) => key.columns.includes(name));
}

/**
 * Reports whether a counted table has no key of a single column, so that several rows may describe the same
 * thing. An example is `how many sports` for a table `sports_info`.
 */
function isListWithoutKey(
  table: Table | undefined,
  mention: Mention | undefined,
  { lexicon, tokens }: LinkedQuestion,
): boolean {
  const words = table === undefined ? [] : (lexicon.tableWords.get(table) ?? []);
  const cost = mention?.links.find((link) => link.table === table)?.cost ?? 0;
  const hasKey =
    table?.primaryKey?.length === 1 &&
    table.foreignKeys.every((key) => !key.columns.includes(table.primaryKey?.[0] ?? ''));
  if (table === undefined || words.length < 2 || cost === 0 || hasKey) return false;
  const statedWords = words.filter((word) => tokens.some((token) => token.lemma === word));
  return table.columns.some((column) => {
    const [first, ...rest] = lexicon.columnWords.get(column) ?? [];
    return first !== undefined && statedWords.includes(first) && rest.join(' ') === 'name';
  });
}

const KEY_NAMES = wordSet('id ids code codes number numbers no key identifier identifiers');

/**
 * Reports whether the statement returns a foreign key although the referenced rows have a name, as for `the
 * doctor who is trained in …`.
 */
function returnsKeyForName({ bound: { table, column } }: ReturnedColumn, q: LinkedQuestion): boolean {
  const key = table.foreignKeys.find(({ columns }) => columns.length === 1 && columns[0] === column.name);
  const other =
    key === undefined || q.tokens.some(({ lower }) => KEY_NAMES.has(lower))
      ? undefined
      : q.lexicon.snapshot.tables.find(({ name }) => name === key.referencedTable);
  const words = wordsOf(column, q)
    .filter((word) => !KEY_NAMES.has(word))
    .join(' ');
  const isLabel = other !== undefined && words === q.lexicon.tableWords.get(other)?.join(' ');
  return (
    isLabel &&
    findLabel(other).every(({ name }) => !key?.referencedColumns.includes(name)) &&
    findLabel(other).some((label) => !isKey(other, label))
  );
}

/**
 * Reports whether the statement would answer `who is` with a number. In `who is the advisor of Ada? Give me
 * the first and last name`, the returned names would be those of Ada.
 */
function answersWhoByNumber({ ref, bound }: ReturnedColumn, q: LinkedQuestion): boolean {
  return wordAt(q, 0) === 'who' && isBe(q, 1) && ref.position <= 3 && isNumeric(bound.column);
}

/**
 * Counts conditions on a row's time if a name already identifies the rowand the requested rows have a time
 * too. An example is `the attendance of team Ada from 2000 to 2010`.
 */
function countTimesOfNamedRows({ draft, columns, values, tables }: Assignment, q: LinkedQuestion): number {
  const times = [...columns].filter(
    ([, bound]) =>
      bound.mention > 0 &&
      bound.path.length === 0 &&
      q.lexicon.dateColumns.some((link) => link.column === bound.column),
  );
  const hasTime = q.lexicon.dateColumns.some((link) => link.table === tables[0]);
  return !hasTime
    ? 0
    : times.filter(([ref, { mention }]) => {
        const conditions = draft.mentions[mention]?.conditions ?? [];
        const comparesTime = conditions.some(
          (condition) =>
            (condition.kind === 'compare' || condition.kind === 'between') && condition.column === ref,
        );
        return (
          comparesTime &&
          conditions.some(
            (condition) => condition.kind === 'value' && !condition.negated && isLabel(values.get(condition)),
          )
        );
      }).length;
}

function isLabel(bound: Bound | undefined): boolean {
  return bound !== undefined && bound.path.length === 0 && findLabel(bound.table).includes(bound.column);
}

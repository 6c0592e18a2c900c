import type { Column, Table } from '@rowhouse/schema-model';
import { isBe } from '../grammar/conditions/comparators.js';
import { wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import { findLabel } from '../resolve/find-label.js';
import { isNumeric, isKey } from '../resolve/column-kinds.js';
import type { ColumnRef, Mention } from '../types.js';
import { findWords } from './measure-links.js';
import { wordsOf, listShown, type Shown } from './statement-parts.js';
import { wordSet } from '../words/word-set.js';

/** Returns features of statements that cover every word of the question and still mean something unlikely. */
export function measureMisreadings({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft, columns, tables } = assignment;
  const visible = listShown(assignment);
  const plain = visible.filter(({ fn }) => fn === null);
  const counted = new Set(
    draft.targets.flatMap((target) => (target.kind === 'count' ? [target.mention] : [])),
  );
  return {
    everythingAndColumn: draft.targets.filter(
      (target) =>
        target.kind === 'everything' &&
        plain.some(({ bound }) => bound.mention === target.mention && bound.path.length === 0),
    ).length,
    groupsSummed: countGroupsSummed(assignment, visible),
    ownCounts: plain.filter(
      ({ bound }) => counted.has(bound.mention) && isOwnName(bound, tables[bound.mention]),
    ).length,
    rankEnds: countRankEnds(assignment, visible, q),
    titles: [...columns].filter(([ref, bound]) => isPersonTitle(ref, bound, q)).length,
    heldTotals: saysTotalNumber(q)
      ? draft.targets.filter(({ kind }) => kind === 'count').length * countHolding(assignment, q)
      : 0,
    codeShown: draft.targets.filter(
      (target) => target.kind === 'rows' && isKnownByCode(tables[target.mention], q),
    ).length,
    partKinds: visible.filter(
      ({ ref, fn, bound }) =>
        fn === 'count' && (ref.links.find((link) => link.column === bound.column)?.cost ?? 0) > 0,
    ).length,
    ownGroups: countOwnGroups(assignment, q),
    listCounts: draft.targets.filter(
      (target) =>
        target.kind === 'count' && isListOf(tables[target.mention], draft.mentions[target.mention], q),
    ).length,
    keyForName: plain.filter((item) => showsKeyForName(item, q) || (plain.length > 1 && isWhoKey(item, q)))
      .length,
    pinnedTimes: countPinnedTimes(assignment, q),
    cutOff: ENDS_OPEN.test(q.tokens.map(({ kind, lower }) => (kind === 'quoted' ? '"' : lower)).join(' '))
      ? 1
      : 0,
  };
}

/** Counts aggregates of the grouped column, as in `the enrollment for each enrollment type`. */
function countGroupsSummed({ draft, columns }: Assignment, visible: readonly Shown[]): number {
  const grouped = new Set(
    draft.groups.flatMap((group) =>
      group.kind === 'column' ? (columns.get(group.column)?.column ?? []) : [],
    ),
  );
  return visible.filter(({ fn, bound }) => fn !== null && fn !== 'count' && grouped.has(bound.column)).length;
}

/**
 * Returns whether rows are counted per label of their own table.
 * In `the name and the number of students of each department`,
 * there is one student per name. Foreign keys are not affected.
 */
function isOwnName({ column, table, path }: Bound, counted: Table | undefined): boolean {
  return (
    path.length === 0 &&
    table === counted &&
    table.primaryKey !== null &&
    findLabel(table).includes(column) &&
    !table.foreignKeys.some((key) => key.columns.includes(column.name))
  );
}

/** Columns in which the lowest number is the best. */
const RANKS = wordSet('rank ranking position place standing');
const ENDS = wordSet('highest lowest top best worst bottom');

/** Counts rankings by such a column, since `the highest rank` may be the first or the last. */
function countRankEnds({ draft, columns }: Assignment, visible: readonly Shown[], q: LinkedQuestion): number {
  if (!q.tokens.some(({ lower }) => ENDS.has(lower))) return 0;
  const sorted =
    draft.limit === null
      ? []
      : draft.orders.flatMap(({ key }) =>
          key.kind === 'column' && key.fn === null ? (columns.get(key.column) ?? []) : [],
        );
  const ends = visible.flatMap(({ fn, bound }) => (fn === 'max' || fn === 'min' ? [bound] : []));
  return [...sorted, ...ends].filter(({ column }) => RANKS.has(wordsOf(column, q).at(-1) ?? '')).length;
}

/** Returns whether a title describes people rather than naming them. */
function isPersonTitle(ref: ColumnRef, bound: Bound, q: LinkedQuestion): boolean {
  return (
    q.lexicon.people.some(({ table }) => table === bound.table) &&
    findWords(ref, bound, q).stated.join(' ') === 'title' &&
    !wordsOf(bound.column, q).includes('title')
  );
}

function saysTotalNumber(q: LinkedQuestion): boolean {
  return q.tokens.some(({ lower }, index) => lower === 'total' && TOTALS.has(wordAt(q, index + 1)));
}

const TOTALS = wordSet('number amount quantity count');
const AMOUNTS = wordSet('quantity qty amount number count units');

/**
 * Counts rows with a quantity.
 * `the total number of products in orders` may be the sum of the quantities of order lines.
 */
function countHolding({ paths }: Assignment, q: LinkedQuestion): number {
  const between = paths.flatMap((path) => path.slice(0, -1).map(({ to }) => to));
  return between.filter((table) =>
    table.columns.some(
      (column) => isNumeric(column) && !isKey(table, column) && AMOUNTS.has(wordsOf(column, q).at(-1) ?? ''),
    ),
  ).length;
}

const CODES = wordSet('code id number no abbreviation symbol');
const TEXTS = wordSet('description title text');

/** Returns whether the rows have both a code and a description, so that `the role of Ada` may be either. */
function isKnownByCode(table: Table | undefined, q: LinkedQuestion): boolean {
  return (
    table !== undefined &&
    findLabel(table).every((column) => CODES.has(wordsOf(column, q).at(-1) ?? '')) &&
    table.columns.some((column) => TEXTS.has(wordsOf(column, q).at(-1) ?? ''))
  );
}

/**
 * Matches questions without an object, such as `the organizations which are involved in` and `for each each`.
 */
const ENDS_OPEN =
  /\b(?:(?:that|which|who) (?:is|are|was|were|has been|have been) \w+ (?:in|of|with|to|for|by)|for (?:each|every)(?: each| every)?|(?:that|which|who) (?:has|have|had) (?:a |the )?\w+ name|and|or|than|whose|the)[\s.?]*$/;

/**
 * Counts groups by the label of the counted rows, as in
 * `the institution category with the most institutions`.
 */
function countOwnGroups({ draft, columns, tables }: Assignment, q: LinkedQuestion): number {
  const isCounted = (mention: number): boolean =>
    draft.orders.some(({ key }) => key.kind === 'size') ||
    draft.targets.some((target) => target.kind === 'count' && target.mention === mention);
  // In `the most common description`, the target is also the group.
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
        isReportedBy(bound, q) &&
        !isForeignKey(column, table)
      );
    }).length;
}

/** Last words of columns that describe a kind. Kinds are not grouped by such a column. */
const TELLING = wordSet('name title description detail text label');
const SORTING = wordSet('type kind category class status');

/**
 * Returns whether a column is the label of rows that others refer to.
 * `the description of the type that is most frequent` would then count the types.
 */
function isReportedBy({ table, column }: Bound, q: LinkedQuestion): boolean {
  const [label, ...more] = findLabel(table);
  const last = wordsOf(column, q).at(-1) ?? '';
  const isReferred = q.lexicon.snapshot.tables.some(
    (other) => other !== table && other.foreignKeys.some((key) => key.referencedTable === table.name),
  );
  const isOwn = isReferred || table.foreignKeys.length === 0;
  if (table.primaryKey?.length !== 1 || SORTING.has(last)) return false;
  return (
    (isOwn && isCalledAsTable(column, table, q)) ||
    (table.columns.length === 2 && TELLING.has(last)) ||
    (isReferred && label === column && more.length === 0)
  );
}

function isCalledAsTable(column: Column, table: Table, q: LinkedQuestion): boolean {
  return wordsOf(column, q).join(' ') === q.lexicon.tableWords.get(table)?.join(' ');
}

function isForeignKey({ name }: Column, table: Table): boolean {
  return table.foreignKeys.some((key) => key.columns.includes(name));
}

/**
 * Returns whether rows are entries of a list without a key.
 * In `how many sports` over `sports_info`, the same sport may occur in many rows.
 */
function isListOf(
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
 * Returns whether the number of a row is shown instead of its name, as in `the doctor who is trained in …`.
 */
function showsKeyForName({ bound: { table, column } }: Shown, q: LinkedQuestion): boolean {
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
 * Returns whether a number answers `who is`. In
 * `who is the advisor of Ada? Give me the first and last name`, the names would belong to another row.
 */
function isWhoKey({ ref, bound }: Shown, q: LinkedQuestion): boolean {
  return wordAt(q, 0) === 'who' && isBe(q, 1) && ref.position <= 3 && isNumeric(bound.column);
}

/**
 * Counts times that are applied to the named row although the requested rows have one too.
 * An example is `the attendance of team Ada from 2000 to 2010`.
 */
function countPinnedTimes({ draft, columns, values, tables }: Assignment, q: LinkedQuestion): number {
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
        const isAsked = conditions.some(
          (condition) =>
            (condition.kind === 'compare' || condition.kind === 'between') && condition.column === ref,
        );
        return (
          isAsked &&
          conditions.some(
            (condition) => condition.kind === 'value' && !condition.negated && isLabel(values.get(condition)),
          )
        );
      }).length;
}

function isLabel(bound: Bound | undefined): boolean {
  return bound !== undefined && bound.path.length === 0 && findLabel(bound.table).includes(bound.column);
}

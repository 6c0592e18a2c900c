import type { Table } from '@rowhouse/schema-model';
import { skipWords, wordAt } from '../grammar/reader.js';
import { DETERMINERS, EACH } from '../grammar/word-classes.js';
import { toPhraseKey } from '../lexicon/name-phrases.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import { findLabel } from '../resolve/find-label.js';
import { isLabelFixed, listFixedColumns } from '../resolve/shown-labels.js';
import { saysEach } from '../resolve/draft-references.js';
import type { ColumnRef, Span } from '../types.js';
import { wordSet } from '../words/word-set.js';

/** Returns features of returned columns that are probably not what the question asks for. */
export function measureShown({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft, tables, columns } = assignment;
  const refs = draft.targets.flatMap((target) =>
    target.kind === 'column' && target.fn === null ? [target.column] : [],
  );
  const returned = refs.flatMap((ref) => columns.get(ref) ?? []);
  const rows = draft.targets.flatMap((target) => (target.kind === 'rows' ? [target.mention] : []));
  return {
    asksKnown: countKnownTargets(assignment),
    asksOnlyKnown: returnsOnlyKnownValues(assignment) ? 1 : 0,
    selfOrders:
      draft.limit !== null &&
      draft.targets.length === 1 &&
      draft.orders.some(
        ({ key }) =>
          key.kind === 'column' && key.fn === null && isReturned(columns.get(key.column), returned),
      )
        ? 1
        : 0,
    ofOther: refs.filter((ref) => isOfOtherTable(ref, assignment, q)).length,
    foreignShown: returned.filter((bound) => isKeyInsteadOfRow(bound, assignment)).length,
    halfNamed: refs.filter((ref) => matchesHalfOfName(ref, assignment, q)).length,
    foreignLabels: rows.filter((mention) => hasForeignKeyLabel(tables[mention])).length,
    keyDistinct:
      draft.distinct &&
      rows.length > 0 &&
      rows.length === draft.targets.length &&
      rows.every((mention) => hasKeyLabel(tables[mention]))
        ? 1
        : 0,
    everythingBeside:
      !asksForAllColumns(q) &&
      draft.targets.some((target) => target.kind === 'everything' && hasDetails(tables[target.mention], q))
        ? 1
        : 0,
    shownKinds: new Set([...returned.map((bound) => bound.table), ...rows.map((mention) => tables[mention])])
      .size,
    ones: aggregatesSingleRows(assignment) && !usesOnlySums(assignment) ? 1 : 0,
    eachLimited: draft.limit !== null && saysEach(q, assignment) ? 1 : 0,
  };
}

/** Counts returned columns whose value the question already contains. */
function countKnownTargets(assignment: Assignment): number {
  const { draft, columns } = assignment;
  const fixed = listFixedColumns(assignment);
  return draft.targets.filter((target) => {
    if (target.kind === 'rows') return isLabelFixed(assignment, target.mention, fixed);
    const bound = target.kind === 'column' && target.fn === null ? columns.get(target.column) : undefined;
    return bound !== undefined && fixed.some((other) => isSameColumn(bound, other));
  }).length;
}

/**
 * Reports whether the question already contains every returned value, as in `the name of the customer Ada
 * Birch`.
 */
export function returnsOnlyKnownValues(assignment: Assignment): boolean {
  return countKnownTargets(assignment) === assignment.draft.targets.length;
}

/**
 * Reports whether every aggregate is computed over a single row, as in `the average price for every product`.
 */
export function aggregatesSingleRows({ draft, columns }: Assignment): boolean {
  return (
    draft.mentions.length === 1 &&
    draft.groups.some((group) => group.kind === 'rows') &&
    draft.targets.some(
      (target) =>
        target.kind === 'column' && target.fn !== null && columns.get(target.column)?.path.length === 0,
    )
  );
}

/**
 * Reports whether all aggregates are sums. For sums, the question may mean a single row, as in `the total
 * amount per order`.
 */
function usesOnlySums({ draft }: Assignment): boolean {
  return draft.targets.every(
    (target) => target.kind !== 'column' || target.fn === null || target.fn === 'sum',
  );
}

function isSameColumn(a: Bound, b: Bound): boolean {
  return (
    a.column === b.column &&
    a.mention === b.mention &&
    a.via === b.via &&
    a.path.length === b.path.length &&
    a.path.every((edge, index) => edge === b.path[index])
  );
}

function isReturned(bound: Bound | undefined, returned: readonly Bound[]): boolean {
  return bound !== undefined && returned.some((other) => isSameColumn(bound, other));
}

/**
 * Reports whether the column belongs to another table than the one named after `of`. For example, `the name
 * of the institution` may return the name of another table. Specific names are excluded, such as `the
 * location name of the document`.
 */
function isOfOtherTable(ref: ColumnRef, { columns, tables }: Assignment, q: LinkedQuestion): boolean {
  const bound = columns.get(ref);
  const span = (q.columns[ref.position] ?? []).find((span) =>
    span.links.some((link) => link.column === bound?.column),
  );
  if (bound === undefined || span === undefined || !['of', 'for'].includes(wordAt(q, span.to))) return false;
  // The table may already be named before the column, as in `the section titles of the document`.
  if (
    q.tables
      .slice(0, ref.position)
      .flat()
      .some((span) => span.to === ref.position && span.links.some((link) => link.table === bound.table))
  )
    return false;
  const next = skipWords(q, span.to + 1, OF_EACH);
  const named = (q.tables[next] ?? [])
    .slice(0, 1)
    .flatMap((span) => span.links.filter((link) => link.cost < NEAR_COST).map((link) => link.table));
  if (
    named.length === 0 ||
    named.includes(bound.table) ||
    named.some((table) => table === tables[bound.mention])
  )
    return false;
  return (
    isGeneralName(q, span) ||
    !span.links.some((link) => link.column === bound.column && link.cost < NEAR_COST) ||
    span.links.some((link) => named.includes(link.table) && link.cost < NEAR_COST)
  );
}

/**
 * Reports whether another column matches more words of a list. `the color code and description` means
 * `color_description` instead of the `description` of something else.
 */
function matchesHalfOfName(ref: ColumnRef, { columns }: Assignment, q: LinkedQuestion): boolean {
  const { position: index } = ref;
  const column = columns.get(ref)?.column;
  const isStated = (count: number): boolean =>
    (q.columns[index] ?? []).some(
      (span) => span.to === index + count && span.links.some((link) => link.column === column),
    );
  if (
    !['and', ','].includes(wordAt(q, index - 1)) ||
    q.tokens[index]?.kind !== 'word' ||
    !isStated(1) ||
    isStated(2)
  )
    return false;
  return [1, 2].some((count) => {
    const words = [...q.tokens.slice(Math.max(0, index - 2 - count), index - 2), q.tokens[index]].flatMap(
      (token) => (token?.kind === 'word' ? [token.lemma] : []),
    );
    const own =
      words.length <= count
        ? []
        : (q.lexicon.columns.get(toPhraseKey(words)) ?? []).filter((link) => link.cost < NAME_COST);
    return own.length > 0 && own.every((link) => link.column !== column);
  });
}

/** The cost of a link below which a phrase is considered the name of the column. */
const NAME_COST = 0.3;

/** Nouns for columns that any table can have. */
const GENERAL_NOUNS = wordSet(`
  name title id code number description detail type kind date year time status address value amount label
  text key
`);

function isGeneralName(q: LinkedQuestion, { from, to }: Span<unknown>): boolean {
  return q.tokens.slice(from, to).every((token) => GENERAL_NOUNS.has(token.lemma));
}

const NEAR_COST = 0.5;
const OF_EACH = new Set([...DETERMINERS, ...EACH]);

function isForeignKey(table: Table, column: string): boolean {
  return table.foreignKeys.some((key) => key.columns.includes(column));
}

/**
 * Reports whether a foreign key with a text is returned although the referenced table was probably meant.
 * This is the case if the question only lists values, as in `what document types are there?`, and if the
 * statement joins the referenced table anyway.
 */
function isKeyInsteadOfRow(bound: Bound, { draft, paths, columns, values }: Assignment): boolean {
  const key =
    bound.path.length > 0 || bound.column.valueKind !== 'string'
      ? undefined
      : bound.table.foreignKeys.find((foreignKey) => foreignKey.columns.includes(bound.column.name));
  if (key === undefined) return false;
  const isBare =
    draft.mentions.length === 1 &&
    draft.mentions.every((mention) => mention.conditions.length === 0 && mention.quantity === null) &&
    draft.targets.length + draft.groups.length === 1 &&
    draft.orders.length === 0 &&
    !draft.distinct;
  const joins = [
    ...paths.flat(),
    ...[...columns.values(), ...values.values()].flatMap((other) => other.path),
  ];
  return (
    isBare ||
    joins.some((edge) => edge.from.name === key.referencedTable || edge.to.name === key.referencedTable)
  );
}

/** Reports whether the label of the rows is a foreign key. */
function hasForeignKeyLabel(table: Table | undefined): boolean {
  return table !== undefined && findLabel(table).some((column) => isForeignKey(table, column.name));
}

/** Reports whether the label of the rows is their primary key. */
export function hasKeyLabel(table: Table | undefined): boolean {
  return (
    table !== undefined &&
    findLabel(table).every((column) => table.primaryKey?.includes(column.name) === true)
  );
}

/** Words that ask for all details of a row. */
export const DETAIL_WORDS: ReadonlySet<string> = wordSet('detail information info data');

/**
 * Reports whether the table has a column that is named by a detail word. `all information about a customer`
 * may mean this column.
 */
function hasDetails(table: Table | undefined, q: LinkedQuestion): boolean {
  return (
    table !== undefined &&
    table.columns.some((column) => DETAIL_WORDS.has(q.lexicon.columnWords.get(column)?.at(-1) ?? ''))
  );
}

/** Reports whether the question asks for all columns, as in `all the information`. */
function asksForAllColumns(q: LinkedQuestion): boolean {
  return q.tokens.some(
    (token, index) =>
      DETAIL_WORDS.has(token.lemma) &&
      q.tokens.slice(Math.max(0, index - 3), index).some(({ lower }) => lower === 'all' || lower === 'every'),
  );
}

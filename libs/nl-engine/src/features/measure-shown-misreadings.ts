import type { Column, Table } from '@rowhouse/schema-model';
import { wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import { findLabel } from '../resolve/find-label.js';
import { isCalendar, isNumeric, isKey } from '../resolve/column-kinds.js';
import { listFixedColumns } from '../resolve/shown-labels.js';
import type { ColumnRef } from '../types.js';
import { toRoot } from '../words/inflect.js';
import { isVerb, ASKING_VERBS } from '../words/verbs.js';
import { listUsedNames, wordsOf, listReturnedColumns, type ReturnedColumn } from './statement-parts.js';
import { wordSet } from '../words/word-set.js';

/**
 * Returns features of statements whose returned columns all have names from the question, but are still not
 * what the question asks for.
 */
export function measureShownMisreadings(candidate: Candidate, q: LinkedQuestion) {
  const { assignment } = candidate;
  const { draft, columns, tables } = assignment;
  const returned = listReturnedColumns(assignment);
  const plain = returned.filter(({ fn }) => fn === null);
  const isGrouped = draft.groups.length > 0;
  const hasUnmatchedShown = draft.targets.every((target) => target.kind !== 'count');
  return {
    skippedNouns: q.tokens.filter((_, index) => isNounSkippedAsVerb(index, candidate, q)).length,
    sameShown: isOneSentence(q) ? countRepeatedColumns(assignment, plain) : 0,
    countsOfNamedRow: countCountsOfNamedRow(assignment),
    partialFullNames: plain.filter(({ ref, bound }) => isPartOfFullName(ref, bound, q)).length,
    ownNumbers: isGrouped ? 0 : plain.filter((item) => isNumberOfRepeatedKey(item, plain, q)).length,
    plainTotals:
      isGrouped || draft.orders.length > 0 || returned.length !== plain.length
        ? 0
        : plain.filter((item) => isUnsummedTotal(item, assignment, q)).length,
    codeGroups: draft.groups.filter(
      (group) =>
        group.kind === 'rows' &&
        hasCodeAndName(tables[group.mention]) &&
        !plain.some(({ bound }) => bound.mention === group.mention),
    ).length,
    unmatchedShown: hasUnmatchedShown ? draft.unmatched.filter((index) => isSkippedHead(index, q)).length : 0,
    mixedNumbers:
      plain.length > 0 &&
      (isGrouped || plain.length < draft.targets.length) &&
      asksForNumbers(q) &&
      !q.tokens.some(({ lower }) => GROUPING_WORDS.has(lower))
        ? 1
        : 0,
    ignoredOwnColumns: [...columns].filter(([ref, bound]) =>
      ignoresOwnersColumn(ref, bound, tables[ref.owner ?? 0]),
    ).length,
    coarseTimes: draft.orders.filter(
      ({ key }) => key.kind === 'column' && isYearDespiteDay(columns.get(key.column), q),
    ).length,
  };
}

/**
 * Reports whether a skipped word is the noun that the question asks for. It then follows a table, as in
 * `product bundles`, or a part of a column's name, as in `total revenue`.
 */
function isSkippedHead(index: number, q: LinkedQuestion): boolean {
  const columns = q.columns.flatMap((spans) => spans.filter((span) => span.to === index));
  return (
    q.tables.some((spans) => spans.some((span) => span.to === index)) ||
    (columns.length > 0 && columns.every((span) => span.links.every((link) => link.isPart === true)))
  );
}

const AFTER_NOUN = wordSet('of for in by from with and on at');
const SPAN_MAX = 8;

/**
 * Reports whether a word that was skipped as a verb is a noun in a list. An example is `score` in `the
 * average price and score` if no name in the schema contains it.
 */
function isNounSkippedAsVerb(index: number, candidate: Candidate, q: LinkedQuestion): boolean {
  const [token, following] = [q.tokens[index], q.tokens[index + 1]];
  if (
    index < 2 ||
    token?.kind !== 'word' ||
    token.isCapital ||
    !isVerb(token.lower) ||
    ASKING_VERBS.has(token.lower) ||
    /(?:ed|ing)$/.test(token.lower)
  )
    return false;
  const followsListedColumn =
    ['and', ','].includes(wordAt(q, index - 1)) &&
    q.columns
      .slice(Math.max(0, index - SPAN_MAX), index)
      .flat()
      .some((span) => span.to === index - 1);
  if (
    !followsListedColumn ||
    !(following === undefined || following.kind === 'mark' || AFTER_NOUN.has(following.lower))
  )
    return false;
  const usedNames = listUsedNames(candidate);
  const isStated = candidate.params.some((param) => String(param).toLowerCase().includes(token.lower));
  const isNamed = [...usedNames].some((entry) =>
    wordsOf(entry, q).some((word) => toRoot(word) === toRoot(token.lower)),
  );
  const isLinked = [q.tables, q.columns, q.values].some((spans) =>
    spans
      .slice(Math.max(0, index - SPAN_MAX), index + 1)
      .flat()
      .some(
        (span) =>
          span.from <= index &&
          index < span.to &&
          span.links.some((link) =>
            usedNames.has('column' in link ? (link.column as Column) : (link.table as Table)),
          ),
      ),
  );
  return !isStated && !isNamed && !isLinked;
}

/**
 * Reports whether the question is a single sentence. A second sentence often repeats what the question asks
 * for: `Which major has the most students? List the major and …`.
 */
function isOneSentence({ tokens }: LinkedQuestion): boolean {
  return !tokens.slice(0, -1).some(({ kind, lower }) => kind === 'mark' && lower !== ',');
}

/** Counts returned columns to which the same column was assigned as to an earlier one. */
function countRepeatedColumns({ draft, tables }: Assignment, plain: readonly ReturnedColumn[]): number {
  const rows = draft.targets.flatMap((target) => {
    const table = target.kind === 'rows' ? tables[target.mention] : undefined;
    return target.kind === 'rows' && table !== undefined
      ? findLabel(table).map((column) => ({ mention: target.mention, column, steps: 0 }))
      : [];
  });
  const all = [
    ...plain.map(({ bound: { mention, column, path } }) => ({ mention, column, steps: path.length })),
    ...rows,
  ];
  return all.filter((item, index) =>
    all
      .slice(0, index)
      .some(
        (other) =>
          other.column === item.column && other.mention === item.mention && other.steps === item.steps,
      ),
  ).length;
}

/**
 * Counts row counts of a table in which a name from the question identifies one row. The result is always 1,
 * as for `the number of products in the category Seeds` if categories are counted.
 */
function countCountsOfNamedRow(assignment: Assignment): number {
  const { draft } = assignment;
  if (
    draft.groups.length > 0 ||
    draft.mentions.some((mention) => mention.conditions.some((condition) => condition.kind === 'any'))
  )
    return 0;
  return draft.targets.filter(
    (target) =>
      target.kind === 'count' && isIdentified(assignment, target.mention, listNamedValues(assignment)),
  ).length;
}

/**
 * Returns the columns of stored values that the question contains without a column name. Values with a column
 * name may match several rows, as in `users named ada`.
 */
function listNamedValues({ draft, values }: Assignment): readonly Bound[] {
  return draft.mentions.flatMap((mention) =>
    mention.negated
      ? []
      : mention.conditions.flatMap((condition) =>
          condition.kind === 'value' && !condition.negated ? (values.get(condition) ?? []) : [],
        ),
  );
}

/** Reports whether one of the compared columns is the key or the name of the mention's rows. */
function isIdentified({ tables }: Assignment, mention: number, fixed: readonly Bound[]): boolean {
  const table = tables[mention];
  const key = table?.primaryKey ?? [];
  const [label, ...more] = table === undefined ? [] : findLabel(table);
  const name =
    label !== undefined && more.length === 0 && /(?:name|title)$/i.test(label.name) ? label.name : null;
  return fixed.some(
    (bound) =>
      bound.mention === mention &&
      bound.path.length === 0 &&
      bound.via === null &&
      (bound.column.name === name || (key.length === 1 && bound.column.name === key[0])),
  );
}

const NAME_PARTS = wordSet('first last given family middle fname lname forename surname');

/**
 * Reports whether the statement returns only a part of the name for `the full name`, such as the first name.
 */
function isPartOfFullName(ref: ColumnRef, { column, table }: Bound, q: LinkedQuestion): boolean {
  const isFull = q.tokens
    .slice(Math.max(0, ref.position - 1), ref.position + 3)
    .some(({ lower }) => lower === 'full');
  const label = findLabel(table);
  return (
    isFull &&
    (q.lexicon.columnWords.get(column) ?? []).some((word) => NAME_PARTS.has(word)) &&
    !(label.length === 2 && label.includes(column))
  );
}

const BEFORE_AMOUNT = /\b(?:number of|total|amount of|sum of)(?: the)?$/;

/**
 * Reports whether an amount is returned for each row together with a foreign key that several rows may have.
 * For `each player's id and the number of hours`, the hours of each player may have to be added.
 */
function isNumberOfRepeatedKey(
  { ref, bound }: ReturnedColumn,
  plain: readonly ReturnedColumn[],
  q: LinkedQuestion,
): boolean {
  if (!isNumeric(bound.column) || isKey(bound.table, bound.column) || bound.path.length > 0) return false;
  const before = q.tokens
    .slice(Math.max(0, ref.position - 3), ref.position)
    .map(({ lower }) => lower)
    .join(' ');
  const [key, ...more] = bound.table.primaryKey ?? [];
  return (
    BEFORE_AMOUNT.test(before) &&
    plain.some(
      ({ bound: other }) =>
        other.mention === bound.mention &&
        other.path.length === 0 &&
        isForeignKey(other) &&
        !(more.length === 0 && key === other.column.name),
    )
  );
}

function isForeignKey({ table, column }: Bound): boolean {
  return table.foreignKeys.some((key) => key.columns.includes(column.name));
}

/**
 * Reports whether a number is returned for each of many rows, although the question asks for their total, as
 * in `the total number of pounds bought in 2018`.
 */
function isUnsummedTotal({ bound }: ReturnedColumn, assignment: Assignment, q: LinkedQuestion): boolean {
  const mention = assignment.draft.mentions[bound.mention];
  const isOfMany = assignment.draft.mentions.length > 1 || (mention?.conditions.length ?? 0) > 0;
  return (
    isOfMany &&
    q.tokens.some(
      ({ lower }, index) => lower === 'total' && ['number', 'amount', 'sum'].includes(wordAt(q, index + 1)),
    ) &&
    isNumeric(bound.column) &&
    !isKey(bound.table, bound.column) &&
    !isIdentified(assignment, bound.mention, listFixedColumns(assignment))
  );
}

/** Reports whether the rows have a text key, such as a code, and another column as their label. */
function hasCodeAndName(table: Table | undefined): boolean {
  const [key, ...more] = table?.primaryKey ?? [];
  const column = table?.columns.find(({ name }) => name === key);
  return (
    table !== undefined &&
    more.length === 0 &&
    column !== undefined &&
    !isNumeric(column) &&
    !findLabel(table).includes(column)
  );
}

function asksForNumbers(q: LinkedQuestion): boolean {
  return q.tokens.some(({ lower }, index) => lower === 'numbers' && wordAt(q, index + 1) === 'of');
}

/** Words that ask for one number for each group of rows. */
const GROUPING_WORDS = wordSet('each every per by for grouped');

/**
 * Reports whether a column of a joined table is used although the requested rows have a column that matches
 * at least as well. The latter was excluded because it is a key.
 */
function ignoresOwnersColumn(
  { links, isName, isChildColumn: isAggregated }: ColumnRef,
  bound: Bound,
  owner: Table | undefined,
): boolean {
  if (bound.path.length === 0 || isName === true || isAggregated === true) return false;
  const cost = links.find((link) => link.column === bound.column)?.cost ?? 0;
  return links.some((link) => link.table === owner && link.cost <= cost && link.column !== bound.column);
}

const DATE_WORDS = wordSet('date day datetime timestamp');

/**
 * Reports whether rows are sorted by a year that the question does not name, although they also store the day
 * as a text. The day is more precise, but the order of its texts may not be that of time.
 */
function isYearDespiteDay(bound: Bound | undefined, q: LinkedQuestion): boolean {
  if (
    bound === undefined ||
    isCalendar(bound.column) ||
    q.lexicon.columnWords.get(bound.column)?.at(-1) !== 'year'
  )
    return false;
  const isStated = q.tokens.some(({ lemma }) => lemma === 'year');
  return (
    !isStated &&
    bound.table.columns.some(
      (column) =>
        !isNumeric(column) &&
        !isCalendar(column) &&
        DATE_WORDS.has(q.lexicon.columnWords.get(column)?.at(-1) ?? ''),
    )
  );
}

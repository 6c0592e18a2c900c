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
import { listUsedNames, wordsOf, listShown, type Shown } from './statement-parts.js';
import { wordSet } from '../words/word-set.js';

/**
 * Returns features of statements that use only names from
 * the question and still do not show what it asks for.
 */
export function measureShownMisreadings(candidate: Candidate, q: LinkedQuestion) {
  const { assignment } = candidate;
  const { draft, columns, tables } = assignment;
  const visible = listShown(assignment);
  const plain = visible.filter(({ fn }) => fn === null);
  const isGrouped = draft.groups.length > 0;
  const hasUnmatchedShown = draft.targets.every((target) => target.kind !== 'count');
  return {
    nounVerbs: q.tokens.filter((_, index) => isNounVerb(index, candidate, q)).length,
    sameShown: isOneSentence(q) ? countSame(assignment, plain) : 0,
    pinnedCounts: countPinned(assignment),
    halfFull: plain.filter(({ ref, bound }) => isHalfFull(ref, bound, q)).length,
    ownNumbers: isGrouped ? 0 : plain.filter((item) => isOwnNumber(item, plain, q)).length,
    plainTotals:
      isGrouped || draft.orders.length > 0 || visible.length !== plain.length
        ? 0
        : plain.filter((item) => isPlainTotal(item, assignment, q)).length,
    codeGroups: draft.groups.filter(
      (group) =>
        group.kind === 'rows' &&
        isKnownByCode(tables[group.mention]) &&
        !plain.some(({ bound }) => bound.mention === group.mention),
    ).length,
    unmatchedShown: hasUnmatchedShown ? draft.unmatched.filter((index) => isPassedHead(index, q)).length : 0,
    mixedNumbers:
      plain.length > 0 &&
      (isGrouped || plain.length < draft.targets.length) &&
      saysNumbers(q) &&
      !q.tokens.some(({ lower }) => APART.has(lower))
        ? 1
        : 0,
    nearerPassed: [...columns].filter(([ref, bound]) => passesNearer(ref, bound, tables[ref.owner ?? 0]))
      .length,
    coarseTimes: draft.orders.filter(
      ({ key }) => key.kind === 'column' && isCoarse(columns.get(key.column), q),
    ).length,
  };
}

/**
 * Returns whether a skipped word is the requested thing.
 * It then follows a table name, as in `product bundles`, or a part of a column name, as in `total revenue`.
 */
function isPassedHead(index: number, q: LinkedQuestion): boolean {
  const columns = q.columns.flatMap((spans) => spans.filter((span) => span.to === index));
  return (
    q.tables.some((spans) => spans.some((span) => span.to === index)) ||
    (columns.length > 0 && columns.every((span) => span.links.every((link) => link.isPart === true)))
  );
}

const BEHIND_NOUN = wordSet('of for in by from with and on at');
const SPAN_MAX = 8;

/**
 * Returns whether a skipped verb is a noun, as in
 * `the average price and score` when no name contains `score`.
 */
function isNounVerb(index: number, candidate: Candidate, q: LinkedQuestion): boolean {
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
  const isBehindColumn =
    ['and', ','].includes(wordAt(q, index - 1)) &&
    q.columns
      .slice(Math.max(0, index - SPAN_MAX), index)
      .flat()
      .some((span) => span.to === index - 1);
  if (
    !isBehindColumn ||
    !(following === undefined || following.kind === 'mark' || BEHIND_NOUN.has(following.lower))
  )
    return false;
  const touched = listUsedNames(candidate);
  const isStated = candidate.params.some((param) => String(param).toLowerCase().includes(token.lower));
  const isNamed = [...touched].some((entry) =>
    wordsOf(entry, q).some((word) => toRoot(word) === toRoot(token.lower)),
  );
  const isRead = [q.tables, q.columns, q.values].some((spans) =>
    spans
      .slice(Math.max(0, index - SPAN_MAX), index + 1)
      .flat()
      .some(
        (span) =>
          span.from <= index &&
          index < span.to &&
          span.links.some((link) =>
            touched.has('column' in link ? (link.column as Column) : (link.table as Table)),
          ),
      ),
  );
  return !isStated && !isNamed && !isRead;
}

/**
 * Returns whether there is only one sentence. A second one often repeats the request:
 * `Which major has the most students? List the major and …`.
 */
function isOneSentence({ tokens }: LinkedQuestion): boolean {
  return !tokens.slice(0, -1).some(({ kind, lower }) => kind === 'mark' && lower !== ',');
}

/** Counts separate targets that became the same column. */
function countSame({ draft, tables }: Assignment, plain: readonly Shown[]): number {
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
 * Counts aggregates over rows of which a bare name identifies one.
 * An example is `the number of products in the category Seeds` when categories are counted.
 */
function countPinned(assignment: Assignment): number {
  const { draft } = assignment;
  if (
    draft.groups.length > 0 ||
    draft.mentions.some((mention) => mention.conditions.some((condition) => condition.kind === 'any'))
  )
    return 0;
  return draft.targets.filter(
    (target) => target.kind === 'count' && isPinned(assignment, target.mention, listBare(assignment)),
  ).length;
}

/**
 * Returns the columns of values that the question uses without a column name.
 * `users named ada` may match several rows.
 */
function listBare({ draft, values }: Assignment): readonly Bound[] {
  return draft.mentions.flatMap((mention) =>
    mention.negated
      ? []
      : mention.conditions.flatMap((condition) =>
          condition.kind === 'value' && !condition.negated ? (values.get(condition) ?? []) : [],
        ),
  );
}

/** Returns whether one of the columns identifies a row of the mention. */
function isPinned({ tables }: Assignment, mention: number, fixed: readonly Bound[]): boolean {
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

const HALVES = wordSet('first last given family middle fname lname forename surname');

/** Returns whether only one part of a full name is shown for `the full name`. */
function isHalfFull(ref: ColumnRef, { column, table }: Bound, q: LinkedQuestion): boolean {
  const isFull = q.tokens
    .slice(Math.max(0, ref.position - 1), ref.position + 3)
    .some(({ lower }) => lower === 'full');
  const label = findLabel(table);
  return (
    isFull &&
    (q.lexicon.columnWords.get(column) ?? []).some((word) => HALVES.has(word)) &&
    !(label.length === 2 && label.includes(column))
  );
}

const AMOUNT = /\b(?:number of|total|amount of|sum of)(?: the)?$/;

/**
 * Returns whether a number belongs to a foreign key that may occur more than once.
 * An example is `each player's id and the number of hours` when the id is a foreign key.
 */
function isOwnNumber({ ref, bound }: Shown, plain: readonly Shown[], q: LinkedQuestion): boolean {
  if (!isNumeric(bound.column) || isKey(bound.table, bound.column) || bound.path.length > 0) return false;
  const before = q.tokens
    .slice(Math.max(0, ref.position - 3), ref.position)
    .map(({ lower }) => lower)
    .join(' ');
  const [key, ...more] = bound.table.primaryKey ?? [];
  return (
    AMOUNT.test(before) &&
    plain.some(
      ({ bound: other }) =>
        other.mention === bound.mention &&
        other.path.length === 0 &&
        isForeign(other) &&
        !(more.length === 0 && key === other.column.name),
    )
  );
}

function isForeign({ table, column }: Bound): boolean {
  return table.foreignKeys.some((key) => key.columns.includes(column.name));
}

/**
 * Returns whether a number is shown for many rows although the question
 * asks for a total, as in `the total number of pounds bought in 2018`.
 */
function isPlainTotal({ bound }: Shown, assignment: Assignment, q: LinkedQuestion): boolean {
  const mention = assignment.draft.mentions[bound.mention];
  const isOfMany = assignment.draft.mentions.length > 1 || (mention?.conditions.length ?? 0) > 0;
  return (
    isOfMany &&
    q.tokens.some(
      ({ lower }, index) => lower === 'total' && ['number', 'amount', 'sum'].includes(wordAt(q, index + 1)),
    ) &&
    isNumeric(bound.column) &&
    !isKey(bound.table, bound.column) &&
    !isPinned(assignment, bound.mention, listFixedColumns(assignment))
  );
}

/** Returns whether the rows have a code that may be their label, and a name that is not part of it. */
function isKnownByCode(table: Table | undefined): boolean {
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

function saysNumbers(q: LinkedQuestion): boolean {
  return q.tokens.some(({ lower }, index) => lower === 'numbers' && wordAt(q, index + 1) === 'of');
}

/** Words before a phrase that distinguishes numbers. */
const APART = wordSet('each every per by for grouped');

/**
 * Returns whether a column of other rows was used although the requested rows have one of the same name.
 * That one was excluded as a key.
 */
function passesNearer(
  { links, isName, isChildColumn: isAfter }: ColumnRef,
  bound: Bound,
  owner: Table | undefined,
): boolean {
  if (bound.path.length === 0 || isName === true || isAfter === true) return false;
  const cost = links.find((link) => link.column === bound.column)?.cost ?? 0;
  return links.some((link) => link.table === owner && link.cost <= cost && link.column !== bound.column);
}

const TIMES = wordSet('date day datetime timestamp');

/**
 * Returns whether `most recently` uses a year although the rows have the day as a text.
 * The day is more precise, but it is unknown whether its texts can be sorted.
 */
function isCoarse(bound: Bound | undefined, q: LinkedQuestion): boolean {
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
        TIMES.has(q.lexicon.columnWords.get(column)?.at(-1) ?? ''),
    )
  );
}

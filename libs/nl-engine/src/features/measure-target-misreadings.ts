import type { Column, Table } from '@rowhouse/schema-model';
import { wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Bound } from '../resolve/assignment.js';
import { findLabel } from '../resolve/find-label.js';
import { isNumeric, isKey } from '../resolve/column-kinds.js';
import { returnsLabelOf } from '../resolve/shown-labels.js';
import type { ColumnRef, Condition } from '../types.js';
import { listShown } from './statement-parts.js';
import { showsKey } from './measure-shown.js';
import { wordSet } from '../words/word-set.js';

/**
 * Returns features of schemas that use other names than the
 * question, so that the words only matched the next best names.
 */
export function measureTargetMisreadings({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft, columns, tables } = assignment;
  const visible = listShown(assignment);
  const plain = visible.filter(({ fn }) => fn === null);
  const shownRows = draft.targets.flatMap((target) => (target.kind === 'rows' ? [target.mention] : []));
  const groupedRows = draft.groups.flatMap((group) =>
    group.kind === 'rows' && returnsLabelOf(assignment, group.mention) ? [group.mention] : [],
  );
  const rows = [...shownRows, ...groupedRows].flatMap((mention) => tables[mention] ?? []);
  return {
    substitutedNames: plain.filter(({ ref, bound }) => ref.isName === true && !isCalled(bound, q)).length,
    keyLabels: rows.filter((table) => hidesName(table, q)).length,
    descriptiveLabels: rows.filter((table) =>
      findLabel(table).every((column) => TELLING.has(q.lexicon.columnWords.get(column)?.at(-1) ?? '')),
    ).length,
    relatedShown: visible.filter(
      ({ ref, bound }) =>
        ref.isChildColumn !== true && (bound.path.length > 1 || bound.path.some((edge) => !edge.isToOne)),
    ).length,
    countedShown: draft.targets.some(
      (target, index) =>
        target.kind === 'rows' && draft.targets.slice(0, index).some((other) => other.kind === 'count'),
    )
      ? 1
      : 0,
    orderShown: plain.filter(({ ref }) => isAfterOrder(ref, q)).length,
    countsHeld: draft.targets
      .flatMap((target) => (target.kind === 'count' ? (tables[target.mention] ?? []) : []))
      .filter((table) =>
        isHeldNumber(table, [...tables, ...[...columns.values()].map((bound) => bound.table)], q),
      ).length,
    unsaidExcept:
      q.tokens.some(({ lower }) => EXCEPT.has(lower)) &&
      !draft.mentions.some((mention) => mention.negated || mention.conditions.some(takesOut))
        ? 1
        : 0,
  };
}

const EXCEPT = wordSet('except excluding exclude excludes besides');
/** Returns whether a condition excludes rows. */
function takesOut(condition: Condition): boolean {
  if (condition.kind === 'any' || condition.kind === 'all') return condition.parts.some(takesOut);
  return condition.kind === 'compare' ? condition.op === '!=' : 'negated' in condition && condition.negated;
}

const NAMES = wordSet('name title first last');
/** Last words of text columns that describe a row. Such a column is a label only when the row has no name. */
const TELLING = wordSet('detail label caption');
/** Words for text columns that describe rows without identifying them. */
const ATTRIBUTES = new Set([
  ...TELLING,
  'status',
  'state',
  'type',
  'kind',
  'category',
  'description',
  'note',
  'comment',
  'remark',
  'text',
  'body',
  'content',
  'address',
  'street',
  'email',
  'mail',
  'phone',
  'fax',
  'url',
  'website',
  'link',
  'city',
  'country',
  'county',
  'region',
  'zip',
  'postcode',
  'color',
  'colour',
  'gender',
  'sex',
  'date',
  'time',
  'year',
  'currency',
  'language',
  'role',
  'code',
  'id',
  'key',
  'hash',
  'password',
  'token',
  'image',
  'photo',
  'level',
  'size',
  'unit',
  'method',
  'reason',
  'result',
  'yn',
  'flag',
]);

/** Returns whether a column is called a name, or has the same name as its table. */
function isCalled({ column, table }: Bound, { lexicon }: LinkedQuestion): boolean {
  const words = lexicon.columnWords.get(column) ?? [];
  return (
    words.some((word) => NAMES.has(word)) ||
    words.every((word) => lexicon.tableWords.get(table)?.includes(word) === true)
  );
}

/** Returns whether the rows are identified by a number while one of their text columns may be a name. */
function hidesName(table: Table, { lexicon }: LinkedQuestion): boolean {
  return (
    showsKey(table) &&
    findLabel(table).every(isNumeric) &&
    table.columns.some(
      (column) =>
        column.valueKind === 'string' &&
        !isKey(table, column) &&
        !ATTRIBUTES.has(lexicon.columnWords.get(column)?.at(-1) ?? '') &&
        !hasFewValues(column, lexicon),
    )
  );
}

/** A text column with at most this many values holds kinds. Names rarely repeat. */
const KINDS_MAX = 20;

function hasFewValues(column: Column, { valuesOf }: LinkedQuestion['lexicon']): boolean {
  const size = valuesOf.get(column)?.size ?? 0;
  return size > 0 && size <= KINDS_MAX;
}

/** First words of columns that hold a count. */
const COUNTS = wordSet('number num no nbr count total');

/**
 * Returns whether a column may hold the count, such as `no_of_customers` of a bank for `how many customers`.
 * A number column of the counted rows also qualifies, as for `visits`.
 */
export function isHeldNumber(counted: Table, tables: readonly Table[], { lexicon }: LinkedQuestion): boolean {
  const own = (lexicon.tableWords.get(counted) ?? []).join(' ');
  return tables.some((table) =>
    table.columns.some((column) => {
      const [first, ...rest] = (lexicon.columnWords.get(column) ?? []).filter((word) => word !== 'of');
      if (first === undefined || !isNumeric(column) || isKey(table, column)) return false;
      return (
        (table === counted && [first, ...rest].join(' ') === own) ||
        (COUNTS.has(first) && rest.join(' ') === own)
      );
    }),
  );
}

/** Returns whether the column is more likely a sort key, as in `ordered by price and their class`. */
function isAfterOrder(ref: ColumnRef, q: LinkedQuestion): boolean {
  const index = q.tokens.findIndex(
    (token, position) => ['ordered', 'sorted'].includes(token.lower) && wordAt(q, position + 1) === 'by',
  );
  return (
    index >= 0 &&
    index < ref.position &&
    !q.tokens.slice(index, ref.position).some(({ kind, lower }) => kind === 'mark' && lower !== ',')
  );
}

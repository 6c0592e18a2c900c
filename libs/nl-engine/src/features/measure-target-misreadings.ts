import type { Column, Table } from '@rowhouse/schema-model';
import { wordAt } from '../grammar/reader.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import type { Bound } from '../resolve/assignment.js';
import { findLabel } from '../resolve/find-label.js';
import { isNumeric, isKey } from '../resolve/column-kinds.js';
import { returnsLabelOf } from '../resolve/shown-labels.js';
import type { ColumnRef, Condition } from '../types.js';
import { listReturnedColumns } from './statement-parts.js';
import { hasKeyLabel } from './measure-shown.js';
import { wordSet } from '../words/word-set.js';

/**
 * Returns features of returned columns that were linked to similar names, because the names in the schema
 * differ from the words in the question.
 */
export function measureTargetMisreadings({ assignment }: Candidate, q: LinkedQuestion) {
  const { draft, columns, tables } = assignment;
  const returned = listReturnedColumns(assignment);
  const plain = returned.filter(({ fn }) => fn === null);
  const shownRows = draft.targets.flatMap((target) => (target.kind === 'rows' ? [target.mention] : []));
  const groupedRows = draft.groups.flatMap((group) =>
    group.kind === 'rows' && returnsLabelOf(assignment, group.mention) ? [group.mention] : [],
  );
  const rows = [...shownRows, ...groupedRows].flatMap((mention) => tables[mention] ?? []);
  return {
    substitutedNames: plain.filter(({ ref, bound }) => ref.isName === true && !isNameColumn(bound, q)).length,
    keyLabels: rows.filter((table) => mayHaveOtherName(table, q)).length,
    descriptiveLabels: rows.filter((table) =>
      findLabel(table).every((column) =>
        DESCRIPTIVE_NOUNS.has(q.lexicon.columnWords.get(column)?.at(-1) ?? ''),
      ),
    ).length,
    relatedShown: returned.filter(
      ({ ref, bound }) =>
        ref.isChildColumn !== true && (bound.path.length > 1 || bound.path.some((edge) => !edge.isToOne)),
    ).length,
    countedShown: draft.targets.some(
      (target, index) =>
        target.kind === 'rows' && draft.targets.slice(0, index).some((other) => other.kind === 'count'),
    )
      ? 1
      : 0,
    orderShown: plain.filter(({ ref }) => followsSortKey(ref, q)).length,
    countsHeld: draft.targets
      .flatMap((target) => (target.kind === 'count' ? (tables[target.mention] ?? []) : []))
      .filter((table) =>
        hasStoredCount(table, [...tables, ...[...columns.values()].map((bound) => bound.table)], q),
      ).length,
    unsaidExcept:
      q.tokens.some(({ lower }) => EXCEPT.has(lower)) &&
      !draft.mentions.some((mention) => mention.negated || mention.conditions.some(excludesRows))
        ? 1
        : 0,
  };
}

const EXCEPT = wordSet('except excluding exclude excludes besides');
/** Reports whether a condition excludes rows. */
function excludesRows(condition: Condition): boolean {
  if (condition.kind === 'any' || condition.kind === 'all') return condition.parts.some(excludesRows);
  return condition.kind === 'compare' ? condition.op === '!=' : 'negated' in condition && condition.negated;
}

const NAME_WORDS = wordSet('name title first last');
/**
 * The last words in names of text columns that describe a row. Such a column is used as a label only if the
 * row has no name.
 */
const DESCRIPTIVE_NOUNS = wordSet('detail label caption');
/** The last words in names of text columns that describe rows without naming them. */
const ATTRIBUTE_NOUNS = new Set([
  ...DESCRIPTIVE_NOUNS,
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

/**
 * Reports whether the column's name contains a word such as `name`, or consists only of words of its table.
 */
function isNameColumn({ column, table }: Bound, { lexicon }: LinkedQuestion): boolean {
  const words = lexicon.columnWords.get(column) ?? [];
  return (
    words.some((word) => NAME_WORDS.has(word)) ||
    words.every((word) => lexicon.tableWords.get(table)?.includes(word) === true)
  );
}

/**
 * Reports whether the label of the rows is a numeric key, although one of their text columns may be a name.
 */
function mayHaveOtherName(table: Table, { lexicon }: LinkedQuestion): boolean {
  return (
    hasKeyLabel(table) &&
    findLabel(table).every(isNumeric) &&
    table.columns.some(
      (column) =>
        column.valueKind === 'string' &&
        !isKey(table, column) &&
        !ATTRIBUTE_NOUNS.has(lexicon.columnWords.get(column)?.at(-1) ?? '') &&
        !hasFewValues(column, lexicon),
    )
  );
}

/** The number of different values up to which a text column contains categories instead of names. */
const KINDS_MAX = 20;

function hasFewValues(column: Column, { valuesOf }: LinkedQuestion['lexicon']): boolean {
  const size = valuesOf.get(column)?.size ?? 0;
  return size > 0 && size <= KINDS_MAX;
}

/** The first words in names of columns that contain a count. */
const COUNT_WORDS = wordSet('number num no nbr count total');

/**
 * Reports whether a column of the tables may store the requested count. For `how many customers`, this could
 * be the column `no_of_customers` of a bank. A number column in the counted table with the name of that table
 * is also included.
 */
export function hasStoredCount(
  counted: Table,
  tables: readonly Table[],
  { lexicon }: LinkedQuestion,
): boolean {
  const own = (lexicon.tableWords.get(counted) ?? []).join(' ');
  return tables.some((table) =>
    table.columns.some((column) => {
      const [first, ...rest] = (lexicon.columnWords.get(column) ?? []).filter((word) => word !== 'of');
      if (first === undefined || !isNumeric(column) || isKey(table, column)) return false;
      return (
        (table === counted && [first, ...rest].join(' ') === own) ||
        (COUNT_WORDS.has(first) && rest.join(' ') === own)
      );
    }),
  );
}

/**
 * Reports whether the words for the column follow a sort key, so that it may be another sort key, as in
 * `ordered by price and their class`.
 */
function followsSortKey(ref: ColumnRef, q: LinkedQuestion): boolean {
  const index = q.tokens.findIndex(
    (token, position) => ['ordered', 'sorted'].includes(token.lower) && wordAt(q, position + 1) === 'by',
  );
  return (
    index >= 0 &&
    index < ref.position &&
    !q.tokens.slice(index, ref.position).some(({ kind, lower }) => kind === 'mark' && lower !== ',')
  );
}

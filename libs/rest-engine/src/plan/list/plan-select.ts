import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../../request/fault-list.js';
import { splitSegments } from '../../request/path-segments.js';
import { hintColumn } from '../find-names.js';
import type { IncludeNode, SelectedColumn } from '../plan-parts.js';

/** A column with default properties that does not belong to a table. */
export const PLAIN_COLUMN: CompiledColumn = {
  name: '',
  type: '',
  sqlType: '',
  valueKind: 'string',
  nullable: true,
  default: { kind: 'null' },
  autoIncrement: false,
  generated: null,
  invisible: false,
  unsigned: false,
  maxLength: null,
  precision: null,
  scale: null,
  fraction: null,
  charset: null,
  collation: null,
  labels: null,
  onUpdateNow: false,
  comment: '',
  format: null,
  definition: '',
  position: 0,
  quoted: '',
  hidden: false,
  srid: null,
  triggerFilled: false,
  required: false,
};

/**
 * Removes columns that have the same name as an included relationship, because a JSON member cannot occur
 * twice. The include was requested explicitly, so it is retained even if a column with its name is added
 * later.
 */
export function withoutIncluded(
  columns: readonly SelectedColumn[],
  include: readonly IncludeNode[],
): readonly SelectedColumn[] {
  const isCovered = (column: SelectedColumn): boolean => include.some((node) => node.name === column.name);
  return columns.some(isCovered) ? columns.filter((column) => !isCovered(column)) : columns;
}

/** Adds a fault if a selected member has the same name as an included relationship. */
export function checkIncluded(
  columns: readonly SelectedColumn[],
  include: readonly { readonly name: string }[],
  control: string,
  faults: FaultList,
): void {
  if (include.length === 0) return;
  for (const { name, projection } of columns) {
    if (projection !== undefined && include.some((node) => node.name === name))
      faults.add(
        ['query', control],
        `Two members would have the name ${JSON.stringify(name)}.`,
        'repeated',
        'Rename one of them, for example total:price.',
      );
  }
}

/**
 * Reports whether `_etag` is among the selected names. It adds the version of each record to the record's
 * members. To select a column named `_etag`, clients put the name in backquotes.
 */
export function readEtag(
  table: CompiledTable,
  control: string,
  text: string,
  columns: readonly CompiledColumn[],
  faults: FaultList,
): boolean {
  if (!splitNames(text).includes(ETAG)) return false;
  if (table.rowKey === null)
    faults.add(
      ['query', control],
      `${table.name} has no key, so its records have no version.`,
      'unknown_column',
    );
  if (columns.some((column) => column.name === ETAG))
    faults.add(
      ['query', control],
      `Two members would have the name "${ETAG}".`,
      'repeated',
      'List the columns instead of *.',
    );
  return true;
}

export const ETAG = '_etag';

/**
 * Parses a list of column names, where `*` means all visible columns. `control` is the query parameter that
 * contains the list, and faults name it.
 */
export function readColumnNames(
  table: CompiledTable,
  control: string,
  text: string,
  faults: FaultList,
): readonly CompiledColumn[] {
  const chosen = new Set<CompiledColumn>();
  for (const part of splitNames(text)) {
    if (faults.isFull()) break;
    if (part === '*') for (const column of table.shown) chosen.add(column);
    else addNamed(table, control, part, chosen, faults);
  }
  const isAll = chosen.size === table.shown.length && table.shown.every((column) => chosen.has(column));
  // Returning the default list object lets the request share the default's cached statement.
  return isAll && text === '*' ? table.shown : [...chosen];
}

function addNamed(
  table: CompiledTable,
  control: string,
  part: string,
  chosen: Set<CompiledColumn>,
  faults: FaultList,
): void {
  const name = toName(part);
  const column = table.findColumn(name);
  if (column !== null) chosen.add(column);
  else
    faults.add(
      ['query', control],
      `${table.name} has no column ${JSON.stringify(name)}.`,
      'unknown_column',
      hintEmbedding(table, name) ?? hintColumn(faults, name, table),
    );
}

/**
 * Returns a hint for related records in the notation of other APIs, such as `comments(id`, `comments(count)`
 * and `count(comments)`. The text `comments(id` results from splitting a list at its commas.
 */
export function hintEmbedding(table: CompiledTable, name: string): string | null {
  const [, outer = '', inner = ''] = /^([\w-]+)\(([\w*-]*)\)?$/.exec(name) ?? [];
  const counted = outer === 'count' ? inner : inner === 'count' ? outer : '';
  if (table.findRelationship(counted) !== null)
    return `To count related records, use include=count:${counted}.`;
  return table.findRelationship(outer) === null
    ? null
    : `To include related records, use include=${outer}. To choose their columns, use ` +
        `include[${outer}][_select].`;
}

/** Removes the backquotes around a name. A text that is not a valid name is returned unchanged. */
export function toName(part: string): string {
  const read = splitSegments(part);
  return read !== null && read.end === part.length && read.segments.length === 1
    ? (read.segments[0]?.name ?? '')
    : part;
}

/** Splits a list at commas outside backquotes. */
export function splitNames(text: string): string[] {
  const names: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '`') isQuoted = !isQuoted;
    else if (text[index] === ',' && !isQuoted) {
      names.push(text.slice(start, index));
      start = index + 1;
    }
  }
  names.push(text.slice(start));
  return names;
}

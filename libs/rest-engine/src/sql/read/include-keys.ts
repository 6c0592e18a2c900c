import type { CompiledColumn, CompiledRelationship } from '@rowhouse/schema-model';
import type { IncludeNode } from '../../plan/plan-parts.js';
import type { Cell } from '../../values/cell.js';
import type { ResultSet } from '../statement.js';
import type { AliasedColumn } from './select-list.js';

/**
 * The kinds of columns whose equal values have the same text. Texts do not belong to them, because a
 * collation may consider 'Bob' and 'bob ' equal.
 */
const EXACT_KINDS = new Set([
  'integer',
  'bit',
  'boolean',
  'decimal',
  'uuid',
  'inet',
  'binary',
  'date',
  'datetime',
  'timestamp',
  'time',
  'year',
]);

/**
 * Reports whether related records can be matched to their parents by the values of the foreign key. This is
 * not possible if equal foreign keys may have different texts. The statement then joins the parent's table as
 * `n` and returns the row key of the parent.
 */
export function isDirect(relationship: CompiledRelationship): boolean {
  const joined = [
    ...relationship.sourceColumns,
    ...(relationship.link?.sourceColumns ?? relationship.targetColumns),
  ];
  return relationship.source.rowKey === null || joined.every((column) => EXACT_KINDS.has(column.valueKind));
}

/** Returns the columns of a parent record by which its related records are found. */
export function parentColumns(relationship: CompiledRelationship): readonly CompiledColumn[] {
  return isDirect(relationship)
    ? relationship.sourceColumns
    : (relationship.source.rowKey ?? relationship.sourceColumns);
}

/**
 * Returns the columns that identify the parent of each row in the statement that reads related records. `f`
 * is the table of the related records, `l` the link table, and `n` the table of the parents.
 */
export function childColumns(relationship: CompiledRelationship): readonly AliasedColumn[] {
  if (!isDirect(relationship))
    return (relationship.source.rowKey ?? []).map((column) => ({ alias: 'n', column }));
  const { link, targetColumns } = relationship;
  return link === null
    ? targetColumns.map((column) => ({ alias: 'f', column }))
    : link.sourceColumns.map((column) => ({ alias: 'l', column }));
}

/** Returns the distinct columns that a record's includes need, in a fixed order. */
export function neededColumns(children: readonly IncludeNode[]): readonly CompiledColumn[] {
  if (children.length === 0) return NONE;
  return [...new Set(children.flatMap((child) => parentColumns(child.relationship)))];
}

const NONE: readonly CompiledColumn[] = Object.freeze([]);

/**
 * Returns the cells of a row at `positions` in `shape.keys`. Returns null if a cell is NULL, because no
 * related record has a NULL key.
 */
export function readKey(result: ResultSet, row: number, positions: readonly number[]): Cell[] | null {
  const cells: Cell[] = [];
  for (const position of positions) {
    const cell = result.keyCell(row, position);
    if (cell === null) return null;
    cells.push(cell);
  }
  return cells;
}

/** Returns the `keyText` of the cells at `positions` in a row. Returns null if one of them is NULL. */
export function readKeyText(result: ResultSet, row: number, positions: readonly number[]): string | null {
  if (positions.length === 1) {
    const cell = result.keyCell(row, positions[0] ?? 0);
    if (cell === null) return null;
    if (typeof cell !== 'object') return String(cell);
  }
  const key = readKey(result, row, positions);
  return key === null ? null : keyText(key);
}

/** Returns a text that is the same for equal keys. */
export function keyText(cells: readonly Cell[]): string {
  if (cells.length === 1 && !(cells[0] instanceof Uint8Array)) return String(cells[0]);
  return JSON.stringify(cells.map((cell) => (cell instanceof Uint8Array ? [...cell] : String(cell))));
}

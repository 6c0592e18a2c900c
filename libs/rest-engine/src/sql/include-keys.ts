import type { CompiledColumn, CompiledRelationship } from '@rowhouse/schema-model';
import type { IncludeNode } from '../plan/plan.js';
import type { Cell, ResultSet } from '../response/result-set.js';
import type { PlacedColumn } from './select-list.js';

/** Kinds whose equal values have equal texts. Under a collation 'Bob' and 'bob ' are equal, and texts cannot tell. */
const EXACT_KINDS = new Set(['integer', 'bit', 'boolean', 'decimal', 'uuid', 'inet', 'binary', 'date', 'datetime', 'timestamp', 'time', 'year']);

/**
 * How related records find their parents. `direct`: by the values of the foreign key. `near`: the statement joins the
 * parent's table again and gives the parent's own row key, since texts of the foreign key need not be equal.
 */
export function isDirect(relationship: CompiledRelationship): boolean {
  const joined = [...relationship.nearColumns, ...(relationship.link?.nearColumns ?? relationship.farColumns)];
  return relationship.near.rowKey === null || joined.every((column) => EXACT_KINDS.has(column.valueKind));
}

/** The cells of a parent that its related records are found by. */
export function parentColumns(relationship: CompiledRelationship): readonly CompiledColumn[] {
  return isDirect(relationship) ? relationship.nearColumns : (relationship.near.rowKey ?? relationship.nearColumns);
}

/** The same cells beside the related record: `f` is its table, `l` the link table, `n` the parent's. */
export function childColumns(relationship: CompiledRelationship): readonly PlacedColumn[] {
  if (!isDirect(relationship)) return (relationship.near.rowKey ?? []).map((column) => ({ alias: 'n', column }));
  const { link, farColumns } = relationship;
  return link === null
    ? farColumns.map((column) => ({ alias: 'f', column }))
    : link.nearColumns.map((column) => ({ alias: 'l', column }));
}

/** The columns of a record that its own includes need, each once, in a fixed order. */
export function neededColumns(children: readonly IncludeNode[]): readonly CompiledColumn[] {
  if (children.length === 0) return NONE;
  return [...new Set(children.flatMap((child) => parentColumns(child.relationship)))];
}

const NONE: readonly CompiledColumn[] = Object.freeze([]);

/** Cells at `positions` in `shape.keys` of a row; null when a part is NULL: nothing is related then. */
export function readKey(result: ResultSet, row: number, positions: readonly number[]): Cell[] | null {
  const cells: Cell[] = [];
  for (const position of positions) {
    const cell = result.keyCell(row, position);
    if (cell === null) return null;
    cells.push(cell);
  }
  return cells;
}

/** The same as `keyText` gives of it. */
export function readKeyText(result: ResultSet, row: number, positions: readonly number[]): string | null {
  if (positions.length === 1) {
    const cell = result.keyCell(row, positions[0] ?? 0);
    if (cell === null) return null;
    if (typeof cell !== 'object') return String(cell);
  }
  const key = readKey(result, row, positions);
  return key === null ? null : keyText(key);
}

/** Equal keys, equal texts. */
export function keyText(cells: readonly Cell[]): string {
  if (cells.length === 1 && !(cells[0] instanceof Uint8Array)) return String(cells[0]);
  return JSON.stringify(cells.map((cell) => (cell instanceof Uint8Array ? [...cell] : String(cell))));
}

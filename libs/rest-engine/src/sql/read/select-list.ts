import type { CompiledColumn } from '@rowhouse/schema-model';
import type { SelectedColumn } from '../../plan/plan-parts.js';
import type { BoundValue } from '../../values/cell.js';
import type { ResultShape, ShapeColumn } from '../statement.js';

/**
 * A column of a table, which has the alias `alias` in the statement. The alias is '' if the statement has
 * only one table.
 */
export interface AliasedColumn {
  readonly alias: string;
  readonly column: CompiledColumn;
  /** Whether the stored bytes are selected for a column that responses show in a converted form. */
  readonly isRaw?: boolean;
  /** The expression to select, if the value is not that of a column. */
  readonly computed?: string;
}

export interface SelectList {
  /** The expressions in the order of the shape's columns. */
  readonly expressions: readonly string[];
  readonly text: string;
  /** The values bound in the expressions, in order. */
  readonly params: readonly BoundValue[];
  readonly shape: ResultShape;
}

/**
 * Select lists are cached as long as the column lists for which they were created. The column lists of tables
 * live as long as the snapshot. Those of `_select` live for one request.
 */
const known = new WeakMap<readonly SelectedColumn[], Map<string, SelectList>>();

/**
 * Returns the select list with the response's columns of the table at `alias`, and the cells that are needed
 * as keys. A key that is also a response column is selected once.
 */
export function selectList(
  select: readonly SelectedColumn[],
  alias: string,
  keys: readonly AliasedColumn[],
): SelectList {
  const last = lastLists.get(keys);
  if (last !== undefined && last.select === select && last.alias === alias) return last.list;
  const list = findList(select, alias, keys);
  if (keys.length > 0) lastLists.set(keys, { select, alias, list });
  return list;
}

/**
 * The last select list created for each list of key columns. Most requests of a table select the same columns
 * as the request before, so the last select list can be used again.
 */
const lastLists = new WeakMap<
  readonly AliasedColumn[],
  { readonly select: readonly SelectedColumn[]; readonly alias: string; readonly list: SelectList }
>();

function findList(
  select: readonly SelectedColumn[],
  alias: string,
  keys: readonly AliasedColumn[],
): SelectList {
  const signature = keys.length === 0 ? alias : `${alias} ${signatureOf(keys)}`;
  const lists = known.get(select) ?? new Map<string, SelectList>();
  known.set(select, lists);
  const found = lists.get(signature);
  if (found !== undefined) return found;
  const list = makeList(select, alias, keys);
  lists.set(signature, list);
  return list;
}

/** The cache keys of key lists. They are computed once, because these lists live as long as their table. */
const signatures = new WeakMap<readonly AliasedColumn[], string>();

function signatureOf(keys: readonly AliasedColumn[]): string {
  let signature = signatures.get(keys);
  if (signature === undefined) {
    signature = JSON.stringify(
      keys.map((key) => [key.alias, key.column.name, key.column.sqlType, key.isRaw === true, key.computed]),
    );
    signatures.set(keys, signature);
  }
  return signature;
}

function makeList(
  select: readonly SelectedColumn[],
  alias: string,
  keys: readonly AliasedColumn[],
): SelectList {
  const params: BoundValue[] = [];
  const columns: ShapeColumn[] = select.map(toShapeColumn);
  const expressions = select.map((column) => projectionSql(column, alias, params));
  const positions = keys.map((key) => {
    const isHex = key.isRaw === true && key.column.valueKind === 'geometry';
    const there =
      key.alias === alias && !isHex && key.computed === undefined ? select.indexOf(key.column) : -1;
    if (there >= 0) return there;
    columns.push(
      isHex
        ? { name: key.column.name, kind: 'string', isOutput: false, column: null }
        : { name: key.column.name, kind: key.column.valueKind, isOutput: false, column: key.column },
    );
    return expressions.push(isHex ? `HEX(${placeColumn(key)})` : selectExpression(key)) - 1;
  });
  // SQL needs at least one expression, even if a record has no columns.
  if (expressions.length === 0) {
    columns.push({ name: '', kind: 'integer', isOutput: false, column: null });
    expressions.push('1');
  }
  return Object.freeze({
    expressions,
    text: expressions.join(', '),
    params,
    shape: Object.freeze({ columns, keys: positions }),
  });
}

function toShapeColumn(column: SelectedColumn): ShapeColumn {
  const { name, valueKind, projection } = column;
  if (projection === undefined) return { name, kind: valueKind, isOutput: true, column };
  const { source, jsonPath, cast } = projection;
  return {
    name,
    kind: valueKind,
    isOutput: true,
    column: jsonPath === null ? source : null,
    ...(cast === null ? {} : { cast }),
  };
}

function projectionSql(column: SelectedColumn, alias: string, params: BoundValue[]): string {
  const path = column.projection?.jsonPath ?? null;
  if (path === null) return selectExpression({ alias, column });
  params.push(path);
  return `JSON_EXTRACT(${placeColumn({ alias, column })}, ?)`;
}

export function placeColumn({ alias, column }: AliasedColumn): string {
  return alias === '' ? column.quoted : `${alias}.${column.quoted}`;
}

function selectExpression(placed: AliasedColumn): string {
  if (placed.computed !== undefined) return placed.computed;
  const name = placeColumn(placed);
  return placed.column.valueKind === 'geometry' ? `ST_AsGeoJSON(${name})` : name;
}

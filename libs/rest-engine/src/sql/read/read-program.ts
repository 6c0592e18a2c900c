import type { CompiledColumn } from '@rowhouse/schema-model';
import { isSortedExactly } from '../../plan/list/order/order-key.js';
import type { SortKey } from '../../plan/plan-parts.js';
import type { ListPlan, ReadPlan } from '../../plan/plan.js';
import { neededColumns } from './include-keys.js';
import { nextIncludeRound } from './include-rounds.js';
import { extractor } from '../condition/json-conditions.js';
import { jsonKeySql } from './json-order.js';
import { PLAIN_COLUMN } from '../../plan/list/plan-select.js';
import { directionOf, keysetSql, orderSql, type NameKey, tieBreakSql } from './keyset.js';
import { placeColumn, selectList, type AliasedColumn, type SelectList } from './select-list.js';
import { countSql, toOneJoins, type ToOneJoins } from '../condition/related.js';
import { isShortList, mayBeShortList } from './short-reads.js';
import type { BoundValue } from '../../values/cell.js';
import type { PointRead, ResultShape, Statement, StatementProgram } from '../statement.js';
import { placedVersionColumns, placeVersion } from '../version-columns.js';
import { conditionSql, keySql, whereSql } from '../condition/where.js';

export function readProgram(plan: ReadPlan): StatementProgram {
  const version = placedVersionColumns(plan.table);
  const list = selectList(
    plan.select,
    '',
    plan.include.length === 0
      ? version
      : [...neededColumns(plan.include).map((column) => ({ alias: '', column })), ...version],
  );
  const params: BoundValue[] = list.params.slice();
  const head = `SELECT ${list.text} FROM ${plan.table.quoted} WHERE `;
  const statement: Statement = {
    role: { kind: 'records' },
    sql: head + keySql(plan.key, params),
    params,
    shape: list.shape,
    isShort: true,
    point: toPoint(plan, list, head),
  };
  return {
    transaction: 'none',
    first: { statements: [statement], isOrdered: false },
    next: (results) => nextIncludeRound(plan.include, 1, results),
  };
}

/**
 * How reads of one record by these columns can be combined. Cached by select list, because every read looks
 * it up.
 */
const points = new WeakMap<SelectList, PointRead | null>();

/**
 * Returns how several reads by key can be combined into one. Returns null for keys other than one integer: a
 * collation may consider 'Bob' and 'bob ' equal, so returned rows could not be assigned to the requests.
 */
function toPoint({ key }: ReadPlan, list: SelectList, head: string): PointRead | null {
  const [part] = key;
  // The requested column may also be a unique column other than the key.
  if (part === undefined || key.length > 1 || part.column.valueKind !== 'integer') return null;
  let point = points.get(list);
  if (point === undefined) points.set(list, (point = makePoint(part.column, list, head)));
  return point;
}

function makePoint(column: CompiledColumn, list: SelectList, head: string): PointRead | null {
  // Reads cannot be combined if their select list binds values.
  if (list.params.length > 0) return null;
  const index = list.shape.columns.findIndex((candidate) => candidate.column === column);
  if (index < 0) return null;
  const texts = new Map<number, string>();
  const sqlOf = (count: number): string => {
    let text = texts.get(count);
    if (text === undefined)
      texts.set(
        count,
        (text = `${head}${column.quoted} IN (${Array.from({ length: count }, () => '?').join(', ')})`),
      );
    return text;
  };
  return { at: index, sqlOf };
}

/** The parts of a list's statement, except its conditions. */
interface ListParts {
  readonly alias: string;
  readonly head: string;
  /** The values that are bound in `head`. They come before the values of the conditions. */
  readonly counted: readonly BoundValue[];
  readonly tail: string;
  readonly bounds: readonly BoundValue[];
  readonly shape: ResultShape;
  readonly nameKey: NameKey;
}

const knownParts = new WeakMap<object, ListParts>();

/** Returns the parts of a list's statement. They are created once for all plans of the same shape. */
function listParts(plan: ListPlan): ListParts {
  let parts = plan.shape === undefined ? undefined : knownParts.get(plan.shape);
  if (parts === undefined) {
    parts = makeListParts(plan);
    if (plan.shape !== undefined) knownParts.set(plan.shape, parts);
  }
  return parts;
}

const NO_JOINS: ToOneJoins = Object.freeze({ sql: '', aliasOf: () => '' });

function makeListParts(plan: ListPlan): ListParts {
  const joins = plan.sort.some((key) => key.path.length > 0) ? toOneJoins(plan.sort) : NO_JOINS;
  const alias = joins.sql === '' ? '' : 't';
  const nameKey: NameKey = (key, params) => {
    if (key.count !== null) return countSql(key.count, alias, params, 0, conditionSql);
    if (plan.isDistinct) return distinctName(key.column);
    const name = placeColumn({ alias: joins.aliasOf(key), column: key.column });
    return plan.cursor !== null && isCut(plan, key) ? `LEFT(${name}, ${CUT_CHARACTERS})` : name;
  };
  const [counted, ordered]: [BoundValue[], BoundValue[]] = [[], []];
  const placeKey = (key: SortKey): AliasedColumn =>
    key.jsonPath !== undefined
      ? placeJsonKey(key, joins.aliasOf(key), counted)
      : key.count === null && !isCut(plan, key)
        ? { alias: joins.aliasOf(key), column: key.column }
        : { alias, column: key.column, computed: nameKey(key, counted) };
  const cursorKeys = plan.cursor === null ? [] : plan.sort.map(placeKey);
  const needed = plan.include.length === 0 ? [] : neededColumns(plan.include);
  const list = plan.isDistinct
    ? distinctList(plan.select)
    : selectList(plan.select, alias, [
        ...needed.map((column) => ({ alias, column })),
        ...cursorKeys,
        ...(plan.hasEtag ? placeVersion(plan.table, alias, true) : []),
      ]);
  const from =
    alias === ''
      ? `${plan.table.quoted}${plan.isStoredOrder ? ' USE INDEX ()' : ''}`
      : `${plan.table.quoted} AS t${joins.sql}`;
  // If a sort key is a count that is also selected, ORDER BY refers to it by position, so that the server
  // does not count twice.
  const nameOrder = (key: SortKey, index: number): string =>
    key.count === null || plan.cursor === null
      ? nameKey(key, ordered)
      : String((list.shape.keys[needed.length + index] ?? 0) + 1);
  const keys = plan.sort.map((key, index) =>
    orderSql(key, nameOrder(key, index), directionOf(key, plan.cursor), ordered, plan.cursor !== null),
  );
  const order = [...keys, ...(plan.ties === null ? [] : tieBreakSql(plan.ties, alias))].join(', ');
  const { limit, offset } = plan.window;
  return {
    alias,
    nameKey,
    counted: [...list.params, ...counted],
    head: `SELECT ${plan.isDistinct ? 'DISTINCT ' : ''}${list.text} FROM ${from}`,
    tail: `${order === '' ? '' : ` ORDER BY ${order}`} LIMIT ?${offset === 0 ? '' : ' OFFSET ?'}`,
    bounds: [...ordered, String(limit + 1), ...(offset === 0 ? [] : [String(offset)])],
    shape: list.shape,
  };
}

function placeJsonKey(
  { column, jsonPath = '$' }: SortKey,
  alias: string,
  params: BoundValue[],
): AliasedColumn {
  const computed = jsonKeySql(extractor(placeColumn({ alias, column }), jsonPath, params));
  return { alias, column: PLAIN_COLUMN, computed };
}

/** The number of a text's characters that every collation sorts completely. */
const CUT_CHARACTERS = 255;

/**
 * Reports whether a cursor compares only the first characters of a text column. ORDER BY treats longer texts
 * with the same beginning as equal. A comparison does not.
 */
function isCut({ cursor, table }: ListPlan, { column, path }: SortKey): boolean {
  return (
    cursor !== null &&
    column.valueKind === 'string' &&
    !isSortedExactly(column) &&
    (path.length > 0 || table.rowKey?.includes(column) !== true)
  );
}

/**
 * Returns the statements of a list. They read one row more than the limit, to find out whether there is a
 * next page.
 */
export function listProgram(plan: ListPlan): StatementProgram {
  const { alias, head, counted, tail, bounds, shape, nameKey } = listParts(plan);
  const params: BoundValue[] = counted.slice();
  const narrowed = whereSql(plan.where, alias, params);
  const following = plan.cursor === null ? '' : keysetSql(plan.sort, plan.cursor, nameKey, params);
  const where =
    following === '' ? narrowed : `${narrowed === '' ? ' WHERE' : `${narrowed} AND`} ${following}`;
  params.push(...bounds);
  const records: Statement = {
    role: { kind: 'records' },
    sql: `${head}${where}${tail}`,
    params,
    shape,
    isShort: isShortList(plan),
    mayBeShort: mayBeShortList(plan),
  };
  const statements = plan.count === 'none' ? [records] : [records, countStatement(plan)];
  return {
    transaction: 'none',
    first: { statements, isOrdered: false },
    next: (results) => nextIncludeRound(plan.include, plan.window.limit, results),
  };
}

/**
 * Returns the statement that counts the records. For a whole table, it reads the server's estimate if an
 * estimate was requested. With conditions, it always counts.
 */
function countStatement(plan: ListPlan): Statement {
  if (
    plan.count === 'estimated' &&
    plan.where.length === 0 &&
    !plan.isDistinct &&
    plan.table.kind === 'table'
  ) {
    const sql =
      'SELECT COALESCE(MAX(TABLE_ROWS), 0) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?';
    return { role: { kind: 'count' }, sql, params: [plan.table.name], shape: COUNT_SHAPE };
  }
  const params: BoundValue[] = [];
  const source = `${plan.table.quoted}${whereSql(plan.where, '', params)}`;
  const sql = plan.isDistinct
    ? `SELECT COUNT(*) FROM (SELECT DISTINCT ${distinctList(plan.select).text} FROM ${source}) AS d`
    : `SELECT COUNT(*) FROM ${source}`;
  return { role: { kind: 'count' }, sql, params, shape: COUNT_SHAPE };
}

const COUNT_SHAPE = Object.freeze({
  columns: [{ name: 'count', kind: 'integer', isOutput: false, column: null } as const],
  keys: [0],
});

/**
 * Returns the select list for distinct rows. A boolean is reduced to its truth value, because every number
 * other than 0 is true.
 */
function distinctList(select: readonly CompiledColumn[]): SelectList {
  const expressions = select.map((column) =>
    isTruth(column) ? `(${column.quoted} <> 0) AS ${aliasOf(column)}` : placeColumn({ alias: '', column }),
  );
  const columns = select.map((column) => ({
    name: column.name,
    kind: column.valueKind,
    isOutput: true,
    column: isTruth(column) ? null : column,
  }));
  return { expressions, text: expressions.join(', '), params: [], shape: { columns, keys: [] } };
}

/** Returns the expression by which distinct rows are sorted. */
function distinctName(column: CompiledColumn): string {
  return isTruth(column) ? aliasOf(column) : column.quoted;
}

function isTruth(column: CompiledColumn): boolean {
  return column.valueKind === 'boolean';
}

function aliasOf(column: CompiledColumn): string {
  return `truth_${column.position}`;
}

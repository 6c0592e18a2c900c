import { findTieBreak } from '../../plan/list/order/order-key.js';
import type { IncludeNode } from '../../plan/plan-parts.js';
import { childColumns, isDirect, neededColumns } from './include-keys.js';
import { extractor } from '../condition/json-conditions.js';
import { jsonOrderSql } from './json-order.js';
import { comparePlaceholder, padToPowerOfTwo } from '../placeholder.js';
import { placeColumn, selectList, type AliasedColumn, type SelectList } from './select-list.js';
import { isShortInclude, mayBeShortInclude } from './short-reads.js';
import type { Statement } from '../statement.js';
import { tieBreakSql } from './keyset.js';
import { placeVersion } from '../version-columns.js';
import { conditionSql } from '../condition/where.js';
import { type BoundValue, type Cell, paddedLength, bindCell } from '../../values/cell.js';

const PARENTS_PER_STATEMENT = 2048;
/**
 * The maximum number of related records that a plain statement reads for all parents of a page. If there are
 * more, another statement limits the rows for each parent, which costs the server twice as much.
 */
const PLAIN_ROWS_MAX = 2000;

/**
 * Returns the statements that read the related records of the parents with these keys. The keys are distinct
 * and never NULL.
 */
export function includeStatements(node: IncludeNode, parents: readonly (readonly Cell[])[]): Statement[] {
  const statements: Statement[] = [];
  for (let start = 0; start < parents.length; start += PARENTS_PER_STATEMENT) {
    statements.push(
      plainStatement(node, parents.slice(start, start + PARENTS_PER_STATEMENT), statements.length),
    );
  }
  return statements;
}

/**
 * Returns the statement for a chunk of parents for which the plain statement returned too many rows. It reads
 * only the first records of each parent.
 */
export function countedStatement(node: IncludeNode, plain: Statement): Statement {
  const list = listOf(node);
  const source = sourceSql(node);
  const partition = childColumns(node.relationship).map(placeColumn).join(', ');
  const params: BoundValue[] = list.params.slice();
  const key = ownOrder(node, params);
  const orderedCount = params.length - list.params.length;
  const order = key.length === 0 ? '' : ` ORDER BY ${key.join(', ')}`;
  const inner = list.expressions.map((expression, index) => `${expression} AS c${index}`).join(', ');
  const own: BoundValue[] = [];
  const narrowed = narrowSql(node, own);
  const parents = plain.params.slice(list.params.length, -1 - orderedCount - own.length);
  const where = parentsSql(childColumns(node.relationship), splitRows(parents, node), params) + narrowed;
  params.push(...own);
  const sql =
    `SELECT ${list.expressions.map((_, index) => `c${index}`).join(', ')} FROM (SELECT ${inner}, ` +
    `ROW_NUMBER() OVER (PARTITION BY ${partition}${order}) AS row_in_parent FROM ${source} WHERE ${where}) AS w ` +
    `WHERE row_in_parent <= ${node.perParentMax + 1} ORDER BY row_in_parent`;
  const role = {
    kind: 'include',
    path: node.path,
    chunk: plain.role.kind === 'include' ? plain.role.chunk : 0,
    rowsMax: null,
  } as const;
  return { role, sql, params, shape: list.shape };
}

/** Extracts the keys of the parents from the bound values of a plain statement. */
function splitRows(values: readonly BoundValue[], node: IncludeNode): BoundValue[][] {
  const width = childColumns(node.relationship).length;
  return Array.from({ length: values.length / width }, (_, row) =>
    values.slice(row * width, (row + 1) * width),
  );
}

/** The text of a plain statement and its bound values, without the keys and the limit. */
interface PlainText {
  readonly sql: string;
  readonly columns: readonly AliasedColumn[];
  readonly shape: SelectList['shape'];
  /** The values bound before the keys of the parents, and those bound between the keys and the limit. */
  readonly head: readonly BoundValue[];
  readonly ordered: readonly BoundValue[];
}

/**
 * Statement texts by include node and by the padded number of parents. All requests of the same form share
 * the node.
 */
const plainTexts = new WeakMap<IncludeNode, Map<number, PlainText>>();

function plainText(node: IncludeNode, count: number): PlainText {
  let texts = plainTexts.get(node);
  if (texts === undefined) plainTexts.set(node, (texts = new Map()));
  let text = texts.get(count);
  if (text === undefined) texts.set(count, (text = makePlainText(node, count)));
  return text;
}

function makePlainText(node: IncludeNode, count: number): PlainText {
  if (node.isCount) return makeCountText(node, count);
  const list = listOf(node);
  const columns = childColumns(node.relationship);
  const where = parentsText(columns, count) + narrowSql(node, []);
  const ordered: BoundValue[] = [];
  const tail = node.relationship.kind === 'to_one' ? '' : `${orderSql(node, ordered)} LIMIT ?`;
  return {
    sql: `SELECT ${list.text} FROM ${sourceSql(node)} WHERE ${where}${tail}`,
    columns,
    shape: list.shape,
    head: list.params,
    ordered,
  };
}

/**
 * Returns the statement text that counts the related records of each parent. A row contains the key of the
 * parent and the count. Parents without related records have no row.
 */
function makeCountText(node: IncludeNode, count: number): PlainText {
  const columns = childColumns(node.relationship);
  const { text, shape } = selectList([], 'f', columns);
  const where = parentsText(columns, count) + narrowSql(node, []);
  const counted: SelectList['shape'] = {
    columns: [...shape.columns, { name: 'count', kind: 'integer', isOutput: false, column: null }],
    keys: [...shape.keys, shape.columns.length],
  };
  return {
    sql: `SELECT ${text}, COUNT(*) FROM ${sourceSql(node)} WHERE ${where} GROUP BY ${columns.map(placeColumn).join(', ')}`,
    columns,
    shape: counted,
    head: [],
    ordered: [],
  };
}

function plainStatement(node: IncludeNode, parents: readonly (readonly Cell[])[], chunk: number): Statement {
  const { sql, columns, shape, head, ordered } = plainText(node, paddedLength(parents.length));
  const params: BoundValue[] = head.slice();
  bindParents(columns, parents, params);
  if (node.where.length > 0) narrowSql(node, params);
  const mayBeShort = mayBeShortInclude(parents.length);
  if (node.relationship.kind === 'to_one') {
    return {
      role: { kind: 'include', path: node.path, chunk, rowsMax: null },
      sql,
      params,
      shape,
      isShort: isShortInclude(node, parents.length),
      mayBeShort,
    };
  }
  if (node.isCount)
    return {
      role: { kind: 'include', path: node.path, chunk, rowsMax: null },
      sql,
      params,
      shape,
      mayBeShort,
      counted: node.relationship.target,
    };
  const isOne = parents.length === 1;
  const rowsMax = isOne ? null : Math.min(PLAIN_ROWS_MAX, node.perParentMax * parents.length);
  params.push(...ordered, String((rowsMax ?? node.perParentMax) + 1));
  const role = { kind: 'include', path: node.path, chunk, rowsMax } as const;
  return { role, sql, params, shape, mayBeShort };
}

function listOf(node: IncludeNode): SelectList {
  const keys = [
    ...childColumns(node.relationship),
    ...neededColumns(node.children).map((column): AliasedColumn => ({ alias: 'f', column })),
    ...placeVersion(node.relationship.target, 'f', node.hasEtag),
  ];
  return selectList(node.select, 'f', keys);
}

function sourceSql(node: IncludeNode): string {
  const { source, target, sourceColumns, targetColumns, link } = node.relationship;
  const joins: string[] = [];
  const isNear = !isDirect(node.relationship);
  if (isNear) joins.push(`${source.quoted} AS n`);
  if (link !== null) {
    const on = isNear ? ` ON ${equalSql('n', sourceColumns, 'l', link.sourceColumns)}` : '';
    joins.push(`${link.table.quoted} AS l${on}`);
    joins.push(`${target.quoted} AS f ON ${equalSql('l', link.targetColumns, 'f', targetColumns)}`);
  } else
    joins.push(
      `${target.quoted} AS f${isNear ? ` ON ${equalSql('n', sourceColumns, 'f', targetColumns)}` : ''}`,
    );
  return joins.join(' JOIN ');
}

function equalSql(
  left: string,
  leftColumns: readonly { quoted: string }[],
  right: string,
  rightColumns: readonly { quoted: string }[],
): string {
  return leftColumns
    .map((column, index) => `${left}.${column.quoted} = ${right}.${rightColumns[index]?.quoted ?? ''}`)
    .join(' AND ');
}

/**
 * Returns an order by parent and then by row key. The index on the foreign key has the same order, so the
 * server does not choose another plan because of LIMIT.
 */
function orderSql(node: IncludeNode, params: BoundValue[]): string {
  const parents = childColumns(node.relationship).map(placeColumn);
  return ` ORDER BY ${[...parents, ...ownOrder(node, params).filter((name) => !parents.includes(name))].join(', ')}`;
}

/**
 * Returns the order of the records within one parent: the requested sort keys, and then the row key in the
 * direction of the last sort key.
 */
function ownOrder(node: IncludeNode, params: BoundValue[]): string[] {
  const requests = node.sort.flatMap(({ column, direction, reversesNulls, jsonPath }) => {
    const name = placeColumn({ alias: 'f', column });
    if (jsonPath !== undefined)
      return [jsonOrderSql({ reversesNulls }, extractor(name, jsonPath, params), direction, false)];
    const mark = direction === 'DESC' ? ' DESC' : '';
    return reversesNulls ? [`${name} IS NULL${mark}`, `${name}${mark}`] : [`${name}${mark}`];
  });
  const mark = node.sort.at(-1)?.direction === 'DESC' ? ' DESC' : '';
  const rest = (node.relationship.target.rowKey ?? []).filter(
    (column) => !node.sort.some((key) => key.column === column),
  );
  const ties = findTieBreak(node.relationship.target, node.sort);
  return [
    ...requests,
    ...rest.map((column) => `${placeColumn({ alias: 'f', column })}${mark}`),
    ...(ties === null ? [] : tieBreakSql(ties, 'f')),
  ];
}

/** Returns ` AND …` with the filters on the related records. */
function narrowSql(node: IncludeNode, params: BoundValue[]): string {
  return node.where.map((condition) => ` AND ${conditionSql(condition, 'f', params)}`).join('');
}

/**
 * Returns the SQL condition that selects the rows of the parents, such as `k IN (?, ?)` or `(a, b) IN ((?,
 * ?), (?, ?))`. For one parent, the condition is an equality.
 */
export function parentsSql(
  columns: readonly AliasedColumn[],
  parents: readonly (readonly Cell[])[],
  params: BoundValue[],
): string {
  bindParents(columns, parents, params);
  return parentsText(columns, paddedLength(parents.length));
}

/**
 * Returns the keys of the parents as bound values. The last parent is repeated until their number is a power
 * of two.
 */
function bindParents(
  columns: readonly AliasedColumn[],
  parents: readonly (readonly Cell[])[],
  params: BoundValue[],
): void {
  for (const parent of padToPowerOfTwo(parents))
    parent.forEach((cell, index) => params.push(bindCell(cell, columns[index]?.column)));
}

function parentsText(columns: readonly AliasedColumn[], count: number): string {
  const names = columns.map(placeColumn);
  const row = columns.map(({ column }) => comparePlaceholder(column, null));
  if (count === 1) return names.map((name, index) => `${name} = ${row[index] ?? '?'}`).join(' AND ');
  const item = names.length === 1 ? (row[0] ?? '?') : `(${row.join(', ')})`;
  const subject = names.length === 1 ? (names[0] ?? '') : `(${names.join(', ')})`;
  return `${subject} IN (${Array.from({ length: count }, () => item).join(', ')})`;
}

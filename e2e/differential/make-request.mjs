// @ts-check
import { columnOf } from './make-tables.mjs';

/** @typedef {import('./make-tables.mjs').Random} Random */
/** @typedef {import('./make-tables.mjs').Table} Table */
/** @typedef {import('./make-tables.mjs').Column} Column */
/** @typedef {import('./evaluate.mjs').Condition} Condition */
/** @typedef {{ path: readonly string[], isDown: boolean, nulls: 'first' | 'last' | null }} SortTerm */
/** @typedef {{ name: string, path: readonly string[], part: string | null }} GroupTerm */
/** @typedef {{ name: string, fn: string, path: readonly string[] | null }} AggregateTerm */
/** @typedef {{ groups: readonly GroupTerm[], terms: readonly AggregateTerm[], having: { name: string, operator: 'gt' | 'eq' | 'lte', value: bigint } | null }} Aggregate */

/**
 * @typedef {object} Request
 * @property {'pages' | 'offsets' | 'cursors' | 'search' | 'count' | 'ndjson' | 'csv' | 'delete' | 'batch' | 'single' | 'include'} form
 * @property {string} table
 * @property {readonly Condition[]} address parameters of their own
 * @property {Condition | null} tree `_filter`
 * @property {Condition | null} where
 * @property {readonly SortTerm[]} sort
 * @property {readonly string[] | null} select
 * @property {readonly string[] | null} distinct
 * @property {Aggregate | null} aggregate
 * @property {number} limit
 * @property {boolean} isCounted
 */

const FORMS = /** @type {const} */ (['pages', 'pages', 'pages', 'offsets', 'cursors', 'cursors', 'search', 'search', 'count', 'ndjson', 'csv', 'delete', 'batch', 'single', 'include']);
const PARTS = ['year', 'quarter', 'month', 'week', 'day', 'hour'];

/** @param {Random} random @param {readonly Table[]} tables @returns {Request} */
export function makeRequest(random, tables) {
  const form = random.pick(FORMS);
  const fit = tables.filter((table) => isFit(form, table));
  const table = random.pick(fit);
  const [distinct, aggregate] = ['pages', 'offsets', 'search', 'ndjson', 'csv'].includes(form) ? [random.maybe(0.12) ? makeNames(random, table.columns.filter((column) => column.kind.name !== 'doc')) : null, random.maybe(0.2) ? makeAggregate(random, table) : null] : [null, null];
  const isGrouped = aggregate !== null;
  const own = isGrouped ? null : distinct;
  return {
    form, table: table.name,
    address: uniqueKeys(Array.from({ length: form === 'delete' ? 1 + random.integer(2) : random.integer(3) }, () => makeLeaf(random, table, 'address'))),
    tree: random.maybe(0.25) ? makeTree(random, table, 3) : null,
    where: random.maybe(0.12) ? makeWhere(random, table, 2) : null,
    sort: form === 'delete' || form === 'batch' || form === 'single' ? [] : makeSort(random, table, aggregate, own, form),
    select: own === null && !isGrouped && form !== 'delete' && form !== 'batch' && random.maybe(0.4) ? makeNames(random, table.columns) : null,
    distinct: own, aggregate,
    limit: form === 'single' || form === 'batch' ? 1 + random.integer(3) : random.pick([1, 2, 3, 5, 7, 13, 50, 1000].slice(table.rows.length > 40 ? 3 : 0)),
    isCounted: random.maybe(0.2),
  };
}

/** @param {Request['form']} form @param {Table} table */
function isFit(form, table) {
  const { isView } = table;
  if (form === 'cursors' || form === 'batch') return table.key !== null && !isView && (form !== 'batch' || table.name === 'items');
  if (form === 'single') return table.key !== null && !isView;
  if (form === 'delete') return !isView && table.name !== 'makers';
  return form !== 'include' || table.made.length > 0 || table.maker !== null;
}

/** @template T @param {Random} random @param {readonly T[]} from @param {number} most @returns {T[]} */
function pickSome(random, from, most) {
  return [...new Set(Array.from({ length: 1 + random.integer(most) }, () => random.pick(from)))];
}

/** @param {Random} random @param {readonly Column[]} columns */
function makeNames(random, columns) {
  return pickSome(random, columns, 4).map((column) => column.name);
}

/** A parameter may stand once. @param {Condition[]} conditions */
function uniqueKeys(conditions) {
  const key = (/** @type {Condition} */ one) => (one.kind === 'compare' ? `${one.path.join('.')} ${one.operator}` : one.kind === 'json' ? `${one.column} ${one.path} ${one.operator}` : one.kind === 'exists' ? one.relationship : '');
  return conditions.filter((one, at) => conditions.findIndex((other) => key(other) === key(one)) === at);
}

/** @param {Random} random @param {Table} table @param {'address' | 'tree' | 'where'} place @returns {Condition} */
function makeLeaf(random, table, place) {
  if (place !== 'where' && table.made.length > 0 && random.maybe(0.15)) return { kind: 'exists', relationship: random.pick(table.made).name, isThere: random.maybe(0.5) };
  if (table.maker !== null && random.maybe(0.15)) return compareLeaf(random, random.pick(table.maker.columns.filter((column) => column.kind.operators.length > 1)), ['maker'], place);
  const column = random.pick(table.columns.filter((one) => place !== 'where' || WHERE_KINDS.has(one.kind.name)));
  return column.kind.name === 'doc' && random.maybe(0.85) ? jsonLeaf(random, column.name, place) : compareLeaf(random, column, [], place);
}

const WHERE_KINDS = new Set(['small', 'number', 'big', 'signed', 'price', 'word', 'code', 'day', 'at']);
const WHERE_OPERATORS = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'between', 'isnull', 'like']);

/** @param {Random} random @param {Column} column @param {readonly string[]} before @param {'address' | 'tree' | 'where'} place @returns {Condition} */
function compareLeaf(random, column, before, place) {
  const { kind } = column;
  const operator = random.pick(place === 'where' ? kind.operators.filter((one) => WHERE_OPERATORS.has(one)) : kind.operators);
  const pool = kind.pool.filter((value) => value !== '0000-00-00' && !(place === 'where' && typeof value === 'string' && value.includes('\\')));
  const one = () => random.pick(pool);
  const path = [...before, column.name];
  switch (operator) {
    case 'isnull': return { kind: 'compare', path, operator, values: [random.maybe(0.5)] };
    case 'in': case 'not_in': return { kind: 'compare', path, operator, values: Array.from({ length: 1 + random.integer(4) }, one) };
    case 'between': case 'not_between': return { kind: 'compare', path, operator, values: [one(), one()].sort(kind.compare) };
    case 'on': return { kind: 'compare', path, operator, values: [String(one()).slice(0, 10)] };
    case 'year': return { kind: 'compare', path, operator, values: [random.pick([2024, 2026])] };
    case 'month': case 'day': return { kind: 'compare', path, operator, values: [random.pick([1, 2, 29, 31].slice(operator === 'month' ? 0 : 1, operator === 'month' ? 2 : 4))] };
    case 'like': case 'not_like': case 'ilike': return { kind: 'compare', path, operator, values: [random.pick(['%a%', 'a_', 'A%', '%b', '_', '%\\%', 'zeb%', '%\\_%', 'á%'].slice(0, place === 'where' ? 5 : 9))] };
    case 'contains': case 'startswith': case 'endswith': case 'icontains': case 'istartswith': case 'iendswith': return { kind: 'compare', path, operator, values: [random.pick(['a', 'A', 'b', '%', '_', "'", 'é', 'z'])] };
    default: return { kind: 'compare', path, operator, values: [one()] };
  }
}

/** @param {Random} random @param {string} column @param {'address' | 'tree' | 'where'} place @returns {Condition} */
function jsonLeaf(random, column, place) {
  const path = random.pick(['n', 'n', 's', 's', 'deep.x', 'tags.0', 'nowhere']);
  if (random.maybe(0.2)) return { kind: 'json', column, path, operator: 'isnull', values: [random.maybe(0.5)] };
  if (path === 'n' || path === 'deep.x') {
    const one = () => random.pick(['1', '2', '7', '-3.5', '10', '9007199254740992', '9007199254740993']);
    const operator = random.pick(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in']);
    return { kind: 'json', column, path, operator, values: operator.endsWith('in') ? [one(), one()] : [one()] };
  }
  const operator = random.pick(['eq', 'ne', 'in', 'startswith', 'contains', ...(place === 'tree' ? ['not_in'] : [])]);
  const one = () => random.pick(['a', 'A', 'ab', 'fresh', 'b%', 'ul']);
  return { kind: 'json', column, path, operator, values: operator.endsWith('in') ? [one(), one()] : [one()] };
}

/** @param {Random} random @param {Table} table @param {number} depth @returns {Condition} */
function makeTree(random, table, depth) {
  if (depth === 0 || random.maybe(0.3)) return makeLeaf(random, table, 'tree');
  const kind = random.pick(/** @type {const} */ (['and', 'or', 'or', 'not']));
  if (kind === 'not') return { kind, of: makeTree(random, table, depth - 1) };
  return { kind, of: Array.from({ length: 1 + random.integer(3) }, () => makeTree(random, table, depth - 1)) };
}

/** @param {Random} random @param {Table} table @param {number} depth @returns {Condition | null} */
function makeWhere(random, table, depth) {
  if (!table.columns.some((column) => WHERE_KINDS.has(column.kind.name))) return null;
  const leaf = () => {
    const columns = table.columns.filter((column) => WHERE_KINDS.has(column.kind.name));
    return compareLeaf(random, random.pick(columns), [], 'where');
  };
  /** @param {number} left @returns {Condition} */
  const grow = (left) => {
    if (left === 0 || random.maybe(0.4)) return leaf();
    const kind = random.pick(/** @type {const} */ (['and', 'or', 'not']));
    return kind === 'not' ? { kind, of: grow(left - 1) } : { kind, of: [grow(left - 1), grow(left - 1)] };
  };
  return grow(depth);
}

/** @param {Random} random @param {Table} table @param {Aggregate | null} aggregate @param {readonly string[] | null} distinct @param {Request['form']} form @returns {SortTerm[]} */
function makeSort(random, table, aggregate, distinct, form) {
  if (random.maybe(0.25)) return [];
  const isFit = (/** @type {Column} */ column) => column.kind.isSortable && !(form === 'cursors' && column.kind.name === 'mass');
  const own = table.columns.filter(isFit).map((column) => [column.name]);
  const related = table.maker === null ? [] : table.maker.columns.filter(isFit).map((column) => ['maker', column.name]);
  const names = aggregate !== null ? [...aggregate.groups.filter(({ path, part }) => part !== null || path.at(-1) !== 'raw'), ...aggregate.terms.filter(({ fn, path }) => fn === 'count' || path === null)].map(({ name }) => [name])
    : distinct !== null ? distinct.filter((name) => columnOf(table, name).kind.isSortable).map((name) => [name]) : [...own, ...own, ...related];
  if (names.length === 0) return [];
  return pickSome(random, names, 3).map((path) => ({ path, isDown: random.maybe(0.5), nulls: random.maybe(0.25) ? random.pick(/** @type {const} */ (['first', 'last'])) : null })).filter((term, at, terms) => terms.findIndex((other) => other.path.join('.') === term.path.join('.')) === at);
}

/** @param {Random} random @param {Table} table @returns {Aggregate} */
function makeAggregate(random, table) {
  const columns = [...table.columns, ...table.columns].map((column) => ({ path: [column.name], column })).concat(table.maker === null ? [] : table.maker.columns.map((column) => ({ path: ['maker', column.name], column })));
  const usable = columns.filter(({ column }) => column.kind.name !== 'doc');
  const groups = random.maybe(0.2) ? [] : pickSome(random, usable, 2).map(({ path, column }, at) => ({ name: `g${at}`, path, part: ['at', 'stamp'].includes(column.kind.name) && random.maybe(0.6) ? random.pick(PARTS) : null }));
  const terms = Array.from({ length: 1 + random.integer(3) }, (_, at) => {
    const { path, column: { kind } } = random.pick(usable);
    const functions = ['count', 'count_distinct', ...(kind.sums === undefined ? [] : ['sum', 'avg']), ...(['flag', 'size', 'colors', 'raw'].includes(kind.name) ? [] : ['min', 'max'])];
    return random.maybe(0.3) ? { name: `m${at}`, fn: 'count', path: null } : { name: `m${at}`, fn: random.pick(functions), path };
  });
  const counted = terms.find(({ fn }) => fn === 'count' || fn === 'count_distinct');
  const having = counted !== undefined && groups.length > 0 && random.maybe(0.3) ? { name: counted.name, operator: random.pick(/** @type {const} */ (['gt', 'eq', 'lte'])), value: BigInt(random.integer(4)) } : null;
  return { groups, terms, having };
}

// @ts-check
import { columnOf } from './make-tables.mjs';
import { makeMoment } from './moments.mjs';

/** @typedef {import('./make-tables.mjs').Random} Random */
/** @typedef {import('./make-tables.mjs').Table} Table */
/** @typedef {import('./make-tables.mjs').Column} Column */
/** @typedef {import('./evaluate.mjs').Condition} Condition */
/** @typedef {{ path: readonly string[], isDown: boolean, nulls: 'first' | 'last' | null, json?: string }} SortTerm `json`: a path inside the column */
/** @typedef {{ name: string, path: readonly string[], part: string | null, json?: string }} GroupTerm */
/** @typedef {{ name: string, fn: string, path: readonly string[] | null, json?: string }} AggregateTerm */
/** @typedef {{ groups: readonly GroupTerm[], terms: readonly AggregateTerm[], having: { name: string, operator: 'gt' | 'eq' | 'lte', value: bigint } | null }} Aggregate */

/**
 * @typedef {object} Request
 * @property {(typeof FORMS)[number]} form
 * @property {string} table
 * @property {readonly Condition[]} address conditions that are separate parameters
 * @property {Condition | null} tree `_filter`
 * @property {Condition | null} where
 * @property {readonly SortTerm[]} sort
 * @property {readonly string[] | null} select names of columns, or `name:column->path::cast`
 * @property {readonly string[] | null} distinct
 * @property {Aggregate | null} aggregate
 * @property {number} limit
 * @property {boolean} isCounted
 */

const FORMS = /** @type {const} */ ([
  'pages',
  'pages',
  'pages',
  'offsets',
  'cursors',
  'cursors',
  'search',
  'search',
  'count',
  'ndjson',
  'csv',
  'delete',
  'batch',
  'single',
  'include',
  'patch',
  'batchDelete',
  'query',
  'tool',
  'tool',
  'toolDelete',
]);
/** Forms that change the found records and roll the change back, so that only their number is compared. */
export const FILTERED_WRITES = new Set(['delete', 'patch', 'batchDelete', 'toolDelete']);
const PARTS = ['year', 'quarter', 'month', 'week', 'day', 'hour'];

/** @param {Random} random @param {readonly Table[]} tables @returns {Request} */
export function makeRequest(random, tables) {
  const form = random.pick(FORMS);
  const fit = tables.filter((table) => isFit(form, table));
  const table = random.pick(fit);
  const [distinct, aggregate] = ['pages', 'offsets', 'search', 'ndjson', 'csv'].includes(form)
    ? [
        random.maybe(0.12)
          ? makeNames(
              random,
              table.columns.filter((column) => column.kind.name !== 'doc'),
            )
          : null,
        random.maybe(0.2) ? makeAggregate(random, table, form) : null,
      ]
    : [null, null];
  const isGrouped = aggregate !== null;
  const own = isGrouped ? null : distinct;
  const isWrite = FILTERED_WRITES.has(form);
  if (form === 'query') return makeQuery(random, table);
  return {
    form,
    table: table.name,
    address: uniqueKeys(
      Array.from({ length: isWrite ? 1 + random.integer(2) : random.integer(3) }, () =>
        makeLeaf(random, table, 'address'),
      ),
    ),
    tree: random.maybe(0.25) ? makeTree(random, table, 3) : null,
    where: !form.startsWith('tool') && random.maybe(0.12) ? makeWhere(random, table, 2) : null,
    sort:
      isWrite || form === 'batch' || form === 'single' ? [] : makeSort(random, table, aggregate, own, form),
    select:
      own === null && !isGrouped && !isWrite && form !== 'batch' && random.maybe(0.4)
        ? makeSelect(random, table.columns, form)
        : null,
    distinct: own,
    aggregate,
    limit:
      form === 'single' || form === 'batch'
        ? 1 + random.integer(3)
        : random.pick([1, 2, 3, 5, 7, 13, 50, 1000].slice(table.rows.length > 40 ? 3 : 0)),
    isCounted: random.maybe(0.2),
  };
}

/** @param {Request['form']} form @param {Table} table */
function isFit(form, table) {
  const { isView } = table;
  if (form === 'cursors' || form === 'batch')
    return table.key !== null && !isView && (form !== 'batch' || table.name === 'items');
  if (form === 'single') return table.key !== null && !isView;
  if (FILTERED_WRITES.has(form)) return !isView && table.name !== 'makers';
  if (form === 'query') return table.columns.filter(isPlain).length > 1;
  return form !== 'include' || table.created.length > 0 || table.maker !== null;
}

/**
 * Returns whether SQL on `/query` compares, sorts and returns the column in the same way as lists.
 * @param {Column} column
 */
const isPlain = ({ kind }) => WHERE_KINDS.has(kind.name);

/** Returns a SELECT: its conditions are those of `where`. @param {Random} random @param {Table} table @returns {Request} */
function makeQuery(random, table) {
  const columns = table.columns.filter(isPlain);
  return {
    form: 'query',
    table: table.name,
    address: [],
    tree: null,
    where: random.maybe(0.9) ? makeWhere(random, table, 2, false) : null,
    sort: pickSome(random, columns, 2).map(({ name }) => ({
      path: [name],
      isDown: random.maybe(0.5),
      nulls: null,
    })),
    select: makeNames(random, columns),
    distinct: null,
    aggregate: null,
    limit: 1000,
    isCounted: false,
  };
}

/** @template T @param {Random} random @param {readonly T[]} from @param {number} maximum @returns {T[]} */
function pickSome(random, from, maximum) {
  return [...new Set(Array.from({ length: 1 + random.integer(maximum) }, () => random.pick(from)))];
}

/** @param {Random} random @param {readonly Column[]} columns */
function makeNames(random, columns) {
  return pickSome(random, columns, 4).map((column) => column.name);
}

/** Paths to scalars in JSON. Each engine formats objects and arrays differently, so they are left out. */
const JSON_PATHS = ['n', 'n', 's', 's', 'deep.x', 'tags.0', 'nowhere'];
/** Paths for filters and sorts, which may also lead to objects and arrays. */
const ALL_JSON_PATHS = [...JSON_PATHS, 'mix', 'mix', 'deep'];
const NUMBERS = [
  '1',
  '2',
  '7',
  '-3.5',
  '10',
  '0.1',
  '1.50',
  '12345.678901',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '1147386954405658710',
  '1147386954405658711',
  '18446744073709551615',
];
const TEXTS = ['a', 'A', 'ab', 'fresh', 'b%', 'ul', 'al'];
/** @type {Record<string, readonly string[]>} */
const CASTS = {
  small: ['string', 'number', 'boolean'],
  number: ['string', 'number', 'boolean'],
  big: ['string', 'number', 'boolean'],
  signed: ['string'],
  price: ['string', 'number', 'boolean'],
  mass: ['string', 'boolean'],
  flag: ['string', 'number', 'boolean'],
  word: ['string', 'number', 'boolean', 'date'],
  code: ['number'],
  size: ['string', 'number'],
  colors: ['string'],
  day: ['string', 'date'],
  at: ['string', 'date'],
  stamp: ['string', 'date'],
  since: ['string', 'number'],
  span: ['string'],
  raw: ['string'],
  doc: ['string', 'number', 'boolean', 'date'],
};

/**
 * Returns columns, and sometimes renamed members, casts and values inside JSON.
 * @param {Random} random
 * @param {readonly Column[]} columns
 * @param {Request['form']} form
 */
function makeSelect(random, columns, form) {
  const names = makeNames(random, columns);
  if (random.maybe(0.5)) return names;
  const created = Array.from({ length: 1 + random.integer(3) }, (_, index) => {
    const { name, kind } = random.pick([
      ...columns,
      ...columns.filter((column) => column.kind.name === 'doc'),
    ]);
    const casts = CASTS[kind.name] ?? [];
    const json = kind.name === 'doc' ? random.pick(JSON_PATHS) : null;
    const cast = casts.length > 0 && (form === 'csv' || random.maybe(0.6)) ? random.pick(casts) : null;
    return cast === null && form === 'csv' && json !== null
      ? null
      : `m${index}:${name}${json === null ? '' : `->${json}`}${cast === null ? '' : `::${cast}`}`;
  });
  return [...names, ...created.filter((item) => item !== null)];
}

/**
 * Drops repeated parameters, because a parameter may occur once.
 * @param {Condition[]} conditions
 */
function uniqueKeys(conditions) {
  const key = (/** @type {Condition} */ item) =>
    item.kind === 'compare'
      ? `${item.path.join('.')} ${item.operator}`
      : item.kind === 'json'
        ? `${item.column} ${item.path} ${item.operator}`
        : item.kind === 'exists'
          ? item.relationship
          : item.kind === 'columns'
            ? `${item.path.join('.')} ${item.operator} ${item.other}`
            : JSON.stringify(item);
  return conditions.filter(
    (item, index) => conditions.findIndex((other) => key(other) === key(item)) === index,
  );
}

/**
 * @param {Random} random
 * @param {Table} table
 * @param {'address' | 'tree' | 'where'} location
 * @returns {Condition}
 */
function makeLeaf(random, table, location) {
  if (location !== 'where' && table.created.length > 0 && random.maybe(0.15))
    return { kind: 'exists', relationship: random.pick(table.created).name, isThere: random.maybe(0.5) };
  if (table.maker !== null && random.maybe(0.15))
    return compareLeaf(
      random,
      random.pick(table.maker.columns.filter((column) => column.kind.operators.length > 1)),
      ['maker'],
      location,
    );
  const pair = random.maybe(0.12) ? columnsLeaf(random, table, location) : null;
  if (pair !== null) return pair;
  const moment = location === 'tree' && random.maybe(0.08) ? momentLeaf(random, table) : null;
  if (moment !== null) return moment;
  const column = random.pick(
    table.columns.filter((item) => location !== 'where' || WHERE_KINDS.has(item.kind.name)),
  );
  return column.kind.name === 'doc' && random.maybe(0.85)
    ? jsonLeaf(random, column.name, location)
    : compareLeaf(random, column, [], location);
}

const WHERE_KINDS = new Set(['small', 'number', 'big', 'signed', 'price', 'word', 'code', 'day', 'at']);
const WHERE_OPERATORS = new Set(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'between', 'isnull', 'like']);

const SIGNS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'];

/**
 * Creates a condition that compares two columns of one record. Returns null if the table has no comparable
 * columns.
 * @param {Random} random
 * @param {Table} table
 * @param {'address' | 'tree' | 'where'} location
 * @returns {Condition | null}
 */
function columnsLeaf(random, table, location) {
  const isRelated = location !== 'where' && table.maker !== null && random.maybe(0.15);
  const columns = (isRelated && table.maker !== null ? table.maker : table).columns;
  const pairs = columns.flatMap((item) =>
    columns
      .filter(
        (other) =>
          other !== item && item.kind.compared !== undefined && other.kind.compared === item.kind.compared,
      )
      .map((other) => [item.name, other.name]),
  );
  if (pairs.length === 0) return null;
  const [element = '', other = ''] = random.pick(pairs);
  return {
    kind: 'columns',
    path: isRelated ? ['maker', element] : [element],
    operator: random.pick(SIGNS),
    other,
  };
}

/** @param {Random} random @param {Table} table @returns {Condition | null} */
function momentLeaf(random, table) {
  const columns = table.columns.filter((column) => column.kind.compared === 'day');
  return columns.length === 0
    ? null
    : {
        kind: 'moment',
        column: random.pick(columns).name,
        operator: random.pick(['gt', 'gte', 'lt', 'lte', 'eq', 'ne']),
        moment: makeMoment(random),
      };
}

/**
 * @param {Random} random
 * @param {Column} column
 * @param {readonly string[]} before
 * @param {'address' | 'tree' | 'where'} location
 * @returns {Condition}
 */
function compareLeaf(random, column, before, location) {
  const { kind } = column;
  const operator = random.pick(
    location === 'where' ? kind.operators.filter((item) => WHERE_OPERATORS.has(item)) : kind.operators,
  );
  const pool = kind.pool.filter(
    (value) =>
      value !== '0000-00-00' && !(location === 'where' && typeof value === 'string' && value.includes('\\')),
  );
  const element = () => random.pick(pool);
  const path = [...before, column.name];
  switch (operator) {
    case 'isnull':
      return { kind: 'compare', path, operator, values: [random.maybe(0.5)] };
    case 'in':
    case 'not_in':
      return {
        kind: 'compare',
        path,
        operator,
        values: Array.from({ length: 1 + random.integer(4) }, element),
      };
    case 'between':
    case 'not_between':
      return { kind: 'compare', path, operator, values: [element(), element()].sort(kind.compare) };
    case 'on':
      return { kind: 'compare', path, operator, values: [String(element()).slice(0, 10)] };
    case 'year':
      return { kind: 'compare', path, operator, values: [random.pick([2024, 2026])] };
    case 'month':
    case 'day':
      return {
        kind: 'compare',
        path,
        operator,
        values: [
          random.pick([1, 2, 29, 31].slice(operator === 'month' ? 0 : 1, operator === 'month' ? 2 : 4)),
        ],
      };
    case 'like':
    case 'not_like':
    case 'ilike':
      return {
        kind: 'compare',
        path,
        operator,
        values: [
          random.pick(
            ['%a%', 'a_', 'A%', '%b', '_', '%\\%', 'zeb%', '%\\_%', 'á%'].slice(
              0,
              location === 'where' ? 5 : 9,
            ),
          ),
        ],
      };
    case 'contains':
    case 'startswith':
    case 'endswith':
    case 'icontains':
    case 'istartswith':
    case 'iendswith':
      return {
        kind: 'compare',
        path,
        operator,
        values: [random.pick(['a', 'A', 'b', '%', '_', "'", 'é', 'z'])],
      };
    default:
      return { kind: 'compare', path, operator, values: [element()] };
  }
}

/**
 * @param {Random} random
 * @param {string} column
 * @param {'address' | 'tree' | 'where'} location
 * @returns {Condition}
 */
function jsonLeaf(random, column, location) {
  const path = random.pick(ALL_JSON_PATHS);
  if (random.maybe(0.15))
    return { kind: 'json', column, path, operator: 'isnull', values: [random.maybe(0.5)] };
  const operator = random.pick(['eq', 'ne', 'in', 'not_in', ...JSON_ORDERS, 'startswith', 'contains']);
  if (operator === 'startswith' || operator === 'contains')
    return { kind: 'json', column, path, operator, values: [random.pick(TEXTS)] };
  const isOrder = JSON_ORDERS.includes(operator);
  const element = () => {
    const number = random.pick(NUMBERS);
    if (random.maybe(0.6)) return number;
    if (location !== 'address' && random.maybe(0.4)) return JSON.stringify(number);
    return random.pick(isOrder ? TEXTS : [...TEXTS, 'true', 'false']);
  };
  const count = operator.endsWith('in') || operator.endsWith('between') ? 2 : 1;
  return { kind: 'json', column, path, operator, values: Array.from({ length: count }, element) };
}

const JSON_ORDERS = ['gt', 'gte', 'lt', 'lte', 'between', 'not_between'];

/** @param {Random} random @param {Table} table @param {number} depth @returns {Condition} */
function makeTree(random, table, depth) {
  if (depth === 0 || random.maybe(0.3)) return makeLeaf(random, table, 'tree');
  const kind = random.pick(/** @type {const} */ (['and', 'or', 'or', 'not']));
  if (kind === 'not') return { kind, of: makeTree(random, table, depth - 1) };
  return {
    kind,
    of: Array.from({ length: 1 + random.integer(3) }, () => makeTree(random, table, depth - 1)),
  };
}

/**
 * @param {Random} random
 * @param {Table} table
 * @param {number} depth
 * @param {boolean} [hasSpecial] whether relative dates and comparisons of columns occur
 * @returns {Condition | null}
 */
function makeWhere(random, table, depth, hasSpecial = true) {
  if (!table.columns.some((column) => WHERE_KINDS.has(column.kind.name))) return null;
  const leaf = () => {
    const columns = table.columns.filter((column) => WHERE_KINDS.has(column.kind.name));
    const special =
      hasSpecial && random.maybe(0.4)
        ? random.maybe(0.5)
          ? columnsLeaf(random, table, 'where')
          : momentLeaf(random, table)
        : null;
    if (special !== null) return special;
    const column = random.pick(columns);
    const condition = compareLeaf(random, column, [], 'where');
    // This condition is replaced: in SQL, `IS NULL` also finds zero dates in a NOT NULL column.
    const isOfEngine = !hasSpecial && !column.isNullable && column.kind.compared === 'day';
    return isOfEngine && condition.kind === 'compare' && condition.operator === 'isnull'
      ? { ...condition, operator: 'gt', values: ['2026-01-31'] }
      : condition;
  };
  /** @param {number} remaining @returns {Condition} */
  const grow = (remaining) => {
    if (remaining === 0 || random.maybe(0.4)) return leaf();
    const kind = random.pick(/** @type {const} */ (['and', 'or', 'not']));
    return kind === 'not'
      ? { kind, of: grow(remaining - 1) }
      : { kind, of: [grow(remaining - 1), grow(remaining - 1)] };
  };
  return grow(depth);
}

/**
 * @param {Random} random
 * @param {Table} table
 * @param {Aggregate | null} aggregate
 * @param {readonly string[] | null} distinct
 * @param {Request['form']} form
 * @returns {SortTerm[]}
 */
function makeSort(random, table, aggregate, distinct, form) {
  if (random.maybe(0.25)) return [];
  const isFit = (/** @type {Column} */ column) =>
    column.kind.isSortable && !(form === 'cursors' && column.kind.name === 'mass');
  const own = table.columns.filter(isFit).map((column) => [column.name]);
  const related =
    table.maker === null ? [] : table.maker.columns.filter(isFit).map((column) => ['maker', column.name]);
  const inside =
    aggregate !== null || distinct !== null || !random.maybe(0.35)
      ? null
      : ['doc', random.pick([...ALL_JSON_PATHS, 'tags'])];
  const names =
    aggregate !== null
      ? [
          ...aggregate.groups.filter(({ path, part }) => part !== null || path.at(-1) !== 'raw'),
          ...aggregate.terms.filter(({ fn, path }) => fn === 'count' || path === null),
        ].map(({ name }) => [name])
      : distinct !== null
        ? distinct.filter((name) => columnOf(table, name).kind.isSortable).map((name) => [name])
        : [...own, ...own, ...related];
  if (names.length === 0) return [];
  /** @param {SortTerm} term */
  const nameOf = (term) => `${term.path.join('.')}->${term.json ?? ''}`;
  const picked = pickSome(random, names, 3).map((path) => ({ path, isInside: false }));
  if (inside !== null && table.columns.some((column) => column.name === 'doc'))
    picked.splice(random.integer(2), 1, { path: inside, isInside: true });
  return picked
    .map(({ path, isInside }) => ({
      ...(isInside ? { path: path.slice(0, 1), json: path[1] ?? '' } : { path }),
      isDown: random.maybe(0.5),
      nulls: random.maybe(0.25) ? random.pick(/** @type {const} */ (['first', 'last'])) : null,
    }))
    .filter((term, index, terms) => terms.findIndex((other) => nameOf(other) === nameOf(term)) === index);
}

/** @param {Random} random @param {Table} table @param {Request['form']} form @returns {Aggregate} */
function makeAggregate(random, table, form) {
  const columns = [...table.columns, ...table.columns]
    .map((column) => ({ path: [column.name], column }))
    .concat(
      table.maker === null
        ? []
        : table.maker.columns.map((column) => ({ path: ['maker', column.name], column })),
    );
  const usable = columns.filter(({ column }) => column.kind.name !== 'doc');
  const hasDoc = form !== 'csv' && table.columns.some((column) => column.name === 'doc');
  /** @type {GroupTerm[]} */
  const groups = random.maybe(0.2)
    ? []
    : pickSome(random, usable, 2).map(({ path, column }, index) =>
        hasDoc && random.maybe(0.25)
          ? { name: `g${index}`, path: ['doc'], part: null, json: random.pick(JSON_PATHS) }
          : {
              name: `g${index}`,
              path,
              part:
                ['at', 'stamp'].includes(column.kind.name) && random.maybe(0.6) ? random.pick(PARTS) : null,
            },
      );
  /** @type {AggregateTerm[]} */
  const terms = Array.from({ length: 1 + random.integer(3) }, (_, index) => {
    if (hasDoc && random.maybe(0.25))
      return {
        name: `m${index}`,
        fn: random.pick(['count', 'count_distinct', 'sum', 'avg', 'min', 'max']),
        path: ['doc'],
        json: random.pick(JSON_PATHS),
      };
    const {
      path,
      column: { kind },
    } = random.pick(usable);
    const functions = [
      'count',
      'count_distinct',
      ...(kind.sums === undefined ? [] : ['sum', 'avg']),
      ...(['flag', 'size', 'colors', 'raw'].includes(kind.name) ? [] : ['min', 'max']),
    ];
    return random.maybe(0.3)
      ? { name: `m${index}`, fn: 'count', path: null }
      : { name: `m${index}`, fn: random.pick(functions), path };
  });
  const counted = terms.find(({ fn }) => fn === 'count' || fn === 'count_distinct');
  const having =
    counted !== undefined && groups.length > 0 && random.maybe(0.3)
      ? {
          name: counted.name,
          operator: random.pick(/** @type {const} */ (['gt', 'eq', 'lte'])),
          value: BigInt(random.integer(4)),
        }
      : null;
  return { groups, terms, having };
}

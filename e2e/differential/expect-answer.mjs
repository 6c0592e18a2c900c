// @ts-check
/** Computes the response to a request from the rows in memory. */
import { evaluate, follow, markNumbers, readPath, valueInside } from './evaluate.mjs';
import { columnOf } from './make-tables.mjs';
import { plainOrder, writeDecimal } from './values.mjs';

/** @typedef {import('./make-tables.mjs').Table} Table */
/** @typedef {import('./make-tables.mjs').Row} Row */
/** @typedef {import('./make-tables.mjs').Column} Column */
/** @typedef {import('./make-request.mjs').Request} Request */
/** @typedef {import('./make-request.mjs').SortTerm} SortTerm */
/**
 * The expected value of one member: a set of allowed texts, or a number within a tolerance (`near` ± `by`).
 */
/** @typedef {ReadonlySet<string> | { near: number, by: number }} Cell */
/** @typedef {{ rows: readonly (readonly Cell[])[], members: readonly string[], order: 'exact' | ((a: readonly string[], b: readonly string[]) => number) }} Expected */

/** @param {unknown} value */
export const textOf = (value) => JSON.stringify(value) ?? 'undefined';

/**
 * Returns a JSON value with sorted members and with each number in one notation.
 * @param {any} value
 * @returns {any}
 */
export function canonical(value) {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value === 'string')
    return value.startsWith('#') && value.includes('.') ? value.replace(/\.?0+$/, '') : value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, canonical(value[key])]),
  );
}

/** @param {Column} column @param {any} value @returns {Cell} */
export function showCell(column, value) {
  if (value === null) return new Set(['null']);
  return new Set([
    textOf(column.kind.name === 'doc' ? canonical(JSON.parse(markNumbers(value))) : column.kind.show(value)),
  ]);
}

/** `name:column->path::cast`, or a column alone. @param {string} item */
function readItem(item) {
  const [, name, column = '', json, cast] = /^(?:(\w+):)?(\w+)(?:->([\w.]+))?(?:::(\w+))?$/.exec(item) ?? [];
  return { member: name ?? column, column, json, cast };
}

/** The names that the items of `_select` get. @param {readonly string[]} items */
export const toMembers = (items) => items.map((item) => readItem(item).member);

/**
 * Returns the value that a response shows for an item of `_select`.
 * @param {Table} table
 * @param {Row} row
 * @param {string} item
 * @returns {Cell}
 */
export function showItem(table, row, item) {
  const { column: name, json, cast } = readItem(item);
  const column = columnOf(table, name);
  const value = row[name];
  if (json === undefined && cast === undefined) return showCell(column, value);
  const visible =
    json === undefined
      ? value === null
        ? null
        : column.kind.name === 'doc'
          ? canonical(JSON.parse(markNumbers(value)))
          : column.kind.show(value)
      : canonical(valueInside(value, json));
  const own = cast === undefined ? visible : castValue(visible, cast);
  return new Set([textOf(own)]);
}

/** @param {any} visible @param {string} cast @returns {any} */
function castValue(visible, cast) {
  if (visible === null) return null;
  const isNumber = typeof visible === 'string' && visible.startsWith('#');
  const text = isNumber ? visible.slice(1) : typeof visible === 'string' ? visible : JSON.stringify(visible);
  const isJsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
  switch (cast) {
    case 'string':
      return text;
    case 'number':
      return typeof visible === 'boolean' ? (visible ? '#1' : '#0') : isJsonNumber ? `#${text}` : null;
    case 'boolean':
      return typeof visible === 'boolean'
        ? visible
        : isNumber
          ? Number(text) !== 0
          : text === 'true' || text === '1'
            ? true
            : text === 'false' || text === '0'
              ? false
              : null;
    default:
      return /^\d{4}-\d\d-\d\d(?:$|[T ])/.test(text) ? text.slice(0, 10) : null;
  }
}

const RANKS = { none: 0, number: 1, text: 2, boolean: 3, other: 4 };

/**
 * Compares values inside JSON as sorts do: first numbers, then texts by code points, false and true, and last
 * objects and arrays, which count as equal.
 * @param {ReturnType<typeof readPath>} a
 * @param {ReturnType<typeof readPath>} b
 */
function jsonOrder(a, b) {
  if (a.kind !== b.kind) return RANKS[a.kind] - RANKS[b.kind];
  return a.kind === 'other' ? 0 : plainOrder(a.value, b.value);
}

/** Returns null for a missing path and for JSON null. @param {string | null} document @param {string} path */
function insideOrNull(document, path) {
  const found = readPath(document, path);
  return found.kind === 'none' ? null : found;
}

/** @param {Request} request @param {Table} table */
export function findRows({ form, address, tree, where }, table) {
  const isLoose = form !== 'search' && form !== 'tool' && form !== 'toolDelete';
  const own = address.map((item) => (item.kind === 'json' ? { ...item, isLoose } : item));
  const conditions = [...own, ...(tree === null ? [] : [tree]), ...(where === null ? [] : [where])];
  return table.rows.filter((row) =>
    conditions.every((condition) => evaluate(condition, table, row) === true),
  );
}

/** @param {Table} table @param {Row} row @param {readonly string[]} path */
function valueAt(table, row, path) {
  const { table: owner, row: record } = follow(table, row, path);
  return {
    column: columnOf(owner, path.at(-1) ?? ''),
    value: record === null ? null : record[path.at(-1) ?? ''],
  };
}

/**
 * @param {(a: any, b: any) => number} order
 * @param {any} a
 * @param {any} b
 * @param {Pick<SortTerm, 'isDown' | 'nulls'>} term
 */
function compareTerm(order, a, b, { isDown, nulls }) {
  if (a === null || b === null) {
    if (a === b) return 0;
    const isLast = nulls === null ? isDown : nulls === 'last';
    return (a === null) === isLast ? 1 : -1;
  }
  return order(a, b) * (isDown ? -1 : 1);
}

/** @param {Table} table @param {readonly SortTerm[]} terms @returns {(a: Row, b: Row) => number} */
function compareBy(table, terms) {
  return (a, b) => {
    for (const term of terms) {
      const [item, other] = [valueAt(table, a, term.path), valueAt(table, b, term.path)];
      const { json } = term;
      const found =
        json !== undefined
          ? compareTerm(jsonOrder, insideOrNull(item.value, json), insideOrNull(other.value, json), term)
          : compareTerm(item.column.kind.compare, item.value, other.value, term);
      if (found !== 0) return found;
    }
    return 0;
  };
}

/** @param {Request} request @param {Table} table @returns {Expected} */
export function expectRecords(request, table) {
  const names = request.select ?? table.columns.map((column) => column.name);
  const isDown = request.sort.at(-1)?.isDown ?? false;
  const keys = (table.key ?? []).map((name) => ({ path: [name], isDown, nulls: null }));
  const requested = compareBy(table, request.sort);
  const rows = findRows(request, table).sort(compareBy(table, [...request.sort, ...keys]));
  const cells = rows.map((row) => names.map((name) => showItem(table, row, name)));
  const members = toMembers(names);
  // A stream of a whole view is ordered by `sort` only.
  const isLoose = (request.form === 'ndjson' || request.form === 'csv') && table.isView;
  if (table.key !== null && !isLoose) return { members, rows: cells, order: 'exact' };
  // Rows that are equal in all sort keys may have any order. A returned row is identified by its members, so
  // its order is checked by the keys that are members.
  const rowsByKey = new Map(rows.map((row, index) => [keyOf(cells[index] ?? []), row]));
  const isShown = request.sort.every((term) => names.includes(term.path[0] ?? ''));
  return {
    members,
    rows: cells,
    order: (a, b) =>
      isShown
        ? requested(
            /** @type {Row} */ (rowsByKey.get(a.join('|'))),
            /** @type {Row} */ (rowsByKey.get(b.join('|'))),
          )
        : 0,
  };
}

/** @param {readonly Cell[]} cells */
export function keyOf(cells) {
  return cells.map((cell) => (cell instanceof Set ? [...cell].join(' or ') : '?')).join('|');
}

/**
 * Returns the texts of all values of the column that are equal to this one.
 * @param {Column} column
 * @param {readonly any[]} values
 * @param {any} value
 * @returns {Cell}
 */
function anyOf(column, values, value) {
  if (value === null) return new Set(['null']);
  const group = column.kind.group(value);
  return new Set(
    values
      .filter((item) => item !== null && column.kind.group(item) === group)
      .map((item) => textOf(column.kind.show(item))),
  );
}

/** @param {Request} request @param {Table} table @returns {Expected} */
export function expectDistinct(request, table) {
  const names = request.distinct ?? [];
  const found = findRows(request, table);
  /** @type {Map<string, Row>} */
  const groups = new Map();
  for (const row of found) {
    const key = textOf(
      names.map((name) => (row[name] === null ? null : columnOf(table, name).kind.group(row[name]))),
    );
    if (!groups.has(key)) groups.set(key, row);
  }
  const rest = names.filter(
    (name) => columnOf(table, name).kind.isSortable && !request.sort.some((term) => term.path[0] === name),
  );
  const terms = [...request.sort, ...rest.map((name) => ({ path: [name], isDown: false, nulls: null }))];
  const rows = [...groups.values()].sort(compareBy(table, terms));
  const isExact = names.every((name) => columnOf(table, name).kind.isSortable);
  return {
    members: names,
    rows: rows.map((row) =>
      names.map((name) =>
        anyOf(
          columnOf(table, name),
          found.map((item) => item[name]),
          row[name],
        ),
      ),
    ),
    order: isExact ? 'exact' : () => 0,
  };
}

/** @param {import('./make-request.mjs').GroupTerm} group @param {Table} table @param {Row} row */
function groupValue({ path, part }, table, row) {
  const { column, value } = valueAt(table, row, path);
  return { column, value: value === null || part === null ? value : datePart(value, part) };
}

/** @param {string} moment @param {string} part */
function datePart(moment, part) {
  const [year = '', month = ''] = moment.split('-');
  switch (part) {
    case 'year':
      return Number(year);
    case 'quarter':
      return `${year}-Q${Math.ceil(Number(month) / 3)}`;
    case 'month':
      return `${year}-${month}`;
    case 'day':
      return moment.slice(0, 10);
    case 'hour':
      return `${moment.slice(0, 10)}T${moment.slice(11, 13)}:00:00`;
    default:
      return isoWeek(moment.slice(0, 10));
  }
}

/** @param {string} day */
function isoWeek(day) {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const year = date.getUTCFullYear();
  return `${year}-W${String(Math.ceil(((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7)).padStart(2, '0')}`;
}

/**
 * The value by which a member is sorted and compared, in addition to its text.
 * @typedef {{ cell: Cell, value: any, order: (a: any, b: any) => number }} Member
 */

/** @param {Request} request @param {Table} table @returns {Expected} */
export function expectGroups(request, table) {
  const { groups, terms, having } = request.aggregate ?? { groups: [], terms: [], having: null };
  const found = findRows(request, table);
  /** @type {Map<string, Row[]>} */
  const sets = new Map(groups.length === 0 ? [['all', found]] : []);
  if (groups.length > 0)
    for (const row of found) {
      const key = textOf(groups.map((group) => keyOfGroup(group, table, row)));
      sets.set(key, [...(sets.get(key) ?? []), row]);
    }
  const members = [...groups.map((group) => group.name), ...terms.map((term) => term.name)];
  const rows = [...sets.values()].map((set) => [
    ...groups.map((group) => groupMember(group, table, set, found)),
    ...terms.map((term) => computeTerm(term, table, set)),
  ]);
  const retained =
    having === null
      ? rows
      : rows.filter((row) => {
          const value = row[members.indexOf(having.name)]?.value;
          return (
            value !== null &&
            (having.operator === 'gt'
              ? value > having.value
              : having.operator === 'eq'
                ? value === having.value
                : value <= having.value)
          );
        });
  const sort = [
    ...request.sort.map((term) => ({ at: members.indexOf(term.path[0] ?? ''), term })),
    ...groups.map((group, index) => ({
      at: index,
      term: { path: [group.name], isDown: false, nulls: null },
    })),
  ];
  retained.sort((a, b) =>
    sort.reduce(
      (found, { at: index, term }) =>
        found ||
        compareTerm(a[index]?.order ?? plainOrder, a[index]?.value ?? null, b[index]?.value ?? null, term),
      0,
    ),
  );
  return {
    members,
    rows: retained.map((row) => row.map((member) => member.cell)),
    order: groups.some(({ path }) => path.at(-1) === 'raw') ? () => 0 : 'exact',
  };
}

/** @param {import('./make-request.mjs').GroupTerm} group @param {Table} table @param {Row} row */
function keyOfGroup(group, table, row) {
  if (group.json !== undefined) {
    const found = insideOrNull(row['doc'], group.json);
    return found === null
      ? null
      : `${found.kind} ${found.kind === 'other' ? textOf(found.value) : found.value}`;
  }
  const { column, value } = groupValue(group, table, row);
  return value === null ? null : group.part === null ? column.kind.group(value) : String(value);
}

/**
 * @param {import('./make-request.mjs').GroupTerm} group
 * @param {Table} table
 * @param {Row[]} set
 * @param {Row[]} found
 * @returns {Member}
 */
function groupMember(group, table, set, found) {
  const { json } = group;
  if (json !== undefined)
    return {
      value: insideOrNull(set[0]?.['doc'], json),
      order: jsonOrder,
      cell: new Set(set.map((row) => textOf(canonical(valueInside(row['doc'], json))))),
    };
  const { column, value } = groupValue(group, table, /** @type {Row} */ (set[0]));
  if (group.part !== null)
    return {
      value,
      order: plainOrder,
      cell: new Set([value === null ? 'null' : textOf(typeof value === 'number' ? `#${value}` : value)]),
    };
  return {
    value,
    order: column.kind.compare,
    cell: anyOf(
      column,
      found.map((row) => groupValue(group, table, row).value),
      value,
    ),
  };
}

/**
 * @param {import('./make-request.mjs').AggregateTerm} term
 * @param {Table} table
 * @param {Row[]} set
 * @returns {Member}
 */
function computeTerm({ fn, path, json }, table, set) {
  if (path === null) return exact(BigInt(set.length), 0);
  if (json !== undefined)
    return computeInside(
      fn,
      set.flatMap((row) => insideOrNull(row['doc'], json) ?? []),
    );
  const all = set.map((row) => valueAt(table, row, path));
  const values = all.map(({ value }) => value).filter((value) => value !== null);
  const column =
    all[0]?.column ??
    columnOf(path.length > 1 && table.maker !== null ? table.maker : table, path.at(-1) ?? '');
  const { kind } = column;
  if (fn === 'count') return exact(BigInt(values.length), 0);
  if (fn === 'count_distinct') return exact(BigInt(new Set(values.map(kind.group)).size), 0);
  if (values.length === 0) return { value: null, order: plainOrder, cell: new Set(['null']) };
  if (fn === 'min' || fn === 'max') {
    const best = values.reduce((a, b) =>
      kind.compare(b, a) < 0 === (fn === 'min') && kind.compare(a, b) !== 0 ? b : a,
    );
    return { value: best, order: kind.compare, cell: anyOf(column, values, best) };
  }
  if (kind.sums === 'float') {
    const sum = values.reduce((total, value) => total + value, 0);
    const near = fn === 'sum' ? sum : sum / values.length;
    return { value: near, order: plainOrder, cell: { near, by: Math.max(...values.map(Math.abs)) * 1e-12 } };
  }
  const sum = values.reduce((total, value) => total + BigInt(value), 0n);
  const scale = kind.scale ?? 0;
  if (fn === 'sum') return exact(sum, scale);
  const near = Number(writeDecimal((sum * 10_000n) / BigInt(values.length), scale + 4));
  return {
    value: near,
    order: plainOrder,
    cell: { near, by: Math.max(1.01 * 10 ** -(scale + 4), Math.abs(near) * 1e-15) },
  };
}

/**
 * Computes an aggregate of values inside JSON. Numbers are integers of millionths.
 * @param {string} fn
 * @param {ReturnType<typeof readPath>[]} found
 * @returns {Member}
 */
function computeInside(fn, found) {
  if (fn === 'count') return exact(BigInt(found.length), 0);
  if (fn === 'count_distinct')
    return exact(
      BigInt(
        new Set(
          found.map(({ kind, value }) => `${kind} ${typeof value === 'object' ? textOf(value) : value}`),
        ).size,
      ),
      0,
    );
  const numbers = /** @type {bigint[]} */ (
    found.filter(({ kind }) => kind === 'number').map(({ value }) => value)
  ).sort(plainOrder);
  if (numbers.length === 0) return { value: null, order: plainOrder, cell: new Set(['null']) };
  const sum = numbers.reduce((total, value) => total + value, 0n);
  if (fn === 'avg') {
    const near = Number(sum) / 1e6 / numbers.length;
    return { value: near, order: plainOrder, cell: { near, by: Math.max(1e-9, Math.abs(near) * 1e-14) } };
  }
  const value = fn === 'sum' ? sum : ((fn === 'min' ? numbers[0] : numbers.at(-1)) ?? 0n);
  return { value, order: plainOrder, cell: new Set([textOf(canonical(`#${writeDecimal(value, 6)}`))]) };
}

/** @param {bigint} value @param {number} scale @returns {Member} */
function exact(value, scale) {
  return { value, order: plainOrder, cell: new Set([textOf(`#${writeDecimal(value, scale)}`)]) };
}

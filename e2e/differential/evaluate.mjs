// @ts-check
import { foldText } from './values.mjs';
import { columnOf } from './make-tables.mjs';
import { evaluateMoment } from './moments.mjs';

/** @typedef {import('./make-tables.mjs').Table} Table */
/** @typedef {import('./make-tables.mjs').Row} Row */
/**
 * @typedef {{ kind: 'compare', path: readonly string[], operator: string, values: readonly any[] }
 *   | { kind: 'json', column: string, path: string, operator: string, values: readonly any[], isLoose?: boolean }
 *   | { kind: 'columns', path: readonly string[], operator: string, other: string }
 *   | { kind: 'moment', column: string, operator: string, moment: import('./moments.mjs').Moment }
 *   | { kind: 'exists', relationship: string, isThere: boolean }
 *   | { kind: 'and', of: readonly Condition[] } | { kind: 'or', of: readonly Condition[] } | { kind: 'not', of: Condition }} Condition
 */

/**
 * Follows the path `maker.…` to the row's related record. Returns the row itself for a path without a
 * relationship.
 * @param {Table} table
 * @param {Row} row
 * @param {readonly string[]} path
 * @returns {{ table: Table, row: Row | null }}
 */
export function follow(table, row, path) {
  if (path.length === 1 || table.maker === null) return { table, row };
  return { table: table.maker, row: table.maker.rows.find((item) => item['id'] === row['maker_id']) ?? null };
}

/**
 * Evaluates a condition in SQL's three-valued logic. Returns null for unknown.
 * @param {Condition} condition
 * @param {Table} table
 * @param {Row} row
 * @returns {boolean | null}
 */
export function evaluate(condition, table, row) {
  switch (condition.kind) {
    case 'and':
      return all(condition.of.map((item) => evaluate(item, table, row)));
    case 'or':
      return negate(all(condition.of.map((item) => negate(evaluate(item, table, row)))));
    case 'not':
      return negate(evaluate(condition.of, table, row));
    case 'exists':
      return (
        table.created
          .find((item) => item.name === condition.relationship)
          ?.table.rows.some((item) => item['maker_id'] === row['id']) === condition.isThere
      );
    case 'json':
      return evaluateJson(condition, row[condition.column]);
    case 'columns':
      return compareColumns(condition, table, row);
    case 'moment':
      return compareMoment(condition, columnOf(table, condition.column).kind, row[condition.column]);
    default: {
      const { table: owner, row: record } = follow(table, row, condition.path);
      // The condition requires a related record, and this row has none.
      if (record === null) return false;
      const column = columnOf(owner, condition.path.at(-1) ?? '');
      const found = compare(column.kind, condition.operator, record[column.name], condition.values);
      return condition.path.length > 1 ? found === true : found;
    }
  }
}

const SIGNS = /** @type {Record<string, (order: number) => boolean>} */ ({
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
});

/**
 * Compares two columns of one record: as numbers of one scale, as times of one form, or as texts of one
 * collation.
 * @param {Condition & { kind: 'columns' }} condition
 * @param {Table} table
 * @param {Row} row
 */
function compareColumns({ path, operator, other }, table, row) {
  const { table: owner, row: record } = follow(table, row, path);
  if (record === null) return false;
  const [item, two] = [columnOf(owner, path.at(-1) ?? ''), columnOf(owner, other)];
  const [a, b] = [item, two].map(({ name, kind }) =>
    record[name] === null
      ? null
      : kind.compared === 'number'
        ? record[name] * 10n ** BigInt(4 - (kind.scale ?? 0))
        : kind.compared === 'day'
          ? fullMoment(record[name])
          : record[name],
  );
  if (a === null || b === null) return path.length > 1 ? false : null;
  const order = item.kind.compared === 'text' ? item.kind.compare(a, b) : a < b ? -1 : a > b ? 1 : 0;
  return SIGNS[operator]?.(order) ?? false;
}

/** @param {string} text a day, or a moment with or without digits of the second */
const fullMoment = (text) =>
  text.length === 10 ? `${text} 00:00:00.000` : text.length === 19 ? `${text}.000` : text;

/**
 * @param {Condition & { kind: 'moment' }} condition
 * @param {import('./values.mjs').Kind} kind
 * @param {string | null} value
 */
function compareMoment({ operator, moment }, kind, value) {
  if (value === null) return null;
  const { utc, local } = evaluateMoment(moment);
  const [a, b] = [fullMoment(value), kind.name === 'day' ? local : utc];
  return SIGNS[operator]?.(a < b ? -1 : a > b ? 1 : 0) ?? false;
}

/** @param {readonly (boolean | null)[]} parts */
function all(parts) {
  return parts.includes(false) ? false : parts.includes(null) ? null : true;
}

/** @param {boolean | null} value */
const negate = (value) => (value === null ? null : !value);

/**
 * @param {import('./values.mjs').Kind} kind
 * @param {string} operator
 * @param {any} value
 * @param {readonly any[]} operands
 * @returns {boolean | null}
 */
function compare(kind, operator, value, operands) {
  const [first, second] = operands;
  if (operator === 'isnull') return (value === null) === first;
  if (value === null) return null;
  const order = kind.compare;
  switch (operator) {
    case 'eq':
    case 'iexact':
      return kind.isText && operator === 'iexact'
        ? matchLike(kind, value, escapeLike(first), true)
        : order(value, first) === 0;
    case 'ne':
      return order(value, first) !== 0;
    case 'gt':
    case 'after':
      return order(value, first) > 0;
    case 'gte':
      return order(value, first) >= 0;
    case 'lt':
    case 'before':
      return order(value, first) < 0;
    case 'lte':
      return order(value, first) <= 0;
    case 'in':
      return operands.some((item) => order(value, item) === 0);
    case 'not_in':
      return !operands.some((item) => order(value, item) === 0);
    case 'between':
      return order(value, first) >= 0 && order(value, second) <= 0;
    case 'not_between':
      return !(order(value, first) >= 0 && order(value, second) <= 0);
    case 'on':
      return value.slice(0, 10) === first;
    case 'year':
      return Number(value.slice(0, 4)) === first;
    case 'month':
      return Number(value.slice(5, 7)) === first;
    case 'day':
      return Number(value.slice(8, 10)) === first;
    case 'like':
      return matchLike(kind, value, first, false);
    case 'not_like':
      return !matchLike(kind, value, first, false);
    case 'ilike':
      return matchLike(kind, value, first, true);
    case 'contains':
    case 'icontains':
      return matchLike(kind, value, `%${escapeLike(first)}%`, operator.startsWith('i'));
    case 'startswith':
    case 'istartswith':
      return matchLike(kind, value, `${escapeLike(first)}%`, operator.startsWith('i'));
    case 'endswith':
    case 'iendswith':
      return matchLike(kind, value, `%${escapeLike(first)}`, operator.startsWith('i'));
    default:
      throw new Error(`unknown operator ${operator}`);
  }
}

/** @param {string} text */
export function escapeLike(text) {
  return text.replaceAll(/[\\%_]/g, (char) => `\\${char}`);
}

/**
 * Matches a LIKE pattern. `%` stands for any characters and `_` for one; after `\`, both stand for
 * themselves.
 * @param {import('./values.mjs').Kind} kind
 * @param {string} text
 * @param {string} pattern
 * @param {boolean} isCaseInsensitive
 */
function matchLike(kind, text, pattern, isCaseInsensitive) {
  const fold =
    kind.name === 'code'
      ? isCaseInsensitive
        ? (/** @type {string} */ item) => item.toLowerCase()
        : (/** @type {string} */ item) => item
      : foldText;
  let source = '';
  const chars = Array.from(pattern);
  for (let index = 0; index < chars.length; index += 1) {
    const char = chars[index] ?? '';
    if (char === '%') source += '.*';
    else if (char === '_') source += '.';
    else
      source += (
        char === '\\' && index + 1 < chars.length ? fold(chars[(index += 1)] ?? '') : fold(char)
      ).replaceAll(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
  }
  return new RegExp(`^${source}$`, 'su').test(Array.from(text, (char) => fold(char)).join(''));
}

/**
 * Reads the value at a path of a JSON document. Numbers are `#digits`. Returns null when there is none.
 * @param {string | null} document
 * @param {string} path
 * @returns {any}
 */
export function valueInside(document, path) {
  let value = document === null ? null : JSON.parse(markNumbers(document));
  for (const step of path.split('.'))
    value =
      value === null || typeof value !== 'object'
        ? null
        : Array.isArray(value)
          ? /^\d+$/.test(step)
            ? (value[Number(step)] ?? null)
            : null
          : Object.hasOwn(value, step)
            ? value[step]
            : null;
  return value;
}

/**
 * Reads the value at a path of a JSON document. A number has digits, sign and decimals; null and a missing
 * member are equal.
 * @param {string | null} document
 * @param {string} path
 * @returns {{ kind: 'none' | 'number' | 'text' | 'boolean' | 'other', value: any, written?: string }}
 *   `written`: the digits of a number
 */
export function readPath(document, path) {
  const value = valueInside(document, path);
  if (value === null || value === undefined) return { kind: 'none', value: null };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value !== 'string') return { kind: 'other', value };
  return value.startsWith('#')
    ? { kind: 'number', value: scaleNumber(value.slice(1)), written: value.slice(1) }
    : { kind: 'text', value };
}

/**
 * Replaces numbers outside strings by `"#digits"`, so that no digit is lost.
 * @param {string} json
 */
export function markNumbers(json) {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (unit) =>
    unit.startsWith('"') ? unit : `"#${unit}"`,
  );
}

/**
 * Returns a number with few decimals, multiplied by a million.
 * @param {string} text
 */
export function scaleNumber(text) {
  const [whole = '', places = ''] = text.split('.');
  return BigInt(`${whole}${places.padEnd(6, '0').slice(0, 6)}`);
}

/** @typedef {{ kind: 'number' | 'text' | 'boolean', value: any }} Operand */

/**
 * Returns the values that a condition's value may stand for. In a URL, `5` may be a number or a text, and
 * `true` a boolean or a text. In a body, the value is JSON and has one meaning.
 * @param {string} written
 * @param {boolean} isLoose whether the value is part of a URL
 * @returns {Operand[]}
 */
function readOperand(written, isLoose) {
  /** @type {Operand[]} */
  const typed = isJsonNumber(written)
    ? [{ kind: 'number', value: scaleNumber(written) }]
    : written === 'true' || written === 'false'
      ? [{ kind: 'boolean', value: written === 'true' }]
      : [];
  if (typed.length > 0 && !isLoose) return typed;
  return [...typed, { kind: 'text', value: written.startsWith('"') ? JSON.parse(written) : written }];
}

/** @param {string} written */
export const isJsonNumber = (written) => /^-?\d+(?:\.\d+)?$/.test(written);

/**
 * Returns the text with which patterns compare a value inside JSON. Engines put different spaces into objects
 * and arrays, so the generated patterns contain no spaces.
 * @param {ReturnType<typeof readPath>} found
 */
const patternText = ({ value, written }) =>
  written ?? (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * @param {Condition & { kind: 'json' }} condition
 * @param {string | null} document
 * @returns {boolean | null}
 */
function evaluateJson({ path, operator, values, isLoose = false }, document) {
  const found = readPath(document, path);
  if (operator === 'isnull') return (found.kind === 'none') === values[0];
  if (found.kind === 'none') return null;
  const isEqual = (/** @type {string} */ written) =>
    readOperand(written, isLoose).some(({ kind, value }) => kind === found.kind && value === found.value);
  const isOrdered = (/** @type {string} */ sign, /** @type {string} */ written) => {
    const [operand] = readOperand(written, isLoose);
    if (operand === undefined || operand.kind !== found.kind) return false;
    const { value } = operand;
    return SIGNS[sign]?.(found.value < value ? -1 : found.value > value ? 1 : 0) ?? false;
  };
  switch (operator) {
    case 'eq':
    case 'in':
      return values.some(isEqual);
    case 'ne':
    case 'not_in':
      return !values.some(isEqual);
    case 'between':
    case 'not_between':
      return (isOrdered('gte', values[0]) && isOrdered('lte', values[1])) === (operator === 'between');
    case 'startswith':
      return patternText(found).startsWith(values[0]);
    case 'contains':
      return patternText(found).includes(values[0]);
    default:
      return isOrdered(operator, values[0]);
  }
}

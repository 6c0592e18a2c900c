// @ts-check
import { makeText } from './values.mjs';
/** @typedef {import('@rowhouse/schema-model/testing').Random} Random */
/** @typedef {import('./make-request.mjs').FuzzContext['tables'][number]} FuzzTable */

const PLAIN = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'contains', 'startswith', 'not_like'];
const DEPTH_MAX = 5;
const DAY = '"2024-05-01"';

/**
 * Returns the JSON text of a meaningful filter tree. Most trees are valid and are run, and some are nearly
 * valid.
 * @param {Random} random
 * @param {FuzzTable} table
 * @returns {string}
 */
export function makeTree(random, table, depth = 0) {
  const kind = depth >= DEPTH_MAX ? 9 : random.integer(10);
  if (kind < 2)
    return `{"${random.pick(['and', 'or'])}":[${Array.from({ length: 1 + random.integer(3) }, () => makeTree(random, table, depth + 1)).join(',')}]}`;
  if (kind === 2) return `{"not":${makeTree(random, table, depth + 1)}}`;
  if (kind === 3)
    return `{${JSON.stringify(random.pick(table.relationships))}:{"${random.pick(['some', 'none', 'every'])}":${makeTree(random, { ...table, columns: ['id'] }, depth + 1)}}}`;
  return `{${Array.from({ length: 1 + random.integer(2) }, () => makeTerm(random, table)).join(',')}}`;
}

/** @param {Random} random @param {FuzzTable} table */
function makeTerm(random, table) {
  const column = random.pick(table.columns);
  const name = random.maybe(0.2) ? `${random.pick(table.relationships)}.id` : quote(column);
  const kind = random.integer(8);
  if (kind === 0) return `${JSON.stringify(`${name}__isnull`)}:${random.pick(['true', 'false'])}`;
  if (kind === 1)
    return `${JSON.stringify(`${name}__${random.pick(['in', 'not_in'])}`)}:[${Array.from({ length: 1 + random.integer(4) }, () => makeOperand(random, name)).join(',')}]`;
  if (kind === 2)
    return `${JSON.stringify(`${name}__between`)}:[${makeOperand(random, name)},${makeOperand(random, name)}]`;
  return `${JSON.stringify(kind === 3 ? name : `${name}__${random.pick(PLAIN)}`)}:${makeOperand(random, name)}`;
}

/**
 * Quotes names that are not simple identifiers in backquotes.
 * @param {string} name
 */
const quote = (name) => (/^\w+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``);

/** @param {Random} random @param {string} name */
function makeOperand(random, name) {
  if (random.maybe(0.05)) return JSON.stringify(makeText(random));
  if (/(^|_|\.)id$/.test(name) || ['order', 'select', 'a'].includes(name)) return String(random.integer(20));
  if (name === 'published') return random.pick(['true', 'false']);
  if (/_at$/.test(name)) return DAY;
  return JSON.stringify(random.pick(['a', 'text 1', '%', 'ann', 'ä']));
}

/**
 * Returns a value of `where=`, in the form of a formula.
 * @param {Random} random
 * @param {FuzzTable} table
 */
export function makeWhere(random, table) {
  const column = random.pick(table.columns);
  const term = () =>
    `${quote(column)} ${random.pick(['=', '<>', '<', '>=', 'LIKE'])} ${makeOperand(random, column).replaceAll('"', "'")}`;
  return random.pick([
    term(),
    `${term()} AND ${term()}`,
    `(${term()} OR ${term()}) AND NOT (${term()})`,
    `${quote(column)} IS NULL`,
    `${quote(column)} IN (1, 2)`,
  ]);
}

/**
 * Returns parameters that group a list.
 * @param {Random} random
 * @param {FuzzTable} table
 */
export function makeGroups(random, table) {
  const [column, group] = [quote(random.pick(table.columns)), quote(random.pick(table.columns))];
  const member = random.pick([
    `count:${column}`,
    `n:count_distinct:${column}`,
    `min:${column}`,
    `max:${column}`,
    `sum:${column}`,
    `avg:${column}`,
  ]);
  const having = random.maybe(0.3)
    ? `&_having=${encodeURIComponent(JSON.stringify({ count__gte: random.integer(3) }))}`
    : '';
  return `_aggregate=count,${encodeURIComponent(member)}${random.maybe(0.8) ? `&_group=${encodeURIComponent(group)}` : ''}${having}`;
}

/**
 * Returns a body of `_batch` whose operations should succeed.
 * @param {Random} random
 * @param {FuzzTable} table
 * @param {(column: string) => string} fit returns a value that the column accepts
 */
export function makeBatch(random, table, fit) {
  const members = table.columns
    .filter((column) => column !== 'id')
    .map((column) => `${JSON.stringify(column)}:${fit(column)}`)
    .join(',');
  const id = 1 + random.integer(12);
  const operations = [
    `{"method":"POST","path":"/${table.path}","body":{${members}}}`,
    `{"method":"PATCH","path":"/${table.path}/${id}","body":{${members}}}`,
    `{"method":"PATCH","path":"/${table.path}/${id}","body":{"id":{"$ref":"0.id"}}}`,
    `{"method":"GET","path":"/${table.path}/${id}"}`,
    `{"method":"DELETE","path":"/${table.path}/9999"}`,
  ];
  return `{"operations":[${Array.from({ length: 1 + random.integer(3) }, () => random.pick(operations)).join(',')}]}`;
}

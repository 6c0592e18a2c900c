// @ts-check
import { sampleValue } from './sample-value.mjs';

/** @typedef {import('@rowhouse/schema-model/testing').Random} Random */

/**
 * The names and schemas with which the list of a table is queried, from the document.
 * @typedef {object} TableWords
 * @property {[string, Record<string, any>][]} columns names and schemas of the members, without relationships
 * @property {[string, boolean][]} relationships names, and whether they are to-many
 */

const UNSORTABLE = (/** @type {Record<string, any>} */ schema) =>
  schema['$ref'] !== undefined ||
  schema['anyOf'] !== undefined ||
  schema['not'] !== undefined ||
  schema['type'] === undefined ||
  schema['contentEncoding'] !== undefined ||
  (schema['type'].includes('array') && schema['items']?.type === 'number');

/** @param {TableWords} words */
const sortable = (words) => words.columns.filter(([, schema]) => !UNSORTABLE(schema)).map(([name]) => name);

/**
 * Values of parameters that depend on names of the table. The others are created from the parameter's schema.
 * @type {Record<string, (random: Random, words: TableWords) => [string, string][] | null>}
 */
const MADE = {
  page: () => [
    ['page', '1'],
    ['limit', '5'],
  ],
  sort: (random, words) => {
    const names = sortable(words);
    return names.length === 0
      ? null
      : [
          [
            'sort',
            `${random.maybe(0.5) ? '-' : ''}${quote(random.pick(names))}${random.pick(['', ':nulls_first', ':nulls_last'])}`,
          ],
        ];
  },
  include: (random, words) => {
    const [name, isMany] = random.pick(words.relationships);
    if (isMany && random.maybe(0.3)) return [['include', `count:${quote(name)}`]];
    return [
      ['include', quote(name)],
      ...(isMany ? [/** @type {[string, string]} */ ([`include[${quote(name)}][limit]`, '2'])] : []),
    ];
  },
  order: (random, words) => {
    const names = sortable(words);
    return names.length === 0
      ? null
      : [
          ['order', random.pick(['asc', 'desc'])],
          ['sort', quote(random.pick(names))],
        ];
  },
  created_after: () => [['created_after', '2020-01-01']],
  where: (_, words) => [['where', `${quote(words.columns[0]?.[0] ?? '')} IS NOT NULL`]],
  _filter: (_, words) => [
    [
      '_filter',
      JSON.stringify({
        or: [
          { [`${quote(words.columns[0]?.[0] ?? '')}__isnull`]: false },
          { not: { [`${quote(words.columns[0]?.[0] ?? '')}__isnull`]: true } },
        ],
      }),
    ],
  ],
  _q: () => [['_q', 'words']],
  _select: (random, words) => [['_select', listNames(random, words)]],
  _omit: (_, words) => (words.columns.length < 2 ? null : [['_omit', quote(words.columns[0]?.[0] ?? '')]]),
  _distinct: (random, words) => {
    const names = sortable(words);
    return names.length === 0 ? null : [['_distinct', quote(random.pick(names))]];
  },
  _cursor: () => [
    ['_cursor', ''],
    ['limit', '1'],
  ],
  _offset: () => [
    ['_offset', '1'],
    ['limit', '2'],
  ],
  _aggregate: () => [['_aggregate', 'count']],
  _group: (random, words) => {
    const names = sortable(words);
    return names.length === 0
      ? null
      : [
          ['_aggregate', 'members_in_all:count'],
          ['_group', `grouped_by_it:${quote(random.pick(names))}`],
        ];
  },
  _having: () => [
    ['_aggregate', 'count'],
    ['_having', '{"count__gte":0}'],
  ],
  _explain: () => [['_explain', 'true']],
  filters: (random, words) => [
    [`filters[${quote(random.pick(words.columns)[0])}__isnull]`, String(random.maybe(0.5))],
  ],
};

/**
 * Quotes a name in backquotes, so that any name is accepted.
 * @param {string} name
 */
function quote(name) {
  return /^[A-Za-z][A-Za-z0-9_]*$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}

/** @param {Random} random @param {TableWords} words */
function listNames(random, words) {
  const names = words.columns.map(([name]) => name).filter(() => random.maybe(0.5));
  return (names.length === 0 ? [words.columns[0]?.[0] ?? ''] : names).map(quote).join(',');
}

/**
 * Returns a parameter of a list with a value that the document allows, together with other parameters that it
 * needs.
 * @param {Random} random
 * @param {Record<string, any>} parameter
 * @param {TableWords} words
 * @param {(schema: Record<string, any>) => Record<string, any>} resolve
 * @returns {string | null} a query string; null when this table has no value for it
 */
export function sampleQuery(random, parameter, words, resolve) {
  const make = Object.hasOwn(MADE, parameter['name']) ? MADE[parameter['name']] : undefined;
  const pairs =
    make === undefined
      ? [[parameter['name'], toText(sampleValue(random, withoutNull(parameter['schema']), resolve))]]
      : make(random, words);
  return pairs === null
    ? null
    : pairs
        .map(([name, value]) => `${encodeURIComponent(name ?? '')}=${encodeURIComponent(value ?? '')}`)
        .join('&');
}

/** @param {Record<string, any>} schema */
function withoutNull(schema) {
  return Array.isArray(schema['type'])
    ? { ...schema, type: schema['type'].find((type) => type !== 'null') }
    : schema;
}

/**
 * Formats a value for a URL, where arrays are separated by commas.
 * @param {unknown} value
 */
function toText(value) {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Returns whether the parameter changes the form of the response, according to the document.
 * @param {string} name
 */
export function changesAnswer(name) {
  return ['_select', '_omit', '_distinct', '_aggregate', '_group', '_having', '_explain'].includes(name);
}

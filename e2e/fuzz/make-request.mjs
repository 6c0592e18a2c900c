// @ts-check
import { makeBatch, makeGroups, makeTree, makeWhere } from './make-tree.mjs';
import { encode, makeJson, makeText } from './values.mjs';
/** @typedef {import('@rowhouse/schema-model/testing').Random} Random */

/**
 * @typedef {object} FuzzRequest
 * @property {string} method
 * @property {string} path the raw path
 * @property {Record<string, string>} headers
 * @property {string} [body] the raw body
 * @typedef {object} FuzzContext what one tenant knows about its own database
 * @property {string} key
 * @property {{ path: string, name: string, columns: string[], relationships: string[] }[]} tables
 * @property {string[]} foreign schemas, ids and slugs of the other tenant
 */

/** Lists the words of a text, and the empty word. @param {string} text */
const listWords = (text) => [...text.trim().split(/\s+/), ''];

const METHODS = [
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'POST',
  'POST',
  'POST',
  'PUT',
  'PUT',
  'PUT',
  'PATCH',
  'DELETE',
  'DELETE',
  'HEAD',
  'OPTIONS',
];
const ODD_METHODS = ['TRACE', 'PROPFIND', 'PURGE', 'REPORT', 'FOO', 'CONNECT-', 'get'];
const OPERATORS = listWords(`
  eq ne gt gte lt lte in not_in between isnull like not_like ilike contains startswith regex
  search json_contains nonsense LIKE like__like iregex near
`);
const CONTROLS = listWords(`
  page limit sort order include created_after where _select _omit _cursor _offset _count
  _filter _q _distinct _aggregate _group _having _on_conflict _explain select offset fields
  per_page __proto__ constructor _ access_token
`);
const SPECIAL = [
  '',
  '/',
  '/query',
  '/schema',
  '/health',
  '/openapi.json',
  '/openapi',
  '/openapi/x',
  '/docs',
  '/docs/x',
  '/mcp',
  '/_batch',
  '/_tables/posts',
  '/_search/posts',
  '/_nonsense',
  '/__proto__',
  '/constructor',
  '/..',
  '/../..',
  '/./posts',
  '/%2e%2e/posts',
  '//posts',
  '/posts/',
  '/posts//1',
  '/posts/1/comments',
  '/POSTS',
  '/post',
  '/%70osts',
  '/posts%2f1',
  '/posts;x=1',
  '/posts?',
  '/posts?&&=&',
  '/idempotency',
  '/_rh_x',
  '/information_schema.tables',
  '/mysql.user',
];
const TYPES = [
  ...Array.from({ length: 30 }, () => 'application/json'),
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/csv',
  'application/x-ndjson',
  'application/octet-stream',
  '',
];

/** @param {Random} random @param {FuzzContext} context @returns {FuzzRequest} */
export function makeRequest(random, context) {
  return random.maybe(0.2) ? makePlausible(random, context) : makeAny(random, context);
}

/**
 * Creates a request that should succeed. Other requests find and delete the rows that it creates.
 * @param {Random} random
 * @param {FuzzContext} context
 * @returns {FuzzRequest}
 */
function makePlausible(random, context) {
  const table = random.pick(context.tables);
  const headers = { Authorization: `Bearer ${context.key}` };
  const column = random.pick(table.columns);
  const tree = () => makeTree(random, table);
  if (random.maybe(0.1))
    return {
      method: 'POST',
      path: `/v1/-/_search/${table.path}`,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: `{"_filter":${tree()},"limit":5}`,
    };
  if (random.maybe(0.1))
    return {
      method: 'POST',
      path: '/v1/-/_batch',
      headers: {
        ...headers,
        'Content-Type': 'application/json',
        ...(random.maybe(0.3) ? { Prefer: 'tx=rollback' } : {}),
      },
      body: makeBatch(random, table, (name) => makeFitting(random, name)),
    };
  const read = random.pick([
    `/${table.path}?_filter=${encode(tree())}&limit=5`,
    `/${table.path}?where=${encode(makeWhere(random, table))}`,
    `/${table.path}?${makeGroups(random, table)}`,
    `/${table.path}?limit=5`,
    `/${table.path}?sort=${encode(column)}&order=desc&limit=3`,
    `/${table.path}?include=${random.pick(table.relationships)}&limit=3`,
    `/${table.path}/${1 + random.integer(12)}`,
  ]);
  if (random.maybe(0.5)) return { method: 'GET', path: `/v1/-${read}`, headers };
  const members = table.columns
    .filter((name) => name !== 'id')
    .map((name) => `${JSON.stringify(name)}:${makeFitting(random, name)}`);
  return {
    method: 'POST',
    path: `/v1/-/${table.path}`,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: `{${members.join(',')}}`,
  };
}

/** @param {Random} random @param {FuzzContext} context @returns {FuzzRequest} */
function makeAny(random, context) {
  const method = random.pick(random.maybe(0.03) ? ODD_METHODS : METHODS);
  const table = random.pick(context.tables);
  const path = `/v1/-${makePath(random, context, table, method)}`;
  const headers = makeHeaders(random, context);
  if (!['POST', 'PUT', 'PATCH'].includes(method) && !random.maybe(0.03)) return { method, path, headers };
  const type = random.pick(TYPES);
  if (type !== '') headers['Content-Type'] = type;
  const body = path.startsWith('/v1/-/query')
    ? makeQueryBody(random, context, table)
    : makeBody(random, table);
  return { method, path, headers, body };
}

/**
 * @param {Random} random
 * @param {FuzzContext} context
 * @param {FuzzContext['tables'][number]} table
 * @param {string} method
 */
function makePath(random, context, table, method) {
  if (method === 'POST' && random.maybe(0.4)) return '/query';
  if (random.maybe(0.15)) return random.pick(SPECIAL);
  const name = random.maybe(0.9)
    ? table.path
    : encode(random.maybe(0.5) ? makeText(random) : random.pick(context.foreign));
  const id = random.maybe(method === 'GET' || method === 'POST' ? 0.35 : 0.85)
    ? `/${makeId(random, context)}`
    : '';
  const pairs = Array.from({ length: random.maybe(0.3) ? 0 : random.integer(4) }, () =>
    makePair(random, table),
  );
  return `/${name}${id}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** @param {Random} random @param {FuzzContext} context */
function makeId(random, context) {
  if (random.maybe(0.5)) return String(1 + random.integer(12));
  if (random.maybe(0.3)) return `${1 + random.integer(4)},${1 + random.integer(4)}`;
  return encode(random.maybe(0.2) ? random.pick(context.foreign) : makeText(random));
}

/** @param {Random} random @param {FuzzContext['tables'][number]} table */
function makePair(random, table) {
  const value = makeText(random);
  const raw = random.maybe(0.03) ? random.pick(['%zz', '%', '%e', '%ff%fe', '+', '%2500']) : encode(value);
  if (random.maybe(0.35))
    return `${encode(makeColumn(random, table))}${random.maybe(0.6) ? `__${random.pick(OPERATORS)}` : ''}=${raw}`;
  if (random.maybe(0.1))
    return `include[${encode(random.pick(table.relationships))}][${random.pick(['limit', 'sort', 'where', 'x'])}]=${raw}`;
  const control = random.pick(CONTROLS);
  return `${control}=${random.maybe(0.6) ? makeControlValue(random, table, control) : raw}`;
}

/** @param {Random} random @param {FuzzContext['tables'][number]} table */
function makeColumn(random, table) {
  const column = random.maybe(0.85) ? random.pick(table.columns) : makeText(random);
  return random.maybe(0.1) ? `${random.pick(table.relationships)}.${column}` : column;
}

/** @param {Random} random @param {FuzzContext['tables'][number]} table @param {string} control */
function makeControlValue(random, table, control) {
  if (control === 'page' || control === 'limit' || control === '_offset')
    return random.pick(['0', '1', '2', '20', '1000', '1001', '-1', '99999999', '1.5', '']);
  if (control === 'order') return random.pick(['asc', 'desc', 'ASC', 'up', '']);
  if (control === 'sort')
    return `${random.pick(['', '-', '+', '%2B'])}${encode(makeColumn(random, table))}${random.pick(['', ',id', ',', ':desc', '_desc', ':nulls_last', ':desc:nulls_first,id', '.desc.nullslast', ',-count_comments&include=count:comments'])}`;
  if (control === 'include')
    return Array.from(
      { length: 1 + random.integer(4) },
      () =>
        (random.maybe(0.2) ? 'count:' : '') +
        Array.from({ length: 1 + random.integer(7) }, () => random.pick(table.relationships)).join('.'),
    ).join(',');
  return encode(makeText(random));
}

/** @param {Random} random @param {FuzzContext} context */
function makeHeaders(random, context) {
  /** @type {Record<string, string>} */
  const headers = {};
  const bad = random.pick(['x', 'rh_dev_', `${context.key}x`, context.key.slice(0, -1), '']);
  const key = random.maybe(0.95) ? context.key : bad;
  if (random.maybe(0.8)) headers['Authorization'] = `Bearer ${key}`;
  else headers[random.pick(['X-API-Key', 'X-Gibson-API-Key'])] = key;
  if (random.maybe(0.1))
    headers['Accept'] = random.pick([
      '*/*',
      'application/json',
      'text/html',
      'image/png',
      'application/problem+json',
      'application/x-ndjson',
      'text/csv',
      ';;',
      'a/b;q=0',
    ]);
  if (random.maybe(0.05))
    headers['Accept-Encoding'] = random.pick(['gzip', 'br', 'identity', 'zip', '*;q=0']);
  if (random.maybe(0.05))
    headers['Prefer'] = random.pick([
      'return=minimal',
      'numbers=string',
      'tx=rollback',
      'max-affected=x',
      'nonsense',
      'return=x',
      ',,',
    ]);
  if (random.maybe(0.05))
    headers[random.pick(['If-Match', 'If-None-Match'])] = random.pick([
      '*',
      '"x"',
      'W/"1.2"',
      '',
      '"1.abc"',
      'x',
    ]);
  if (random.maybe(0.05)) headers['Idempotency-Key'] = random.pick(['a', 'x'.repeat(300), ' ', 'k1']);
  if (random.maybe(0.03)) headers['X-Request-Id'] = random.pick(['a', 'x'.repeat(500), '<x>', '"']);
  if (random.maybe(0.03)) headers['Origin'] = random.pick(['null', 'https://a.example', 'x']);
  return headers;
}

/** @param {Random} random @param {FuzzContext['tables'][number]} table */
function makeBody(random, table) {
  const kind = random.integer(12);
  if (kind === 0)
    return random.pick([
      '',
      '{',
      '[',
      '{"a":}',
      'null',
      '7',
      '"x"',
      '[]',
      '{}',
      '\ufeff{}',
      '{"a":1,"a":2}',
      'a=1&b=2',
      '{"__proto__":{"x":1}}',
      '{"constructor":null}',
      '[{},{}]',
      '{"a":1}{"a":2}',
      'NaN',
      "{'a':1}",
    ]);
  if (kind === 1) return `${'['.repeat(100)}${']'.repeat(100)}`;
  const columns = table.columns.filter(() => random.maybe(0.6));
  const members = columns.map(
    (column) =>
      `${JSON.stringify(column)}:${random.maybe(0.5) ? makeFitting(random, column) : makeJson(random)}`,
  );
  if (random.maybe(0.15)) members.push(`${JSON.stringify(makeText(random))}:${makeJson(random)}`);
  if (random.maybe(0.05)) members.push(`${JSON.stringify(random.pick(table.relationships))}:[{"id":1}]`);
  return random.maybe(0.05) ? `[{${members.join(',')}}]` : `{${members.join(',')}}`;
}

/**
 * Returns a value that a column of this name probably accepts, so that some of the writes succeed.
 * @param {Random} random
 * @param {string} column
 */
function makeFitting(random, column) {
  if (/(^|_)id$/.test(column)) return String(1 + random.integer(4));
  if (/^c_/.test(column)) return 'null';
  if (['order', 'select', 'a'].includes(column)) return String(random.integer(100));
  if (column === 'email') return JSON.stringify(`p${random.integer(1_000_000)}@example.test`);
  if (column === 'published') return random.pick(['true', 'false']);
  if (/_at$/.test(column)) return '"2024-05-01T10:00:00Z"';
  return JSON.stringify(`text ${random.integer(1_000_000)}`);
}

/** @param {Random} random @param {FuzzContext} context @param {FuzzContext['tables'][number]} table */
function makeQueryBody(random, context, table) {
  const foreign = random.pick(context.foreign);
  const column = random.pick(table.columns);
  const statements = [
    `SELECT * FROM ${table.name}`,
    `SELECT ${column} FROM ${table.name} WHERE ${column} = ${makeJson(random)} LIMIT ${random.integer(5)}`,
    `SELECT COUNT(*), ${column} FROM ${table.name} GROUP BY ${column}`,
    `SELECT * FROM ${foreign}.${table.name}`,
    `SELECT * FROM \`${foreign}\`.\`${table.name}\``,
    `SELECT 1 UNION SELECT ${column} FROM ${table.name}`,
    `WITH x AS (SELECT 1 a) SELECT * FROM x, ${table.name}`,
    `SELECT ${makeText(random)}`,
    `DELETE FROM ${table.name}`,
    `UPDATE ${table.name} SET ${column} = 1`,
    `DROP TABLE ${table.name}`,
    'SELECT SLEEP(3)',
    'SELECT @@version',
    'SHOW DATABASES',
    'SHOW TABLES',
    `DESCRIBE ${table.name}`,
    `EXPLAIN SELECT * FROM ${table.name}`,
    'SELECT * FROM information_schema.tables',
    'SELECT table_name FROM information_schema . tables',
    'SELECT /*!50000 user() */',
    `SELECT * FROM ${table.name} INTO OUTFILE '/tmp/x'`,
    `SELECT ((((((${column})))))) FROM ${table.name}`,
    'SELECT',
    '(',
    'how many posts are there',
    makeText(random),
    `${makeText(random)} ${makeText(random)}`,
    `SELECT x'zz'`,
    `SELECT 0x41, b'101', 1.5e3, 'a' 'b', _utf8'x', DATE '2024-01-01'`,
    `SELECT \`${column}\` FROM ${table.name} ORDER BY 1 DESC`,
    `SELECT ?`,
    `SELECT JSON_OBJECT('a', ${column}) FROM ${table.name}`,
    `SELECT CAST(${column} AS SIGNED) / 0 FROM ${table.name}`,
    `VALUES (1), (2)`,
    `TABLE ${table.name}`,
  ];
  const members = [
    `"query":${random.maybe(0.9) ? JSON.stringify(random.pick(statements)) : makeJson(random)}`,
  ];
  for (const member of [
    'params',
    'limit',
    'mode',
    'engine',
    'verbose',
    'array_mode',
    'dry_run',
    'timezone',
    'nonsense',
  ])
    if (random.maybe(0.06)) members.push(`"${member}":${makeJson(random)}`);
  return `{${members.join(',')}}`;
}

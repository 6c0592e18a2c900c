// @ts-check
/**
 * Lists calls with the largest legal values of the data API, in every column type that may be large, through
 * every kind of endpoint.
 */
import { openApi } from '../../../support/http.mjs';

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {() => Promise<{ status: number, bytes: number }>} run
 * @property {number[]} [wanted] the expected statuses; 200 and 201 by default
 */

const MIB = 1024 * 1024;
/** A size below the limit of a body, with space for the members around the value. */
const BODY_BYTES = 8 * MIB - 4_096;
const VALUE_BYTES = 10_000_000;
const POINTS = 30_000;
/** The most dimensions that a vector may have. */
const DIMENSIONS = 16_383;

/**
 * The content of each column, as the server writes it. `engine` is the only engine that has the type.
 * @type {Record<string, { type: string, sql: string, json: () => unknown, engine?: 'mysql' }>}
 */
const LARGE_COLUMNS = {
  plain: { type: 'LONGTEXT', sql: `REPEAT('x', ${VALUE_BYTES})`, json: () => 'x'.repeat(BODY_BYTES) },
  escaped: {
    type: 'LONGTEXT',
    sql: `REPEAT(CHAR(1), ${VALUE_BYTES})`,
    json: () => '\u0001'.repeat(Math.floor(BODY_BYTES / 6)),
  },
  quotes: { type: 'LONGTEXT', sql: `REPEAT('"', ${VALUE_BYTES})`, json: () => '"'.repeat(BODY_BYTES / 2) },
  wide: {
    type: 'LONGTEXT',
    sql: `REPEAT('😀', ${VALUE_BYTES / 4})`,
    json: () => '😀'.repeat(BODY_BYTES / 4),
  },
  bytes: {
    type: 'LONGBLOB',
    sql: `REPEAT(CHAR(255), ${VALUE_BYTES})`,
    json: () => '/'.repeat(BODY_BYTES - (BODY_BYTES % 4)),
  },
  document: {
    type: 'JSON',
    sql: `CONCAT('[', REPEAT('1,', ${VALUE_BYTES / 2}), '1]')`,
    json: () => Array.from({ length: 500_000 }, () => 1234567890),
  },
  texts: {
    type: 'JSON',
    sql: `CONCAT('{"a":"', REPEAT('x', ${VALUE_BYTES}), '"}')`,
    json: () => ({ a: 'x'.repeat(BODY_BYTES - 100) }),
  },
  shape: {
    type: 'GEOMETRY',
    sql: `ST_GeomFromText(CONCAT('LINESTRING(', REPEAT('1.5 2.5,', ${POINTS}), '3 4)'))`,
    json: () => ({
      type: 'LineString',
      coordinates: Array.from({ length: POINTS }, (_, index) => [index % 90, 2.5]),
    }),
  },
  vector: {
    type: `VECTOR(${DIMENSIONS})`,
    sql: `STRING_TO_VECTOR(CONCAT('[', REPEAT('1.5,', ${DIMENSIONS - 1}), '1]'))`,
    json: () => Array.from({ length: DIMENSIONS }, () => 1.5),
    engine: 'mysql',
  },
};

/** @typedef {'mariadb' | 'mysql'} Engine */

/** @param {Engine} server */
const listColumns = (server) =>
  Object.entries(LARGE_COLUMNS).filter(([, { engine }]) => engine === undefined || engine === server);

/**
 * Returns one table for each column, so that a list returns that value alone. `parents` owns all of them.
 * @param {Engine} engine
 */
export function largeSchemaSql(engine) {
  const tables = listColumns(engine).map(
    ([name, { type }]) =>
      `CREATE TABLE large_${name} (id INT AUTO_INCREMENT PRIMARY KEY, parent_id INT NOT NULL DEFAULT 1, note VARCHAR(40) NULL, v ${type} NULL, KEY by_note (note), CONSTRAINT fk_${name} FOREIGN KEY (parent_id) REFERENCES parents (id))`,
  );
  return ['CREATE TABLE parents (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(40) NULL)', ...tables].join(
    ';\n',
  );
}

/** @param {import('mysql2/promise').Connection} admin @param {string} schema @param {Engine} engine */
export async function fillLargeTables(admin, schema, engine) {
  await admin.query('SET NAMES utf8mb4');
  await admin.query(`INSERT INTO \`${schema}\`.parents (id, name) VALUES (1, 'one')`);
  for (const [name, { sql }] of listColumns(engine)) {
    for (let row = 0; row < 2; row += 1)
      await admin.query(`INSERT INTO \`${schema}\`.large_${name} (note, v) VALUES ('read', ${sql})`);
  }
}

/** @param {string} base @param {string} key @param {Engine} engine @returns {Case[]} */
export function listGatewayCases(base, key, engine) {
  const api = openApi(base, key);
  /**
   * @param {string} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {Record<string, string>} [headers]
   */
  const sendRequest =
    (method, path, body, headers = {}) =>
    async () => {
      const { status, text } = await api.call(method, path, {
        ...(body === undefined ? {} : { body: body instanceof Function ? body() : body }),
        headers,
        timeoutMs: 120_000,
      });
      return { status, bytes: text.length };
    };
  const names = listColumns(engine);
  return [
    ...names.flatMap(([name, { sql }]) => listQueryCases(name, sql, sendRequest)),
    ...names.flatMap(([name]) => listReadCases(name, sendRequest)),
    ...names.flatMap(([name, { json }]) => listWriteCases(name, json, sendRequest)),
    ...listOtherCases(sendRequest),
  ];
}

/** @typedef {(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Case['run']} Ask */

/** @param {string} name @param {string} sql @param {Ask} ask @returns {Case[]} */
function listQueryCases(name, sql, ask) {
  const body = { mode: 'sql', query: `SELECT ${sql} a` };
  // /query rejects the SQL functions that create these values.
  const expected = ['shape', 'vector'].includes(name) ? [200, 400] : [200];
  const all = [
    { name: `query ${name}`, run: ask('POST', '/query', body), wanted: expected },
    {
      name: `query ${name} as NDJSON`,
      run: ask('POST', '/query', body, { Accept: 'application/x-ndjson' }),
      wanted: expected,
    },
    {
      name: `query a ${name} column`,
      run: ask('POST', '/query', { mode: 'sql', query: `SELECT v FROM large_${name} WHERE id = 1` }),
    },
  ];
  if (name !== 'escaped' && name !== 'bytes') return all;
  return [
    ...all,
    { name: `query ${name} in arrays`, run: ask('POST', '/query', { ...body, array_mode: true }) },
    { name: `query ${name} verbose`, run: ask('POST', '/query', { ...body, verbose: true }) },
    { name: `query ${name} as CSV`, run: ask('POST', '/query', body, { Accept: 'text/csv' }) },
    { name: `query ${name} as events`, run: ask('POST', '/query', body, { Accept: 'text/event-stream' }) },
    { name: `query ${name} by gzip`, run: ask('POST', '/query', body, { 'Accept-Encoding': 'gzip' }) },
  ];
}

/** @param {string} name @param {Ask} ask @returns {Case[]} */
function listReadCases(name, ask) {
  // Two of these values would exceed the maximum size of a response.
  const list = `/large_${name}?${name === 'escaped' ? 'id=1' : 'note=read'}`;
  return [
    { name: `read ${name}`, run: ask('GET', `/large_${name}/1`) },
    { name: `list ${name}`, run: ask('GET', list) },
    { name: `list ${name} by gzip`, run: ask('GET', list, undefined, { 'Accept-Encoding': 'gzip' }) },
    { name: `list ${name} as NDJSON`, run: ask('GET', list, undefined, { Accept: 'application/x-ndjson' }) },
    {
      name: `list ${name} as NDJSON with versions`,
      run: ask('GET', `${list}&_select=*,_etag`, undefined, { Accept: 'application/x-ndjson' }),
    },
    { name: `list ${name} as CSV`, run: ask('GET', list, undefined, { Accept: 'text/csv' }) },
    {
      name: `include ${name}`,
      run: ask(
        'GET',
        `/parents/1?include=large_${name}${name === 'escaped' ? '&include[large_escaped][limit]=1' : ''}`,
      ),
      wanted: [200, 507],
    },
    { name: `change beside ${name}`, run: ask('PATCH', `/large_${name}/2`, { parent_id: 1 }) },
  ];
}

/** @param {string} name @param {() => unknown} json @param {Ask} ask @returns {Case[]} */
function listWriteCases(name, json, ask) {
  const record = () => ({ note: 'w', v: json() });
  const line = () => `${JSON.stringify(record())}\n`;
  return [
    { name: `create ${name}`, run: ask('POST', `/large_${name}`, record) },
    {
      name: `create ${name} once`,
      run: ask('POST', `/large_${name}`, record, {
        'Idempotency-Key': `slices-${name}-${Date.now()}`,
        Prefer: 'return=minimal',
      }),
    },
    { name: `change ${name}`, run: ask('PATCH', `/large_${name}/2`, () => ({ v: json() })) },
    {
      name: `batch ${name}`,
      run: ask('POST', '/_batch', () => ({
        operations: [{ method: 'POST', path: `/large_${name}`, body: record() }],
      })),
    },
    {
      name: `rows ${name} as NDJSON`,
      run: ask('POST', `/large_${name}`, line, {
        'Content-Type': 'application/x-ndjson',
        Prefer: 'return=minimal',
      }),
      wanted: [201, 422],
    },
    {
      name: `import ${name} as NDJSON`,
      run: ask('POST', `/large_${name}`, line, {
        'Content-Type': 'application/x-ndjson',
        Prefer: 'on-error=stop',
      }),
    },
    {
      name: `import ${name} as CSV`,
      run: ask(
        'POST',
        `/large_${name}`,
        () =>
          `note,v\nw,"${String(typeof json() === 'string' ? json() : JSON.stringify(json())).replaceAll('"', '""')}"\n`,
        { 'Content-Type': 'text/csv', Prefer: 'on-error=stop' },
      ),
      wanted: [200, 400, 413, 422],
    },
  ];
}

/** @param {Ask} ask @returns {Case[]} */
function listOtherCases(ask) {
  /** @param {string} tool @param {Record<string, unknown>} provided */
  const call = (tool, provided) =>
    ask(
      'POST',
      '/mcp',
      () => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: tool, arguments: provided } }),
      { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' },
    );
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ note: `row ${index}`, v: 'y'.repeat(700) }));
  return [
    { name: 'create 10,000 records', run: ask('POST', '/large_plain', rows) },
    { name: 'list 1,000 records', run: ask('GET', '/large_plain?limit=1000&note__like=row%25') },
    {
      name: 'upsert of 1,000 records',
      run: ask(
        'POST',
        '/parents?_on_conflict=id',
        Array.from({ length: 1_000 }, (_, index) => ({ id: index + 10, name: 'n'.repeat(40) })),
      ),
    },
    {
      name: 'search with 200 KB of values',
      run: ask('POST', '/_search/parents', {
        id__in: Array.from({ length: 1_000 }, (_, index) => index),
        name__in: Array.from({ length: 1_000 }, (_, index) => `n${'m'.repeat(190)}${index}`),
      }),
      wanted: [200, 422],
    },
    {
      name: 'search with 8 MB',
      run: ask('POST', '/_search/parents', () => ({ name: 'n'.repeat(BODY_BYTES) })),
      wanted: [200, 400, 413, 422],
    },
    {
      name: 'aggregate over large values',
      run: ask('GET', '/large_escaped?_aggregate=max(v)'),
      wanted: [200, 422, 400],
    },
    {
      name: 'distinct large values',
      run: ask('GET', '/large_escaped?note=read&_distinct=v'),
      wanted: [200, 422, 400],
    },
    {
      name: 'query with 16 KB of SQL',
      run: ask('POST', '/query', {
        mode: 'sql',
        query: `SELECT id FROM parents WHERE id IN (${Array.from({ length: 1_900 }, (_, index) => 1_000_000 + index).join(',')})`,
      }),
    },
    {
      name: 'query of nested SQL',
      run: ask('POST', '/query', {
        mode: 'sql',
        query: `SELECT id FROM parents WHERE ${'('.repeat(100)}id = 1${')'.repeat(100)}${' OR id = 1'.repeat(1_500)}`,
      }),
      wanted: [200, 400, 403, 422],
    },
    {
      name: 'query with 8 MB of values',
      run: ask('POST', '/query', () => ({
        mode: 'sql',
        query: 'SELECT LENGTH(?) a',
        params: ['p'.repeat(BODY_BYTES - 100)],
      })),
      wanted: [200, 400, 413, 422],
    },
    {
      name: 'first question of a process',
      run: ask('POST', '/query', { mode: 'question', query: 'how many parents are there' }),
    },
    {
      name: 'question of 2,000 characters',
      run: ask('POST', '/query', {
        mode: 'question',
        query: 'how many parents are there with name like one and '.repeat(39),
      }),
      wanted: [200, 400, 422],
    },
    {
      name: 'question of one long word',
      run: ask('POST', '/query', { mode: 'question', query: 'p'.repeat(2_000) }),
      wanted: [200, 400, 422],
    },
    {
      name: 'mcp query of a large value',
      run: call('query_database', { query: `SELECT ${LARGE_COLUMNS['escaped']?.sql} a` }),
    },
    { name: 'mcp read of a large value', run: call('read_records', { table: 'large_escaped', id: 1 }) },
    {
      name: 'mcp create of a large value',
      run: call('create_records', {
        table: 'large_plain',
        records: [{ note: 'm', v: 'z'.repeat(BODY_BYTES - 1_000) }],
      }),
    },
    { name: 'mcp schema', run: call('get_schema', {}) },
  ];
}

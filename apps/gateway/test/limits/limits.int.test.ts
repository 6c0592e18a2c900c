import { getTestServers, isWholeMatrix } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUBLISHED_LIMITS } from '../../src/limits/describe-limits.js';
import type { Tenant } from '../../src/tenant/tenant.js';
import type { CallOptions, TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell } from '../support/test-cell.js';
import { send, type TypeFixture } from '../types/type-fixture.js';

const servers = getTestServers();

const COLUMNS = Array.from({ length: 25 }, (_, index) => `c${index}`);
const DDL = [
  'CREATE TABLE tags (id int AUTO_INCREMENT PRIMARY KEY, name varchar(60) NOT NULL UNIQUE, note varchar(20))',
  'CREATE TABLE heap (a int)',
  'CREATE TABLE notes (id int PRIMARY KEY, t longtext, data json)',
  'CREATE TABLE staff (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20), manager_id int, FOREIGN KEY (manager_id) REFERENCES staff (id))',
  // Enough rows that MySQL spends time on the join order of ten filters.
  "INSERT INTO staff (name) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT 'n' FROM n",
  'UPDATE staff SET manager_id = 1 + id % 3 WHERE id > 3',
  'ANALYZE TABLE staff',
  `CREATE TABLE wide (id int AUTO_INCREMENT PRIMARY KEY, ${COLUMNS.map((name) => `${name} int`).join(', ')}, ${COLUMNS.map((name) => `FOREIGN KEY (${name}) REFERENCES tags (id)`).join(', ')})`,
  'CREATE TABLE boxes (id int PRIMARY KEY)',
  'CREATE TABLE items (id int AUTO_INCREMENT PRIMARY KEY, box_id int NOT NULL, FOREIGN KEY (box_id) REFERENCES boxes (id))',
  'CREATE TABLE blobs (id int PRIMARY KEY, t longtext)',
  'CREATE VIEW quick AS SELECT SLEEP(0.05) AS s',
  'CREATE VIEW slow AS SELECT SLEEP(60) AS s',
];

/** Sends a request of exactly this size to test a limit. */
type Trial = (bench: Bench, size: number) => Promise<TestResponse>;

interface Bench extends TypeFixture {
  readonly gateway: TestGateway;
}

const post =
  (path: string, body: string, headers: Record<string, string> = {}): Trial =>
  (bench) =>
    send(bench, 'POST', path, { body, headers });
const get = (bench: Bench, path: string, options: CallOptions = {}): Promise<TestResponse> =>
  send(bench, 'GET', path, options);
const search = (bench: Bench, table: string, body: unknown): Promise<TestResponse> =>
  send(bench, 'POST', `/_search/${table}`, { body });
const rows = (count: number, row: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => row(index)).join(',')}]`;
/** Splits `size` into powers of two up to 512, which is how lists of values are counted. */
function powers(size: number): number[] {
  const lists: number[] = [];
  for (let remaining = size, power = 512; remaining > 0;) {
    if (power > remaining) power /= 2;
    else {
      lists.push(power);
      remaining -= power;
    }
  }
  return lists;
}

async function tenantOf(bench: Bench): Promise<Tenant> {
  const { services } = bench.gateway.running;
  return services.tenants.resolve(services.hashKey(bench.tenant.key) ?? '', '127.0.0.1');
}

let unique = 0;

const TRIALS: Readonly<Record<string, Trial>> = {
  body_bytes: (bench, size) =>
    post('/tags', `{"name":"body ${(unique += 1)}"}`.padEnd(size, ' '))(bench, size),
  url_bytes: (bench, size) => get(bench, '/tags?_select=id&name='.padEnd(size - '/v1/-'.length, 'x')),
  rows_per_page: (bench, size) => get(bench, `/tags?limit=${size}`),
  rows_per_bulk: (bench, size) =>
    post(
      '/heap',
      rows(size, (index) => `{"a":${index}}`),
      { prefer: 'tx=rollback' },
    )(bench, size),
  rows_per_upsert: (bench, size) =>
    post(
      '/tags?_on_conflict=name',
      rows(size, (index) => `{"name":"upsert ${index}"}`),
      { prefer: 'tx=rollback' },
    )(bench, size),
  rows_per_filtered_write: (bench, size) =>
    send(bench, 'PATCH', '/tags?name=nobody', {
      body: { note: 'x' },
      headers: { prefer: `max-affected=${size}` },
    }),
  nested_records: (bench, size) => {
    // One half of the records are nested. The first record has no nested ones.
    const half = Math.floor((size - 1) / 2);
    const reports = (count: number): unknown[] => Array.from({ length: count }, () => ({ name: 'r' }));
    return send(bench, 'POST', '/staff', {
      body: { name: 'top', staff: [{ name: 'mid', staff: reports(half) }, ...reports(size - 2 - half)] },
      headers: { prefer: 'tx=rollback' },
    });
  },
  batch_operations: (bench, size) =>
    send(bench, 'POST', '/_batch', {
      body: { operations: Array.from({ length: size }, () => ({ method: 'GET', path: '/tags?limit=0' })) },
    }),
  batch_rows: (bench, size) => {
    const create = (count: number): unknown => ({
      method: 'POST',
      path: '/heap',
      body: Array.from({ length: count }, (_, index) => ({ a: index })),
    });
    return send(bench, 'POST', '/_batch', {
      body: { operations: [create(Math.floor(size / 2)), create(size - Math.floor(size / 2))] },
      headers: { prefer: 'tx=rollback' },
    });
  },
  idempotent_answer_bytes: (bench, size) => {
    const id = 100_000 + (unique += 1);
    const rest = `{"id":${id},"t":"","data":null}`.length;
    return send(bench, 'POST', '/notes', {
      body: { id, t: 'x'.repeat(size - rest) },
      headers: { 'idempotency-key': `key-${id}` },
    });
  },
  statement_seconds: (bench, size) => get(bench, size <= 10 ? '/quick' : '/slow'),
  async answer_bytes(bench, size) {
    // Each row counts three characters in addition to its members.
    const count = 64;
    const lengthOf = (id: number): number => `"id":${id},"t":""`.length + 3;
    const sum = Array.from({ length: count }, (_, index) => lengthOf(index + 10)).reduce((a, b) => a + b, 0);
    const each = Math.floor((size - sum) / count);
    await bench.cell.root.run(
      `REPLACE INTO ${bench.tenant.schemaName}.blobs (id, t) SELECT id + 9, REPEAT('x', ${each}) FROM ${bench.tenant.schemaName}.boxes WHERE id <= ${count}`,
    );
    await bench.cell.root.run(
      `UPDATE ${bench.tenant.schemaName}.blobs SET t = REPEAT('x', ${size - sum - each * (count - 1)}) WHERE id = 10`,
    );
    return get(bench, '/blobs');
  },
  async tool_answer_bytes(bench, size) {
    const id = 900_000;
    const rest = `{"id":${id},"t":"","data":null}`.length;
    await bench.cell.root.run(
      `REPLACE INTO ${bench.tenant.schemaName}.notes (id, t) SELECT ${id}, REPEAT('x', ${size - rest})`,
    );
    const response = await send(bench, 'POST', '/mcp', {
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'read_records', arguments: { table: 'notes', id } },
      },
    });
    const { isError, structuredContent } = response.json.result;
    // MCP reports the error of a tool in a successful response, so the error is taken from there.
    return isError === true ? { ...response, status: 507, json: structuredContent.error } : response;
  },
  async requests_per_key(bench, size) {
    const { admission } = bench.gateway.running.services;
    const tenant = await tenantOf(bench);
    const held = Array.from({ length: size - 1 }, () => admission.admit(tenant, undefined));
    try {
      return await get(bench, '/tags?limit=1');
    } finally {
      for (const item of held) item.release();
    }
  },
  async streams_per_key(bench, size) {
    const { streams } = bench.gateway.running.services;
    const tenant = await tenantOf(bench);
    const releases: (() => void)[] = [];
    const held = Array.from({ length: size - 1 }, () =>
      streams.run(tenant, 'list', () => new Promise<void>((resolve) => releases.push(resolve))),
    );
    try {
      return await get(bench, '/tags', { headers: { accept: 'application/x-ndjson' } });
    } finally {
      for (const release of releases) release();
      await Promise.all(held);
    }
  },
  query_rows: (bench, size) =>
    send(bench, 'POST', '/query', { body: { query: 'SELECT id FROM tags', limit: size } }),
  list_depth_rows: (bench, size) => get(bench, `/tags?_offset=${size - 10}&limit=10`),
  list_values: (bench, size) =>
    search(bench, 'tags', { id__in: Array.from({ length: size }, (_, index) => index) }),
  comparisons: (bench, size) =>
    search(bench, 'tags', { _filter: { or: Array.from({ length: size }, (_, index) => ({ id: index })) } }),
  async subqueries(bench, size) {
    // The budget depends on the server's statistics, which may include rows of another test that were rolled
    // back. They are therefore computed again.
    await bench.cell.root.run(`ANALYZE TABLE ${bench.tenant.schemaName}.staff`);
    return search(bench, 'staff', {
      _filter: { and: Array.from({ length: size }, () => ({ staff: { name: 'x' } })) },
    });
  },
  bound_values: (bench, size) =>
    search(bench, 'tags', {
      _filter: {
        or: powers(size).map((count) => ({ id__in: Array.from({ length: count }, (_, index) => index) })),
      },
    }),
  expression_depth: (bench, size) => {
    let filter: unknown = { id: 1 };
    for (let depth = 1; depth < size; depth += 1) filter = { not: filter };
    return search(bench, 'tags', { _filter: filter });
  },
  path_depth: (bench, size) => get(bench, `/staff?${'manager.'.repeat(size)}name=x`),
  sort_keys: (bench, size) => get(bench, `/wide?sort=${COLUMNS.slice(0, size).join(',')}`),
  group_keys: (bench, size) =>
    get(bench, `/wide?_aggregate=count&_group=${COLUMNS.slice(0, size).join(',')}`),
  aggregates: (bench, size) =>
    get(
      bench,
      `/wide?_aggregate=${COLUMNS.slice(0, size)
        .map((name) => `m${name}:max:${name}`)
        .join(',')}`,
    ),
  pattern_characters: (bench, size) => get(bench, `/tags?name__regex=${'a'.repeat(size)}`),
  include_depth: (bench, size) =>
    get(bench, `/staff?include=${Array.from({ length: size }, () => 'manager').join('.')}`),
  include_relationships: (bench, size) =>
    get(
      bench,
      `/wide?include=${COLUMNS.slice(0, size)
        .map((name) => `tags_by_${name}`)
        .join(',')}`,
    ),
  include_per_parent: (bench, size) =>
    get(bench, `/boxes?include=items&include[items][limit]=${size}&limit=1`),
  async include_records(bench, size) {
    const { schemaName } = bench.tenant;
    await bench.cell.root.run(`DELETE FROM ${schemaName}.items WHERE box_id > 100`);
    await bench.cell.root.run(
      `INSERT INTO ${schemaName}.items (box_id) SELECT 101 FROM ${schemaName}.items LIMIT ${size - 99_000}`,
    );
    return get(bench, '/boxes?include=items&include[items][limit]=1000&include[items][_select]=id');
  },
  json_depth: (bench, size) =>
    post('/notes', `{"id":${(unique += 1)},"unknown":${'['.repeat(size - 1)}${']'.repeat(size - 1)}}`)(
      bench,
      size,
    ),
  json_members: (bench, size) =>
    post(
      '/notes',
      `{"id":${(unique += 1)},"data":{${Array.from({ length: size }, (_, index) => `"m${index}":1`).join(',')}}}`,
    )(bench, size),
  json_values: (bench, size) =>
    post('/notes', `{"id":${(unique += 1)},"data":${rows(size - 3, () => '1')}}`)(bench, size),
};

/**
 * These limits are tested elsewhere, because they depend on time or on several concurrent responses
 * (answer-bytes.int.test.ts). Some of them never reject a request.
 */
const ELSEWHERE = new Set([
  'body_seconds',
  'batch_seconds',
  'query_bytes_in_flight',
  ...PUBLISHED_LIMITS.filter(({ code }) => code === null).map(({ name }) => name),
]);

/**
 * The server decides about requests up to these limits, so they are tested on all engines. The gateway checks
 * the other limits itself, so one engine is enough for them.
 */
const OF_SERVERS = new Set([
  'statement_seconds',
  'rows_per_bulk',
  'rows_per_upsert',
  'subqueries',
  'bound_values',
  'list_values',
  'comparisons',
  'expression_depth',
  'path_depth',
  'sort_keys',
  'group_keys',
  'aggregates',
  'pattern_characters',
  'include_relationships',
  'include_depth',
  'json_depth',
]);
const TRIED = PUBLISHED_LIMITS.filter(({ name }) => !ELSEWHERE.has(name));

describe.each(
  servers.engines.map(
    (engine, order) =>
      [
        engine.engine,
        engine,
        TRIED.filter(({ name }) => order === 0 || isWholeMatrix() || OF_SERVERS.has(name)),
      ] as const,
  ),
)('published limits on %s', (_engine, engine, tried) => {
  let cell: TestCell;
  let bench: Bench;

  beforeAll(async () => {
    cell = await createTestCell(engine, servers.redisUrl);
    const tenant = await cell.addTenant({
      ddl: DDL,
      settings: { regex_enabled: true, unknown_fields: 'ignore' },
    });
    const gateway = await cell.startGateway();
    bench = { cell, tenant, gateway, url: gateway.url };
    const { schemaName } = tenant;
    await send(bench, 'POST', '/boxes', {
      body: Array.from({ length: 101 }, (_, index) => ({ id: index + 1 })),
    });
    await cell.root.run(
      `INSERT INTO ${schemaName}.items (box_id) SELECT a.id FROM ${schemaName}.boxes a CROSS JOIN (SELECT id FROM ${schemaName}.boxes LIMIT 10) b CROSS JOIN (SELECT id FROM ${schemaName}.boxes LIMIT 99) c WHERE a.id <= 100`,
    );
  });

  afterAll(() => cell?.stop());

  it('every limit that /health lists has a test case', async () => {
    const { limits } = (await send(bench, 'GET', '/health')).json;
    expect(limits).toEqual({
      ...Object.fromEntries(PUBLISHED_LIMITS.map(({ name, value }) => [name, value])),
      rows_examined: 10_000_000,
    });
    expect(TRIED.map(({ name }) => name).sort((a, b) => (a < b ? -1 : 1))).toEqual(
      Object.keys(TRIALS).sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  it.each(tried.map((limit) => [limit.name, limit.value, limit] as const))(
    'the published limit %s accepts %i and rejects one more',
    async (name, value, { code }) => {
      const trial = TRIALS[name];
      if (trial === undefined) throw new Error(`no trial of ${name}`);
      const served = await trial(bench, value);
      expect([value, served.status < 300], `${served.status} ${served.text.slice(0, 300)}`).toEqual([
        value,
        true,
      ]);
      const beyond = await trial(bench, value + 1);
      expect([beyond.status >= 400, beyond.json.code], beyond.text.slice(0, 300)).toEqual([true, code]);
      const message = JSON.stringify([beyond.json.detail, beyond.json.hint ?? '']).replaceAll(
        /(\d),(?=\d{3})/g,
        '$1',
      );
      expect(message, 'the sentence names the limit').toMatch(
        new RegExp(`\\b(${value}|${value / 2 ** 20} MiB|${value / 2 ** 10} KiB)\\b`),
      );
    },
  );

  it('the rate limit of an API key is reported and enforced', async () => {
    const key = await cell.addKey(bench.tenant, { rate: { per_second: 0.01, burst: 3 } });
    const health = await send(bench, 'GET', '/health', { key: key.secret });
    expect(health.json.limits).toMatchObject({ requests_per_second: 0.01, requests_per_burst: 3 });
    const statuses = [];
    for (let iteration = 0; iteration < 3; iteration += 1)
      statuses.push((await send(bench, 'GET', '/tags?limit=1', { key: key.secret })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await send(bench, 'GET', '/tags?limit=1', { key: key.secret })).json.code).toBe('limit.rate');
  });

  it('a compressed request body is rejected with its own error code', async () => {
    const response = await send(bench, 'POST', '/tags', {
      body: '{}',
      headers: { 'content-encoding': 'gzip' },
    });
    expect([response.status, response.json.code]).toEqual([415, 'request.compressed_body']);
  });
});

import { REJECTION_INTERVAL_MS, IMMEDIATE_REJECTIONS } from '@rowhouse/admission';
import { openAdminConnection } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { callUntil, type TestResponse } from '../support/http-call.js';
import { openMcp } from '../support/mcp-client.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const BUDGET = 3_000;
const ROWS = 10_000;
const DIGITS =
  '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';
const NUMBERS = `SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d AS n FROM ${DIGITS} a, ${DIGITS} b, ${DIGITS} c, ${DIGITS} e`;
const DDL = [
  'CREATE TABLE items (id int PRIMARY KEY, kind int NOT NULL, note varchar(40) NOT NULL, maker_id int NOT NULL, pin varchar(20) NULL, made_at datetime NULL, grade int NULL, KEY by_maker (maker_id), KEY by_grade (grade))',
  'CREATE TABLE makers (id int PRIMARY KEY, name varchar(40) NOT NULL)',
  'CREATE TABLE vault (id int PRIMARY KEY, item_id int NOT NULL)',
  'CREATE TABLE middling (id int PRIMARY KEY)',
  'CREATE TABLE boxes (id int PRIMARY KEY)',
  'CREATE TABLE pieces (id int PRIMARY KEY, box_id int NOT NULL, FOREIGN KEY (box_id) REFERENCES boxes (id))',
  'CREATE VIEW item_notes AS SELECT id, note FROM items',
];
const FILL = [
  `INSERT INTO items (id, kind, note, maker_id) SELECT x.n, x.n % 50, CONCAT('note ', x.n), x.n % 20 FROM (${NUMBERS}) x`,
  "INSERT INTO makers VALUES (0, 'zero'), (1, 'one'), (2, 'two')",
  'INSERT INTO vault SELECT id, id FROM items',
  'INSERT INTO middling SELECT id FROM items WHERE id <= 330',
  'INSERT INTO boxes VALUES (0), (1), (2)',
  'INSERT INTO pieces SELECT id, id % 2 FROM items',
  'ANALYZE TABLE items, makers, vault, middling, boxes, pieces',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'admission by cost on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, rows: FILL, settings: { hidden_columns: { items: ['pin'] } } },
      other: { ddl: DDL },
      gateway: { rowsExaminedMax: BUDGET },
    });

    const query = (
      sql: string,
      extra: Record<string, unknown> = {},
      key = stage.tenant.key,
      headers: Record<string, string> = {},
    ): Promise<TestResponse> => stage.call('POST', '/query', { query: sql, ...extra }, headers, key);
    const get = (
      path: string,
      key = stage.tenant.key,
      headers: Record<string, string> = {},
    ): Promise<TestResponse> => stage.call('GET', path, undefined, headers, key);
    const reported = async (asking: Promise<TestResponse>): Promise<string> => {
      const response = await asking;
      return `${response.status} ${response.json?.code ?? ''}`.trim();
    };
    const TOO_EXPENSIVE = '422 limit.query_cost';

    it('a statement that would examine too many rows is rejected with the steps, the budget and the index', async () => {
      const rejected = await query(
        'SELECT COUNT(*) AS n FROM items i WHERE i.kind = 5 AND i.made_at IS NULL',
      );
      expect(rejected.json).toMatchObject({
        code: 'limit.query_cost',
        rows_examined_max: BUDGET,
        index_sql: 'CREATE INDEX `items_kind` ON `items` (`kind`)',
        plan: [{ table: 'items', access: 'ALL', rows: expect.any(Number) }],
        hint: expect.stringContaining('CREATE INDEX'),
      });
      expect(rejected.json.rows_expected).toBeGreaterThan(BUDGET);
      expect(rejected.status).toBe(422);
      expect((await query("SELECT COUNT(*) AS n FROM items WHERE note LIKE '%7%'")).json).toMatchObject({
        code: 'limit.query_cost',
        index_sql: null,
      });
      expect(rejected.text).not.toContain(stage.tenant.schemaName);
    });

    it('rejections by cost are delayed when many of them are concurrent', async () => {
      const { secret: eager } = await stage.cell.addKey(stage.tenant, { scopes: ['read', 'query'] });
      await callUntil(
        () => query('SELECT 1 AS a', {}, eager),
        (response) => response.status === 200,
        10_000,
      );
      const startedMs = performance.now();
      const responses = await Promise.all(
        Array.from({ length: IMMEDIATE_REJECTIONS + 40 }, () =>
          query('SELECT COUNT(*) FROM items WHERE kind = 8', {}, eager),
        ),
      );
      const codes = responses.map((response) => response.json?.code);
      const rejections = codes.filter((code) => code === 'limit.query_cost').length;
      // On a slow machine, requests that wait for more than a second are also rejected.
      expect(codes.filter((code) => code !== 'limit.query_cost' && code !== 'limit.concurrency')).toEqual([]);
      expect(rejections).toBeGreaterThan(IMMEDIATE_REJECTIONS);
      // The minimum duration can be checked exactly, because timers never fire early.
      expect(performance.now() - startedMs).toBeGreaterThan(
        (rejections - IMMEDIATE_REJECTIONS) * REJECTION_INTERVAL_MS - 10,
      );
    });

    it('indexed statements, small tables, streams and metadata statements pass the cost check', async () => {
      for (const sql of [
        'SELECT note FROM items WHERE id = 7',
        'SELECT COUNT(*) FROM items WHERE maker_id = 3',
        'SELECT * FROM items LIMIT 5',
        'SELECT id FROM items ORDER BY id DESC LIMIT 5',
        'SELECT COUNT(*) FROM makers a, makers b, makers c',
        'SELECT i.id, m.name FROM items i JOIN makers m ON m.id = i.maker_id WHERE i.id BETWEEN 5 AND 50',
        'EXPLAIN SELECT COUNT(*) FROM items WHERE kind = 5',
        'SHOW TABLES',
        'SELECT 1 AS a',
        "SELECT * FROM item_notes WHERE note = 'note 7'",
      ])
        expect([sql, (await query(sql)).status]).toEqual([sql, 200]);
      expect((await query('SELECT COUNT(*) FROM items', { dry_run: true })).status).toBe(200);
      expect((await query('SELECT nothing FROM items WHERE kind = 5')).json).toMatchObject({
        code: 'query.unknown_column',
      });
    });

    it('every endpoint that counts related records checks the cost of these counts', async () => {
      for (const path of [
        '/boxes?include=count:pieces',
        '/boxes/1?include=count:pieces',
        '/boxes?include=n:count:pieces&limit=500',
        '/boxes?include=n:count:pieces&include[n][id__gt]=5&_select=id',
        '/pieces?include=box,count:box.pieces&limit=1',
      ]) {
        expect([path, await reported(get(path))]).toEqual([path, TOO_EXPENSIVE]);
      }
      // The list is sorted by counts of related records, so the list itself is too expensive.
      for (const path of [
        '/boxes?include=count:pieces&sort=-count_pieces&limit=1',
        '/boxes?include=count:pieces&sort=count_pieces&limit=1&_cursor=',
        '/boxes?id__in=0,1&include=count:pieces&sort=count_pieces',
      ]) {
        expect([path, (await get(path)).json]).toEqual([
          path,
          expect.objectContaining({
            code: 'limit.query_cost',
            plan: [expect.objectContaining({ table: 'boxes' }), expect.objectContaining({ table: 'pieces' })],
          }),
        ]);
      }
      const rejected = await get('/boxes?include=count:pieces');
      expect(rejected.json).toMatchObject({
        rows_examined_max: BUDGET,
        index_sql: null,
        plan: [{ table: 'pieces' }],
      });
      const batch = await stage.call('POST', '/_batch', {
        operations: [{ method: 'GET', path: '/boxes?include=count:pieces' }],
      });
      expect(batch.json).toMatchObject({ code: 'limit.query_cost' });
      expect((await get('/boxes/2?include=count:pieces')).json).toEqual({ id: 2, count_pieces: 0 });
      expect((await get('/boxes/1?include=n:count:pieces&include[n][id__lt]=50')).json).toEqual({
        id: 1,
        n: 25,
      });
      const { secret: rich } = await stage.cell.addKey(stage.tenant, {
        scopes: ['read'],
        rowsExaminedMax: 100_000,
      });
      const counted = await callUntil(
        () => get('/boxes?include=count:pieces', rich),
        (response) => response.status === 200,
        10_000,
      );
      expect((await get('/boxes?include=count:pieces&sort=count_pieces&limit=2', rich)).json).toEqual([
        { id: 2, count_pieces: 0 },
        { id: 0, count_pieces: ROWS / 2 },
      ]);
      expect(counted.json).toEqual([
        { id: 0, count_pieces: ROWS / 2 },
        { id: 1, count_pieces: ROWS / 2 },
        { id: 2, count_pieces: 0 },
      ]);
    });

    it('every endpoint that runs a statement checks its cost', async () => {
      const ndjson = { accept: 'application/x-ndjson' };
      expect(
        await reported(query('SELECT kind, COUNT(*) FROM items GROUP BY kind', {}, stage.tenant.key, ndjson)),
      ).toBe(TOO_EXPENSIVE);
      expect(
        (await query('SELECT id FROM items', {}, stage.tenant.key, ndjson)).text.trim().split('\n'),
      ).toHaveLength(ROWS);
      expect(
        (
          await query('SELECT COUNT(*) FROM items WHERE kind = 6', {}, stage.tenant.key, {
            accept: 'text/event-stream',
          })
        ).text,
      ).toMatch(/event: error\ndata: \{"status":422,.*"limit\.query_cost"/);
      expect(await reported(query('how many items are there', { mode: 'question' }))).toBe(TOO_EXPENSIVE);
      const mcp = await openMcp(stage.gateway.url, stage.tenant.key, 'modern');
      const [requested, read] = [
        await mcp.call('query_database', { query: 'SELECT COUNT(*) FROM items WHERE kind = 7' }),
        await mcp.call('read_records', { table: 'items', filter: { kind: 7 } }),
      ];
      await mcp.close();
      expect([
        requested.isError,
        read.isError,
        requested.text.includes('limit.query_cost'),
        read.text.includes('limit.query_cost'),
      ]).toEqual([true, true, true, true]);
      const batch = await stage.call('POST', '/_batch', {
        operations: [
          { method: 'GET', path: '/makers/1' },
          { method: 'GET', path: '/items?kind=7' },
        ],
      });
      expect(batch.json).toMatchObject({ code: 'limit.query_cost', operation: 1 });
      const { secret: writer } = await stage.cell.addKey(stage.tenant, {
        scopes: ['read', 'write', 'delete', 'query', 'query:write'],
      });
      const write = await callUntil(
        () => query("UPDATE items SET note = 'x' WHERE kind = 999", {}, writer),
        (response) => response.json?.code !== 'db.provisioning',
        10_000,
      );
      expect(write.json).toMatchObject({
        code: 'limit.query_cost',
        index_sql: 'CREATE INDEX `items_kind` ON `items` (`kind`)',
      });
      expect((await query("UPDATE items SET note = 'x' WHERE id = 999", {}, writer)).json).toMatchObject({
        affected_rows: 1,
      });
    });

    it.runIf(engine.engine === 'mysql')(
      'a join that would buffer a hundred thousand rows or more runs without a join buffer',
      async () => {
        const root = await openAdminConnection(engine);
        const filesOf = async (sql: string): Promise<number> => {
          const count = async (): Promise<number> =>
            Number(
              (await root.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Created_tmp_files'"))[0]?.Value,
            );
          const before = await count();
          expect((await query(sql)).json).toEqual([{ n: 0 }]);
          return (await count()) - before;
        };
        try {
          const product = (rows: number): string =>
            `SELECT COUNT(*) AS n FROM middling a STRAIGHT_JOIN middling b STRAIGHT_JOIN makers c WHERE CONCAT(a.id, b.id, c.id) = 'x' AND a.id <> ${rows}`;
          // The second request uses the known cost of the shape.
          expect([await filesOf(product(1)), await filesOf(product(2))]).toEqual([0, 0]);
        } finally {
          await root.close();
        }
      },
    );

    it('a list without a suitable index is rejected by cost, and no other list is checked', async () => {
      for (const path of [
        '/items?kind=5',
        '/items?note__contains=7&limit=1',
        '/items?sort=kind&limit=5',
        '/items?sort=grade:nulls_last&limit=5',
        '/items?_count=exact&limit=1',
        '/items?_aggregate=count&_group=kind',
        '/items?_distinct=kind',
      ]) {
        expect([path, (await get(path)).json.code]).toEqual([path, 'limit.query_cost']);
      }
      expect((await get('/items?kind=5&sort=-made_at')).json).toMatchObject({
        index_sql: 'CREATE INDEX `items_kind_made_at` ON `items` (`kind`, `made_at`)',
        plan: [{ table: 'items' }],
      });
      expect(await reported(get('/items?kind=5', stage.tenant.key, { accept: 'application/x-ndjson' }))).toBe(
        TOO_EXPENSIVE,
      );
      const before = await stage.gateway.metric('gateway_statements_explained_total');
      for (const path of [
        '/items/7',
        '/items?limit=5',
        '/items?sort=-id&limit=5',
        '/items?sort=-grade:nulls_last&limit=5',
        '/items?maker_id=3',
        '/items?maker_id=3&note__contains=7&sort=kind',
        '/items?id__in=1,2,3',
        '/items?_count=estimated&limit=1',
      ])
        expect([path, (await get(path)).status]).toEqual([path, 200]);
      expect(
        (await get('/items', stage.tenant.key, { accept: 'application/x-ndjson' })).text.trim().split('\n'),
      ).toHaveLength(ROWS);
      expect(await stage.gateway.metric('gateway_statements_explained_total')).toBe(before);
    });

    it('a filtered write without a suitable index is rejected by every endpoint, and changes nothing', async () => {
      const send = (
        method: 'PATCH' | 'PUT' | 'DELETE',
        path: string,
        extra: { readonly key?: string; readonly headers?: Record<string, string> } = {},
      ): Promise<TestResponse> =>
        stage.call(
          method,
          path,
          method === 'DELETE' ? undefined : { note: 'changed' },
          extra.headers,
          extra.key,
        );
      expect((await send('PATCH', '/items?kind=999')).json).toMatchObject({
        code: 'limit.query_cost',
        rows_examined_max: BUDGET,
        index_sql: 'CREATE INDEX `items_kind` ON `items` (`kind`)',
        plan: [{ table: 'items' }],
      });
      for (const headers of [{}, { prefer: 'tx=rollback' }, { 'idempotency-key': 'dear' }] as Record<
        string,
        string
      >[]) {
        expect(await reported(send('PATCH', '/items?note__contains=note', { headers }))).toBe(TOO_EXPENSIVE);
        expect(await reported(send('DELETE', '/items?kind=999', { headers }))).toBe(TOO_EXPENSIVE);
      }
      expect(await reported(send('DELETE', '/vault?item_id=5'))).toBe(TOO_EXPENSIVE);
      const batch = await stage.call('POST', '/_batch', {
        operations: [
          { method: 'PATCH', path: '/items/1', body: { note: 'changed' } },
          { method: 'DELETE', path: '/items?kind=7' },
        ],
      });
      expect(batch.json).toMatchObject({ code: 'limit.query_cost', operation: 1 });
      const mcp = await openMcp(stage.gateway.url, stage.tenant.key, 'modern');
      const deleted = await mcp.call('delete_records', { table: 'items', filter: { kind: 7 } });
      await mcp.close();
      expect([deleted.isError, deleted.text.includes('limit.query_cost')]).toEqual([true, true]);
      expect((await get('/items/1')).json).toMatchObject({ note: 'note 1' });
      // The rejected request has not used up its idempotency key.
      expect(
        (await send('PATCH', '/items?maker_id=3&kind=999', { headers: { 'idempotency-key': 'dear too' } }))
          .status,
      ).toBe(200);
      const before = await stage.gateway.metric('gateway_statements_explained_total');
      expect((await send('PATCH', '/items?maker_id=3&kind=999')).status).toBe(200);
      expect((await send('DELETE', '/items?id__in=99998,99999')).status).toBe(200);
      expect(await stage.gateway.metric('gateway_statements_explained_total')).toBe(before);
      expect((await send('PATCH', '/items?kind=5', { key: stage.other.key })).status).toBe(200);
    });

    it('a cheap query shape is checked once, and an expensive one each time', async () => {
      const requested = async (sql: string): Promise<number> => {
        const before = await stage.gateway.metric('gateway_statements_explained_total');
        await query(sql);
        return (await stage.gateway.metric('gateway_statements_explained_total')) - before;
      };
      expect([
        await requested('SELECT kind FROM items WHERE id = 1 AND kind > 0'),
        await requested('SELECT kind FROM items WHERE id = 22 AND kind > 5'),
      ]).toEqual([1, 0]);
      expect([
        await requested('SELECT SUM(kind) FROM items WHERE kind > 1'),
        await requested('SELECT SUM(kind) FROM items WHERE kind > 2'),
      ]).toEqual([1, 1]);
    });

    it('the cost budget of a key overrides that of the database', async () => {
      const sql = 'SELECT MAX(kind) AS most FROM items';
      expect(await reported(query(sql))).toBe(TOO_EXPENSIVE);
      const { secret: rich } = await stage.cell.addKey(stage.tenant, { rowsExaminedMax: 1_000_000 });
      expect((await query(sql, {}, rich)).json).toEqual([{ most: 49 }]);
      expect((await get('/items?kind=5&limit=1', rich)).status).toBe(200);
      // The key with the larger budget has already run the statement. Its known cost does not admit the other
      // key.
      expect(await reported(query(sql))).toBe(TOO_EXPENSIVE);
      expect((await get('/health', rich)).json.limits).toMatchObject({ rows_examined: 1_000_000 });
      expect((await get('/health')).json.limits).toMatchObject({ rows_examined: BUDGET });
      const wide = await stage.cell.addTenant({
        ddl: DDL,
        rows: FILL,
        settings: { rows_examined_max: 500_000 },
      });
      expect((await query(sql, {}, wide.key)).status).toBe(200);
      const { secret: poor } = await stage.cell.addKey(wide, { rowsExaminedMax: 1_000 });
      expect(await reported(query(sql, {}, poor))).toBe(TOO_EXPENSIVE);
    });

    it('a rejection by cost reveals nothing hidden from the key and counts only its own rows', async () => {
      const { secret: narrow } = await stage.cell.addKey(stage.tenant, { tables: { items: ['read'] } });
      const rejected = await callUntil(
        () => query('SELECT COUNT(*) FROM items WHERE kind = 8', {}, narrow),
        (response) => response.json?.code !== 'db.provisioning',
        10_000,
      );
      expect(rejected.json).toMatchObject({ code: 'limit.query_cost', plan: [{ table: 'items' }] });
      expect(rejected.text).not.toMatch(/vault|makers|pin/);
      expect((await query('SELECT COUNT(*) FROM vault', {}, narrow)).json).toMatchObject({
        code: 'query.unknown_table',
      });
      expect(
        (await query('SELECT COUNT(*) AS n FROM items WHERE kind = 5', {}, stage.other.key)).json,
      ).toEqual([{ n: 0 }]);
      expect((await get('/items?kind=5', stage.other.key)).json).toEqual([]);
    });

    it('a statement rejected by cost is admitted after the proposed index is created', async () => {
      const sql = 'SELECT COUNT(*) AS n FROM items WHERE kind = 5';
      const { json } = await query(sql);
      await stage.cell.deploy(stage.tenant, [json.index_sql]);
      const response = await callUntil(
        () => query(sql),
        (item) => item.status === 200,
        10_000,
      );
      expect(response.json).toEqual([{ n: ROWS / 50 }]);
      expect((await get('/items?kind=5&limit=1')).status).toBe(200);
    });
  },
);

import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { openReply } from '../support/read-stream.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE teams (id int PRIMARY KEY, name varchar(20))',
  'CREATE TABLE people (id int PRIMARY KEY, team_id int, name varchar(20), data json, KEY (team_id), FOREIGN KEY (team_id) REFERENCES teams (id))',
  'CREATE TABLE vault (id int PRIMARY KEY, pin varchar(20))',
  'CREATE VIEW pins AS SELECT id, pin FROM vault',
  "INSERT INTO teams VALUES (1, 'red'), (2, 'blue')",
  `INSERT INTO people VALUES (1, 1, 'ann', '{"a":\n1}'), (2, 1, 'bob', NULL), (3, 2, 'cy', NULL)`,
  "INSERT INTO vault VALUES (1, 'canary')",
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'guards of the query endpoint on %s',
  (_name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let tenant: TestTenant;
    let narrow: string;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      tenant = await cell.addTenant({ ddl: DDL });
      gateway = await cell.startGateway();
      narrow = (await cell.addKey(tenant, { tables: { teams: ['read'], people: ['read'], pins: ['read'] } }))
        .secret;
    });

    afterAll(() => cell.stop());

    const query = (
      sql: string,
      extra: Record<string, unknown> = {},
      key = tenant.key,
    ): Promise<TestResponse> =>
      callGateway(gateway.url, 'POST', '/v1/-/query', { key, body: { query: sql, ...extra } });

    it('a table that the key may not read has the same error as a missing one', async () => {
      const reported = async (sql: string, name: string): Promise<unknown> => {
        const { status, json, headers } = await query(sql.replaceAll('T', name), {}, narrow);
        return {
          status,
          headers: [...headers.keys()].filter((item) => item !== 'content-length').sort(),
          text: JSON.stringify({ ...json, request_id: '' }).replaceAll(name, 'T'),
        };
      };
      const texts = [
        'SELECT * FROM T',
        'SELECT T.pin FROM people',
        'SELECT id FROM people JOIN T ON T.id = people.id',
        'SELECT id FROM people WHERE id IN (SELECT id FROM T)',
        'WITH a AS (SELECT * FROM T) SELECT * FROM a',
        'WITH T AS (SELECT * FROM T) SELECT * FROM T',
        'EXPLAIN SELECT * FROM T',
        'DESCRIBE T',
        'SHOW COLUMNS FROM T',
        'SELECT T FROM people',
        'SELECT 1 AS T',
        'SELECT T.id FROM people T ORDER BY T.id',
        'WITH T AS (SELECT 7 AS a) SELECT T.a FROM T',
        'EXPLAIN SELECT T.id FROM people T',
        'EXPLAIN FORMAT=JSON SELECT T.id FROM people T',
        'WITH T AS (SELECT 7 AS a) SELECT T.b FROM T',
        'SELECT T(1) FROM people',
        'SELECT x FROM T',
        'UPDATE T SET a = 1 WHERE 1',
        'INSERT INTO T VALUES (1)',
        'SELECT * FROM mysql.T',
        "SHOW TABLES LIKE 'T'",
      ];
      for (const sql of texts)
        expect(await reported(sql, 'vault'), sql).toEqual(await reported(sql, 'vauxt'));
      expect((await query('SELECT * FROM vault', {}, narrow)).json).toMatchObject({
        code: 'query.unknown_table',
        line: 1,
        column: 15,
      });
      expect((await query('SELECT pin FROM vault')).json).toEqual([{ pin: 'canary' }]);
    });

    it('EXPLAIN shows neither the real schema name nor the tables of a view', async () => {
      for (const form of [
        'EXPLAIN',
        'EXPLAIN FORMAT=JSON',
        ...(engine.engine === 'mysql' ? ['EXPLAIN FORMAT=TREE'] : ['EXPLAIN EXTENDED']),
      ]) {
        const response = await query(
          `${form} SELECT p.name FROM people p JOIN teams t ON t.id = p.team_id WHERE t.id > 0 AND p.name = ?`,
          { params: ['ann'], verbose: true },
        );
        expect(response.status, response.text).toBe(200);
        expect(response.text).not.toContain(tenant.schemaName);
        expect(response.text).toContain('team_id');
        const lines = await (
          await openReply(
            gateway.url,
            '/v1/-/query',
            {
              authorization: `Bearer ${tenant.key}`,
              accept: 'application/x-ndjson',
              'content-type': 'application/json',
            },
            JSON.stringify({ query: `${form} SELECT * FROM people p JOIN teams t ON t.id = p.team_id` }),
          )
        ).rest();
        expect(lines.text).not.toContain(tenant.schemaName);
      }
      expect(
        (await query('SHOW TABLES', {}, narrow)).json.map(
          (row: Record<string, string>) => row['Tables_in_database'],
        ),
      ).toEqual(['people', 'pins', 'teams']);
      const hidden = await query('EXPLAIN SELECT * FROM pins', {}, narrow);
      expect(hidden.json).toMatchObject({ code: 'query.not_allowed' });
      expect(hidden.text).not.toContain('vault');
      expect((await query('SELECT pin FROM pins', {}, narrow)).json).toEqual([{ pin: 'canary' }]);
    });

    it('a dry run of a query is parsed by the server but not executed', async () => {
      expect((await query('SELECT pin FROM pins', { dry_run: true }, narrow)).json).toEqual([]);
      expect((await query('SELECT nope FROM people', { dry_run: true })).json).toMatchObject({
        code: 'query.unknown_column',
        line: 1,
        column: 8,
      });
      expect(
        (await query('SELECT id FROM people WHERE id = ?', { dry_run: true, params: [1], verbose: true }))
          .json,
      ).toMatchObject({ data: [], sql: 'SELECT id FROM people WHERE id = ?', params: [1] });
      // The statement would run for hours. It is ended at once.
      const bomb =
        'SELECT COUNT(*) FROM (SELECT 1 FROM people a, people b, people c, people d, people e, people f, people g, people h, people i, people j, people k, people l, people m, people n, people o) x';
      expect((await query(bomb, { dry_run: true })).json).toEqual([]);
    });

    it('a query error contains its position in the SQL text as sent', async () => {
      const text = '-- a\nSELECT p.id,\n  p.nmae /* b */ FROM people p';
      expect((await query(text)).json).toMatchObject({
        code: 'query.unknown_column',
        line: 3,
        column: 5,
        suggestions: ['name'],
      });
      expect((await query('SELECT id\nFROM peple')).json).toMatchObject({
        code: 'query.unknown_table',
        line: 2,
        column: 6,
        suggestions: ['people'],
      });
      expect((await query('SELECT id, name FROM people ORDER BY id +')).json).toMatchObject({
        code: 'query.invalid_sql',
      });
      expect((await query('SELECT id name x FROM people', { mode: 'sql' })).json).toMatchObject({
        code: 'query.invalid_sql',
        line: 1,
        column: 16,
      });
    });

    it('a question that asks for a write is rejected with 422', async () => {
      const response = await query('delete the person called ann');
      expect([response.status, response.json.code, response.json.hint]).toEqual([
        422,
        'query.not_understood',
        expect.stringContaining('query:write'),
      ]);
      expect((await query('SELECT COUNT(*) AS n FROM people')).json).toEqual([{ n: 3 }]);
    });

    const events = async (
      body: Record<string, unknown>,
      key = tenant.key,
    ): Promise<{ status: number; type: string; events: [string, unknown][] }> => {
      const reply = await openReply(
        gateway.url,
        '/v1/-/query',
        {
          authorization: `Bearer ${key}`,
          accept: 'text/event-stream',
          'accept-encoding': 'gzip',
          'content-type': 'application/json',
        },
        JSON.stringify(body),
      );
      const { text, isComplete } = await reply.rest();
      expect(isComplete).toBe(true);
      const blocks = reply.status === 200 ? text.split('\n\n').slice(0, -1) : [];
      return {
        status: reply.status,
        type: String(reply.headers['content-type']),
        events: blocks.map((block) => {
          const [event = '', ...data] = block.split('\n');
          return [
            event.replace('event: ', ''),
            JSON.parse(data.map((line) => line.replace('data: ', '')).join('\n')),
          ];
        }),
      };
    };

    it('Accept: text/event-stream returns an event for each stage of a query', async () => {
      const reported = await events({
        query: 'SELECT id, data FROM people WHERE id <= ? ORDER BY id',
        params: [2],
      });
      expect([reported.status, reported.type]).toEqual([200, 'text/event-stream; charset=utf-8']);
      expect(reported.events).toEqual([
        ['route', { kind: 'sql' }],
        [
          'sql',
          {
            params: [2],
            sql: 'SELECT id, data FROM people WHERE id <= ? ORDER BY id',
            source: 'sql',
            explanation: 'Reads people; filters rows; sorts.',
            confidence: null,
            assumptions: [],
          },
        ],
        [
          'rows',
          {
            columns: [expect.objectContaining({ name: 'id' }), expect.objectContaining({ name: 'data' })],
            data: [
              { id: 1, data: { a: 1 } },
              { id: 2, data: null },
            ],
          },
        ],
        [
          'done',
          expect.objectContaining({ row_count: 2, truncated: false, schema_version: 1, warnings: [] }),
        ],
      ]);
      const question = await events({ query: 'how many people are there?' });
      expect(question.events.map(([name]) => name)).toEqual(['route', 'sql', 'rows', 'done']);
      expect(question.events[1]?.[1]).toMatchObject({ source: 'rules', explanation: expect.any(String) });
      const failed = await events({ query: 'SELECT nope FROM people' });
      expect(failed.events.map(([name]) => name)).toEqual(['route', 'sql', 'error']);
      expect(failed.events[2]?.[1]).toMatchObject({
        status: 400,
        code: 'query.unknown_column',
        line: 1,
        column: 8,
        request_id: expect.any(String),
      });
      expect((await events({ query: 'SELECT (1' })).events).toEqual([
        ['error', expect.objectContaining({ code: 'query.invalid_sql' })],
      ]);
      expect((await events({ query: 'SELECT * FROM vault' }, narrow)).events.at(-1)).toEqual([
        'error',
        expect.objectContaining({ code: 'query.unknown_table' }),
      ]);
      expect((await events({ nonsense: 1 })).status).toBe(422);
      expect((await events({ query: 'SELECT 1' }, 'nothing')).status).toBe(401);
    });
  },
);

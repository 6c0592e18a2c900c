import { SESSIONS } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it, vi } from 'vitest';
import { callGateway } from '../support/http-call.js';
import { openReply, type StreamResponse } from '../support/read-stream.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE things (id int PRIMARY KEY, name varchar(40), flag tinyint(1), data json, body text)',
  `INSERT INTO things VALUES (1, 'one', 1, '{"a":1}', NULL), (2, '', 0, NULL, 'x'), (3, 'th,ree', NULL, '[]', 'y')`,
  'CREATE TABLE hidden (id int PRIMARY KEY)',
  'INSERT INTO hidden VALUES (1)',
];
/** A query with 27 million rows. The test stops it early. */
const MANY =
  'SELECT a.n * 90000 + b.n * 300 + c.n AS n, 1 AS one FROM numbers a JOIN numbers b JOIN numbers c';
const DIGITS = Array.from({ length: 300 }, (_, n) => `(${n})`).join(',');

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'streamed queries on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: {
        ddl: [...DDL, 'CREATE TABLE numbers (n int PRIMARY KEY)', `INSERT INTO numbers VALUES ${DIGITS}`],
      },
      other: { ddl: DDL.slice(0, 2) },
    });

    const stream = (
      body: Record<string, unknown>,
      accept = 'application/x-ndjson',
      key = stage.tenant.key,
      extra: Record<string, string> = {},
    ): Promise<StreamResponse> =>
      openReply(
        stage.gateway.url,
        '/v1/-/query',
        { authorization: `Bearer ${key}`, accept, 'content-type': 'application/json', ...extra },
        JSON.stringify(body),
      );
    const text = async (
      query: string,
      accept?: string,
      extra: Record<string, unknown> = {},
    ): Promise<string> => {
      const { text: body, isComplete } = await (await stream({ query, ...extra }, accept)).rest();
      expect(isComplete).toBe(true);
      return body;
    };
    const rejection = async (body: Record<string, unknown>, key = stage.tenant.key): Promise<unknown[]> => {
      const reply = await stream(body, 'text/csv', key);
      return [reply.status, JSON.parse((await reply.rest()).text).code];
    };

    it('a streamed query returns the same rows as a JSON response', async () => {
      const query =
        'SELECT id, name, flag, data, COUNT(*) OVER () AS n, id AS id FROM things ORDER BY things.id';
      const whole = await callGateway(stage.gateway.url, 'POST', '/v1/-/query', {
        key: stage.tenant.key,
        body: { query },
      });
      expect(
        (await text(query))
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line)),
      ).toEqual(whole.json);
      expect(
        await text(
          'SELECT id, name, flag, body, data->"$.a" AS a FROM things ORDER BY id'.replace(
            'data->"$.a" AS a',
            'id * 1.50 AS a',
          ),
          'text/csv',
        ),
      ).toBe('id,name,flag,body,a\r\n1,one,true,,1.50\r\n2,"",false,x,3.00\r\n3,"th,ree",,y,4.50\r\n');
      expect(
        await text('SELECT id, name FROM things WHERE id < 3 ORDER BY id', undefined, { array_mode: true }),
      ).toBe('[1,"one"]\n[2,""]\n');
      expect(await text('SELECT id FROM things WHERE id > 9', 'text/csv')).toBe('id\r\n');
      const reply = await stream({ query: 'SELECT 1 AS a' }, 'text/csv');
      expect(reply.headers).toMatchObject({
        'x-query-source': 'sql',
        'x-generated-sql': 'SELECT 1 AS a',
        'cache-control': 'no-store',
        'content-type': 'text/csv; charset=utf-8; header=present',
      });
      await reply.rest();
    });

    it('a streamed query returns all rows, or the requested number', async () => {
      expect((await text('SELECT a.n FROM numbers a JOIN numbers b')).split('\n')).toHaveLength(90_001);
      expect(
        (await text('SELECT a.n FROM numbers a JOIN numbers b', undefined, { limit: 20_000 })).split('\n'),
      ).toHaveLength(20_001);
      expect(
        (
          await text('SELECT a.n FROM numbers a JOIN numbers b LIMIT 50000', undefined, { limit: 20_000 })
        ).split('\n'),
      ).toHaveLength(20_001);
    });

    it('SHOW TABLES and dry runs can be requested as NDJSON and CSV', async () => {
      expect(await text('SHOW TABLES', 'text/csv')).toBe(
        'Tables_in_database\r\nhidden\r\nnumbers\r\nthings\r\n',
      );
      expect((await text('DESCRIBE hidden')).split('\n')[0]).toBe(
        '{"Field":"id","Type":"int(11)","Null":"NO","Key":"PRI","Default":null,"Extra":""}'.replace(
          'int(11)',
          engine.engine === 'mysql' ? 'int' : 'int(11)',
        ),
      );
      expect(await text('SELECT id FROM things', undefined, { dry_run: true })).toBe('');
      expect((await text('EXPLAIN SELECT id FROM things')).length).toBeGreaterThan(10);
    });

    it('a streamed query is rejected like any query before the first byte', async () => {
      expect(await rejection({ query: 'SELECT nope FROM things' })).toEqual([400, 'query.unknown_column']);
      expect(await rejection({ query: 'DELETE FROM things' })).toEqual([403, 'query.not_allowed']);
      expect(await rejection({ query: 'SELECT 1', verbose: true })).toEqual([422, 'body.invalid']);
      expect(await rejection({ query: 'SELECT 1', limit: 0 })).toEqual([422, 'body.invalid']);
      const narrow = await stage.cell.addKey(stage.tenant, { tables: { things: ['read'] } });
      expect(await rejection({ query: 'SELECT * FROM hidden' }, narrow.secret)).toEqual([
        400,
        'query.unknown_table',
      ]);
      const silent = await stage.cell.addKey(stage.tenant, { scopes: ['read'] });
      expect(await rejection({ query: 'SELECT 1' }, silent.secret)).toEqual([403, 'auth.scope']);
      expect(
        await rejection({ query: `SELECT * FROM ${stage.tenant.schemaName}.things` }, stage.other.key),
      ).toEqual([403, 'query.not_allowed']);
    });

    it('a streamed query stops when its client disconnects or its key is revoked', async () => {
      const running = async (): Promise<number> => {
        const [row] = await stage.cell.root.rows<{ n: string }>(
          `SELECT COUNT(*) AS n FROM ${SESSIONS} WHERE DB = ? AND COMMAND <> 'Sleep'`,
          [stage.tenant.schemaName],
        );
        return Number(row?.n);
      };
      const reply = await stream({ query: MANY });
      await reply.take(1_000);
      expect(await running()).toBe(1);
      reply.hangUp();
      await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: 5_000 });
      const key = await stage.cell.addKey(stage.tenant);
      const doomed = await stream({ query: MANY }, 'text/csv', key.secret);
      await doomed.take(1_000);
      await stage.cell.revoke(key.id);
      await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: 5_000 });
      expect((await doomed.rest()).isComplete).toBe(false);
      expect(await text('SELECT 1 AS a')).toBe('{"a":1}\n');
    });

    it('a database runs at most two streamed queries at once', async () => {
      const open = await Promise.all([stream({ query: MANY }), stream({ query: MANY })]);
      expect(await rejection({ query: 'SELECT 1' })).toEqual([429, 'limit.concurrency']);
      for (const reply of open) reply.hangUp();
      await vi.waitFor(async () => expect((await stream({ query: 'SELECT 1 AS a' })).status).toBe(200), {
        timeout: 5_000,
      });
    });
  },
);

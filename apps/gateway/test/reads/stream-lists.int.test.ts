import { connect } from 'node:net';
import { SESSIONS } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it, vi } from 'vitest';
import { callGateway } from '../support/http-call.js';
import { openReply, type StreamResponse } from '../support/read-stream.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const ROWS = 12_000;
const DIGITS =
  '(SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)';
const NUMBER = 'a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d';
const DDL = [
  'CREATE TABLE things (id int AUTO_INCREMENT PRIMARY KEY, name varchar(40), bucket int, note text, price decimal(10,2), secret varchar(10), KEY (bucket))',
  `INSERT INTO things (id, name, bucket, note, price) SELECT n, CONCAT('thing ', n), IF(n % 7 = 0, NULL, n % 100), IF(n % 2, '', NULL), n / 4
   FROM (SELECT 1 + ${NUMBER} AS n FROM ${DIGITS} a, ${DIGITS} b, ${DIGITS} c, ${DIGITS} d, ${DIGITS} e WHERE e.d < 2) x WHERE n <= ${ROWS}`,
  'CREATE TABLE wide (id int PRIMARY KEY, body mediumtext)',
  `INSERT INTO wide SELECT id, REPEAT('w', 4000) FROM things WHERE id <= 10000`,
  'CREATE TABLE logs (text varchar(40))',
  'INSERT INTO logs SELECT name FROM things WHERE id <= 3000',
  'CREATE VIEW cheap AS SELECT id, name FROM things WHERE price < 500',
  'CREATE TABLE traps (id int PRIMARY KEY, word varchar(100))',
  `INSERT INTO traps SELECT id, IF(id = 250, CONCAT(REPEAT('a', 60), '!'), 'aa') FROM things WHERE id <= 300`,
  'CREATE TABLE other (id int PRIMARY KEY)',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'streamed lists on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, settings: { regex_enabled: true } },
      other: {
        ddl: [
          'CREATE TABLE things (id int PRIMARY KEY, name varchar(40))',
          "INSERT INTO things VALUES (1, 'theirs')",
        ],
      },
    });

    const stream = (
      path: string,
      accept = 'application/x-ndjson',
      key = stage.tenant.key,
      extra: Record<string, string> = {},
    ): Promise<StreamResponse> =>
      openReply(stage.gateway.url, `/v1/-${path}`, { authorization: `Bearer ${key}`, accept, ...extra });
    const text = async (path: string, accept?: string, extra?: Record<string, string>): Promise<string> => {
      const reply = await stream(path, accept, stage.tenant.key, extra);
      const { text: body, isComplete } = await reply.rest();
      expect([reply.status, isComplete, reply.status === 200 ? '' : body]).toEqual([200, true, '']);
      return body;
    };
    const records = async (path: string): Promise<Record<string, unknown>[]> =>
      (await text(path))
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    const short = async (): Promise<number> =>
      (await callGateway(stage.gateway.url, 'GET', '/v1/-/things/1', { key: stage.tenant.key })).status;
    /** Returns the number of statements that streams of this tenant run on the server. */
    const running = async (): Promise<number> => {
      const [row] = await stage.cell.root.rows<{ n: string }>(
        `SELECT COUNT(*) AS n FROM ${SESSIONS} WHERE DB = ? AND COMMAND <> 'Sleep'`,
        [stage.tenant.schemaName],
      );
      return Number(row?.n);
    };

    it('a streamed list contains the same records as all pages of the list', async () => {
      const list = await callGateway(
        stage.gateway.url,
        'GET',
        '/v1/-/things?bucket__gte=95&sort=-bucket&_select=name,bucket,price',
        { key: stage.tenant.key },
      );
      expect(await records('/things?bucket__gte=95&sort=-bucket&_select=name,bucket,price')).toEqual(
        list.json,
      );
      const all = await records('/things');
      expect(all.map((record) => record['id'])).toEqual(
        Array.from({ length: ROWS }, (_, index) => index + 1),
      );
      expect(await records('/things?_omit=note,price,secret&limit=2')).toEqual([
        { id: 1, name: 'thing 1', bucket: 1 },
        { id: 2, name: 'thing 2', bucket: 2 },
      ]);
    });

    it('a streamed list keeps any sort order over many parts, with NULL and equal keys', async () => {
      const sorted = await records('/things?sort=-bucket,name&_select=id,bucket');
      const expected = await stage.cell.root.rows<{ id: number }>(
        `SELECT id FROM ${stage.tenant.schemaName}.things ORDER BY bucket DESC, name ASC, id ASC`,
      );
      expect(sorted.map((record) => record['id'])).toEqual(expected.map((row) => row.id));
      const turned = await stage.cell.root.rows<{ id: number }>(
        `SELECT id FROM ${stage.tenant.schemaName}.things ORDER BY bucket IS NULL DESC, bucket DESC, name ASC, id ASC`,
      );
      expect(
        (await records('/things?sort=-bucket:nulls_first,name&_select=id')).map((record) => record['id']),
      ).toEqual(turned.map((row) => row.id));
      expect(
        (await records('/things?limit=7001&_offset=4000&_select=id')).map((record) => record['id']),
      ).toEqual(Array.from({ length: 7001 }, (_, index) => index + 4001));
    });

    it('a streamed list that fails during a regular expression never ends like a complete one', async () => {
      expect(
        await records(
          '/things?name__regex=^thing [0-9]*7$&_select=id'.replace('^', '%5E').replaceAll(' ', '%20'),
        ),
      ).toHaveLength(1200);
      const trap = await stream('/traps?word__regex=%5E(a%2B)%2B$');
      const { text: body, isComplete } = await trap.rest();
      // The row that causes the error is in the second part of the list. The first part was already sent.
      expect([trap.status, isComplete, body.split('\n').length]).toEqual([200, false, 201]);
      // On a busy machine, the time limit may be reached before the engine gives up.
      const early = await stream('/traps?id__gt=100&word__regex=%5E(a%2B)%2B$');
      expect([422, 504]).toContain(early.status);
      expect((await early.rest()).text).toMatch(/regex_cost|db\.timeout/);
    });

    it('streamed lists of views, keyless tables and distinct rows run one statement', async () => {
      expect(await records('/cheap')).toHaveLength(1999);
      expect(await records('/logs')).toHaveLength(3000);
      expect((await records('/things?_distinct=bucket')).length).toBe(101);
      expect(await text('/things?_group=bucket&_aggregate=n:count&bucket__lt=2', 'text/csv')).toBe(
        'bucket,n\r\n0,103\r\n1,103\r\n',
      );
      expect(await records('/things?_group=name&_aggregate=count')).toHaveLength(ROWS);
    });

    it('a CSV stream has a header and distinguishes NULL from empty text', async () => {
      expect(await text('/things?limit=2&_select=id,name,note,price', 'text/csv')).toBe(
        'id,name,note,price\r\n1,thing 1,"",0.25\r\n2,thing 2,,0.50\r\n',
      );
      expect(await text('/things?id=0&_select=id,name', 'text/csv')).toBe('id,name\r\n');
      expect(await text('/things?id=0')).toBe('');
      expect(await text('/things?limit=0')).toBe('');
      const reply = await stream('/things?limit=1&_count=exact&bucket=5', 'text/csv', stage.tenant.key, {
        prefer: 'csv-formulas=escape',
      });
      expect(reply.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8; header=present',
        'x-total-count': '103',
        'preference-applied': 'csv-formulas=escape',
        'transfer-encoding': 'chunked',
      });
      await reply.rest();
    });

    it('a streamed list supports searches, HEAD and compression', async () => {
      const found = await openReply(
        stage.gateway.url,
        '/v1/-/_search/things',
        {
          authorization: `Bearer ${stage.tenant.key}`,
          accept: 'text/csv',
          'content-type': 'application/json',
        },
        JSON.stringify({ id__in: [3], _select: 'id' }),
      );
      expect((await found.rest()).text).toBe('id\r\n3\r\n');
      const head = await fetch(`${stage.gateway.url}/v1/-/things`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${stage.tenant.key}`, accept: 'text/csv' },
      });
      expect([head.status, head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
        200,
        'text/csv; charset=utf-8; header=present',
        null,
      ]);
      const plain = await text('/things', 'text/csv');
      for (const encoding of ['br', 'gzip']) {
        const packed = await fetch(`${stage.gateway.url}/v1/-/things`, {
          headers: {
            authorization: `Bearer ${stage.tenant.key}`,
            accept: 'text/csv',
            'accept-encoding': encoding,
          },
        });
        expect(packed.headers.get('content-encoding')).toBe(encoding);
        expect(await packed.text()).toBe(plain);
      }
    });

    it('a streamed list contains only what the key may see, and no records of another tenant', async () => {
      const theirs = await stream('/things', 'text/csv', stage.other.key);
      expect((await theirs.rest()).text).toBe('id,name\r\n1,theirs\r\n');
      const blind = await stage.cell.addKey(stage.tenant, { scopes: ['write'] });
      expect((await stream('/things', 'text/csv', blind.secret)).status).toBe(403);
      const narrow = await stage.cell.addKey(stage.tenant, { tables: { other: ['read'] } });
      expect((await stream('/things', 'text/csv', narrow.secret)).status).toBe(404);
      expect((await stream('/other', 'text/csv', narrow.secret)).status).toBe(200);
    });

    it('a streamed list is rejected like any other request before the first byte', async () => {
      const unknown = await stream('/things?nope=1');
      expect([unknown.status, JSON.parse((await unknown.rest()).text).code]).toEqual([422, 'params.invalid']);
      expect((await stream('/things?include=x', 'text/csv')).status).toBe(422);
      expect((await stream('/things/1', 'text/csv')).status).toBe(406);
      expect((await stream('/nowhere', 'text/csv')).status).toBe(404);
    });

    it('an API key has at most four streams at once', async () => {
      const key = await stage.cell.addKey(stage.tenant);
      const open = await Promise.all(
        [1, 2, 3, 4].map(() => stream('/wide', 'application/x-ndjson', key.secret)),
      );
      const fifth = await stream('/wide', 'application/x-ndjson', key.secret);
      expect([
        fifth.status,
        fifth.headers['retry-after'],
        JSON.parse((await fifth.rest()).text).code,
      ]).toEqual([429, '5', 'limit.streams']);
      for (const reply of open) reply.hangUp();
      await vi.waitFor(
        async () => {
          const secondResponse = await stream('/things?limit=1', 'application/x-ndjson', key.secret);
          expect(secondResponse.status).toBe(200);
          await secondResponse.rest();
        },
        { timeout: 5_000 },
      );
    });

    it('a stream with a slow client blocks no other request', async () => {
      const slow = await Promise.all([1, 2, 3, 4].map(() => stream('/wide')));
      const heads = await Promise.all(slow.map((reply) => reply.take(10_000)));
      // The clients read nothing. After a while, their statements are ended and the connections are free.
      await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: 10_000 });
      expect(await Promise.all(Array.from({ length: 8 }, short))).toEqual(
        Array.from({ length: 8 }, () => 200),
      );
      for (const [index, reply] of slow.entries()) {
        const { text: rest, isComplete } = await reply.rest();
        const lines = (heads[index] + rest).split('\n').slice(0, -1);
        expect([isComplete, lines.length, new Set(lines).size]).toEqual([true, 10_000, 10_000]);
      }
    });

    it('a stream whose client disconnects stops its statement and returns a clean connection', async () => {
      for (const path of ['/wide', '/cheap?sort=name', '/things?_distinct=name,price,note']) {
        const reply = await stream(path);
        await reply.take(1);
        reply.hangUp();
        await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: 10_000 });
        expect(await short()).toBe(200);
      }
      const early = openReply(
        stage.gateway.url,
        '/v1/-/things?_distinct=name&_filter=' + encodeURIComponent('{"name__like":"%9%9%9%"}'),
        { authorization: `Bearer ${stage.tenant.key}`, accept: 'text/csv' },
      );
      (await early).hangUp();
      expect(await records('/things?limit=3')).toHaveLength(3);
    });

    it('a stream is cut without a regular end when its key is revoked', async () => {
      const key = await stage.cell.addKey(stage.tenant);
      const reply = await stream('/wide', 'application/x-ndjson', key.secret);
      await reply.take(1_000);
      await stage.cell.revoke(key.id);
      const rejected = async (): Promise<number> =>
        (await callGateway(stage.gateway.url, 'GET', '/v1/-/things/1', { key: key.secret })).status;
      await vi.waitFor(async () => expect(await rejected()).toBe(401), { timeout: 5_000 });
      await vi.waitFor(
        async () =>
          expect(await stage.gateway.metrics.getSingleMetricAsString('gateway_streams_total')).toContain(
            'end="auth.invalid_key"',
          ),
        { timeout: 5_000 },
      );
      const { text: rest, isComplete } = await reply.rest();
      expect(isComplete).toBe(false);
      expect(rest.split('\n').length).toBeLessThan(10_000);
    });

    it('an HTTP/1.0 client can detect a cut stream', async () => {
      const key = await stage.cell.addKey(stage.tenant);
      const { port, hostname } = new URL(stage.gateway.url);
      const socket = connect(Number(port), hostname);
      const ended = new Promise<string>((resolve) =>
        socket
          .once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
          .once('end', () => resolve('a clean end')),
      );
      socket.write(
        `GET /v1/-/wide HTTP/1.0\r\nAuthorization: Bearer ${key.secret}\r\nAccept: text/csv\r\n\r\n`,
      );
      await new Promise((resolve) => socket.once('data', resolve));
      socket.pause();
      await stage.cell.revoke(key.id);
      await vi.waitFor(
        async () =>
          expect(await stage.gateway.metrics.getSingleMetricAsString('gateway_streams_total')).toMatch(
            /end="auth.invalid_key".*\} 2/,
          ),
        { timeout: 5_000 },
      );
      socket.resume();
      expect(await ended).toBe('ECONNRESET');
    });

    it('a stream is cut without a regular end when its table changes', async () => {
      const doomed = await stage.cell.addTenant({ ddl: DDL.slice(0, 4) });
      const reply = await stream('/wide', 'application/x-ndjson', doomed.key);
      expect(reply.status).toBe(200);
      await reply.take(1_000);
      await stage.cell.root.run(`ALTER TABLE ${doomed.schemaName}.wide DROP COLUMN body`);
      const { isComplete } = await reply.rest();
      expect(isComplete).toBe(false);
      await stage.cell.publish(doomed);
      await vi.waitFor(
        async () =>
          expect(
            (await (await stream('/wide?limit=1', 'application/x-ndjson', doomed.key)).rest()).text,
          ).toBe('{"id":1}\n'),
        { timeout: 5_000 },
      );
    });
  },
);

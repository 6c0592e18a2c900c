import { gzipSync } from 'node:zlib';
import { getTestServers } from '@rowhouse/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { openUpload, type Upload } from '../support/send-upload.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE owners (id int PRIMARY KEY, name varchar(20) NOT NULL)',
  "INSERT INTO owners VALUES (1, 'ann'), (2, 'bob')",
  `CREATE TABLE things (id int AUTO_INCREMENT PRIMARY KEY, code varchar(20) NOT NULL UNIQUE, name varchar(10), owner_id int, price decimal(6,2), flag tinyint(1), data json, note text NOT NULL DEFAULT ('-'),
   CONSTRAINT positive CHECK (price >= 0), CONSTRAINT owned FOREIGN KEY (owner_id) REFERENCES owners (id))`,
  'CREATE TABLE pairs (a int, b int, n int, PRIMARY KEY (a, b))',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'imports on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL } });

    beforeEach(async () => {
      for (const table of ['things', 'pairs'])
        await stage.cell.root.run(`DELETE FROM ${stage.tenant.schemaName}.${table}`);
    });

    const headersFor = (
      type: 'csv' | 'ndjson',
      extra: Record<string, string> = {},
      key = stage.tenant.key,
    ): Record<string, string> => ({
      authorization: `Bearer ${key}`,
      'content-type': type === 'csv' ? 'text/csv' : 'application/x-ndjson',
      ...extra,
    });
    const post = (
      path: string,
      type: 'csv' | 'ndjson',
      body: string | Uint8Array,
      extra: Record<string, string> = {},
      key = stage.tenant.key,
    ): Promise<TestResponse> =>
      fetch(`${stage.gateway.url}/v1/-${path}`, {
        method: 'POST',
        headers: headersFor(type, extra, key),
        body: Buffer.from(body),
      }).then(async (response) => {
        const text = await response.text();
        return {
          status: response.status,
          headers: response.headers,
          text,
          json: /[/+]json\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : null,
        };
      });
    const upload = (
      path: string,
      type: 'csv' | 'ndjson',
      extra: Record<string, string> = {},
      key = stage.tenant.key,
    ): Upload => openUpload(stage.gateway.url, `/v1/-${path}`, headersFor(type, extra, key));
    const report = (response: TestResponse): Record<string, unknown>[] =>
      response.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    const rows = (table = 'things', order = 'id', of = stage.tenant): Promise<Record<string, unknown>[]> =>
      stage.cell.root.rows(`SELECT * FROM ${of.schemaName}.${table} ORDER BY ${order}`);
    const count = async (table = 'things'): Promise<number> => (await rows(table, '1')).length;

    const CONTINUE = { prefer: 'on-error=continue' };
    const STOP = { prefer: 'on-error=stop' };

    describe('imports as an array', () => {
      it('an array import stores CSV and NDJSON in one transaction and returns the records', async () => {
        const csv = await post(
          '/things',
          'csv',
          'code,name,owner_id,price,flag,data\r\na,one,1,1.50,true,"{""x"":[1,""é""]}"\r\nb,"",,,0,\r\n',
        );
        expect(csv.status).toBe(201);
        expect(csv.json).toMatchObject([
          { code: 'a', name: 'one', owner_id: 1, price: 1.5, flag: true, data: { x: [1, 'é'] }, note: '-' },
          { code: 'b', name: '', owner_id: null, price: null, flag: false, data: null },
        ]);
        const ndjson = await post('/things', 'ndjson', '{"code":"c","price":2}\n\n{"code":"d","flag":true}', {
          prefer: 'return=minimal',
        });
        expect([ndjson.status, ndjson.json.length, ndjson.headers.get('preference-applied')]).toEqual([
          201,
          2,
          'return=minimal',
        ]);
        expect((await rows()).map((row) => row['code'])).toEqual(['a', 'b', 'c', 'd']);
      });

      it('a faulty import reports every line and column and stores nothing', async () => {
        const response = await post('/things', 'csv', 'code,price\na,x\nb,1\n"c\nc",1.234\n');
        expect([response.status, response.json.code, response.json.detail]).toEqual([
          422,
          'body.invalid',
          [
            { loc: ['body', 0, 'price'], msg: expect.stringMatching(/^Line 2: /), type: 'decimal_parsing' },
            { loc: ['body', 2, 'price'], msg: expect.stringMatching(/^Line 4: /), type: 'decimal_places' },
          ],
        ]);
        const malformed = await post('/things', 'ndjson', '{"code":"a"}\n{"code":\n');
        expect([malformed.status, malformed.json.detail]).toEqual([400, expect.stringMatching(/^Line 2: /)]);
        const header = await post('/things', 'csv', 'code,nmae\na,b\n');
        expect([header.status, header.json.detail[0].msg, header.json.hint]).toEqual([
          422,
          expect.stringMatching(/^Line 1: /),
          expect.stringContaining('name'),
        ]);
        expect(await count()).toBe(0);
      });

      it('an import reports the line number of a record that the database rejects', async () => {
        const lines = Array.from(
          { length: 600 },
          (_, index) => `{"code":"c${index === 400 ? 7 : index}"}`,
        ).join('\n');
        const duplicate = await post('/things', 'ndjson', lines);
        expect([duplicate.status, duplicate.json.code, duplicate.json.line, duplicate.json.detail]).toEqual([
          409,
          'record.duplicate',
          401,
          expect.stringMatching(/^Line 401: /),
        ]);
        const orphan = await post('/things', 'csv', 'code,owner_id\na,1\nb,9\n');
        expect([orphan.status, orphan.json.code, orphan.json.line]).toEqual([409, 'record.foreign_key', 3]);
        const check = await post('/things', 'csv', 'code,price\na,1\nb,-1\n');
        expect([check.status, check.json.code, check.json.line]).toEqual([422, 'record.check_failed', 3]);
        expect(await count()).toBe(0);
      });

      it('an import supports upserts, dry runs, nested records and Idempotency-Key', async () => {
        await post('/things', 'csv', 'code,name\na,old\n');
        const upsert = await post('/things?_on_conflict=code', 'csv', 'code,name\na,new\nb,b\n');
        expect([upsert.status, upsert.json.map((row: { name: string }) => row.name)]).toEqual([
          201,
          ['new', 'b'],
        ]);
        expect((await post('/things', 'csv', 'code\nz\n', { prefer: 'tx=rollback' })).status).toBe(201);
        const once = await post('/things', 'csv', 'code\nk\n', { 'idempotency-key': 'once' });
        const secondResponse = await post('/things', 'csv', 'code\nk\n', { 'idempotency-key': 'once' });
        expect([
          once.status,
          secondResponse.status,
          secondResponse.text === once.text,
          secondResponse.headers.get('idempotent-replayed'),
        ]).toEqual([201, 201, true, 'true']);
        expect(
          (await post('/owners', 'ndjson', '{"id":7,"name":"new","things":[{"code":"along"}]}')).status,
        ).toBe(201);
        expect((await rows()).map((row) => row['code'])).toEqual(['a', 'b', 'k', 'along']);
        await stage.cell.root.run(`DELETE FROM ${stage.tenant.schemaName}.things`);
        await stage.cell.root.run(`DELETE FROM ${stage.tenant.schemaName}.owners WHERE id = 7`);
      });

      it('an import above 10,000 records or 8 MiB is rejected with an alternative', async () => {
        const many = await post(
          '/things',
          'csv',
          `code\n${Array.from({ length: 10_001 }, (_, index) => `c${index}\n`).join('')}`,
        );
        expect([many.status, many.json.hint]).toEqual([422, expect.stringContaining('on-error=stop')]);
        const large = await post('/things', 'csv', `code,note\n${'x'.repeat(9_000_000)}`);
        expect([large.status, large.json.code, large.json.hint]).toEqual([
          413,
          'request.body_too_large',
          expect.stringContaining('on-error=stop'),
        ]);
        expect(await count()).toBe(0);
        expect((await post('/things', 'csv', 'code\n')).status).toBe(422);
        expect((await post('/things', 'csv', '')).status).toBe(422);
      });

      it('an import whose body was cut off stores nothing', async () => {
        const cut = upload('/things', 'csv');
        await cut.send('code\na\nb\n');
        cut.hangUp();
        const done = upload('/things', 'csv');
        await done.send('code\nwh');
        await done.send('ole\n');
        expect((await done.finish()).status).toBe(201);
        expect((await rows()).map((row) => row['code'])).toEqual(['whole']);
      });
    });

    describe('imports in parts', () => {
      it('an import in parts stores any number of records and returns a report', async () => {
        const body = `code,name,price\n${Array.from({ length: 25_000 }, (_, index) => `c${index},"n, ${index % 100}",${index / 100}\n`).join('')}`;
        const response = await post('/things', 'csv', body, STOP);
        expect([
          response.status,
          response.headers.get('content-type'),
          response.headers.get('preference-applied'),
          report(response),
        ]).toEqual([
          200,
          'application/x-ndjson',
          'on-error=stop',
          [{ committed: 25_000, failed: 0, last_line: 25_001 }],
        ]);
        expect(await count()).toBe(25_000);
        expect((await rows())[24_999]).toMatchObject({ code: 'c24999', name: 'n, 99', price: '249.99' });
      });

      it('on-error=continue stores valid records and reports every rejected one with its line', async () => {
        await post('/things', 'csv', 'code\nthere\n');
        const body = [
          'code,name,owner_id,price,data',
          'a,,,,',
          'there,,,,',
          'b,"much too long",,,',
          'c,,9,,',
          'd,,,-1,',
          'e,,,x,y',
          '"f',
          'g",,,,',
          'h,,',
          'i,,1,2,"{""ok"":1}"',
          'a,,,,',
          'j,,,,',
          '"open,,,,',
          'k,,,,',
        ].join('\n');
        const response = await post('/things', 'csv', body, CONTINUE);
        const lines = report(response);
        expect(lines.map(({ line, status, code }) => [line, status, code])).toEqual([
          [3, 409, 'record.duplicate'],
          [4, 422, 'body.invalid'],
          [5, 409, 'record.foreign_key'],
          [6, 422, 'record.check_failed'],
          [7, 422, 'body.invalid'],
          [10, 422, 'body.invalid'],
          [12, 409, 'record.duplicate'],
          [14, 422, 'body.invalid'],
          [undefined, undefined, undefined],
        ]);
        expect(lines[1]).toMatchObject({ detail: [{ loc: ['body', 'name'], type: 'string_too_long' }] });
        expect(lines[4]).toMatchObject({ detail: [{ loc: ['body', 'data'], type: 'json_parsing' }] });
        expect(lines.at(-1)).toEqual({ committed: 4, failed: 8, last_line: 15 });
        expect((await rows()).map((row) => row['code'])).toEqual(['there', 'a', 'f\ng', 'i', 'j']);
        const ndjson = await post(
          '/things',
          'ndjson',
          '{"code":"x"}\n[1]\n{"code":\nnull\n{"code":"y","nope":1}\n{"code":"z"}',
          CONTINUE,
        );
        expect(report(ndjson).map(({ line, status }) => [line, status])).toEqual([
          [2, 422],
          [3, 400],
          [4, 422],
          [5, 422],
          [undefined, undefined],
        ]);
        expect(report(ndjson).at(-1)).toEqual({ committed: 2, failed: 4, last_line: 6 });
      });

      it('an import parses each part in slices between other requests', async () => {
        const { scheduler } = stage.gateway.running.services;
        const spy = vi.spyOn(scheduler, 'nextSlice');
        const line = (code: string, values: number): string =>
          `{"code":"${code}","data":[${Array.from({ length: values }, () => '0').join(',')}]}`;
        const response = await post(
          '/things',
          'ndjson',
          [line('a', 60_000), line('b', 250_000), line('c', 60_000), line('d', 10)].join('\n'),
          CONTINUE,
        );
        expect(report(response)).toMatchObject([
          {
            line: 2,
            status: 422,
            detail: [{ type: 'too_many_values', msg: expect.stringContaining('200000') }],
          },
          { committed: 3, failed: 1, last_line: 4 },
        ]);
        expect(spy).toHaveBeenCalledTimes(4);
        spy.mockRestore();
      });

      it('on-error=stop stores all records before the first rejected one', async () => {
        const lines = Array.from(
          { length: 3_000 },
          (_, index) => `{"code":"c${index === 1_700 ? 3 : index}"}`,
        );
        const response = await post('/things', 'ndjson', lines.join('\n'), STOP);
        expect(report(response)).toEqual([
          {
            line: 1_701,
            status: 409,
            code: 'record.duplicate',
            detail: expect.any(String),
            constraint: 'code',
            columns: ['code'],
          },
          { committed: 1_700, failed: 1, last_line: 1_700 },
        ]);
        expect(await count()).toBe(1_700);
        const rest = await post('/things', 'ndjson', lines.slice(1_701).join('\n'), STOP);
        expect(report(rest)).toEqual([{ committed: 1_299, failed: 0, last_line: 1_299 }]);
        const early = await post('/pairs', 'csv', 'a,b\n1,1\nx,2\n2,2\n', STOP);
        expect(report(early)).toMatchObject([{ line: 3 }, { committed: 1, failed: 1, last_line: 2 }]);
      });

      it('an import in parts upserts records by any unique key', async () => {
        const body = (name: string): string =>
          `code,name\n${Array.from({ length: 1_500 }, (_, index) => `c${index},${name}\n`).join('')}c0,twice\n`;
        expect(report(await post('/things?_on_conflict=code', 'csv', body('one'), STOP))).toEqual([
          { committed: 1_501, failed: 0, last_line: 1_502 },
        ]);
        expect(report(await post('/things?_on_conflict=code', 'csv', body('two'), STOP))).toEqual([
          { committed: 1_501, failed: 0, last_line: 1_502 },
        ]);
        expect(new Set((await rows()).map((row) => row['name']))).toEqual(new Set(['twice', 'two']));
        const ignored = await post(
          '/things?_on_conflict=code',
          'csv',
          'code,name\nc1,three\nnew,three\nc2,much too long\n',
          { prefer: 'on-error=continue, resolution=ignore-duplicates' },
        );
        expect(ignored.headers.get('preference-applied')).toBe(
          'on-error=continue, resolution=ignore-duplicates',
        );
        expect(report(ignored)).toMatchObject([{ line: 4 }, { committed: 2, failed: 1 }]);
        expect((await rows()).filter((row) => row['name'] === 'three')).toHaveLength(1);
        expect(
          report(await post('/pairs?_on_conflict=b,a', 'csv', 'a,b,n\n1,2,3\n1,2,4\n,2,4\n', CONTINUE)),
        ).toMatchObject([{ line: 4 }, { committed: 2, failed: 1, last_line: 4 }]);
        expect(await rows('pairs', 'a')).toEqual([{ a: 1, b: 2, n: 4 }]);
      });

      it('concurrent imports of the same keys succeed', async () => {
        const body = `code,name\n${Array.from({ length: 300 }, (_, index) => `c${index},x\n`).join('')}`;
        const responses = await Promise.all(
          [1, 2, 3].map(() => post('/things?_on_conflict=code', 'csv', body, STOP)),
        );
        expect(responses.map((response) => [response.status, report(response).at(-1)])).toEqual(
          responses.map(() => [200, { committed: 300, failed: 0, last_line: 301 }]),
        );
        expect(await count()).toBe(300);
      });

      it('a dry run of an import in parts stores nothing', async () => {
        const response = await post('/things', 'csv', 'code,price\na,1\nb,x\n', {
          prefer: 'on-error=continue, tx=rollback',
        });
        expect(report(response)).toMatchObject([
          { line: 3 },
          { committed: 0, would_commit: 1, failed: 1, last_line: 3 },
        ]);
        expect(await count()).toBe(0);
      });

      it('an import accepts files from spreadsheets and rejects unreadable ones', async () => {
        expect(
          report(await post('/things', 'csv', '\ufeffcode,flag\r\na,TRUE\r\nb,FALSE\r\n', STOP)),
        ).toEqual([{ committed: 2, failed: 0, last_line: 3 }]);
        for (const extra of [{}, STOP]) {
          const rejections = await Promise.all([
            post('/things', 'csv', Buffer.from('\ufeffcode\na\n', 'utf16le'), extra),
            post('/things', 'csv', 'code\na\n', {
              ...extra,
              'content-type': 'text/csv; charset=windows-1252',
            }),
            post('/things', 'csv', 'code\na\n', { ...extra, 'content-type': 'text/csv; header=absent' }),
            post('/things', 'csv', gzipSync('code\na\n'), { ...extra, 'content-encoding': 'gzip' }),
            post('/things', 'csv', 'code;name\na;b\n', extra),
            post('/_search/things', 'csv', 'x', extra),
          ]);
          expect(rejections.map((response) => [response.status, response.json.code])).toEqual([
            [415, 'request.unsupported_type'],
            [415, 'request.unsupported_type'],
            [415, 'request.unsupported_type'],
            [415, 'request.compressed_body'],
            [422, 'body.invalid'],
            [415, 'request.unsupported_type'],
          ]);
        }
        const latin = await post('/things', 'csv', Buffer.from('code\nx\n\xe9\ny\n', 'latin1'), CONTINUE);
        expect(report(latin)).toMatchObject([
          { line: 3, status: 400, code: 'request.invalid_utf8' },
          { committed: 2, failed: 1 },
        ]);
        expect((await post('/things', 'csv', Buffer.from('code\nq\n\xe9\n', 'latin1'))).json).toMatchObject({
          code: 'request.invalid_utf8',
          detail: expect.stringMatching(/^Line 3: /),
        });
      });

      it('an import needs an API key with the right to write to its table', async () => {
        const reader = await stage.cell.addKey(stage.tenant, { scopes: ['read'] });
        const writer = await stage.cell.addKey(stage.tenant, { scopes: ['write'] });
        const narrow = await stage.cell.addKey(stage.tenant, { tables: { pairs: ['write'] } });
        expect((await post('/things', 'csv', 'code\na\n', STOP, reader.secret)).status).toBe(403);
        expect((await post('/things', 'csv', 'code\na\n', STOP, narrow.secret)).status).toBe(404);
        expect(
          (await post('/things?_on_conflict=code', 'csv', 'code\na\n', STOP, writer.secret)).status,
        ).toBe(403);
        expect(
          (await post('/things', 'csv', 'code\na\n', { prefer: 'on-error=stop, tx=rollback' }, writer.secret))
            .status,
        ).toBe(403);
        expect(report(await post('/things', 'csv', 'code\na\n', STOP, writer.secret))).toEqual([
          { committed: 1, failed: 0, last_line: 2 },
        ]);
        expect(report(await post('/things', 'csv', 'code\na\n', STOP, stage.other.key))).toEqual([
          { committed: 1, failed: 0, last_line: 2 },
        ]);
        expect([(await rows()).length, (await rows('things', 'id', stage.other)).length]).toEqual([1, 1]);
        expect((await post('/things', 'csv', 'code\nb\n', { ...STOP, 'idempotency-key': 'x' })).status).toBe(
          422,
        );
        expect((await post('/things', 'csv', 'code\nb\n', { prefer: 'on-error=perhaps' })).status).toBe(422);
      });

      it('an import whose client disconnects stores only whole parts', async () => {
        const removed = upload('/things', 'ndjson', STOP);
        await removed.send(Array.from({ length: 1_500 }, (_, index) => `{"code":"c${index}"}\n`).join(''));
        await vi.waitFor(async () => expect(await count()).toBe(1_000), { timeout: 5_000 });
        removed.hangUp();
        await vi.waitFor(
          async () =>
            expect(await stage.gateway.metrics.getSingleMetricAsString('gateway_streams_total')).toContain(
              'kind="import",end="gone"',
            ),
          { timeout: 5_000 },
        );
        expect(await count()).toBe(1_000);
      });

      it('an import holds no database connection while it waits for its body', async () => {
        const waiting = Array.from({ length: 4 }, () => upload('/things', 'ndjson', STOP));
        for (const [index, upload] of waiting.entries()) await upload.send(`{"code":"w${index}"}\n`);
        await vi.waitFor(async () => expect(await stage.gateway.metric('gateway_streams_open')).toBe(4), {
          timeout: 5_000,
        });
        const fifth = await post('/things', 'csv', 'code\nz\n', STOP);
        expect([fifth.status, fifth.json.code]).toEqual([429, 'limit.streams']);
        const others = await Promise.all(
          Array.from({ length: 12 }, () =>
            callGateway(stage.gateway.url, 'GET', '/v1/-/owners/1', { key: stage.tenant.key }),
          ),
        );
        expect(others.map((response) => response.status)).toEqual(others.map(() => 200));
        expect(
          (await Promise.all(waiting.map((upload) => upload.finish()))).map((response) => response.status),
        ).toEqual([200, 200, 200, 200]);
        const early = upload('/things', 'ndjson', STOP);
        await early.send('no json\n'.repeat(1_000));
        expect(report(await early.reply())).toMatchObject([
          { line: 1, status: 400 },
          { committed: 0, failed: 1, last_line: 0 },
        ]);
        early.hangUp();
      });

      it('an import reports the stored records when the key is revoked or the table changes', async () => {
        const key = await stage.cell.addKey(stage.tenant);
        const doomed = upload('/things', 'csv', CONTINUE, key.secret);
        await doomed.send(`code\n${Array.from({ length: 1_000 }, (_, index) => `c${index}\n`).join('')}`);
        await vi.waitFor(async () => expect(await count()).toBeGreaterThan(900), { timeout: 5_000 });
        await stage.cell.revoke(key.id);
        await vi.waitFor(
          async () =>
            expect(
              (await callGateway(stage.gateway.url, 'GET', '/v1/-/owners/1', { key: key.secret })).status,
            ).toBe(401),
          { timeout: 5_000 },
        );
        await doomed.send('late\n');
        const rejected = await doomed.finish();
        expect([
          rejected.status,
          rejected.json.code,
          rejected.json.committed,
          rejected.json.last_line,
        ]).toEqual([401, 'auth.invalid_key', await count(), 1_000]);
        const other = await stage.cell.addTenant({ ddl: DDL });
        const changed = upload('/pairs', 'csv', CONTINUE, other.key);
        await changed.send(
          `a,b,n\n${Array.from({ length: 1_000 }, (_, index) => `1,${index},1\n`).join('')}`,
        );
        await vi.waitFor(async () => expect((await rows('pairs', 'b', other)).length).toBeGreaterThan(900), {
          timeout: 5_000,
        });
        await stage.cell.deploy(other, ['ALTER TABLE pairs DROP COLUMN n']);
        await vi.waitFor(
          async () =>
            expect(
              (await callGateway(stage.gateway.url, 'GET', '/v1/-/pairs?n=1', { key: other.key })).status,
            ).toBe(422),
          { timeout: 5_000 },
        );
        await changed.send('2,2,2\n');
        const stale = await changed.finish();
        expect([stale.status, stale.json.code, stale.json.detail[0].msg, stale.json.failed]).toEqual([
          422,
          'body.invalid',
          expect.stringMatching(/^Line 1: .*n/),
          0,
        ]);
      });
    });

    it('an import accepts the output of a streamed list', async () => {
      await stage.cell.root
        .run(`INSERT INTO ${stage.tenant.schemaName}.things (code, name, owner_id, price, flag, data, note) VALUES
      ('a', 'x, "y"', 1, 1.5, 1, '{"a": "b\\\\"c"}', 'two\r\nlines'), ('b', '', NULL, NULL, NULL, NULL, ''), ('c', NULL, 2, 0, 0, '[]', ' =1+1 ')`);
      const before = await rows();
      for (const [type, accept] of [
        ['csv', 'text/csv'],
        ['ndjson', 'application/x-ndjson'],
      ] as const) {
        const file = await callGateway(stage.gateway.url, 'GET', '/v1/-/things', {
          key: stage.tenant.key,
          headers: { accept },
        });
        await stage.cell.root.run(`DELETE FROM ${stage.tenant.schemaName}.things`);
        expect(report(await post('/things', type, file.text, STOP))).toMatchObject([
          { committed: 3, failed: 0 },
        ]);
        expect(await rows()).toEqual(before);
      }
    });
  },
);

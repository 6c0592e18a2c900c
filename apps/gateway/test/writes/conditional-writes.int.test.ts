import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const ODD = `CREATE TABLE odd (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, f float NULL, d decimal(20,5) NULL, t timestamp(3) NULL DEFAULT CURRENT_TIMESTAMP(3),
  b varbinary(8) NULL, j json NULL, e enum('a','b') NULL, p point NULL, bits bit(9) NULL, twice decimal(21,5) GENERATED ALWAYS AS (d * 2) VIRTUAL)`;

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'record versions on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { other: null, deploy: [ODD] });
    const { call } = stage;

    const etag = (response: TestResponse): string => String(response.headers.get('etag'));

    it('a create, a read and an update of a record return the same version', async () => {
      const created = await call('POST', '/odd', {
        f: 1.1,
        d: '1.5',
        b: 'AQID',
        j: { a: [1, 2] },
        e: 'b',
        p: { type: 'Point', coordinates: [1, 2] },
        bits: 5,
      });
      expect(created.status).toBe(201);
      expect(etag(created)).toMatch(/^"\d+\.[A-Za-z0-9_-]{22}"$/);
      const path = `/odd/${created.json.id}`;
      expect(etag(await call('GET', path))).toBe(etag(created));
      expect(etag(await call('GET', `${path}?_select=f`))).toBe(etag(created));
      expect(etag(await call('PUT', path, {}))).toBe(etag(created));
      expect(etag(await call('PUT', path, { p: { type: 'Point', coordinates: [1, 3] } }))).not.toBe(
        etag(created),
      );
    });

    it('a read gets 304 only if it sends the current record version', async () => {
      const created = await call('POST', '/tags', { name: 'known' });
      const path = `/tags/${created.json.id}`;
      expect((await call('GET', path, undefined, { 'if-none-match': etag(created) })).status).toBe(304);
      expect((await call('HEAD', path, undefined, { 'if-none-match': `W/${etag(created)}` })).status).toBe(
        304,
      );
      const included = await call('GET', `${path}?include=posts`);
      expect(etag(included)).toMatch(/^"\d+\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22}"$/);
      expect((await call('PUT', path, { name: 'known2' }, { 'if-match': etag(included) })).status).toBe(200);
      expect((await call('GET', path, undefined, { 'if-none-match': etag(created) })).status).toBe(200);
    });

    it('a write with If-Match succeeds only when nobody else has changed the record', async () => {
      const created = await call('POST', '/tags', { name: 'mine' });
      const path = `/tags/${created.json.id}`;
      const first = await call('PATCH', path, { description: 'one' }, { 'if-match': etag(created) });
      expect(first.status).toBe(200);
      const stale = await call('PUT', path, { description: 'two' }, { 'if-match': etag(created) });
      expect([stale.status, stale.json.code]).toEqual([412, 'record.stale']);
      expect((await call('DELETE', path, undefined, { 'if-match': etag(created) })).status).toBe(412);
      expect((await call('GET', path)).json).toMatchObject({ description: 'one' });
      expect(
        (await call('PUT', path, { description: 'x' }, { 'if-match': '*', prefer: 'tx=rollback' })).status,
      ).toBe(200);
      expect((await call('DELETE', path, undefined, { 'if-match': etag(first) })).status).toBe(204);
      expect((await call('PUT', path, {}, { 'if-match': '*' })).status).toBe(404);
    });

    it('If-Match and then If-None-Match are evaluated for every method', async () => {
      const { json, headers } = await call('POST', '/tags', { name: 'both' });
      const [path, now, other] = [`/tags/${json.id}`, String(headers.get('etag')), `"1.${'A'.repeat(22)}"`];
      const cases: [Record<string, string>, read: number, write: number][] = [
        [{ 'if-match': now }, 200, 200],
        [{ 'if-match': other }, 412, 412],
        [{ 'if-match': `${other}, ${now}` }, 200, 200],
        [{ 'if-match': `W/${now}` }, 412, 412],
        [{ 'if-match': '*' }, 200, 200],
        [{ 'if-none-match': '*' }, 304, 412],
        [{ 'if-none-match': now }, 304, 412],
        [{ 'if-none-match': `W/${now}` }, 304, 412],
        [{ 'if-none-match': other }, 200, 200],
        [{ 'if-match': other, 'if-none-match': now }, 412, 412],
        [{ 'if-match': now, 'if-none-match': now }, 304, 412],
        [{ 'if-match': now, 'if-none-match': other }, 200, 200],
        [{ 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }, 200, 200],
        [{ 'if-modified-since': 'Mon, 01 Jan 2035 00:00:00 GMT' }, 200, 200],
        [{ range: 'bytes=0-1', 'if-range': other }, 200, 200],
      ];
      for (const [provided, read, write] of cases) {
        const dry = { ...provided, prefer: 'tx=rollback' };
        const got = [
          await call('GET', path, undefined, provided),
          await call('HEAD', path, undefined, provided),
          await call('PUT', path, { name: 'q' }, dry),
          await call('PATCH', path, { name: 'q' }, dry),
          await call('DELETE', path, undefined, dry),
        ];
        expect([provided, ...got.map((response) => response.status)]).toEqual([
          provided,
          read,
          read,
          write,
          write,
          write === 200 ? 204 : write,
        ]);
        for (const response of got.slice(2))
          if (write === 412) expect(response.json.code).toMatch(/^record\.(stale|precondition_failed)$/);
      }
      expect((await call('GET', '/schema', undefined, { 'if-match': other })).status).toBe(412);
      expect((await call('GET', '/tags', undefined, { 'if-match': other })).status).toBe(412);
      expect((await call('GET', '/tags', undefined, { 'if-match': other, accept: 'text/csv' })).status).toBe(
        412,
      );
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect(
          (
            await call(method, '/tags/999999', method === 'PUT' ? {} : undefined, {
              'if-none-match': '*',
              'if-match': '*',
            })
          ).status,
        ).toBe(404);
      expect((await call('GET', path)).json.name).toBe('both');
    });

    it('a write response without a body still contains the record version', async () => {
      const minimal = { prefer: 'return=minimal' };
      const created = await call('POST', '/tags', { name: 'small' }, minimal);
      const path = `/tags/${created.json.id}`;
      expect([created.status, created.json]).toEqual([201, { id: created.json.id }]);
      expect(etag(created)).toBe(etag(await call('GET', path)));
      const changed = await call(
        'PATCH',
        path,
        { description: 'x' },
        { ...minimal, 'if-match': etag(created) },
      );
      expect([changed.status, changed.text, etag(changed)]).toEqual([204, '', etag(await call('GET', path))]);
      const secondResponse = await call('PUT', path, { description: 'y' }, minimal);
      expect([secondResponse.status, etag(secondResponse)]).toEqual([204, etag(await call('GET', path))]);
      expect(etag(await call('PUT', path, {}, minimal))).toBe(etag(secondResponse));
      expect(
        etag(await call('POST', '/tags?_on_conflict=name', { name: 'small', description: 'z' }, minimal)),
      ).toBe(etag(await call('GET', path)));
      const { secret } = await stage.cell.addKey(stage.tenant, { tables: { tags: ['write'] } });
      for (const response of [
        await call('PUT', path, { description: 'q' }, {}, secret),
        await call('POST', '/tags', { name: 'unread' }, {}, secret),
      ])
        expect(response.headers.get('etag')).toBeNull();
      expect((await call('PUT', '/tags/999999', { name: 'x' }, minimal)).status).toBe(404);
    });

    it('a list returns record versions that are valid for If-Match', async () => {
      await call('POST', '/tags', [{ name: 'l1' }, { name: 'l2' }, { name: 'l3' }]);
      const lists = [
        '',
        '&sort=-name',
        '&_cursor=',
        '&include=posts',
        '&_select=name,_etag',
        '&_select=_etag&include=posts',
      ];
      for (const query of lists) {
        const { json, status } = await call(
          'GET',
          `/tags?name__like=l%25${query.includes('_select') ? query : `&_select=*,_etag${query}`}`,
        );
        expect([status, json.length]).toEqual([200, 3]);
        for (const record of json) expect(record._etag).toMatch(/^"\d+\.[A-Za-z0-9_-]{22}"$/);
      }
      const [first] = (await call('GET', '/tags?_select=*,_etag&name=l1')).json;
      expect(first._etag).toBe(etag(await call('GET', `/tags/${first.id}`)));
      expect((await call('GET', `/tags/${first.id}?_select=id,_etag`)).json).toEqual({
        id: first.id,
        _etag: first._etag,
      });
      const next = await call('GET', `/tags?_select=_etag,id&_cursor=&limit=1&name__like=l%25`);
      const back = await call(
        'GET',
        `/tags?_select=_etag,id&_cursor=${String(next.headers.get('x-next-cursor'))}&limit=1&name__like=l%25`,
      );
      expect(back.json[0]._etag).toBe(etag(await call('GET', `/tags/${back.json[0].id}`)));
      expect(
        (await call('PATCH', `/tags/${first.id}`, { description: 'x' }, { 'if-match': first._etag })).status,
      ).toBe(200);
      expect(
        (await call('PATCH', `/tags/${first.id}`, { description: 'x' }, { 'if-match': first._etag })).status,
      ).toBe(412);
      const odd = await call('POST', '/odd', { f: 1.5, p: { type: 'Point', coordinates: [1, 2] }, bits: 3 });
      expect((await call('GET', '/odd?_select=id,_etag&sort=-id&limit=1')).json).toEqual([
        { id: odd.json.id, _etag: etag(odd) },
      ]);
    });

    it('a write without If-Match gets 428 when the table requires it', async () => {
      const guarded = await stage.cell.addTenant({ settings: { require_if_match: ['tags'] } });
      const send = (
        method: string,
        path: string,
        body?: unknown,
        headers: Record<string, string> = {},
      ): Promise<TestResponse> => call(method, path, body, headers, guarded.key);
      const created = await send('POST', '/tags', { name: 'g1' });
      const path = `/tags/${created.json.id}`;
      const operation = { method: 'PATCH', path, body: { description: 'x' } };
      for (const response of [
        await send('PUT', path, { description: 'x' }),
        await send('PATCH', path, {}),
        await send('DELETE', path),
        await send('PATCH', '/tags?name=g1', { description: 'x' }),
        await send('DELETE', '/tags?name=g1'),
        await send('POST', '/tags?_on_conflict=name', { name: 'g1' }),
        await send('POST', '/_batch', { operations: [operation] }),
      ])
        expect([response.status, response.json.code, typeof response.json.hint]).toEqual([
          428,
          'record.precondition_required',
          'string',
        ]);
      expect((await send('GET', path)).json.description).toBeNull();
      expect(
        (
          await send(
            'POST',
            '/tags?_on_conflict=name',
            { name: 'g1', description: 'y' },
            { prefer: 'resolution=ignore-duplicates' },
          )
        ).status,
      ).toBe(200);
      const batch = await send('POST', '/_batch', {
        operations: [{ ...operation, if_match: etag(created) }],
      });
      expect(batch.status).toBe(200);
      expect((await send('PATCH', path, { description: 'z' }, { 'if-match': etag(created) })).status).toBe(
        412,
      );
      expect(
        (await send('PATCH', path, { description: 'z' }, { 'if-match': batch.json[0].headers.ETag })).status,
      ).toBe(200);
      const user = await send('POST', '/users', { username: 'u', email: 'u@example.org' });
      expect((await send('PATCH', `/users/${user.json.id}`, { bio: 'free' })).status).toBe(200);
      expect((await send('DELETE', path, undefined, { 'if-match': '*' })).status).toBe(204);
    });

    it('a change to columns hidden from the key changes the record version', async () => {
      const { secret } = await stage.cell.addKey(stage.tenant, { tables: { tags: ['write', 'read'] } });
      const created = await call('POST', '/tags', { name: 'shared' }, {}, secret);
      await stage.cell.root.run(
        `UPDATE ${stage.tenant.schemaName}.tags SET description = 'from outside' WHERE id = ${created.json.id}`,
      );
      expect(
        (await call('PUT', `/tags/${created.json.id}`, { name: 'x' }, { 'if-match': etag(created) }, secret))
          .status,
      ).toBe(412);
      const { secret: blind } = await stage.cell.addKey(stage.tenant, { tables: { tags: ['write'] } });
      expect(
        (await call('PUT', `/tags/${created.json.id}`, { name: 'x' }, { 'if-match': '*' }, blind)).json,
      ).toMatchObject({ code: 'auth.scope' });
    });

    it('only one of two concurrent writers with the same record version succeeds', async () => {
      const { json } = await call('POST', '/odd', { d: '0' });
      const path = `/odd/${json.id}`;
      let rejections = 0;
      const increment = async (method: string): Promise<void> => {
        for (;;) {
          const read = await call('GET', path);
          const response = await call(
            method,
            path,
            { d: Number(read.json.d) + 1 },
            { 'if-match': etag(read) },
          );
          if (response.status === 200) return;
          expect([412, 503]).toContain(response.status);
          if (response.status === 412) rejections += 1;
        }
      };
      await Promise.all(
        Array.from({ length: 8 }, async (_, index) => {
          for (let iteration = 0; iteration < 5; iteration += 1)
            await increment(index % 2 === 0 ? 'PUT' : 'PATCH');
        }),
      );
      expect((await call('GET', path)).json.d).toBe(40);
      expect(rejections).toBeGreaterThan(0);
    });

    it('adding a column preserves record versions, and other schema changes do not', async () => {
      const retained = await call('POST', '/tags', { name: 'kept' });
      const other = await call('POST', '/tags', { name: 'other' });
      await stage.cell.deploy(stage.tenant, [
        'ALTER TABLE tags ADD COLUMN colour varchar(20) NOT NULL DEFAULT "red" AFTER id',
      ]);
      await expect.poll(async () => (await call('GET', `/tags/${retained.json.id}`)).json.colour).toBe('red');
      expect(
        (await call('PUT', `/tags/${retained.json.id}`, { description: 'x' }, { 'if-match': etag(retained) }))
          .status,
      ).toBe(200);
      expect(
        (await call('PUT', `/tags/${retained.json.id}`, { description: 'x' }, { 'if-match': etag(retained) }))
          .status,
      ).toBe(412);
      await stage.cell.deploy(stage.tenant, ['ALTER TABLE tags DROP COLUMN description']);
      await expect
        .poll(async () => Object.keys((await call('GET', `/tags/${retained.json.id}`)).json))
        .not.toContain('description');
      expect(
        (await call('DELETE', `/tags/${other.json.id}`, undefined, { 'if-match': etag(other) })).status,
      ).toBe(412);
    });
  },
);

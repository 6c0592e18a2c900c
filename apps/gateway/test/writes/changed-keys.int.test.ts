import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { openMcp } from '../support/mcp-client.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE countries (code varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL PRIMARY KEY, name varchar(20) NULL)',
  'CREATE TABLE cities (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, country varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL, FOREIGN KEY (country) REFERENCES countries (code) ON UPDATE CASCADE)',
  'CREATE TABLE flags (country varchar(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NOT NULL PRIMARY KEY, FOREIGN KEY (country) REFERENCES countries (code))',
  'CREATE TABLE shelves (hall int NOT NULL, place varchar(10) NOT NULL, note varchar(10) NULL, PRIMARY KEY (hall, place))',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'keys on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL } });
    const { call } = stage;

    it.each(['PUT', 'PATCH'])(
      '%s changes a natural key, and the response contains the new URL of the record',
      async (method) => {
        await call('POST', '/countries', { code: 'aa', name: 'A' });
        const city = (await call('POST', '/cities', { country: 'aa' })).json.id;
        const moved = await call(method, '/countries/aa', { code: 'b b', name: 'B' });
        expect([moved.status, moved.headers.get('location'), moved.json]).toEqual([
          200,
          '/v1/-/countries/b%20b',
          { code: 'b b', name: 'B' },
        ]);
        expect((await call('GET', '/countries/b%20b')).headers.get('etag')).toBe(moved.headers.get('etag'));
        expect((await call('GET', '/countries/aa')).status).toBe(404);
        expect((await call('GET', `/cities/${city}`)).json.country).toBe('b b');
        const minimal = await call(method, '/countries/b%20b', { code: 'cc' }, { prefer: 'return=minimal' });
        expect([minimal.status, minimal.headers.get('location'), minimal.text]).toEqual([
          204,
          '/v1/-/countries/cc',
          '',
        ]);
        const same = await call(method, '/countries/CC', { code: 'cc', name: 'C' });
        expect([same.status, same.headers.get('location')]).toEqual([200, '/v1/-/countries/cc']);
        const guarded = await call(
          method,
          '/countries/cc',
          { code: 'dd' },
          { 'if-match': String(same.headers.get('etag')) },
        );
        expect([guarded.status, guarded.headers.get('location')]).toEqual([200, '/v1/-/countries/dd']);
        expect(
          (
            await call(
              method,
              '/countries/dd',
              { code: 'ee' },
              { 'if-match': String(same.headers.get('etag')) },
            )
          ).status,
        ).toBe(412);
        expect(
          (await call(method, '/countries/dd', { code: 'ee' }, { prefer: 'tx=rollback' })).json.code,
        ).toBe('ee');
        expect(
          (await call('DELETE', `/cities/${city}`)).status + (await call('DELETE', '/countries/dd')).status,
        ).toBe(408);
      },
    );

    it('a key change is rejected by foreign keys and existing records', async () => {
      await call('POST', '/countries', [{ code: 'f1' }, { code: 'f2' }]);
      await call('POST', '/flags', { country: 'f1' });
      expect((await call('PATCH', '/countries/f1', { code: 'f3' })).json).toMatchObject({
        code: 'record.foreign_key',
        table: 'flags',
      });
      expect((await call('PATCH', '/countries/f2', { code: 'f1' })).json.code).toBe('record.duplicate');
      const batch = await call('POST', '/_batch', {
        operations: [
          { method: 'PATCH', path: '/countries/f2', body: { code: 'f4' } },
          { method: 'GET', path: '/countries/f4' },
        ],
      });
      expect(batch.json).toMatchObject([
        { status: 200, headers: { Location: '/v1/-/countries/f4' }, body: { code: 'f4' } },
        { status: 200 },
      ]);
      const writer = await stage.cell.addKey(stage.tenant, { tables: { countries: ['write'] } });
      expect(
        (await call('PATCH', '/countries/f4', { code: 'f5' }, {}, writer.secret)).headers.get('location'),
      ).toBe('/v1/-/countries/f5');
    });

    it('parts of composite keys are changed individually or by filter', async () => {
      await call('POST', '/shelves', [
        { hall: 1, place: 'a' },
        { hall: 1, place: 'b' },
      ]);
      expect(
        (await call('PATCH', '/shelves/1,a', { hall: 1, place: 'c', note: 'x' })).headers.get('location'),
      ).toBe('/v1/-/shelves/1,c');
      const many = await call('PATCH', '/shelves?hall=1', { hall: 2 }, { prefer: 'return=representation' });
      expect([many.status, many.json]).toEqual([
        200,
        [
          { hall: 2, place: 'b', note: null },
          { hall: 2, place: 'c', note: 'x' },
        ],
      ]);
      expect((await call('PATCH', '/shelves?hall=2', { place: 'one' })).json.code).toBe('record.duplicate');
      const { id } = (await call('POST', '/cities', {})).json;
      const retained = await call('PATCH', `/cities/${id}`, { id: id + 100 });
      expect([retained.status, retained.json.detail[0].type]).toEqual([422, 'key_changed']);
      expect((await call('PATCH', `/cities/${id}`, { id })).status).toBe(200);
    });

    it.each(['', '.', '..', ',', '.,', 'a,b', '%2E', '/', ' '])(
      'a record with the key %j can be read at its URL',
      async (code) => {
        const created = await call('POST', '/countries', { code, name: 'odd' });
        const path = String(created.headers.get('location')).replace('/v1/-', '');
        expect([created.status, (await call('GET', path)).json]).toEqual([201, { code, name: 'odd' }]);
        expect((await call('PATCH', path, { name: 'again' })).json.name).toBe('again');
        const mcp = await openMcp(stage.gateway.url, stage.tenant.key);
        expect((await mcp.call('read_records', { table: 'countries', id: code })).reported.record).toEqual({
          code,
          name: 'again',
        });
        await mcp.close();
        expect((await call('DELETE', path)).status).toBe(204);
      },
    );

    it('the MCP error for a composite id that is given as text asks for an array', async () => {
      const mcp = await openMcp(stage.gateway.url, stage.tenant.key);
      await call('POST', '/shelves', { hall: 9, place: 'z' });
      expect((await mcp.call('read_records', { table: 'shelves', id: '9,z' })).reported.error).toMatchObject({
        code: 'key.invalid',
        hint: expect.stringContaining('["hall","place"]'),
      });
      expect(
        (await mcp.call('update_records', { table: 'shelves', records: [{ id: 9, values: { note: 'x' } }] }))
          .reported.error.hint,
      ).toContain('["hall","place"]');
      expect(
        (
          await mcp.call('update_records', {
            table: 'shelves',
            records: [{ id: [9, 'z'], values: { hall: 10 } }],
          })
        ).reported.records,
      ).toEqual([{ hall: 10, place: 'z', note: null }]);
      expect(
        (await mcp.call('delete_records', { table: 'shelves', ids: ['10,z'] })).reported.error.hint,
      ).toContain('["hall","place"]');
      await mcp.close();
      expect((await call('GET', '/shelves/9')).json.hint).toContain('/{hall},{place}');
    });
  },
);

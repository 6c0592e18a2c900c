import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { stageCell } from '../support/stage-cell.js';
import { WRITE_SURFACES } from '../support/write-surfaces.js';

const servers = getTestServers();
const ID = 'a0000000-0000-4000-8000-00000000000';
const BYTES = ['AAAAAAAAAAAAAAAAAAAAAQ==', 'AAAAAAAAAAAAAAAAAAAAAg=='];
const DDL = [
  'CREATE TABLE clients (id char(36) NOT NULL PRIMARY KEY, email varchar(50) NOT NULL UNIQUE, name varchar(20) NULL, n int NULL)',
  'CREATE TABLE devices (id binary(16) NOT NULL PRIMARY KEY, serial varchar(20) NOT NULL UNIQUE, n int NOT NULL)',
  'CREATE TABLE hits (slug varchar(30) NOT NULL PRIMARY KEY, n int NOT NULL DEFAULT 10, bare int NULL, cents decimal(8,2) NULL, share double NULL, small tinyint unsigned NOT NULL DEFAULT 0, note varchar(20) NULL)',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'upserts on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL } });
    const { call } = stage;
    const surfaces = Object.entries(WRITE_SURFACES);

    it.each(surfaces)(
      'an upsert with a new primary key finds a record by another unique key: %s',
      async (surface, write) => {
        const email = `${surface.replaceAll(' ', '-')}@example.org`;
        const index = surfaces.findIndex(([name]) => name === surface);
        const rows = (name: string, digits: string): Record<string, unknown>[] =>
          [...digits].map((digit, position) => ({
            id: `${ID.slice(0, -1)}${index}${digit}`,
            email: `${position}${email}`,
            name,
          }));
        expect(await write(stage, 'clients', rows('first', '01'), { onConflict: 'email' })).toEqual({
          status: 201,
          fault: null,
        });
        expect(
          (await write(stage, 'clients', rows('second', '23'), { onConflict: 'email' })).fault,
        ).toBeNull();
        const stored = async (): Promise<unknown> =>
          (await call('GET', `/clients?email__endswith=${email}&sort=email&_select=id,name`)).json;
        const expected = [0, 1].map((digit) => ({
          id: `${ID.slice(0, -1)}${index}${digit}`,
          name: 'second',
        }));
        expect(await stored()).toEqual(expected);
        if (surface === 'mcp') return;
        expect(
          (
            await write(stage, 'clients', rows('third', '45'), {
              onConflict: 'email',
              prefer: 'resolution=ignore-duplicates',
            })
          ).fault,
        ).toBeNull();
        expect(await stored()).toEqual(expected);
      },
    );

    it('an upsert returns the stored key, also a binary one', async () => {
      const [first, second] = await Promise.all([
        call('POST', '/devices?_on_conflict=serial', { id: BYTES[0], serial: 'x', n: 1 }),
        call('POST', '/devices?_on_conflict=serial', { id: BYTES[0], serial: 'x', n: 1 }),
      ]);
      expect([first?.status, second?.status].sort((a, b) => Number(a) - Number(b))).toEqual([200, 201]);
      const other = await call('POST', '/devices?_on_conflict=serial', { id: BYTES[1], serial: 'x', n: 2 });
      expect([other.status, other.json]).toEqual([200, { id: BYTES[0], serial: 'x', n: 2 }]);
      const taken = await call('POST', '/devices?_on_conflict=serial', { id: BYTES[0], serial: 'y', n: 3 });
      expect([taken.status, taken.json.constraint]).toEqual([409, 'PRIMARY']);
    });

    it('an upsert needs required columns only to create a record', async () => {
      const absent = await call('POST', '/clients?_on_conflict=email', {
        email: 'lean@example.org',
        name: 'a',
      });
      expect([absent.status, absent.json]).toMatchObject([
        422,
        { code: 'body.invalid', detail: [{ loc: ['body', 'id'], type: 'missing' }] },
      ]);
      await call('POST', '/clients', { id: `${ID}-lean`.slice(-36), email: 'lean@example.org' });
      const lean = await call('POST', '/clients?_on_conflict=email', {
        email: 'lean@example.org',
        name: 'b',
      });
      expect([lean.status, lean.json.name]).toEqual([200, 'b']);
      const array = await call('POST', '/clients?_on_conflict=email', [
        { email: 'lean@example.org', name: 'c' },
        { email: 'none@example.org' },
      ]);
      expect([array.status, array.json]).toMatchObject([
        422,
        { detail: [{ loc: ['body', 1, 'id'], type: 'missing' }] },
      ]);
      const parts = await call(
        'POST',
        '/clients?_on_conflict=email',
        'email,name\nnone@example.org,x\nlean@example.org,d\n',
        { 'content-type': 'text/csv', prefer: 'on-error=continue' },
      );
      expect(
        parts.text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toMatchObject([
        { line: 2, status: 422, code: 'body.invalid' },
        { committed: 1, failed: 1 },
      ]);
      const csv = await call(
        'POST',
        '/clients?_on_conflict=email',
        'email,name\nlean@example.org,d\nnone@example.org,x\n',
        { 'content-type': 'text/csv' },
      );
      expect([csv.status, csv.json.detail[0].msg]).toEqual([422, expect.stringMatching(/^Line 3: /)]);
    });

    it.each(surfaces)(
      'an upsert writes records with equal keys in the given order: %s',
      async (surface, write) => {
        const slug = `/${surface}`;
        const rows = [
          { slug, n: 1, note: 'a' },
          { slug, n: 2, note: null },
          { slug: slug.toUpperCase(), n: 3, note: null },
        ];
        expect((await write(stage, 'hits', rows, { onConflict: 'slug' })).fault).toBeNull();
        expect(
          (await call('GET', `/hits?slug=${encodeURIComponent(slug)}&_select=slug,n,note`)).json,
        ).toEqual([{ slug, n: 3, note: null }]);
      },
    );

    it('ignore-duplicates stores the first of two equal keys and returns a record for each', async () => {
      const rows = [
        { slug: 'ig', n: 1 },
        { slug: 'ig', n: 2 },
      ];
      const response = await call('POST', '/hits?_on_conflict=slug', rows, {
        prefer: 'resolution=ignore-duplicates',
      });
      expect([response.status, response.json.map((row: { n: number }) => row.n)]).toEqual([201, [1, 1]]);
    });

    it('an upsert with $inc adds to an existing record or starts at the column default', async () => {
      const hit = {
        slug: 'inc',
        n: { $inc: 1 },
        bare: { $inc: 2 },
        cents: { $inc: '1.25' },
        share: { $inc: 0.5 },
      };
      const first = await call('POST', '/hits?_on_conflict=slug', hit);
      expect([first.status, first.json]).toMatchObject([201, { n: 11, bare: 2, cents: 1.25, share: 0.5 }]);
      expect((await call('POST', '/hits?_on_conflict=slug', [hit, hit])).json[1]).toMatchObject({
        n: 13,
        bare: 6,
        cents: 3.75,
        share: 1.5,
      });
      expect(
        (
          await call('POST', '/_batch', {
            operations: [{ method: 'POST', path: '/hits?_on_conflict=slug', body: hit }],
          })
        ).json[0].body,
      ).toMatchObject({ n: 14 });
      const rejected = await call('POST', '/hits?_on_conflict=slug', { slug: 'below', small: { $inc: -1 } });
      expect([rejected.status, rejected.json.detail[0].loc]).toEqual([422, ['body', 'small']]);
      await call('POST', '/hits', { slug: 'below', small: 1 });
      expect(
        (await call('POST', '/hits?_on_conflict=slug', { slug: 'below', small: { $inc: -1 } })).json.small,
      ).toBe(0);
      expect((await call('POST', '/hits', { slug: 'plain', n: { $inc: 1 } })).status).toBe(422);
      expect((await call('POST', '/hits?_on_conflict=slug', { slug: { $inc: 1 } })).status).toBe(422);
    });

    it.each(surfaces.filter(([surface]) => !surface.startsWith('csv')))(
      'an upsert applies $inc: %s',
      async (surface, write) => {
        const slug = `inc ${surface}`;
        const rows = [
          { slug, n: { $inc: 1 } },
          { slug, n: { $inc: 2 }, bare: { $inc: 4 } },
        ];
        expect((await write(stage, 'hits', rows, { onConflict: 'slug' })).fault).toBeNull();
        expect((await call('GET', `/hits/${encodeURIComponent(slug)}?_select=n,bare`)).json).toEqual({
          n: 13,
          bare: 4,
        });
      },
    );

    it('$inc treats NULL as zero, for single records and filtered writes', async () => {
      await call('POST', '/hits', [{ slug: 'null-1' }, { slug: 'null-2' }]);
      expect(
        (
          await call('PATCH', '/hits/null-1', {
            bare: { $inc: 5 },
            cents: { $inc: -0.5 },
            share: { $inc: 2 },
          })
        ).json,
      ).toMatchObject({ bare: 5, cents: -0.5, share: 2 });
      expect(
        (await call('PATCH', '/hits?slug=null-2', { bare: { $inc: 7 } }, { prefer: 'return=representation' }))
          .json,
      ).toMatchObject([{ bare: 7 }]);
    });
  },
);

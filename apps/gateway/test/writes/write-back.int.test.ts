import { openAdminConnection } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { stageCell } from '../support/stage-cell.js';
import { WRITE_SURFACES } from '../support/write-surfaces.js';

const servers = getTestServers();
const DDL = [
  "CREATE TABLE odd (id int NOT NULL PRIMARY KEY, a decimal(6,2) NULL, twice decimal(8,2) AS (a * 2) STORED, label varchar(20) AS (CONCAT('x', a)) VIRTUAL, d date NULL, at datetime NULL, ts timestamp NULL, e enum('a','b') NULL, mail varchar(50) NULL COMMENT '@format email')",
  'CREATE TABLE things (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, code varchar(10) NOT NULL UNIQUE, n int NOT NULL DEFAULT 0 CHECK (n < 100))',
  'CREATE TABLE bare (code varchar(10) NOT NULL, UNIQUE KEY bare_code (code), note varchar(5) NULL)',
  'CREATE TABLE parts (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, thing_id int NULL, code varchar(10) NOT NULL UNIQUE, FOREIGN KEY (thing_id) REFERENCES things (id))',
  'CREATE TABLE filled (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, slug varchar(20) NOT NULL, tag varchar(20) NOT NULL, n int NOT NULL)',
  "CREATE TRIGGER filled_before BEFORE INSERT ON filled FOR EACH ROW BEGIN -- SET NEW.n = 1\n IF NEW.n > 0 THEN SET NEW.slug = CONCAT('s', NEW.n), NEW.`tag` = 'x NEW.n = 1'; END IF; END",
  'CREATE TABLE countries (id int NOT NULL PRIMARY KEY, code varchar(2) NOT NULL UNIQUE, name varchar(20) NULL)',
  'CREATE TABLE people (id int NOT NULL PRIMARY KEY, country_code varchar(2) NULL, birth_code varchar(2) NULL, FOREIGN KEY (country_code) REFERENCES countries (code), FOREIGN KEY (birth_code) REFERENCES countries (code))',
  'CREATE TABLE visits (person_id int NOT NULL, country_id int NOT NULL, PRIMARY KEY (person_id, country_id), FOREIGN KEY (person_id) REFERENCES people (id), FOREIGN KEY (country_id) REFERENCES countries (id))',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'writes on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL } });
    const { call } = stage;
    const surfaces = Object.entries(WRITE_SURFACES);

    it('the error of a rejected write names the array element that the database rejects', async () => {
      await call('POST', '/things', { code: 'taken' });
      const rows = (count: number, position: number, odd: object): object[] =>
        Array.from({ length: count }, (_, index) =>
          index === position ? odd : { code: `${count}-${index}` },
        );
      for (const [count, at] of [
        [2, 1],
        [5, 0],
        [300, 299],
        [700, 258],
      ] as const) {
        const response = await call('POST', '/things', rows(count, at, { code: 'taken' }));
        expect([response.status, response.json.code, response.json.loc, response.json.detail]).toEqual([
          409,
          'record.duplicate',
          ['body', at],
          `Element ${at}: A record of things with this code already exists.`,
        ]);
        const twice = await call(
          'POST',
          '/things',
          rows(count, at, { code: `${count}-${at === 0 ? 1 : 0}` }),
        );
        expect(twice.json.loc).toEqual(['body', at === 0 ? 1 : at]);
      }
      const batch = await call('POST', '/_batch', {
        operations: [
          { method: 'POST', path: '/things', body: { code: 'earlier' } },
          { method: 'POST', path: '/things', body: rows(20, 13, { code: 'earlier' }) },
        ],
      });
      expect([batch.status, batch.json.operation, batch.json.loc]).toEqual([409, 1, ['body', 13]]);
      const once = await call('POST', '/things', rows(9, 4, { code: 'taken' }), { 'idempotency-key': 'e1' });
      expect(once.json.loc).toEqual(['body', 4]);
      const check = await call('POST', '/things', rows(9, 4, { code: 'c', n: 100 }));
      expect([check.status, check.json.detail[0].loc.slice(0, 2)]).toEqual([422, ['body', 4]]);
      const orphan = await call('POST', '/parts', [{ code: 'a' }, { code: 'b', thing_id: 999_999 }]);
      expect([orphan.json.code, orphan.json.loc]).toEqual(['record.foreign_key', ['body', 1]]);
      const upsert = await call('POST', '/things?_on_conflict=id', [
        { id: 900, code: 'u1' },
        { id: 901, code: 'taken' },
      ]);
      expect([upsert.status, upsert.json.loc]).toEqual([409, ['body', 1]]);
      expect((await call('POST', '/things', { code: 'taken' })).json).not.toHaveProperty('loc');
      expect((await call('GET', '/things?_count=exact&limit=0')).headers.get('x-total-count')).toBe('1');
      await call('POST', '/bare', { code: 'taken' });
      const keyless = await call('POST', '/bare', rows(40, 31, { code: 'taken' }));
      expect(keyless.json.loc).toEqual(['body', 31]);
      const nested = await call('POST', '/things', [
        { code: 'n1', parts: [{ code: 'p1' }] },
        { code: 'n2', parts: [{ code: 'p2' }, { code: 'p1' }] },
      ]);
      expect([nested.status, nested.json.loc]).toEqual([409, ['body', 1, 'parts', 1]]);
    });

    it.each(surfaces)(
      'a create may omit a NOT NULL column that a trigger sets: %s',
      async (surface, write) => {
        const index = surfaces.findIndex(([name]) => name === surface) + 1;
        expect((await write(stage, 'filled', [{ n: index }, { n: index }], {})).fault).toBeNull();
        expect((await write(stage, 'filled', [{ n: index, slug: null, tag: 'own' }], {})).fault).toBeNull();
        expect((await call('GET', `/filled?n=${index}&_select=slug,tag`)).json).toEqual(
          [0, 1, 2].map(() => ({ slug: `s${index}`, tag: 'x NEW.n = 1' })),
        );
        const { fault } = await write(stage, 'filled', [{ n: 0 }], {});
        expect([fault.code, JSON.stringify(fault.detail)]).toEqual([
          'body.invalid',
          expect.stringMatching(/slug|tag/),
        ]);
        expect((await write(stage, 'filled', [{ slug: 'x', tag: 'y' }], {})).fault.detail[0].type).toBe(
          'missing',
        );
      },
    );

    it('an ambiguous relationship name is rejected with all candidates', async () => {
      await call('POST', '/countries', { id: 1, code: 'nl', name: 'N' });
      await call('POST', '/people', { id: 1, country_code: 'nl' });
      for (const path of [
        '/people?include=country',
        '/people?country.name=N',
        '/people?country__exists=true',
        '/people?sort=country.name',
        '/people?_filter={"country":{"name":"N"}}',
        '/people?include=count:country',
        '/people?_aggregate=count&_group=country.name',
      ]) {
        const response = await call('GET', path);
        expect([path, response.status, response.json.detail[0].type]).toEqual([
          path,
          422,
          'ambiguous_relationship',
        ]);
        for (const name of ['countries', 'countries_by_country_code', 'countries_by_birth_code'])
          expect(response.json.hint).toContain(name);
      }
      expect((await call('POST', '/people', { id: 2, country: { code: 'xx' } })).json.detail[0].type).toBe(
        'ambiguous_relationship',
      );
      expect(
        (await call('GET', '/people?include=countries_by_country_code')).json[0].countries_by_country_code
          .name,
      ).toBe('N');
    });

    describe('records as read', () => {
      const read = async (path: string): Promise<Record<string, unknown>[]> =>
        (await call('GET', path)).json as Record<string, unknown>[];
      const store = async (id: number): Promise<void> => {
        const loose = await openAdminConnection({ ...engine, database: stage.tenant.schemaName });
        await loose.run("SET SESSION sql_mode=''");
        await loose.run(
          `INSERT INTO odd (id, a, d, at, ts, e, mail) VALUES (${id}, 1.5, '0000-00-00', '2024-00-00 01:02:03', '0000-00-00', 'nope', 'nobody')`,
        );
        await loose.close();
      };

      it.each(['PUT', 'PATCH'])('a record can be sent back by %s exactly as it was read', async (method) => {
        await store(1);
        const [before] = await read('/odd?id=1');
        expect(before).toMatchObject({ twice: 3, label: 'x1.50', d: '0000-00-00', e: '' });
        const same = await call(method, '/odd/1', before);
        expect([same.status, same.json]).toEqual([200, before]);
        expect(
          (await call(method, '/odd/1', before, { 'if-match': String(same.headers.get('etag')) })).status,
        ).toBe(200);
        expect((await call(method, '/odd/1', { ...before, a: 2 })).json).toMatchObject({
          a: 2,
          twice: 4,
          e: '',
        });
        expect((await call(method, '/odd/1', { a: 3, twice: 6 })).json).toMatchObject({ a: 3, twice: 6 });
        const batch = await call('POST', '/_batch', {
          operations: [{ method, path: '/odd/1', body: { a: 3, twice: '6.00', e: '' } }],
        });
        expect(batch.json[0].body).toMatchObject({ a: 3, e: '' });
        for (const [body, name] of [
          [{ twice: 7 }, 'twice'],
          [{ a: 4, twice: 7 }, 'twice'],
          [{ a: 4, e: 'x' }, 'e'],
          [{ a: 4, mail: 'other' }, 'mail'],
        ] as const) {
          const rejected = await call(method, '/odd/1', body);
          expect([rejected.status, rejected.json.detail[0].loc]).toEqual([422, ['body', name]]);
        }
        expect((await read('/odd?id=1&_select=a'))[0]).toEqual({ a: 3 });
        expect((await call(method, '/odd?id=1', { twice: 6 })).status).toBe(422);
        expect((await call('DELETE', '/odd/1')).status).toBe(204);
      });

      it('records from lists and streams can be sent back to create new ones', async () => {
        await call('POST', '/odd', [
          { id: 11, a: 1.25, mail: 'a@example.org' },
          {
            id: 12,
            a: 2,
            d: '0000-00-00',
            at: '2024-05-00T00:00:00',
            ts: '0000-00-00T00:00:00Z',
            mail: 'a@example.org',
          },
        ]);
        const rows = await read('/odd?id__in=11,12&sort=id');
        expect(rows[1]).toMatchObject({
          twice: 4,
          d: '0000-00-00',
          at: '2024-05-00T00:00:00',
          ts: '0000-00-00T00:00:00Z',
        });
        const [csv, lines] = await Promise.all(
          ['text/csv', 'application/x-ndjson'].map(
            async (accept) => (await call('GET', '/odd?id__in=11,12&sort=id', undefined, { accept })).text,
          ),
        );
        const bodies = [
          [JSON.stringify(rows), 'application/json'],
          [csv, 'text/csv'],
          [lines, 'application/x-ndjson'],
        ] as const;
        for (const [body, type] of bodies) {
          for (const [path, prefer] of [
            ['/odd', ''],
            ['/odd', 'on-error=stop'],
            ['/odd?_on_conflict=id', ''],
            ['/odd?_on_conflict=id', 'on-error=stop'],
          ] as const) {
            if (type === 'application/json' && prefer !== '') continue;
            for (const exists of path === '/odd' ? [false] : [false, true]) {
              if (!exists) await call('DELETE', '/odd?id__in=11,12');
              const response = await call('POST', path, body, {
                'content-type': type,
                ...(prefer === '' ? {} : { prefer }),
              });
              expect([
                type,
                path,
                prefer,
                response.status,
                prefer === '' ? response.json.length : JSON.parse(response.text).committed,
              ]).toEqual([type, path, prefer, exists || prefer !== '' ? 200 : 201, 2]);
              expect(await read('/odd?id__in=11,12&sort=id')).toEqual(rows);
            }
          }
        }
      });

      it('a record that was read and sent back is rejected by the same rules as a new record', async () => {
        for (const body of [
          { id: 21, a: 1, twice: 3, mail: 'a@example.org' },
          [
            { id: 21, a: 1, twice: 2, mail: 'a@example.org' },
            { id: 22, a: 1, twice: 3, mail: 'a@example.org' },
          ],
        ]) {
          for (const path of ['/odd', '/odd?_on_conflict=id']) {
            const response = await call('POST', path, body);
            expect([response.status, response.json.detail[0].type]).toEqual([422, 'generated_column']);
          }
        }
        expect(await read('/odd?id__in=21,22')).toEqual([]);
        expect(
          (await call('POST', '/odd', { id: 21, e: '', mail: 'a@example.org' })).json.detail[0].loc,
        ).toEqual(['body', 'e']);
        expect(
          (await call('POST', '/odd', { id: 21, d: '2024-02-31', mail: 'a@example.org' })).json.detail[0].loc,
        ).toEqual(['body', 'd']);
        const writer = await stage.cell.addKey(stage.tenant, { tables: { odd: ['write'] } });
        expect(
          (await call('POST', '/odd', { id: 21, a: 1, twice: 2, mail: 'a@example.org' }, {}, writer.secret))
            .status,
        ).toBe(422);
      });
    });
  },
);

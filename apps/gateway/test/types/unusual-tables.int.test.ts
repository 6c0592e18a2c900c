import { createHash } from 'node:crypto';
import { PLATFORM_SQL_MODE } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestResponse } from '../support/http-call.js';
import { createTestCell, type TestCell } from '../support/test-cell.js';
import { send, type TypeFixture } from './type-fixture.js';

const servers = getTestServers();

const SHARED = [
  `CREATE TABLE gen (id int AUTO_INCREMENT PRIMARY KEY, a int NOT NULL, total int AS (a + 1) VIRTUAL, twice int AS (a * 2) STORED, label varchar(40) AS (CONCAT('x', a)) STORED, UNIQUE (twice))`,
  'CREATE TABLE inv (id int AUTO_INCREMENT PRIMARY KEY, shown int, unseen int DEFAULT 7 INVISIBLE)',
  'CREATE TABLE inv_key (row_id bigint unsigned NOT NULL AUTO_INCREMENT INVISIBLE PRIMARY KEY, a int)',
  `CREATE TABLE defs (id int AUTO_INCREMENT PRIMARY KEY, n int DEFAULT (1 + 1), s varchar(20) DEFAULT 'it''s \\\\ "q"', e varchar(50) DEFAULT (CONCAT('a', '''', "b\\\\", 'ü')), d date DEFAULT (DATE('2024-02-03')), j json DEFAULT (JSON_OBJECT('a', 1)), t text DEFAULT ('x'), at datetime(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3), b bit(4) DEFAULT b'101', v varbinary(4) DEFAULT 'ab', money decimal(6,2) NOT NULL DEFAULT '1.50', flag boolean NOT NULL DEFAULT true)`,
  `CREATE TABLE def_key (k varchar(60) DEFAULT (CONCAT('it''s "', UUID(), '"')) PRIMARY KEY, a int)`,
  `CREATE TABLE def_literal (k varchar(10) DEFAULT 'a''b', b bit(4) DEFAULT b'101', y year DEFAULT 2024, e enum('x','y') DEFAULT 'y', d date DEFAULT '2024-02-03', n decimal(5,2) DEFAULT 1.5, v binary(3) DEFAULT 'ab', a int, PRIMARY KEY (k, b, y, e, d, n, v))`,
  'CREATE TABLE checked (id int AUTO_INCREMENT PRIMARY KEY, low int, high int, pct int CHECK (pct BETWEEN 0 AND 100), CONSTRAINT `low below high!` CHECK (low < high), CHECK (high <> 13))',
  'CREATE TABLE keyless (a int, b varchar(10), UNIQUE (a))',
  'CREATE TABLE uniq (a int NOT NULL, b varchar(10) NOT NULL, c int, UNIQUE zz (a), UNIQUE aa (b))',
  'CREATE TABLE triple (a varchar(20) NOT NULL, b int NOT NULL, c date NOT NULL, note text, PRIMARY KEY (c, a, b))',
  'CREATE TABLE staff (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20), manager_id int, FOREIGN KEY (manager_id) REFERENCES staff (id))',
  'CREATE TABLE teams (code varchar(5) PRIMARY KEY, title varchar(20))',
  'CREATE TABLE matches (id int AUTO_INCREMENT PRIMARY KEY, home_id varchar(5), away_id varchar(5), FOREIGN KEY (home_id) REFERENCES teams (code), FOREIGN KEY (away_id) REFERENCES teams (code))',
  'CREATE TABLE eggs (id int AUTO_INCREMENT PRIMARY KEY, hen_id int)',
  'CREATE TABLE hens (id int AUTO_INCREMENT PRIMARY KEY, egg_id int, FOREIGN KEY (egg_id) REFERENCES eggs (id))',
  'ALTER TABLE eggs ADD FOREIGN KEY (hen_id) REFERENCES hens (id)',
  'CREATE TABLE parts (a int NOT NULL, b varchar(5) NOT NULL, PRIMARY KEY (a, b))',
  'CREATE TABLE part_notes (id int AUTO_INCREMENT PRIMARY KEY, a int, b varchar(5), FOREIGN KEY (a, b) REFERENCES parts (a, b))',
  'CREATE VIEW plain_view AS SELECT id, a, total FROM gen',
  'CREATE VIEW joined_view AS SELECT m.id, t.title FROM matches m JOIN teams t ON t.code = m.home_id',
  'CREATE VIEW grouped_view AS SELECT a, COUNT(*) AS n FROM keyless GROUP BY a',
  'CREATE VIEW typed_view AS SELECT j, b, at, money, flag, v FROM defs',
  // In these tables, stored values differ from those that were sent: triggers change values, and insert into
  // other tables with their own AUTO_INCREMENT numbers.
  'CREATE TABLE turn_log (id int AUTO_INCREMENT PRIMARY KEY, what varchar(20)) AUTO_INCREMENT = 7000',
  'CREATE TABLE turned (id int AUTO_INCREMENT PRIMARY KEY, word varchar(20) CHARACTER SET latin1, body longtext, raw longblob, day date, at datetime(6) NULL ON UPDATE CURRENT_TIMESTAMP(6), tally int NOT NULL DEFAULT 0, len int AS (CHAR_LENGTH(body)) STORED)',
  'CREATE TRIGGER turned_in BEFORE INSERT ON turned FOR EACH ROW SET NEW.word = UPPER(NEW.word), NEW.body = REPEAT(NEW.body, 3), NEW.tally = NEW.tally + 1',
  "CREATE TRIGGER turned_made AFTER INSERT ON turned FOR EACH ROW INSERT INTO turn_log (what) VALUES ('made'), ('twice')",
  "CREATE TRIGGER turned_again BEFORE UPDATE ON turned FOR EACH ROW SET NEW.tally = OLD.tally + 10, NEW.word = NULLIF(NEW.word, 'none')",
  "CREATE TRIGGER turned_over AFTER UPDATE ON turned FOR EACH ROW INSERT INTO turn_log (what) VALUES ('changed')",
  'CREATE TABLE renumbered (id int AUTO_INCREMENT PRIMARY KEY, note varchar(20))',
  'CREATE TRIGGER renumbered_in BEFORE INSERT ON renumbered FOR EACH ROW SET NEW.id = IF(NEW.note = "own", 9000, NEW.id)',
  'CREATE TABLE a_b (id int AUTO_INCREMENT PRIMARY KEY, note varchar(10))',
  'CREATE TABLE `a-b` (id int AUTO_INCREMENT PRIMARY KEY, note varchar(10))',
  'CREATE TABLE Twin (id int AUTO_INCREMENT PRIMARY KEY, note varchar(10))',
  'CREATE TABLE twin (id int AUTO_INCREMENT PRIMARY KEY, note varchar(10))',
];

/**
 * Names that may cause errors: keywords of SQL, of the grammar and of JavaScript, and every kind of
 * punctuation.
 */
const NAMES = [
  'select',
  'order',
  'key',
  'limit',
  'page',
  'sort',
  'include',
  'where',
  '_filter',
  '_select',
  'name__eq',
  'a__in',
  '__proto__',
  'constructor',
  'toString',
  'first name',
  'x-y',
  'a.b',
  'a`b',
  '"q"',
  "a'b",
  '漢字',
  'naïve',
  '?',
  '100%',
  '[x]',
  '#h',
  'a/b',
  'a\\b',
  'a,b',
  'a;b',
  '@v',
  ':p',
  '$d',
  '{j}',
  '->',
  'a&b=c',
  '+',
  'include[x]',
  'Ünï cödé',
  '*',
  '-',
  '1',
  'null',
];
const TABLE_NAMES = [
  'select',
  'query',
  'schema',
  'health',
  'docs',
  'openapi.json',
  '_batch',
  '_search',
  '_tables',
  'my table',
  'we.ird',
  'a/b',
  '漢字',
  'per%cent',
  "it's",
  'back`tick',
  'x?y#z',
  'Über_größe',
  'constructor',
  '__proto__',
  '1',
  '-',
];

const quote = (name: string): string => `\`${name.replaceAll('`', '``')}\``;

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'tables and columns of every kind on %s',
  (engineName, engine) => {
    let cell: TestCell;
    let bench: TypeFixture;
    const call = (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<TestResponse> =>
      send(bench, method, path, { headers, ...(body === undefined ? {} : { body }) });
    const created = async (path: string, body: unknown): Promise<TestResponse> => {
      const response = await call('POST', path, body);
      expect(response.status, response.text).toBe(201);
      return response;
    };

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      const own =
        engineName === 'mysql'
          ? [
              'CREATE TABLE gen_key (a int NOT NULL, k int AS (a + 1) STORED PRIMARY KEY)',
              'CREATE TABLE def_dependent (a int NOT NULL, s varchar(9), k int DEFAULT (a + 1), t varchar(20) DEFAULT (CONCAT(s, "!")), PRIMARY KEY (k, t))',
              'CREATE TABLE functional (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20), UNIQUE low ((LOWER(name))))',
            ]
          : [
              'CREATE TABLE def_dependent (a int NOT NULL, s varchar(9), k int DEFAULT (a + 1), t varchar(20) DEFAULT (CONCAT(s, "!")), PRIMARY KEY (k, t))',
              'CREATE TABLE numbered (id int AUTO_INCREMENT PRIMARY KEY, twice int AS (id * 2) VIRTUAL, note varchar(10))',
            ];
      const named = [
        `CREATE TABLE names (id int AUTO_INCREMENT PRIMARY KEY, ${NAMES.map((name) => `${quote(name)} int`).join(', ')})`,
        ...TABLE_NAMES.map(
          (name) =>
            `CREATE TABLE ${quote(name)} (id int AUTO_INCREMENT PRIMARY KEY, ${quote(name)} varchar(20), parent_id int, FOREIGN KEY (parent_id) REFERENCES ${quote(name)} (id))`,
        ),
      ];
      const tenant = await cell.addTenant({ ddl: [...SHARED, ...own, ...named] });
      bench = { cell, tenant, url: (await cell.startGateway()).url };
    });

    afterAll(() => cell?.stop());

    it('generated columns can be read, filtered and sorted, and are rejected in bodies', async () => {
      const record = await created('/gen', { a: 5 });
      expect(record.json).toEqual({ id: 1, a: 5, total: 6, twice: 10, label: 'x5' });
      await created('/gen', [{ a: 1 }, { a: 2 }]);
      expect((await call('GET', '/gen?total__gte=3&sort=-twice&_select=label')).json).toEqual([
        { label: 'x5' },
        { label: 'x2' },
      ]);
      const rejected = await call('POST', '/gen', { a: 7, total: 9 });
      expect([rejected.status, rejected.json.detail[0]]).toEqual([
        422,
        {
          loc: ['body', 'total'],
          msg: 'The column is generated and cannot be set.',
          type: 'generated_column',
        },
      ]);
      const tag = record.headers.get('etag') ?? '';
      const changed = await call('PATCH', '/gen/1', { a: 6 }, { 'if-match': tag });
      expect(changed.json).toMatchObject({ total: 7, label: 'x6' });
      const duplicate = await call('PATCH', '/gen/1', { a: 2 });
      expect([duplicate.status, duplicate.json.columns]).toEqual([409, ['twice']]);
    });

    it('an invisible column is returned only if the request names it', async () => {
      expect((await created('/inv', { shown: 1 })).json).toEqual({ id: 1, shown: 1 });
      await created('/inv', { shown: 2, unseen: 9 });
      expect((await call('GET', '/inv?_select=unseen&sort=unseen')).json).toEqual([
        { unseen: 7 },
        { unseen: 9 },
      ]);
      expect((await call('GET', '/inv?unseen=9')).json).toEqual([{ id: 2, shown: 2 }]);
      expect((await call('PATCH', '/inv/1', { unseen: 8 })).status).toBe(200);
      const keyed = await created('/inv-key', { a: 5 });
      expect([keyed.json, keyed.headers.get('location')]).toEqual([{ a: 5 }, '/v1/-/inv-key/1']);
      expect((await call('GET', '/inv-key/1')).json).toEqual({ a: 5 });
      expect((await call('GET', '/inv-key?_cursor=&limit=1')).json).toEqual([{ a: 5 }]);
    });

    it('column defaults of every kind are applied and returned', async () => {
      const record = (await created('/defs', {})).json;
      expect(record).toMatchObject({
        n: 2,
        s: `it's \\ "q"`,
        e: `a'b\\ü`,
        d: '2024-02-03',
        j: { a: 1 },
        t: 'x',
        b: 5,
        v: 'YWI=',
        money: 1.5,
        flag: true,
      });
      expect((await call('GET', '/defs')).json).toEqual([record]);
      const described = (await call('GET', '/schema')).json.tables.find(
        (table: { name: string }) => table.name === 'defs',
      ).columns;
      expect(described.find((column: { name: string }) => column.name === 's').default).toBe(`it's \\ "q"`);
    });

    it('the response to a create contains key columns with defaults', async () => {
      const first = await created('/def-key', { a: 1 });
      expect(first.json.k).toMatch(/^it's "[0-9a-f-]{36}"$/);
      expect((await call('GET', first.headers.get('location') ?? '')).json).toEqual(first.json);
      const bulk = (await created('/def-key', [{ a: 2 }, { k: 'own', a: 3 }, { a: 4 }])).json;
      expect(bulk.map((record: { a: number }) => record.a)).toEqual([2, 3, 4]);
      const literal = await created('/def-literal', { a: 1 });
      expect(literal.json).toEqual({
        k: `a'b`,
        b: 5,
        y: 2024,
        e: 'y',
        d: '2024-02-03',
        n: 1.5,
        v: 'YWIA',
        a: 1,
      });
      expect((await call('GET', literal.headers.get('location') ?? '')).json).toEqual(literal.json);
      const dependent = await created('/def-dependent', { a: 5, s: "it's" });
      expect(dependent.json).toEqual({ a: 5, s: "it's", k: 6, t: "it's!" });
      if (engineName === 'mysql') expect((await created('/gen-key', { a: 5 })).json).toEqual({ a: 5, k: 6 });
    });

    it('check constraint errors contain the name of the constraint', async () => {
      const named = await call('POST', '/checked', { low: 5, high: 1 });
      expect([named.status, named.json.code, named.json.constraint]).toEqual([
        422,
        'record.check_failed',
        'low below high!',
      ]);
      const own = await call('POST', '/checked', { pct: 101 });
      expect([own.status, own.json.constraint]).toEqual([
        422,
        engineName === 'mysql' ? 'checked_chk_1' : 'pct',
      ]);
      expect((await created('/checked', { low: 1, high: 2, pct: 100 })).json.pct).toBe(100);
      expect((await call('PATCH', '/checked?low=1', { high: 0 })).json).toMatchObject({
        constraint: 'low below high!',
        detail: [{ loc: ['body'] }],
      });
    });

    it('tables without a key can be listed, inserted into and changed by filter', async () => {
      expect((await created('/keyless', { a: 1, b: 'x' })).json).toEqual({ created: 1 });
      expect((await created('/keyless', [{ a: 2 }, { a: null }, { a: null }])).json).toEqual({ created: 3 });
      expect((await call('GET', '/keyless?sort=-a')).json.map((row: { a: number }) => row.a)).toEqual([
        2,
        1,
        null,
        null,
      ]);
      expect([
        (await call('GET', '/keyless/1')).json.code,
        (await call('GET', '/keyless?_cursor=')).status,
      ]).toEqual(['table.no_key', 422]);
      expect((await call('PATCH', '/keyless?a__isnull=true', { b: 'z' })).json).toEqual({ updated: 2 });
      expect((await call('DELETE', '/keyless?b=z')).json).toEqual({ deleted: 2 });
      expect((await call('POST', '/keyless?_on_conflict=a', { a: 1, b: 'y' })).status).toBe(200);
    });

    it('the unique key with the lowest name replaces a missing primary key', async () => {
      expect((await created('/uniq', { a: 1, b: 'x/y,z%', c: 3 })).headers.get('location')).toBe(
        '/v1/-/uniq/x%2Fy%2Cz%25',
      );
      expect((await call('GET', '/uniq/x%2Fy%2Cz%25')).json).toEqual({ a: 1, b: 'x/y,z%', c: 3 });
      const location =
        (await created('/triple', { a: 'k,1/"ü"', b: -5, c: '2024-02-29' })).headers.get('location') ?? '';
      expect(location).toBe(`/v1/-/triple/2024-02-29,${encodeURIComponent('k,1/"ü"')},-5`);
      expect((await call('PUT', location, { note: 'n' })).json).toEqual({
        a: 'k,1/"ü"',
        b: -5,
        c: '2024-02-29',
        note: 'n',
      });
      expect((await call('GET', '/triple/2024-02-29,x')).json.detail[0].loc).toEqual(['path', 'id']);
      expect((await call('DELETE', location)).status).toBe(204);
    });

    it('views can be read with the column types of their tables, and cannot be written', async () => {
      expect((await call('GET', '/plain-view?a=6&sort=id')).json).toEqual([{ id: 1, a: 6, total: 7 }]);
      expect((await call('GET', '/grouped-view?sort=a')).json).toEqual([
        { a: 1, n: 1 },
        { a: 2, n: 1 },
      ]);
      const [record] = (await call('GET', '/defs')).json;
      const { j, b, at, money, flag, v } = record;
      expect((await call('GET', '/typed-view')).json).toEqual([{ j, b, at, money, flag, v }]);
      for (const [method, path] of [
        ['POST', '/plain-view'],
        ['DELETE', '/plain-view?a=1'],
        ['PATCH', '/plain-view?a=1'],
      ] as const) {
        const response = await call(method, path, { a: 1 });
        expect([response.status, response.json.code, response.headers.get('allow')]).toEqual([
          405,
          'table.read_only',
          'GET, HEAD',
        ]);
      }
      expect((await call('GET', '/plain-view/1')).status).toBe(404);
      expect((await call('GET', '/joined-view')).status).toBe(200);
    });

    it('relationships may be self-referencing, repeated, cyclic or composite', async () => {
      await created('/staff', [
        { name: 'top' },
        { name: 'mid', manager_id: 1 },
        { name: 'low', manager_id: 2 },
      ]);
      expect((await call('GET', '/staff/3?include=manager.manager')).json.manager.manager.name).toBe('top');
      expect(
        (await call('GET', '/staff?manager.manager.name=top')).json.map((row: { name: string }) => row.name),
      ).toEqual(['low']);
      expect((await call('GET', '/staff/1?include=staff.staff')).json.staff[0].staff[0].name).toBe('low');
      await created('/teams', [
        { code: 'a', title: 'A' },
        { code: 'b', title: 'B' },
      ]);
      await created('/matches', { home_id: 'a', away_id: 'B' });
      const match = (await call('GET', '/matches/1?include=home,away')).json;
      expect([match.home.title, match.away.title]).toEqual(['A', 'B']);
      const team = (await call('GET', '/teams/b?include=matches_by_home_id,matches_by_away_id')).json;
      expect([team.matches_by_home_id, team.matches_by_away_id.length]).toEqual([[], 1]);
      await created('/hens', {});
      await created('/eggs', { hen_id: 1 });
      await call('PATCH', '/hens/1', { egg_id: 1 });
      expect((await call('GET', '/hens/1?include=egg.hen.egg.hen')).json.egg.hen.egg.hen.id).toBe(1);
      expect((await call('DELETE', '/hens/1')).json).toMatchObject({
        code: 'record.foreign_key',
        table: 'eggs',
        columns: ['hen_id'],
      });
      await created('/parts', [
        { a: 1, b: 'x' },
        { a: 1, b: 'ü' },
      ]);
      await created('/part-notes', [
        { a: 1, b: 'X' },
        { a: 1, b: 'ü' },
        { a: 1, b: null },
      ]);
      expect(
        (await call('GET', '/part-notes?include=part&sort=id')).json.map(
          (note: { part: { b: string } | null }) => note.part?.b ?? null,
        ),
      ).toEqual(['x', 'ü', null]);
      expect((await call('POST', '/part-notes', { a: 9, b: 'q' })).json).toMatchObject({
        code: 'record.foreign_key',
        columns: ['a', 'b'],
        constraint: expect.stringContaining('part_notes'),
      });
    });

    it.each(NAMES)(
      'a column named %s can be written, returned, filtered, sorted and selected',
      async (name) => {
        const value = NAMES.indexOf(name) + 1;
        const record = await created('/names', `{${JSON.stringify(name)}:${value}}`);
        expect(record.text).toContain(`${JSON.stringify(name)}:${value},`.slice(0, -1));
        const { id } = record.json as { id: number };
        const text = encodeURIComponent(quote(name));
        for (const query of [
          `${text}=${value}`,
          `${text}__eq=${value}`,
          `${text}__in=${value},-1`,
          `_filter=${encodeURIComponent(JSON.stringify({ [`${quote(name)}__eq`]: value }))}`,
          `where=${encodeURIComponent(`${quote(name)} = ${value}`)}`,
        ]) {
          const found = await call('GET', `/names?${query}`);
          expect(
            [found.status, found.json.map?.((row: { id: number }) => row.id)],
            `${decodeURIComponent(query)} ${found.text.slice(0, 300)}`,
          ).toEqual([200, [id]]);
        }
        const chosen = await call('GET', `/names?_select=${text}&sort=-${text}&limit=1`);
        expect(chosen.text).toBe(`[{${JSON.stringify(name)}:${value}}]`);
        const changed = await call('PATCH', `/names/${id}`, `{${JSON.stringify(name)}:${value}}`);
        expect([changed.status, changed.headers.get('etag')]).toEqual([200, record.headers.get('etag')]);
        expect((await call('DELETE', `/names/${id}`)).status).toBe(204);
      },
    );

    it.each(TABLE_NAMES)('a table named %s can be addressed, joined and included', async (name) => {
      const tables = (await call('GET', '/')).json.tables as { name: string; href: string }[];
      const href = tables.find((table) => table.name === name)?.href ?? '';
      const first = await created(href, `{${JSON.stringify(name)}:"x"}`);
      expect(first.headers.get('location')).toBe(`${href}/${first.json.id}`);
      const second = await created(`/_tables/${encodeURIComponent(name)}`, { parent_id: first.json.id });
      expect((await call('GET', `${href}/${second.json.id}?include=parent`)).json.parent.id).toBe(
        first.json.id,
      );
      expect((await call('GET', `${href}?parent.id=${first.json.id}&sort=parent.id`)).json).toHaveLength(1);
      expect((await call('DELETE', `${href}/${first.json.id}`)).json).toMatchObject({
        code: 'record.foreign_key',
        table: name,
        columns: ['parent_id'],
      });
    });

    it('a column that is computed from the generated key is returned as stored', async () => {
      // MySQL cannot compute a column from the AUTO_INCREMENT number.
      if (engineName === 'mysql') return expect((await call('GET', '/numbered')).status).toBe(404);
      const first = await created('/numbered', { note: 'a' });
      expect(first.json).toEqual({ id: 1, twice: 2, note: 'a' });
      expect((await created('/numbered', [{ note: 'b' }, { note: 'c' }])).json).toEqual([
        { id: 2, twice: 4, note: 'b' },
        { id: 3, twice: 6, note: 'c' },
      ]);
      const read = await call('GET', '/numbered/1');
      expect([read.json, read.headers.get('etag')]).toEqual([first.json, first.headers.get('etag')]);
    });

    it('a create returns the record whose key a trigger has set', async () => {
      expect(await created('/renumbered', { note: 'first' })).toMatchObject({
        json: { id: 1, note: 'first' },
      });
      const own = await created('/renumbered', { note: 'own' });
      expect([own.json, own.headers.get('location')]).toEqual([
        { id: 9000, note: 'own' },
        '/v1/-/renumbered/9000',
      ]);
      // Several records at once must also be returned in order.
      expect((await call('DELETE', '/renumbered/9000')).status).toBe(204);
      const many = (
        await created(
          '/renumbered',
          ['b', 'own', 'c'].map((note) => ({ note })),
        )
      ).json as unknown as { id: number; note: string }[];
      expect([many.map(({ note }) => note), many[1]?.id]).toEqual([['b', 'own', 'c'], 9000]);
      for (const record of many) expect((await call('GET', `/renumbered/${record.id}`)).json).toEqual(record);
    });

    it('a create returns a record with the values that triggers and the clock have set', async () => {
      const { root } = cell;
      const stored = async (id: number): Promise<unknown> => {
        const [row] = await root.rows<Record<string, unknown>>(
          `SELECT id, word, SHA2(body, 256) AS body, LENGTH(body) AS bytes, HEX(raw) AS raw, CAST(day AS CHAR) AS day, DATE_FORMAT(at, '%Y-%m-%dT%H:%i:%s.%f') AS at, tally, len FROM ${bench.tenant.schemaName}.turned WHERE id = ?`,
          [id],
        );
        return row;
      };
      const reported = ({ body, raw, at, ...rest }: Record<string, unknown>): unknown => ({
        ...rest,
        at: typeof at === 'string' ? at.replace(' ', 'T') : at,
        body: typeof body === 'string' ? createHash('sha256').update(body).digest('hex') : null,
        bytes: typeof body === 'string' ? Buffer.byteLength(body) : null,
        raw: typeof raw === 'string' ? Buffer.from(raw, 'base64').toString('hex').toUpperCase() : null,
      });
      // These lengths are limits of the protocol's length encoding, and these bytes mark special packets. The
      // last row is larger than one packet of 16 MiB.
      const bodies = [
        null,
        '',
        '\0\0\0\u0001',
        'þÿ\u00fb',
        ...[83, 84, 21_845, 21_846].map((chars) => 'a'.repeat(chars)),
        `é${'x'.repeat(5_400_000)}`,
      ];
      const raws = [
        null,
        '',
        Buffer.from([0xfe, 0, 0, 2, 0]).toString('base64'),
        Buffer.alloc(300, 0xff).toString('base64'),
        null,
        '',
        'AA==',
        '//8=',
        Buffer.alloc(700_000, 0xfb).toString('base64'),
      ];
      for (const [index, body] of bodies.entries()) {
        const createdItem = await created('/turned', {
          word: 'grüße',
          body,
          raw: raws[index],
          day: '2026-02-28',
        });
        expect(reported(createdItem.json), `body ${index}`).toEqual(await stored(createdItem.json.id));
        expect([createdItem.json.id, createdItem.json.word, createdItem.json.len]).toEqual([
          index + 1,
          'GRÜSSE'.length === createdItem.json.word.length ? 'GRÜSSE' : 'GRÜßE',
          body === null ? null : [...body].length * 3,
        ]);
        const changed = await call('PATCH', `/turned/${createdItem.json.id}`, {
          word: index % 2 === 0 ? 'none' : '',
          day: null,
        });
        expect([changed.status, reported(changed.json), changed.json.tally, changed.json.word]).toEqual([
          200,
          await stored(createdItem.json.id),
          11,
          index % 2 === 0 ? null : '',
        ]);
        expect((await call('GET', `/turned/${createdItem.json.id}`)).json).toEqual(changed.json);
      }
      const many = await created('/turned', [
        { word: 'a', body: '' },
        { word: null, body: 'þ' },
        { tally: 5 },
      ]);
      for (const record of many.json) expect(reported(record)).toEqual(await stored(record.id));
      // A date that strict mode rejects.
      const [last] = many.json.slice(-1);
      await cell.root.run("SET SESSION sql_mode = ''");
      await cell.root.run(`UPDATE ${bench.tenant.schemaName}.turned SET day = '0000-00-00' WHERE id = ?`, [
        last.id,
      ]);
      await cell.root.run(`SET SESSION sql_mode = '${PLATFORM_SQL_MODE}'`);
      const zero = await call('PATCH', `/turned/${last.id}`, { word: 'z' });
      expect([zero.status, zero.json]).toEqual([200, (await call('GET', `/turned/${last.id}`)).json]);
      const deletedResponse = await call('DELETE', `/turned?id__gte=${many.json[0].id}`, undefined, {
        prefer: 'return=representation',
      });
      expect(
        (deletedResponse.json as { id: number; word: string | null }[]).map(({ id, word }) => [id, word]),
      ).toEqual([
        [many.json[0].id, 'A'],
        [many.json[1].id, null],
        [last.id, 'z'],
      ]);
    });

    it('tables whose names differ only in case or in hyphens are separate', async () => {
      const hrefs = ((await call('GET', '/')).json.tables as { name: string; href: string }[]).filter(
        ({ name }) => ['a_b', 'a-b', 'Twin', 'twin'].includes(name),
      );
      expect(new Set(hrefs.map(({ href }) => href)).size).toBe(4);
      for (const { name, href } of hrefs) await created(href, { note: name });
      for (const { name, href } of hrefs)
        expect((await call('GET', href)).json, href).toEqual([{ id: 1, note: name }]);
    });
  },
);

import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE groups_of (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL, secret varchar(20) NULL)',
  `CREATE TABLE odd (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, group_id int NULL, f float NULL, g double NULL, d decimal(20,5) NULL, t timestamp(3) NULL, b varbinary(8) NULL, j json NULL, e enum('a','b') NULL,
    p point NULL, bits bit(9) NULL, y year NULL, tm time(2) NULL, ok tinyint(1) NULL, twice decimal(21,5) GENERATED ALWAYS AS (d * 2) VIRTUAL, CONSTRAINT of_group FOREIGN KEY (group_id) REFERENCES groups_of (id))`,
];
const ROWS = [
  "INSERT INTO groups_of VALUES (1, 'one', 'x'), (2, 'two', NULL)",
  `INSERT INTO odd (group_id, f, g, d, t, b, j, e, p, bits, y, tm, ok) VALUES
    (1, 1.1, 0.1, 1.5, '2026-01-01 00:00:00.5', 'ab', '{"a": [1, 2]}', 'b', ST_GeomFromText('POINT(1 2)'), 5, 2026, '25:00:00.5', 2),
    (1, -0.0, 1e300, 0, '2026-01-01 00:00:00', '', '1', 'a', NULL, 0, 1999, '-01:00:00', 0),
    (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'record versions in lists on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, rows: ROWS, settings: { hidden_columns: { groups_of: ['secret'] } } },
      other: null,
    });
    const { call } = stage;

    const tagsOf = async (table: string, ids: readonly number[]): Promise<unknown[]> =>
      Promise.all(ids.map(async (id) => (await call('GET', `/${table}/${id}`)).headers.get('etag')));

    it('a record has the same version in every kind of list and in a single read', async () => {
      const tags = await tagsOf('odd', [1, 2, 3]);
      for (const query of [
        '_select=*,_etag',
        '_select=id,_etag',
        '_select=_etag&sort=group.name',
        '_select=j,_etag&_cursor=&sort=g',
        '_select=p,bits,_etag&include=group',
        'include=group&_select=ok,_etag&sort=-group.name,id',
      ]) {
        const found = (await call('GET', `/odd?${query}`)).json.map((row: { _etag: string }) => row._etag);
        expect([query, new Set(found)]).toEqual([query, new Set(tags)]);
      }
      expect((await call('POST', '/_search/odd', { _select: ['_etag'], id: 1 })).json).toEqual([
        { _etag: tags[0] },
      ]);
    });

    it('streamed lists contain record versions', async () => {
      const tags = await tagsOf('odd', [1, 2, 3]);
      for (const sort of ['id', 'f', 'group.name,id']) {
        const lines = (
          await call('GET', `/odd?_select=id,_etag&sort=${sort}`, undefined, {
            accept: 'application/x-ndjson',
          })
        ).text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        expect([sort, new Map(lines.map((row) => [row.id, row._etag]))]).toEqual([
          sort,
          new Map(tags.map((tag, index) => [index + 1, tag])),
        ]);
      }
      const csv = await call('GET', '/odd?_select=_etag&id=2', undefined, { accept: 'text/csv' });
      expect(csv.text).toBe(`_etag\r\n"${String(tags[1]).replaceAll('"', '""')}"\r\n`);
    });

    it('versions of included records cover hidden columns', async () => {
      const [item, two] = await tagsOf('groups-of', [1, 2]);
      const posts = await call(
        'GET',
        '/odd?_select=id,_etag&include=group&include[group][_select]=name,_etag&sort=id',
      );
      expect(posts.json.map((row: { group: unknown }) => row.group)).toEqual([
        { name: 'one', _etag: item },
        { name: 'one', _etag: item },
        { name: 'two', _etag: two },
      ]);
      const odd = await tagsOf('odd', [1, 2, 3]);
      const groups = await call(
        'GET',
        '/groups-of?_select=_etag&include=odd&include[odd][_select]=_etag&include[odd][sort]=id',
      );
      expect(groups.json).toEqual([
        { _etag: item, odd: [{ _etag: odd[0] }, { _etag: odd[1] }] },
        { _etag: two, odd: [{ _etag: odd[2] }] },
      ]);
      await stage.cell.root.run(`UPDATE ${stage.tenant.schemaName}.groups_of SET secret = 'y' WHERE id = 2`);
      expect((await call('GET', '/groups-of?_select=_etag&id=2')).json).not.toEqual([{ _etag: two }]);
    });

    it('a record version from a list is valid for a write', async () => {
      const [row] = (await call('GET', '/odd?_select=id,_etag&id=3')).json;
      const written = await call('PATCH', '/odd/3', { d: '2.5' }, { 'if-match': row._etag });
      expect(written.status).toBe(200);
      expect((await call('PATCH', '/odd/3', { d: '3.5' }, { 'if-match': row._etag })).status).toBe(412);
      expect((await call('GET', '/odd?_select=_etag&id=3')).json).toEqual([
        { _etag: written.headers.get('etag') },
      ]);
    });
  },
);

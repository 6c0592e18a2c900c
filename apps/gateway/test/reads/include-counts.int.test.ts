import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE shops (code varchar(10) NOT NULL PRIMARY KEY, name varchar(20) NOT NULL)',
  'CREATE TABLE people (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL, boss_id int NULL, shop_code varchar(10) NULL, FOREIGN KEY (boss_id) REFERENCES people (id), FOREIGN KEY (shop_code) REFERENCES shops (code))',
  'CREATE TABLE orders (shop varchar(10) NOT NULL, number int NOT NULL, placed date NOT NULL, PRIMARY KEY (shop, number))',
  'CREATE TABLE order_lines (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, shop varchar(10) NOT NULL, number int NOT NULL, pieces int NOT NULL, CONSTRAINT of_order FOREIGN KEY (shop, number) REFERENCES orders (shop, number))',
  'CREATE TABLE labels (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, text varchar(20) NOT NULL)',
  'CREATE TABLE people_labels (person_id int NOT NULL, label_id int NOT NULL, PRIMARY KEY (person_id, label_id), FOREIGN KEY (person_id) REFERENCES people (id), FOREIGN KEY (label_id) REFERENCES labels (id))',
];
const ROWS = [
  "INSERT INTO shops VALUES ('Ams', 'one'), ('ber', 'two')",
  "INSERT INTO people (name, boss_id, shop_code) VALUES ('ann', NULL, 'AMS'), ('bob', 1, 'ams'), ('cid', 1, NULL)",
  "INSERT INTO orders VALUES ('x', 1, '2026-01-01'), ('x', 2, '2026-01-02')",
  "INSERT INTO order_lines (shop, number, pieces) VALUES ('x', 1, 5), ('x', 1, 7), ('X', 1, 9)",
  "INSERT INTO labels (text) VALUES ('a'), ('b')",
  'INSERT INTO people_labels VALUES (1, 1), (1, 2), (2, 1)',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'counts of related records on %s',
  (_name, engine) => {
    const stage = stageCell(engine, { tenant: { ddl: DDL, rows: ROWS }, other: null });
    const { call } = stage;

    it('counts of related records are correct for keys of every kind', async () => {
      expect((await call('GET', '/people?_select=id&include=team:count:people')).json).toEqual([
        { id: 1, team: 2 },
        { id: 2, team: 0 },
        { id: 3, team: 0 },
      ]);
      expect((await call('GET', '/orders?_select=number&include=count:order_lines')).json).toEqual([
        { number: 1, count_order_lines: 3 },
        { number: 2, count_order_lines: 0 },
      ]);
      expect((await call('GET', '/shops?_select=code&include=count:people')).json).toEqual([
        { code: 'Ams', count_people: 2 },
        { code: 'ber', count_people: 0 },
      ]);
      expect((await call('GET', '/people?_select=id&include=count:labels')).json).toEqual([
        { id: 1, count_labels: 2 },
        { id: 2, count_labels: 1 },
        { id: 3, count_labels: 0 },
      ]);
    });

    it('counts of related records respect their filters', async () => {
      expect(
        (
          await call(
            'GET',
            '/orders?_select=number&include=big:count:order_lines&include[big][pieces__gte]=7',
          )
        ).json,
      ).toEqual([
        { number: 1, big: 2 },
        { number: 2, big: 0 },
      ]);
      expect(
        (
          await call(
            'GET',
            '/people?_select=id&include=n:count:labels&include[n][where]=text%20%3D%20%27b%27&limit=1',
          )
        ).json,
      ).toEqual([{ id: 1, n: 1 }]);
      expect(
        (
          await call('POST', '/_search/people', {
            _select: ['id'],
            include: ['n:count:labels'],
            'include[n][text]': 'a',
            limit: 2,
          })
        ).json,
      ).toEqual([
        { id: 1, n: 1 },
        { id: 2, n: 1 },
      ]);
    });

    it('counts of related records are returned by every kind of read', async () => {
      const response = await call(
        'GET',
        '/people/2?_select=name&include=boss,count:boss.labels,labels,count:labels&include[boss][_select]=name',
      );
      expect(response.json).toEqual({
        name: 'bob',
        boss: { name: 'ann', count_labels: 2 },
        labels: [{ id: 1, text: 'a' }],
        count_labels: 1,
      });
      const page = await call('GET', '/people?_select=id&include=count:labels&_cursor=&sort=-name&limit=2');
      expect(page.json).toEqual([
        { id: 3, count_labels: 0 },
        { id: 2, count_labels: 1 },
      ]);
      expect(
        (
          await call(
            'GET',
            `/people?_select=id&include=count:labels&sort=-name&limit=2&_cursor=${String(page.headers.get('x-next-cursor'))}`,
          )
        ).json,
      ).toEqual([{ id: 1, count_labels: 2 }]);
      const batch = await call(
        'POST',
        '/_batch',
        {
          operations: [
            { method: 'POST', path: '/labels', body: { text: 'c' } },
            { method: 'POST', path: '/people-labels', body: { person_id: 3, label_id: { $ref: '0.id' } } },
            { method: 'GET', path: '/people/3?_select=id&include=count:labels' },
          ],
        },
        { prefer: 'tx=rollback' },
      );
      expect(batch.json[2].body).toEqual({ id: 3, count_labels: 1 });
    });

    it('a changed count changes the ETag of a record', async () => {
      const before = await call('GET', '/people/3?include=count:labels');
      const again = { 'if-none-match': String(before.headers.get('etag')) };
      expect((await call('GET', '/people/3?include=count:labels', undefined, again)).status).toBe(304);
      expect((await call('POST', '/people-labels', { person_id: 3, label_id: 1 })).status).toBe(201);
      expect((await call('GET', '/people/3?include=count:labels', undefined, again)).json).toMatchObject({
        id: 3,
        count_labels: 1,
      });
      expect((await call('DELETE', '/people-labels/3,1')).status).toBe(204);
    });
  },
);

import { listEnginesOnce } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { callGateway } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const DDL = [
  `CREATE TABLE parcels (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, uuid char(36) NOT NULL, size enum('s','m','l') NULL, weight decimal(8,3) NULL, note varchar(20) NULL, sent datetime(3) NULL, flags set('a','b','c') NULL,
    bits bit(12) NULL, date_created timestamp NOT NULL DEFAULT '2026-03-01 00:00:00', UNIQUE KEY by_uuid (uuid))`,
  'CREATE TABLE stops (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, parcel_id int NOT NULL, town varchar(20) NOT NULL, CONSTRAINT of_parcel FOREIGN KEY (parcel_id) REFERENCES parcels (id))',
];
const ROWS = [
  `INSERT INTO parcels (uuid, size, weight, note, sent, flags, bits, date_created) VALUES
    ('11111111-1111-4111-8111-111111111111', 'm', 1.5, 'b', '2026-01-01 00:00:00.001', 'a,c', 5, '2026-01-01 00:00:00'), ('22222222-2222-4222-8222-222222222222', 's', 1.499, NULL, '2026-01-01 00:00:00', 'a', 4095, '2026-02-01 12:00:00'),
    ('33333333-3333-4333-8333-333333333333', NULL, NULL, 'B', NULL, NULL, NULL, '2026-02-02 00:00:00'), ('44444444-4444-4444-8444-444444444444', 'l', -3, '', '2025-01-01 00:00:00', 'c', 0, '2026-02-01 12:00:01'),
    ('55555555-5555-4555-8555-555555555555', 'm', 1.5, 'a', '2026-01-01 00:00:00.001', '', 5, '2026-02-28 00:00:00')`,
  "INSERT INTO stops (parcel_id, town) VALUES (1, 'Bern'), (1, 'Basel'), (4, 'Bern')",
];

describe.each(listEnginesOnce().map((engine) => [engine.engine, engine] as const))(
  'reads on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, rows: ROWS, settings: { unknown_fields: 'ignore' } },
      other: null,
    });
    const { call } = stage;

    const ids = async (path: string): Promise<unknown> => {
      const response = await call('GET', path);
      return response.status === 200 ? response.json.map((row: { id: number }) => row.id) : response.text;
    };

    it.each([
      'id',
      '-id',
      'size',
      '-size,note',
      'weight',
      '-weight',
      'note,-weight',
      'sent',
      '-sent,id',
      'flags',
      '-flags',
      'bits',
      '-bits,size',
      'uuid',
      'date_created,-note',
    ])('a cursor sorted by %s visits every record forward and back', async (sort) => {
      const whole = (await ids(`/parcels?_select=id&sort=${sort}`)) as number[];
      for (const limit of [1, 2, 3]) {
        const forth: number[] = [];
        let response = await call('GET', `/parcels?_select=id&sort=${sort}&limit=${limit}&_cursor=`);
        for (;;) {
          forth.push(...response.json.map((row: { id: number }) => row.id));
          const cursor = response.headers.get('x-next-cursor');
          if (cursor === null) break;
          response = await call('GET', `/parcels?_select=id&sort=${sort}&limit=${limit}&_cursor=${cursor}`);
          expect(response.status).toBe(200);
        }
        expect([sort, limit, forth]).toEqual([sort, limit, whole]);
        const back: number[][] = [response.json.map((row: { id: number }) => row.id)];
        for (;;) {
          const address = /<([^>]+)>; rel="prev"/.exec(String(response.headers.get('link')))?.[1];
          if (address === undefined) break;
          response = await callGateway(stage.gateway.url, 'GET', address, { key: stage.tenant.key });
          back.unshift(response.json.map((row: { id: number }) => row.id));
        }
        expect([sort, limit, back.flat()]).toEqual([sort, limit, whole]);
      }
    });

    it('created_after always compares the same column, even after a column created_at is added', async () => {
      expect(await ids('/parcels?_select=id&created_after=2026-02-01&sort=id')).toEqual([2, 3, 4, 5]);
      expect(await ids('/parcels?_select=id&created_after=2026-02-01T12:00:00Z&sort=id')).toEqual([3, 4, 5]);
      expect(await ids('/parcels?_select=id&created_after=2026-02-01T14:00:00%2B02:00&sort=id')).toEqual([
        3, 4, 5,
      ]);
      await stage.cell.deploy(stage.tenant, [
        "ALTER TABLE parcels ADD COLUMN created_at datetime NOT NULL DEFAULT '2000-01-01 00:00:00'",
      ]);
      await expect.poll(async () => (await call('GET', '/parcels?limit=1')).text).toContain('created_at');
      expect(await ids('/parcels?_select=id&created_after=2026-02-01T12:00:00Z&sort=id')).toEqual([3, 4, 5]);
    });

    it('a record is addressed by its number, its uuid and the unescaped name of its table', async () => {
      for (const path of [
        '/parcels/2',
        '/parcels/22222222-2222-4222-8222-222222222222',
        '/_tables/parcels/2',
      ])
        expect([path, (await call('GET', `${path}?_select=id`)).json]).toEqual([path, { id: 2 }]);
      const created = await call('POST', '/parcels', { note: 'new', colour: 'red' });
      expect([created.status, created.json.uuid]).toEqual([
        201,
        expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ]);
      expect(
        (await call('PATCH', `/parcels/${created.json.uuid}`, { note: 'x', colour: 'red' })).json,
      ).toMatchObject({ id: created.json.id, note: 'x' });
      expect((await call('DELETE', `/parcels/${created.json.uuid}`)).status).toBe(204);
      expect((await call('GET', `/parcels/${created.json.uuid}`)).status).toBe(404);
    });

    it('relationship names are accepted in singular and plural', async () => {
      for (const name of ['stops', 'stop']) {
        expect([
          name,
          (await call('GET', `/parcels/1?_select=id&include=${name}&include[${name}][_select]=town`)).json,
        ]).toEqual([name, { id: 1, stops: [{ town: 'Bern' }, { town: 'Basel' }] }]);
        expect([name, await ids(`/parcels?_select=id&${name}.town=Bern`)]).toEqual([name, [1, 4]]);
        expect([name, await ids(`/parcels?_select=id&${name}__exists=true&sort=id`)]).toEqual([name, [1, 4]]);
      }
      for (const name of ['parcel', 'parcels']) {
        expect([name, await ids(`/stops?_select=id&sort=-${name}.weight,id`)]).toEqual([name, [1, 2, 3]]);
        expect([name, (await call('GET', `/stops?_aggregate=count&_group=size:${name}.size`)).json]).toEqual([
          name,
          [
            { size: 'm', count: 2 },
            { size: 'l', count: 1 },
          ],
        ]);
      }
    });

    it('the `where` parameter accepts SQL-like and PostgREST-like conditions', async () => {
      const where = (text: string): Promise<unknown> =>
        ids(`/parcels?_select=id&sort=id&where=${encodeURIComponent(text)}`);
      expect(await where("weight >= 1.5 AND (size = 'm' OR note IS NULL)")).toEqual([1, 5]);
      expect(await where("size IN ('s', 'l') OR note LIKE 'a%'")).toEqual([2, 4, 5]);
      expect(await where('weight.gte.1.5')).toEqual([1, 5]);
      expect(await where("stops.town = 'Bern' AND NOT id = 1")).toEqual([4]);
      expect(await where('date_created < NOW() AND weight BETWEEN -5 AND 0')).toEqual([4]);
    });

    it('a search binds at most sixty thousand filter values', async () => {
      const lists = (count: number): object => ({
        _select: ['id'],
        _filter: {
          and: Array.from({ length: count }, () => ({
            id__in: Array.from({ length: 1000 }, (_, index) => index),
          })),
        },
      });
      const many = await call('POST', '/_search/parcels', lists(58));
      expect([many.status, many.json.length]).toEqual([200, 5]);
      expect((await call('POST', '/_search/parcels', lists(59))).json.detail[0]).toMatchObject({
        loc: ['body'],
        type: 'too_many',
      });
    });
  },
);

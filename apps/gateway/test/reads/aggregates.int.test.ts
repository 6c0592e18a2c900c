import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();

const DDL = [
  'CREATE TABLE shops (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, city varchar(50) NOT NULL, secret_code varchar(20) NULL)',
  `CREATE TABLE sales (id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, shop_id int NULL, status enum('open','paid','void') NOT NULL, amount decimal(12,2) NULL, big bigint unsigned NULL,
    ratio double NULL, small float NULL, bits bit(6) NULL, done tinyint(1) NULL, note varchar(50) NULL, day date NULL, at datetime(3) NULL, stamp timestamp NULL, span time NULL, y year NULL, raw varbinary(8) NULL,
    marks set('a','b') NULL, A_a int NULL, CONSTRAINT shop FOREIGN KEY (shop_id) REFERENCES shops (id))`,
  "CREATE VIEW paid AS SELECT id, amount, day FROM sales WHERE status = 'paid'",
];
const ROWS = [
  "INSERT INTO shops VALUES (1, 'Bern', 'x'), (2, 'Basel', 'y'), (3, 'bern', 'z')",
  `INSERT INTO sales (shop_id, status, amount, big, ratio, small, bits, done, note, day, at, stamp, span, y, raw, marks) VALUES
    (1, 'paid', 10.50, 18446744073709551615, 0.5, 1.1, 5, 1, 'Ann', '2026-01-31', '2026-01-31 23:59:59.999', '2026-01-31 23:59:59', '25:00:00', 2026, 'a', 'a'),
    (1, 'paid', 20.25, 1, 1.5, 2.2, 7, 2, 'ann', '2026-02-01', '2026-02-01 00:00:00.000', '2026-02-01 00:00:00', '-01:00:00', 2027, 'a', 'b'),
    (2, 'open', 0.01, 9007199254740993, NULL, NULL, 0, 0, 'Bob', '2026-02-28', '2026-02-28 12:00:00.500', '2026-02-28 12:00:00', NULL, 2026, 'b', 'a,b'),
    (3, 'void', NULL, NULL, 2.25, 1.1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    (NULL, 'open', 99999999.99, 0, -1, 0, 1, 0, 'Bob', '2027-01-01', '2027-01-01 10:30:00.000', '2027-01-01 10:30:00', '00:00:00', 2026, 'b', '')`,
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'aggregates on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, rows: ROWS, settings: { hidden_columns: { shops: ['secret_code'] } } },
      other: null,
    });

    const get = (
      query: string,
      options: { key?: string; table?: string; headers?: Record<string, string> } = {},
    ): Promise<TestResponse> =>
      callGateway(stage.gateway.url, 'GET', `/v1/-/${options.table ?? 'sales'}?${query}`, {
        key: options.key ?? stage.tenant.key,
        headers: options.headers ?? {},
      });
    const rows = async (query: string, table?: string): Promise<unknown> => {
      const response = await get(query, table === undefined ? {} : { table });
      return response.status === 200 ? response.json : response.text;
    };
    const having = (value: unknown): string => `_having=${encodeURIComponent(JSON.stringify(value))}`;

    it('aggregates are computed exactly over all records', async () => {
      const query =
        '_aggregate=count,count:amount,count_distinct:note,sum:amount,avg:amount,min:amount,max:amount,sum:big,max:big,sum:ratio,avg:ratio,min:small,sum:bits,max:bits,sum:done,count_distinct:done';
      expect((await get(query)).text).toBe(
        '[{"count":5,"count_amount":4,"count_distinct_note":2,"sum_amount":100000030.75,"avg_amount":25000007.687500,"min_amount":0.01,"max_amount":99999999.99,' +
          '"sum_big":18455751272964292609,"max_big":18446744073709551615,"sum_ratio":3.25,"avg_ratio":0.8125,"min_small":0,"sum_bits":13,"max_bits":7,"sum_done":2,"count_distinct_done":2}]',
      );
      expect((await get('_aggregate=sum:big', { headers: { prefer: 'numbers=string' } })).text).toBe(
        '[{"sum_big":"18455751272964292609"}]',
      );
    });

    it('min and max have the type of their column', async () => {
      expect(
        (await get('_aggregate=min:note,max:day,max:at,min:stamp,max:span,min:span,max:y&status__ne=void'))
          .text,
      ).toBe(
        '[{"min_note":"Ann","max_day":"2027-01-01","max_at":"2027-01-01T10:30:00.000","min_stamp":"2026-01-31T23:59:59Z","max_span":"25:00:00","min_span":"-01:00:00","max_y":2027}]',
      );
      expect(await rows('_aggregate=count,sum:amount,avg:ratio,max:note,min:day&status=void')).toEqual([
        { count: 1, sum_amount: null, avg_ratio: 2.25, max_note: null, min_day: null },
      ]);
      expect(await rows('_aggregate=count,sum:amount,max:id&id=0')).toEqual([
        { count: 0, sum_amount: null, max_id: null },
      ]);
      expect(await rows('_aggregate=count&_group=status&id=0')).toEqual([]);
    });

    it('an aggregate groups records by columns of every type', async () => {
      expect(await rows('_group=status&_aggregate=count,total:sum:amount')).toEqual([
        { status: 'open', count: 2, total: 100000000 },
        { status: 'paid', count: 2, total: 30.75 },
        { status: 'void', count: 1, total: null },
      ]);
      expect(await rows('_group=done&_aggregate=count')).toEqual([
        { done: null, count: 1 },
        { done: false, count: 2 },
        { done: true, count: 2 },
      ]);
      expect(await rows('_group=note&_aggregate=count&note__isnull=false')).toMatchObject([
        { count: 2 },
        { note: 'Bob', count: 2 },
      ]);
      expect(await rows('_group=bits&_aggregate=count&bits__gte=5')).toEqual([
        { bits: 5, count: 1 },
        { bits: 7, count: 1 },
      ]);
      expect(await rows('_group=marks&_aggregate=count&marks__isnull=false&sort=count,marks')).toEqual([
        { marks: [], count: 1 },
        { marks: ['a'], count: 1 },
        { marks: ['b'], count: 1 },
        { marks: ['a', 'b'], count: 1 },
      ]);
      expect(await rows('_group=raw&_aggregate=count&sort=-count&raw__isnull=false')).toEqual(
        expect.arrayContaining([
          { raw: 'YQ==', count: 2 },
          { raw: 'Yg==', count: 2 },
        ]),
      );
      expect(await rows('_group=span&_aggregate=count&span__isnull=false')).toEqual([
        { span: '-01:00:00', count: 1 },
        { span: '00:00:00', count: 1 },
        { span: '25:00:00', count: 1 },
      ]);
      expect(
        await rows(
          '_group=small,big,ratio,y,stamp,at,day,amount,id&_aggregate=count&limit=1'.replace(',id', ''),
        ),
      ).toEqual([expect.objectContaining({ count: 1, small: null })]);
    });

    it('an aggregate groups records by calendar periods', async () => {
      const query =
        '_group=at:year,q:at:quarter,at:month,at:week,day:day,at:hour&_aggregate=count&at__isnull=false';
      expect(await rows(query)).toEqual([
        {
          at_year: 2026,
          q: '2026-Q1',
          at_month: '2026-01',
          at_week: '2026-W05',
          day_day: '2026-01-31',
          at_hour: '2026-01-31T23:00:00',
          count: 1,
        },
        {
          at_year: 2026,
          q: '2026-Q1',
          at_month: '2026-02',
          at_week: '2026-W05',
          day_day: '2026-02-01',
          at_hour: '2026-02-01T00:00:00',
          count: 1,
        },
        {
          at_year: 2026,
          q: '2026-Q1',
          at_month: '2026-02',
          at_week: '2026-W09',
          day_day: '2026-02-28',
          at_hour: '2026-02-28T12:00:00',
          count: 1,
        },
        {
          at_year: 2027,
          q: '2027-Q1',
          at_month: '2027-01',
          at_week: '2026-W53',
          day_day: '2027-01-01',
          at_hour: '2027-01-01T10:00:00',
          count: 1,
        },
      ]);
      expect(
        await rows(
          `_group=day:month&_aggregate=count&${having({ day_month__gte: '2026-02', count__gt: 1 })}`,
        ),
      ).toEqual([{ day_month: '2026-02', count: 2 }]);
      expect(await rows('_group=day:month&_aggregate=sum:amount', 'paid')).toEqual([
        { day_month: '2026-01', sum_amount: 10.5 },
        { day_month: '2026-02', sum_amount: 20.25 },
      ]);
    });

    it('a group by a related column includes records without a related one', async () => {
      expect(await rows('_group=shop.city&_aggregate=count,max:shop.id')).toEqual([
        { shop_city: null, count: 1, max_shop_id: null },
        { shop_city: 'Basel', count: 1, max_shop_id: 2 },
        { shop_city: expect.stringMatching(/^bern$/i), count: 3, max_shop_id: 3 },
      ]);
      expect(await rows('_group=shop_id&_aggregate=count&shop.city=bern')).toEqual([
        { shop_id: 1, count: 2 },
        { shop_id: 3, count: 1 },
      ]);
      const tree = encodeURIComponent(JSON.stringify({ or: [{ 'shop.city': 'Basel' }, { status: 'void' }] }));
      expect(await rows(`_aggregate=count&_filter=${tree}`)).toEqual([{ count: 2 }]);
      expect(await rows('_aggregate=n:count&_group=city&sales__exists=true', 'shops')).toEqual([
        { city: 'Basel', n: 1 },
        { city: expect.stringMatching(/^bern$/i), n: 2 },
      ]);
    });

    it('aggregate groups are filtered exactly by nested conditions over their members', async () => {
      const on = (value: unknown): Promise<unknown> =>
        rows(
          `_group=shop_id&_aggregate=count,top:max:big,sum:amount,first:min:at,avg:ratio&${having(value)}`,
        ).then((found) =>
          Array.isArray(found) ? found.map((row: { shop_id: number }) => row.shop_id) : found,
        );
      expect(await on({ count__gte: 2 })).toEqual([1]);
      expect(await rows(`_group=shop_id&_aggregate=top:max:big&_having={"top":9007199254740993}`)).toEqual([
        { shop_id: 2, top: expect.anything() },
      ]);
      expect(await rows(`_group=shop_id&_aggregate=top:max:big&_having={"top":9007199254740992}`)).toEqual(
        [],
      );
      expect(await on({ sum_amount: '30.75' })).toEqual([1]);
      expect(await on({ sum_amount__isnull: true })).toEqual([3]);
      expect(await on({ sum_amount: null })).toEqual([3]);
      expect(await on({ first__lt: '2026-02-01T00:00:00Z' })).toEqual([1]);
      expect(await on({ first__year: 2027 })).toEqual([null]);
      expect(await on({ avg_ratio__between: [0.5, 1] })).toEqual([1]);
      expect(await on({ or: [{ shop_id: 2 }, { not: { count: 1 } }] })).toEqual([1, 2]);
      expect(await on({ shop_id__in: [2, 3], count__in: [1, 5] })).toEqual([2, 3]);
      expect(
        await rows(`_group=status,note&_aggregate=count&_having={"status":"open","note__startswith":"B"}`),
      ).toEqual([{ status: 'open', note: 'Bob', count: 2 }]);
      expect(await rows(`_group=done&_aggregate=count&_having={"done":true}`)).toEqual([
        { done: true, count: 2 },
      ]);
    });

    it('aggregate groups are sorted by their members and paged', async () => {
      const pages: unknown[] = [];
      for (const page of [1, 2, 3, 4]) {
        const response = await get(
          `_group=shop_id&_aggregate=count&sort=-count&page=${page}&limit=1&_count=exact`,
        );
        pages.push(...response.json);
        expect([response.headers.get('x-has-more'), response.headers.get('x-total-count')]).toEqual([
          String(page < 4),
          '4',
        ]);
      }
      expect(pages).toEqual([
        { shop_id: 1, count: 2 },
        { shop_id: null, count: 1 },
        { shop_id: 2, count: 1 },
        { shop_id: 3, count: 1 },
      ]);
      expect(
        (
          await get(`_group=A_a,a_a:shop_id&_aggregate=count&_count=exact&${having({ count: 1 })}`)
        ).headers.get('x-total-count'),
      ).toBe('3');
      expect(
        (await get('_group=day:month,shop.city&_aggregate=count&_count=estimated&limit=0')).headers.get(
          'x-total-count',
        ),
      ).toBe('5');
      const next =
        /<([^>]+)>; rel="next"/.exec(
          String((await get('_group=shop_id&_aggregate=count&limit=2')).headers.get('link')),
        )?.[1] ?? '';
      expect((await callGateway(stage.gateway.url, 'GET', next, { key: stage.tenant.key })).json).toEqual([
        { shop_id: 2, count: 1 },
        { shop_id: 3, count: 1 },
      ]);
    });

    it('an aggregate requires the right to read every table of its path', async () => {
      const { secret } = await stage.cell.addKey(stage.tenant, {
        tables: { sales: ['read'], shops: ['write'] },
      });
      expect((await get('_aggregate=count', { key: secret })).status).toBe(200);
      for (const query of [
        '_aggregate=count&_group=shop.city',
        '_aggregate=max:shop.id',
        '_aggregate=count&shop.city=Bern',
      ]) {
        expect([query, (await get(query, { key: secret })).json.code]).toEqual([query, 'auth.scope']);
      }
      const { secret: narrow } = await stage.cell.addKey(stage.tenant, {
        tables: { sales: ['read', 'write'], paid: ['read'] },
      });
      expect((await get('_aggregate=count&_group=shop.city', { key: narrow })).json.code).toBe(
        'params.invalid',
      );
      for (const query of [
        '_group=secret_code&_aggregate=count',
        '_aggregate=max:secret_code',
        '_aggregate=count&sort=secret_code',
      ]) {
        const response = await get(query, { table: 'shops' });
        expect([query, response.status]).toEqual([query, 422]);
      }
      const other = await stage.cell.addTenant({ ddl: ['CREATE TABLE sales (id int PRIMARY KEY)'] });
      expect((await get('_aggregate=count', { key: other.key })).json).toEqual([{ count: 0 }]);
    });
  },
);

import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { FIND_BY_ADDRESS, FIND_BY_TREE, type FindIds } from '../support/find-on-surfaces.js';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const DDL = [
  `CREATE TABLE items (id INT PRIMARY KEY, name VARCHAR(50) NULL, title VARCHAR(50) NULL, code VARCHAR(50) COLLATE utf8mb4_bin NULL, kind ENUM('a','b') NULL, other ENUM('b','a') NULL, price DECIMAL(10,2) NULL, big BIGINT UNSIGNED NULL,
    bits BIT(9) NULL, ratio DOUBLE NULL, flag TINYINT(1) NULL, used TINYINT(1) NULL, day DATE NULL, created_at DATETIME(3) NULL, updated_at TIMESTAMP NULL, data JSON NULL, secret JSON NULL)`,
  'CREATE TABLE parts (id INT PRIMARY KEY, item_id INT NULL, made DATETIME NULL, sold DATETIME NULL, data JSON NULL, CONSTRAINT part_item FOREIGN KEY (item_id) REFERENCES items (id) ON DELETE CASCADE)',
  'CREATE TABLE sorts (id INT AUTO_INCREMENT PRIMARY KEY, data JSON NULL)',
  'CREATE TABLE moments (id INT PRIMARY KEY, at DATETIME NULL, day DATE NULL, data JSON NULL)',
  'CREATE TABLE vault (id INT PRIMARY KEY, data JSON NULL)',
];
/** The numbers in ascending order. MySQL stores integers of up to 64 bits exactly. */
const ORDERED = [
  '-9007199254740993',
  '-9007199254740992',
  '-1.5',
  '0',
  '0.25',
  '1.5',
  '2',
  '10',
  '9007199254740992',
  '9007199254740993',
  '9999999999999999999',
  '10000000000000000000',
  '10000000000000000001',
  '"10"',
  '"B"',
  '"a"',
  '"b"',
  'false',
  'true',
];
const SHUFFLED = [...ORDERED].sort((a, b) =>
  a.split('').reverse().join('').localeCompare(b.split('').reverse().join('')),
);
const ROWS = [
  `INSERT INTO items VALUES
    (1, 'Ada', 'ada', 'Ada', 'a', 'a', 2.50, 2, 2, 0.5, 1, 2, '2026-01-01', '2026-01-01 00:00:00', '2026-01-01 00:00:01', '{"w":1.50,"c":"NL","on":true,"big":9007199254740993,"l":["x",2],"o":{"a":1}}', '{"a":1}'),
    (2, 'Bob', 'Eve', 'bob', 'b', 'a', 2.00, 2, 3, 1.5, 0, 0, '2026-01-02', '2026-01-02 12:00:00.500', '2026-01-02 12:00:00', '{"w":20,"c":"EC","on":false,"n":null}', NULL),
    (3, 'x', 'y', 'x', 'a', 'b', -1.00, 18446744073709551615, 511, NULL, 2, 0, '2026-01-03', '2026-01-02 23:59:59', NULL, '{"w":"heavy","c":"NL"}', NULL),
    (4, NULL, 'z', NULL, NULL, 'b', NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL),
    (5, 'q', 'q', 'q', 'b', 'b', 9.99, 9, 9, 1, 1, 1, '2026-01-05', '2026-01-05 00:00:00', '2026-01-05 00:00:00', '{"w":1.5,"c":null}', '{"a":2}')`,
  "INSERT INTO parts VALUES (1, 1, '2026-01-01', '2026-01-02', '{\"w\":2}'), (2, 1, '2026-01-03', '2026-01-02', '{\"w\":10}'), (3, 2, '2026-01-01', NULL, '{\"w\":1}'), (4, 2, '2026-01-01', '2026-01-01', NULL)",
  `INSERT INTO sorts (data) VALUES ${[...SHUFFLED, '{"x":1}', '[1]', 'null'].map((text) => `('{"v":${text}}')`).join(', ')}, ('{"w":1}'), (NULL)`,
  `INSERT INTO moments SELECT n, UTC_TIMESTAMP() + INTERVAL n DAY, DATE(UTC_TIMESTAMP() + INTERVAL n DAY), NULL FROM (SELECT -40 AS n UNION SELECT -8 UNION SELECT -6 UNION SELECT -1 UNION SELECT 1 UNION SELECT 8) AS days`,
  'INSERT INTO vault VALUES (1, \'{"a":1}\')',
];

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'the grammar of reads on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, rows: ROWS, settings: { hidden_columns: { items: ['secret'] } } },
      other: { ddl: [] },
    });
    const { call } = stage;
    const get = async (path: string, headers: Record<string, string> = {}): Promise<TestResponse> => {
      const response = await call(
        'GET',
        path.replaceAll('+', '%2B').replaceAll(' ', '%20').replaceAll('>', '%3E'),
        undefined,
        headers,
      );
      expect(response.status, `${path} ${response.text.slice(0, 400)}`).toBe(200);
      return response;
    };
    const rows = async (path: string): Promise<string> => (await get(path)).text;
    const values = (text: string): string[] =>
      [...text.matchAll(/"v":([^{}[\]]*|\{[^}]*\}|\[[^\]]*\])\}/g)].map(([, value]) => value ?? '');

    const EXPECTED = ['null', 'null', 'null', ...ORDERED, '{"x":1}', '[1]'].map((text) =>
      text.replaceAll(' ', ''),
    );
    const sortedValues = async (path: string): Promise<string[]> =>
      values(await rows(path)).map((text) => text.replaceAll(' ', ''));

    it('a list sorted by a value inside JSON has a fixed order of types', async () => {
      expect(await sortedValues('/sorts?_select=v:data->v&sort=data->v')).toEqual(EXPECTED);
      expect(await sortedValues('/sorts?_select=v:data->v&sort=data->v:nulls_last')).toEqual([
        ...EXPECTED.slice(3),
        'null',
        'null',
        'null',
      ]);
      expect(await sortedValues('/sorts?_select=v:data->v&sort=-data->v,id')).toEqual([
        '{"x":1}',
        '[1]',
        ...[...ORDERED].reverse(),
        'null',
        'null',
        'null',
      ]);
    });

    it('every way of paging keeps the sort order by values inside JSON', async () => {
      for (const sort of ['data->v', '-data->v', 'data->v:nulls_last', '-data->v:nulls_first']) {
        const whole = (await get(`/sorts?_select=id&sort=${sort}`)).json.map((row: { id: number }) => row.id);
        expect(whole).toHaveLength(24);
        for (const start of ['page=1&', '_cursor=&']) {
          const seen: number[] = [];
          const back: string[] = [];
          let path: string | undefined = `/sorts?_select=id&sort=${encodeURIComponent(sort)}&${start}limit=5`;
          for (let page = 0; page < 10 && path !== undefined; page += 1) {
            const response: TestResponse = await call('GET', path);
            expect(response.status, response.text.slice(0, 300)).toBe(200);
            seen.push(...response.json.map((row: { id: number }) => row.id));
            const links: string = response.headers.get('link') ?? '';
            path = /<\/v1\/-([^>]+)>; rel="next"/.exec(links)?.[1];
            const before = /<\/v1\/-([^>]+)>; rel="prev"/.exec(links)?.[1];
            if (before !== undefined) back.push(before);
          }
          expect(seen, `${sort} ${start}`).toEqual(whole);
          const last = back.at(-1);
          if (last !== undefined)
            expect((await call('GET', last)).json.map((row: { id: number }) => row.id)).toEqual(
              whole.slice(15, 20),
            );
        }
        const { text } = await get(`/sorts?_select=id&sort=${sort}`, { accept: 'text/csv' });
        expect(text.split('\r\n').slice(1, -1).map(Number)).toEqual(whole);
        expect(
          (await call('POST', '/_search/sorts', { _select: ['id'], sort: [sort] })).json.map(
            (row: { id: number }) => row.id,
          ),
        ).toEqual(whole);
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'read_records', arguments: { table: 'sorts', fields: ['id'], sort: [sort] } },
        });
        const httpResponse = await callGateway(stage.gateway.url, 'POST', '/mcp', {
          key: stage.tenant.key,
          body,
          headers: { accept: 'application/json, text/event-stream' },
        });
        expect(
          httpResponse.json.result.structuredContent.records.map((row: { id: number }) => row.id),
        ).toEqual(whole);
      }
    });

    it.each<[string, string]>([
      ['/items?_select=id,label:name,price::string&id=1', '[{"id":1,"label":"Ada","price":"2.50"}]'],
      [
        '/items/1?_select=label:name,c:data->c::string,weight:data->w,data->l.0',
        '{"label":"Ada","c":"NL","weight":1.50,"data_l_0":"x"}',
      ],
      [
        '/items?_select=b:big::string,f:flag::number,d:created_at::date,k:kind::string,g:data->on&id__in=1,3',
        '[{"b":"2","f":1,"d":"2026-01-01","k":"a","g":true},{"b":"18446744073709551615","f":1,"d":"2026-01-02","k":"a","g":null}]',
      ],
      [
        '/items?_select=n:data->w::number,t:data->w::string,y:data->on::boolean&sort=id&limit=4',
        '[{"n":1.50,"t":"1.50","y":true},{"n":20,"t":"20","y":false},{"n":null,"t":"heavy","y":null},{"n":null,"t":null,"y":null}]',
      ],
      [
        '/items?_select=p:price::boolean,r:ratio::string,x:name::number,bits::string&id=2',
        '[{"p":true,"r":"1.5","x":null,"bits":"3"}]',
      ],
      [
        '/parts?_select=id&include=item&include[item][_select]=label:name,c:data->c&id=1',
        '[{"id":1,"item":{"label":"Ada","c":"NL"}}]',
      ],
      [
        '/items?_select=id&include=parts&include[parts][_select]=w:data->w&include[parts][sort]=-data->w&id=1',
        '[{"id":1,"parts":[{"w":10},{"w":2}]}]',
      ],
      [
        '/items?_select=id&include=parts&include[parts][_select]=w:data->w&include[parts][sort]=-data->w&include[parts][limit]=1&sort=id&limit=2',
        '[{"id":1,"parts":[{"w":10}]},{"id":2,"parts":[{"w":1}]}]',
      ],
      ['/parts?_select=id&sort=-item.data->w,id&id__lt=4', '[{"id":3},{"id":1},{"id":2}]'],
    ])('the list request %s returns the expected records', async (path, expected) => {
      // MySQL stores 1.50 as 1.5.
      const plain = (text: string): string => text.replaceAll('1.50', '1.5');
      expect(plain(await rows(path))).toBe(plain(expected));
    });

    it('streams and numbers=string support casts and aliases of selected columns', async () => {
      const path = '/items?_select=n:id,label:name,p:price::string,w:data->w,c:data->c::string&id__in=1,3';
      expect((await get(path, { accept: 'application/x-ndjson' })).text.replaceAll('1.50', '1.5')).toBe(
        '{"n":1,"label":"Ada","p":"2.50","w":1.5,"c":"NL"}\n{"n":3,"label":"x","p":"-1.00","w":"heavy","c":"NL"}\n',
      );
      expect((await get(path, { accept: 'text/csv' })).text.replaceAll('1.50', '1.5')).toBe(
        'n,label,p,w,c\r\n1,Ada,2.50,1.5,NL\r\n3,x,-1.00,"""heavy""",NL\r\n',
      );
      expect(
        (await get('/items?_select=p:price::number,b:data->big&id=1', { prefer: 'numbers=string' })).text,
      ).toBe('[{"p":2.50,"b":"9007199254740993"}]');
      expect(
        (
          await call('POST', '/_batch', {
            operations: [{ method: 'GET', path: '/items/1?_select=label:name,c:data->c' }],
          })
        ).json[0].body,
      ).toEqual({ label: 'Ada', c: 'NL' });
    });

    it.each<[string, string]>([
      [
        '_group=data->c&_aggregate=count',
        '[{"data_c":null,"count":2},{"data_c":"EC","count":1},{"data_c":"NL","count":2}]',
      ],
      ['_group=c:data->c&_aggregate=n:count&sort=-c', '[{"c":"NL","n":2},{"c":"EC","n":1},{"c":null,"n":2}]'],
      [
        '_group=w:data->w&_aggregate=count',
        '[{"w":null,"count":1},{"w":1.5,"count":2},{"w":20,"count":1},{"w":"heavy","count":1}]',
      ],
      [
        '_aggregate=sum:data->w,avg:data->w,min:data->w,max:data->w,count:data->w,count_distinct:data->w',
        '[{"sum_data_w":23,"avg_data_w":7.666666666666666666666666666667,"min_data_w":1.5,"max_data_w":20,"count_data_w":4,"count_distinct_data_w":3}]',
      ],
      ['_aggregate=big:max:data->big', '[{"big":9007199254740993}]'],
      [
        '_group=flag&_aggregate=s:sum:data->w&_having={"s__gt":1}&sort=-s',
        '[{"flag":false,"s":20},{"flag":true,"s":3}]',
      ],
      [
        '_group=data->o&_aggregate=count&id__lt=3',
        '[{"data_o":null,"count":1},{"data_o":{"a":1},"count":1}]',
      ],
      [
        '_aggregate=n:count,lo:min:created_at,hi:max:updated_at&_group=flag&_having={"hi__gt_column":"lo"}',
        '[{"flag":true,"n":3,"lo":"2026-01-01T00:00:00.000","hi":"2026-01-05T00:00:00Z"}]',
      ],
    ])('records are grouped by values inside JSON: %s', async (query, expected) => {
      const answer = await rows(`/items?${query}`);
      expect(answer.replaceAll('1.50', '1.5').replaceAll('{"a": 1}', '{"a":1}')).toBe(expected);
    });

    const COMPARED: readonly [string, number[]][] = [
      ['updated_at__gt_column=created_at', [1]],
      ['updated_at__eq_column=created_at', [5]],
      ['updated_at__ne_column=created_at', [1, 2]],
      ['day__lt_column=created_at', [2]],
      ['day__gte_column=created_at', [1, 3, 5]],
      ['price__gt_column=big', [1, 5]],
      ['price__eq_column=big', [2]],
      ['bits__gt_column=big', [2]],
      ['name__eq_column=title', [1, 5]],
      ['name__lt_column=title', [2, 3]],
      ['flag__eq_column=used', [1, 2, 5]],
      ['flag__ne_column=used', [3]],
      ['kind__eq_column=other', [1, 5]],
      ['kind__ne_column=other', [2, 3]],
      ['where=updated_at > created_at', [1]],
      ['where=NOT (`updated_at` >= created_at)', [2]],
      ['parts.sold__lt_column=made', [1]],
      ['where=parts.sold = parts.made', [2]],
    ];
    it.each(COMPARED)('a filter compares two columns of a record: %s', async (filter, ids) => {
      expect(await FIND_BY_ADDRESS['list']?.(stage, 'items', filter)).toEqual(ids);
    });

    it.each<[string, FindIds]>(Object.entries(FIND_BY_ADDRESS))(
      'a filter parameter compares two columns in: %s',
      async (_surface, findIds) => {
        expect(await findIds(stage, 'items', 'updated_at__ne_column=created_at')).toEqual([1, 2]);
        expect(
          await findIds(stage, 'items', 'where=parts.sold = parts.made OR updated_at > created_at'),
        ).toEqual([1, 2]);
      },
    );

    it.each<[string, FindIds]>(Object.entries(FIND_BY_TREE))(
      'a filter tree compares two columns in: %s',
      async (_surface, findIds) => {
        expect(
          await findIds(
            stage,
            'items',
            '{"or":[{"updated_at__gt_column":"created_at"},{"parts":{"every":{"sold__gt_column":"made"},"count__gt":0}}]}',
          ),
        ).toEqual([1]);
        expect(await findIds(stage, 'items', '{"parts.sold__lt_column":"made"}')).toEqual([1]);
      },
    );

    const RELATIVE: readonly [string, number[]][] = [
      ['at >= NOW() - INTERVAL 7 DAY', [-6, -1, 1, 8]],
      ['at > NOW()', [1, 8]],
      ["at <= NOW() + INTERVAL '2 days'", [-40, -8, -6, -1, 1]],
      ['at BETWEEN NOW() - INTERVAL 9 DAY AND NOW()', [-8, -6, -1]],
      ['day >= CURRENT_DATE() - INTERVAL 1 WEEK AND day < CURRENT_DATE()', [-6, -1]],
      ["day = DATE_TRUNC('day', NOW() + INTERVAL 1 DAY)", [1]],
      ["at < DATE_TRUNC('day', NOW(), 'Europe/Amsterdam') - INTERVAL 1 MONTH", [-40]],
      ['day NOT BETWEEN CURRENT_DATE() - INTERVAL 8 DAY AND NOW()', [-40, 1, 8]],
    ];
    it.each(RELATIVE)(
      'a list filter computes relative dates from the current time: %s',
      async (where, ids) => {
        expect(await FIND_BY_ADDRESS['list']?.(stage, 'moments', `where=${where}`)).toEqual(ids);
      },
    );

    it.each<[string, FindIds]>(Object.entries(FIND_BY_ADDRESS))(
      'the `where` parameter accepts relative dates in: %s',
      async (_surface, findIds) => {
        expect(
          await findIds(stage, 'moments', 'where=at >= NOW() - INTERVAL 7 DAY AND day < CURRENT_DATE()'),
        ).toEqual([-6, -1]);
      },
    );

    it.each<[string, FindIds]>(Object.entries(FIND_BY_TREE))(
      'a filter tree accepts relative dates in: %s',
      async (_surface, findIds) => {
        expect(
          await findIds(
            stage,
            'moments',
            '{"at__gte":{"$expr":"NOW() - INTERVAL 7 DAY"},"day__lt":{"$expr":"CURRENT_DATE()"}}',
          ),
        ).toEqual([-6, -1]);
        expect(
          await findIds(stage, 'moments', `{"day":{"$expr":"DATE_TRUNC('day', NOW() + INTERVAL 1 DAY)"}}`),
        ).toEqual([1]);
      },
    );

    it.each([
      '/items?_select=x:secret',
      '/items?_select=secret->a',
      '/items?sort=secret->a',
      '/items?_group=secret->a&_aggregate=count',
      '/items?_aggregate=sum:secret->a',
      '/items?data__eq_column=secret',
      '/items?secret__eq_column=data',
      '/items?where=data = secret',
      '/items?_filter={"data__eq_column":"secret"}',
      '/parts?sort=item.secret->a',
      '/parts?include=item&include[item][_select]=secret->a',
      '/parts?where=item.data = item.secret',
      '/items?_distinct=secret->a',
    ])('a request that names a hidden column reports an unknown column: %s', async (path) => {
      const [hidden, absent] = await Promise.all(
        [path, path.replaceAll('secret', 'sekret')].map((item) => call('GET', encodeURI(item))),
      );
      expect([hidden?.status, hidden?.text.replaceAll(/"request_id":"[^"]*"/g, '')]).toEqual([
        422,
        absent?.text.replaceAll('sekret', 'secret').replaceAll(/"request_id":"[^"]*"/g, ''),
      ]);
    });

    it.each<[string, string, string]>([
      ['/items?name__gt_column=price', 'not_comparable', 'numbers with numbers'],
      ['/items?name__eq_column=code', 'not_comparable', 'one collation'],
      ['/items?price__eq_column=ratio', 'not_comparable', 'FLOAT with FLOAT'],
      ['/items?flag__gt_column=used', 'not_comparable', 'eq_column'],
      ['/items?data__eq_column=data', 'not_comparable', 'another column'],
      ['/items?price__gt_column=bigg', 'unknown_column', 'big'],
      ['/items?price__gt_column=data->w', 'unknown_column', 'same record'],
      ['/items?where=name = Ada', 'unknown_column', 'quotes'],
      ['/items?where=parts.sold > created_at', 'not_comparable', 'same record'],
      ['/items?_select=name,x:name,x:title', 'repeated', 'Rename one of them'],
      ['/items?_select=name:title,*', 'repeated', 'Rename one of them'],
      ['/parts?_select=item:id&include=item', 'repeated', 'Rename one of them'],
      ['/items?_select=price::text', 'unknown_cast', '::string'],
      ['/items?_select=day::number', 'not_castable', 'string or date'],
      ['/items?_select=name->a', 'not_selectable', ''],
      ['/items?sort=name->a', 'not_sortable', ''],
      ['/items?sort=data', 'not_sortable', 'data->member'],
      ['/items?_group=data&_aggregate=count', 'not_groupable', 'data->member'],
      ['/items?_aggregate=sum:data', 'not_computable', 'data->member'],
      ['/items?where=day > NOW() - INTERVAL 3 FORTNIGHT', 'where_parsing', 'day, week'],
      ["/items?where=day > DATE_TRUNC('day', NOW(), 'Mars/Base')", 'where_parsing', 'Europe/Amsterdam'],
      ['/items?where=name > NOW() - INTERVAL 1 DAY', 'not_comparable', ''],
      ['/items?where=day > NOW() - INTERVAL 9999999 YEAR', 'out_of_range', ''],
      ['/items?_filter={"day__in":{"$expr":"NOW()"}}', 'filter_value', 'day__gte'],
      ['/items?_filter={"day__gt":{"$expr":"NOW() OR 1=1"}}', 'filter_value', 'INTERVAL'],
    ])('the request %s is rejected as %s', async (path, type, hint) => {
      const response = await call('GET', encodeURI(path));
      expect(
        [response.status, response.json.detail?.[0]?.type, response.text.includes(hint)],
        response.text,
      ).toEqual([422, type, true]);
    });

    it('casts, groups and column comparisons reach no table that a narrowed key may not read', async () => {
      const uses = [
        '/parts?sort=item.data->c',
        '/parts?_group=item.data->c&_aggregate=count',
        '/parts?_aggregate=max:item.data->w',
        '/parts?where=item.updated_at > item.created_at',
        '/parts?item.updated_at__gt_column=created_at',
        '/parts?_filter={"item.created_at":{"$expr":"NOW()"}}',
      ];
      const { secret: blind } = await stage.cell.addKey(stage.tenant, { tables: { parts: ['read'] } });
      const { secret: writer } = await stage.cell.addKey(stage.tenant, {
        tables: { parts: ['read'], items: ['write'] },
      });
      for (const codePath of uses) {
        expect([codePath, (await call('GET', encodeURI(codePath))).status]).toEqual([codePath, 200]);
        expect([codePath, (await call('GET', encodeURI(codePath), undefined, {}, blind)).status]).toEqual([
          codePath,
          422,
        ]);
        expect([codePath, (await call('GET', encodeURI(codePath), undefined, {}, writer)).status]).toEqual([
          codePath,
          403,
        ]);
      }
    });

    it('_explain supports casts, groups and column comparisons', async () => {
      for (const query of [
        '_select=label:name,c:data->c::string&sort=-data->c',
        '_group=data->c&_aggregate=sum:data->w',
        'where=updated_at > created_at',
      ]) {
        expect((await get(`/items?${query}&_explain=true`)).json.statements).toHaveLength(1);
      }
    });

    it('a filtered write whose only filter compares a column with itself is rejected', async () => {
      expect((await call('DELETE', '/items?id__eq_column=id')).status).toBe(422);
    });
  },
);

import { getTestServers } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { FIND_BY_ADDRESS, FIND_BY_TREE, type FindIds } from '../support/find-on-surfaces.js';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const DDL = [
  'CREATE TABLE documents (id INT PRIMARY KEY, data JSON NULL)',
  'CREATE TABLE bag (id INT NULL, data JSON NULL)',
  'CREATE TABLE days (id INT PRIMARY KEY, day DATE NOT NULL, at DATETIME NOT NULL, later DATE NULL)',
  'CREATE TABLE kinds (id INT PRIMARY KEY, flag TINYINT(1) NULL, big BIGINT NULL, price DECIMAL(30,10) NULL, ratio DOUBLE NULL, bits BIT(60) NULL, y YEAR NULL, data JSON NULL)',
  'CREATE TABLE moments (id INT PRIMARY KEY, at DATETIME(6) NULL, stamp TIMESTAMP(3) NULL, span TIME(6) NULL, code INT(5) ZEROFILL NULL)',
  'CREATE TABLE instants (at DATETIME(6) PRIMARY KEY, id INT)',
  'CREATE TABLE spans (at TIME(6) PRIMARY KEY, id INT)',
  'CREATE TABLE invoices (id BIGINT PRIMARY KEY, total DECIMAL(40,20) NULL, code VARCHAR(30) NULL)',
  'CREATE TABLE owners (id INT PRIMARY KEY)',
  'CREATE TABLE notes (id INT PRIMARY KEY, owner_id INT NULL, data JSON NULL, FOREIGN KEY (owner_id) REFERENCES owners (id))',
  'CREATE TABLE words (id INT PRIMARY KEY, old VARCHAR(20) CHARACTER SET latin1 NULL, cyrillic VARCHAR(20) CHARACTER SET koi8r NULL)',
];
/** Numbers that are equal as doubles, and other values that are easily confused. */
const VALUES: readonly [number, string][] = [
  [1, '1147386954405658710'],
  [2, '1147386954405658711'],
  [3, '1147386954405658712'],
  [4, '-9007199254740993'],
  [5, '-9007199254740992'],
  [6, '18446744073709551615'],
  [7, '0.1'],
  [8, '0.10000000000000001'],
  [9, '1e2'],
  [10, '1e-20'],
  [11, '1e-21'],
  [12, 'null'],
  [13, '"1147386954405658710"'],
  [14, '0'],
  [15, '{"b":1147386954405658710}'],
  [16, '[1147386954405658711,{"b":1147386954405658710}]'],
];
/** MySQL stores decimals and integers beyond 64 bits as doubles, so only MariaDB preserves these digits. */
const LONG_VALUES: readonly [number, string][] = [
  [21, '123456789012345678901234567890.5'],
  [22, '123456789012345678901234567890.6'],
  [23, '0.12345678901234567891'],
  [24, '0.12345678901234567892'],
  [25, '1.00e30'],
  [26, '1000000000000000000000000000001'],
];
const ROWS = (name: string): string[] => [
  ...['documents', 'bag'].map(
    (table) =>
      `INSERT INTO ${table} VALUES ${[...VALUES, ...(name === 'mariadb' ? LONG_VALUES : [])].map(([id, text]) => `(${id}, '{"a":${text}}')`).join(', ')}, (30, '{"c":1}'), (31, NULL), (32, 'null')`,
  ),
  "SET SESSION sql_mode = ''",
  "INSERT INTO days VALUES (1, '0000-00-00', '0000-00-00 00:00:00', '0000-00-00'), (2, '2026-01-01', '2026-01-01 00:00:00', NULL)",
  `INSERT INTO kinds VALUES (1, 2, 9007199254740993, 1.5, 1.5, 1152921504606846975, 2026, '{"n":1147386954405658710,"m":[1.5,7],"t":"1147386954405658710"}'), (2, -1, 1, 2, 2, 1, 2026, NULL), (3, 1, 1, 2, 2, 1, 2026, NULL), (4, 0, 1, 2, 2, 1, 2026, NULL), (5, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
  "INSERT INTO moments VALUES (1, '2026-01-01 10:00:00.123456', '2026-01-01 10:00:00.123', '-00:00:01.123456', 7), (2, '2026-01-01 10:00:00.123457', '2026-01-01 11:00:00.5', '00:00:01.123456', 70)",
  "INSERT INTO instants VALUES ('2026-01-01 10:00:00.123456', 1)",
  "INSERT INTO spans VALUES ('10:00:00.123456', 1)",
  "INSERT INTO invoices VALUES (9007199254740992, 12345678901234567890.12, '7'), (9007199254740993, 12345678901234567890.13, '007'), (3, 0.1, '1147386954405658710'), (4, 0.10000000000000000001, '1147386954405658711')",
  'INSERT INTO owners VALUES (1), (2)',
  `INSERT INTO notes VALUES ${[10, 11, 12].map((digits, index) => `(${index + 1}, ${index === 2 ? 2 : 1}, '{"a":11473869544056587${digits}}')`).join(', ')}, (4, 1, '{"a":null}')`,
  "INSERT INTO words VALUES (1, 'plain', 'plain')",
];

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'exact values on %s',
  (name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, rows: ROWS(name), settings: { regex_enabled: true } },
      other: { ddl: [] },
    });
    const { call } = stage;
    const find = (query: string, table = 'documents'): Promise<unknown> =>
      FIND_BY_ADDRESS.list?.(stage, table, query) ?? Promise.reject(new Error('no surface'));
    const ids = (values: readonly [number, string][]): number[] => values.map(([id]) => id);
    const all = [...VALUES, ...(name === 'mariadb' ? LONG_VALUES : [])];
    /** The ids of rows whose value in the column `a` is not NULL. */
    const present = ids(all.filter(([, text]) => text !== 'null'));
    const numbers = ids(all.filter(([, text]) => /^[-\d]/.test(text)));

    it.each(Object.entries<FindIds>(FIND_BY_ADDRESS))(
      'the filter for a number inside JSON matches all of its digits (by %s)',
      async (_surface, findIds) => {
        for (const table of ['documents', 'bag']) {
          expect(await findIds(stage, table, 'data->a=1147386954405658711')).toEqual([2]);
          expect(await findIds(stage, table, 'data->a__in=1147386954405658711,1e-20')).toEqual([2, 10]);
          expect(await findIds(stage, table, 'data__json_contains={"a":1147386954405658712}')).toEqual([3]);
          expect(await findIds(stage, table, 'data->a__gt=1147386954405658711&data->a__lt=1e19')).toEqual([
            3,
          ]);
        }
      },
    );

    it.each(Object.entries<FindIds>(FIND_BY_TREE))(
      'a filter tree for a number inside JSON matches all of its digits (by %s)',
      async (_surface, findIds) => {
        expect(await findIds(stage, 'documents', '{"data->a":1147386954405658711}')).toEqual([2]);
        expect(
          await findIds(stage, 'documents', '{"data->a__between":[1147386954405658711,1147386954405658711]}'),
        ).toEqual([2]);
        expect(
          await findIds(stage, 'documents', '{"data__json_contains":{"a":1147386954405658711}}'),
        ).toEqual([2, 16]);
      },
    );

    it.each<[string, number[]]>([
      ['a=-9007199254740993', [4]],
      ['a__lt=-9007199254740992', [4]],
      ['a__lte=-9007199254740992', [4, 5]],
      ['a=18446744073709551615', [6]],
      ['a=18446744073709551614', []],
      ['a=0.1', [7]],
      ['a=0.10', [7]],
      ['a=1e-1', [7]],
      ['a=100', [9]],
      ['a=100.0', [9]],
      ['a=1E2', [9]],
      ['a=0.00000000000000000001', [10]],
      ['a=1e-21', [11]],
      ['a=0', [14]],
      ['a=-0.0', [14]],
      ['a__between=1e-21,1e-20', [10, 11]],
      ['a__gte=1147386954405658711&data->a__lte=1147386954405658711', [2]],
      [
        'a__not_between=-1e300,1147386954405658711',
        name === 'mariadb' ? [3, 6, 13, 15, 16, 21, 22, 25, 26] : [3, 6, 13, 15, 16],
      ],
      ['a__json_contains=1147386954405658711', [2, 16]],
      ['a__json_contains=1147386954405658710', [1]],
      ['a__json_contains={"b":1147386954405658710}', [15, 16]],
      ['a__json_contains=[1147386954405658711]', [16]],
      ['a__json_contains={"b":1147386954405658711}', []],
      ['a__json_contains=0', [14]],
      ['a__json_contains=1e-21', [11]],
      ['a__json_contains=0.00000000000000000001', [10]],
      ...(name === 'mariadb'
        ? ([
            ['a=123456789012345678901234567890.5', [21]],
            ['a__gt=123456789012345678901234567890.5&data->a__lt=1e30', [22]],
            ['a=0.12345678901234567891', [23]],
            ['a__gt=0.12345678901234567891&data->a__lt=1', [24]],
            ['a=1e30', [25]],
            ['a__gt=1e30', [26]],
            ['a__lt=1000000000000000000000000000001&data->a__gte=1e30', [25]],
            ['a__gt=999999999999999999999999999999.9', [25, 26]],
            ['a__json_contains=1e30', [25]],
          ] as [string, number[]][])
        : (
            [
              ['a=0.12345678901234567891', []],
              ['a__json_contains=0.12345678901234567891', []],
              ['a=0.10000000000000001', []],
            ] as [string, number[]][]
          ).slice(0, 2)),
    ])('the filter data->%s finds exactly the rows with these digits', async (query, expected) => {
      expect(await find(`data->${query}`)).toEqual(
        name === 'mysql' && query.startsWith('a=0.1') && query.length < 8
          ? [7, 8]
          : name === 'mysql' && query === 'a=1e-1'
            ? [7, 8]
            : expected,
      );
    });

    it('a bulk delete by a number inside JSON does not delete rows with similar numbers', async () => {
      expect((await call('DELETE', '/bag?data->a=1147386954405658711')).json).toEqual({ deleted: 1 });
      expect(await find('data->a__gte=1147386954405658710&data->a__lte=1147386954405658712', 'bag')).toEqual([
        1, 3,
      ]);
      expect(
        (await call('PATCH', '/bag?data->a=1147386954405658710', { id: 2 }, { prefer: 'tx=rollback' })).json,
      ).toEqual({ updated: 2 });
    });

    it('related records are included, counted and joined by all digits of a number inside JSON', async () => {
      const digits = '1147386954405658711';
      const get = async (query: string): Promise<unknown> =>
        (await call('GET', `/owners?${query.replaceAll('>', '%3E')}`)).json;
      expect(await get(`include=notes&include[notes][data->a]=${digits}&include[notes][_select]=id`)).toEqual(
        [
          { id: 1, notes: [{ id: 2 }] },
          { id: 2, notes: [] },
        ],
      );
      expect(
        await get(`include=notes&include[notes][sort]=-data->a&include[notes][_select]=id&id=1`),
      ).toEqual([{ id: 1, notes: [{ id: 2 }, { id: 1 }, { id: 4 }] }]);
      expect(await get(`notes.data->a=${digits}`)).toEqual([{ id: 1 }]);
      expect(await get(`notes.data->a__gt=${digits}`)).toEqual([{ id: 2 }]);
      expect(await get(`_filter={"notes":{"none":{"data->a":${digits}}}}`)).toEqual([{ id: 2 }]);
      expect(await get(`_filter={"notes":{"every":{"data->a__lte":${digits}}}}`)).toEqual([]);
    });

    it.each<[string, readonly number[]]>([
      ['a__isnull=true', [12, 30, 31, 32]],
      ['a__isnull=false', present],
      ['a__contains=ul', []],
      ['a__like=nul%', []],
      ['a__iexact=null', []],
      ['a__regex=^nul', []],
      ['a=null', []],
      ['a__not_like=x%', present],
      ['a__ne=0', present.filter((id) => id !== 14)],
      ['a__not_in=0,5', present.filter((id) => id !== 14)],
      ['a__ne=x', present],
      ['a__ne=true', present],
      ['a__not_between=5,6', present.filter((id) => numbers.includes(id) || id > 11)],
    ])('the filter data->%s treats JSON null and a missing path as NULL', async (query, expected) => {
      expect(await find(`data->${query}`)).toEqual(expected);
    });

    it.each(Object.entries<FindIds>(FIND_BY_ADDRESS))(
      'a filter treats JSON null and a missing path as NULL in: %s',
      async (_surface, findIds) => {
        expect(await findIds(stage, 'documents', 'data->a__isnull=true')).toEqual([12, 30, 31, 32]);
        expect(await findIds(stage, 'documents', 'data->a__ne=0')).toEqual(present.filter((id) => id !== 14));
        expect(await findIds(stage, 'documents', 'data->a__contains=ul')).toEqual([]);
      },
    );

    it.each(Object.entries<FindIds>(FIND_BY_TREE))(
      'a filter tree treats JSON null and a missing path as NULL in: %s',
      async (_surface, findIds) => {
        expect(await findIds(stage, 'documents', '{"data->a":null}')).toEqual([12, 30, 31, 32]);
        expect(await findIds(stage, 'documents', '{"not":{"data->a__in":[0]}}')).toEqual(
          present.filter((id) => id !== 14),
        );
      },
    );

    it('filters treat a JSON column that holds the JSON value null as NULL', async () => {
      expect([
        await find('data__isnull=true'),
        ((await find('data__isnull=false')) as number[]).filter((id) => id > 26),
      ]).toEqual([[31, 32], [30]]);
      expect(await find('_filter={"data":null}')).toEqual([31, 32]);
      expect(await find('_filter={"not":{"data->a":0}}')).toEqual(present.filter((id) => id !== 14));
    });

    it.each(Object.entries<FindIds>(FIND_BY_ADDRESS))(
      'a filter never treats a zero date in a NOT NULL column as NULL in: %s',
      async (_surface, findIds) => {
        for (const column of ['day', 'at']) {
          expect([column, await findIds(stage, 'days', `${column}__isnull=true`)]).toEqual([column, []]);
          expect([column, await findIds(stage, 'days', `${column}__isnull=false`)]).toEqual([column, [1, 2]]);
        }
        expect([
          await findIds(stage, 'days', 'later__isnull=true'),
          await findIds(stage, 'days', 'where=day IS NULL'),
        ]).toEqual([[2], []]);
      },
    );

    it('a distinct list has one row for true and one for false', async () => {
      expect((await call('GET', '/kinds?_distinct=flag')).json).toEqual([
        { flag: null },
        { flag: false },
        { flag: true },
      ]);
      const counted = await call('GET', '/kinds?_distinct=flag&sort=-flag&limit=2&_count=exact');
      expect([counted.json, counted.headers.get('x-total-count')]).toEqual([
        [{ flag: true }, { flag: false }],
        '3',
      ]);
      for (const accept of ['application/x-ndjson', 'text/csv'])
        expect(
          (await call('GET', '/kinds?_distinct=flag', undefined, { accept })).text.trim().split(/\r?\n/),
        ).toHaveLength(accept === 'text/csv' ? 4 : 3);
      expect((await call('POST', '/_search/kinds', { _distinct: ['flag'] })).json).toHaveLength(3);
    });

    it('an aggregate by a boolean column has one group for true and one for false', async () => {
      const groups = [
        { flag: null, count: 1 },
        { flag: false, count: 1 },
        { flag: true, count: 3 },
      ];
      expect((await call('GET', '/kinds?_group=flag&_aggregate=count')).json).toEqual(groups);
      const body = { _group: ['flag'], _aggregate: ['count'] };
      expect((await call('POST', '/_search/kinds', body)).json).toEqual(groups);
      expect((await call('GET', '/kinds?_aggregate=n:count_distinct:flag')).json).toEqual([{ n: 2 }]);
      expect(await find('flag=true', 'kinds')).toEqual([1, 2, 3]);
      expect(await find('flag__ne=true', 'kinds')).toEqual([4]);
    });

    it('numbers=string converts only numbers that a double may round to strings', async () => {
      const prefer = { prefer: 'numbers=string' };
      const wide = {
        id: 1,
        flag: true,
        big: '9007199254740993',
        price: '1.5000000000',
        ratio: 1.5,
        bits: '1152921504606846975',
        y: 2026,
        data: { n: '1147386954405658710', m: [1.5, 7], t: '1147386954405658710' },
      };
      const sql = 'SELECT id, flag, big, price, ratio, bits, y, data FROM kinds WHERE id = 1';
      const [response, list, search, line, batch, query, stream, changed] = await Promise.all([
        call('GET', '/kinds/1', undefined, prefer),
        call('GET', '/kinds?id=1', undefined, prefer),
        call('POST', '/_search/kinds', { id: 1 }, prefer),
        call('GET', '/kinds?id=1', undefined, { ...prefer, accept: 'application/x-ndjson' }),
        call(
          'POST',
          '/_batch',
          { operations: [{ method: 'PATCH', path: '/kinds/1', body: { y: 2026 } }] },
          prefer,
        ),
        call('POST', '/query', { query: sql }, prefer),
        call('POST', '/query', { query: sql }, { ...prefer, accept: 'application/x-ndjson' }),
        call('PATCH', '/kinds?id=1', { y: 2026 }, { prefer: 'numbers=string, return=representation' }),
      ]);
      expect([
        response.json,
        list.json[0],
        search.json[0],
        JSON.parse(line.text),
        batch.json[0].body,
        query.json[0],
        JSON.parse(stream.text),
        changed.json[0],
      ]).toEqual(Array.from({ length: 8 }, () => wide));
      expect((await call('POST', '/query', { query: sql, array_mode: true }, prefer)).json[0]).toEqual(
        Object.values(wide),
      );
      expect((await call('POST', '/query', { query: sql, verbose: true }, prefer)).json.data[0]).toEqual(
        wide,
      );
      expect([
        query.headers.get('preference-applied'),
        stream.headers.get('preference-applied'),
        list.headers.get('preference-applied'),
      ]).toEqual(['numbers=string', 'numbers=string', 'numbers=string']);
      for (const accept of ['application/json', 'application/x-ndjson', 'text/event-stream']) {
        const rejected = await call('POST', '/query', { query: sql }, { accept, prefer: 'numbers=banana' });
        expect([accept, rejected.status, rejected.json.detail[0].loc]).toEqual([
          accept,
          422,
          ['header', 'Prefer'],
        ]);
      }
      expect(
        (
          await call(
            'GET',
            '/kinds?_aggregate=max:id,n:sum:big,y:max:y,b:max:big,count&id=1',
            undefined,
            prefer,
          )
        ).json,
      ).toEqual([{ max_id: 1, n: '9007199254740993', y: 2026, b: '9007199254740993', count: 1 }]);
    });

    it.each<[string, number[]]>([
      ['at=2026-01-01T10:00:00.1234567', []],
      ['at__in=2026-01-01T10:00:00.1234567,2026-01-01T10:00:00.123457', [2]],
      ['at__ne=2026-01-01T10:00:00.1234567', [1, 2]],
      ['at__lt=2026-01-01T10:00:00.1234567Z', [1]],
      ['at__lte=2026-01-01T10:00:00.123456789', [1]],
      ['at__gt=2026-01-01T10:00:00.1234561', [2]],
      ['at__gte=2026-01-01T10:00:00.1234569', [2]],
      ['at__before=2026-01-01T10:00:00.1234567', [1]],
      ['at__after=2026-01-01T10:00:00.1234567', [2]],
      ['at__between=2026-01-01T10:00:00.1234561,2026-01-01T10:00:00.1234579', [2]],
      ['at__not_between=2026-01-01T10:00:00.1234561,2026-01-01T10:00:00.1234579', [1]],
      ['at=2026-01-01T10:00:00.123456000', [1]],
      ['stamp__gt=2026-01-01T10:00:00.1230001Z', [2]],
      ['stamp=2026-01-01T10:00:00.1230001Z', []],
      ['span__gt=-00:00:01.1234567', [1, 2]],
      ['span__lt=-00:00:01.1234559', [1]],
      ['span__lt=00:00:01.1234569', [1, 2]],
      ['span__gte=00:00:01.1234561', []],
      ["where=at < '2026-01-01T10:00:00.1234567'", [1]],
      ['_filter={"at__lt":"2026-01-01T10:00:00.1234567"}', [1]],
      ['at__startswith=2026-01-01T10', [1, 2]],
      ['at__startswith=2026-01-01 10', [1, 2]],
      ['at__endswith=.123457', [2]],
      ['stamp__like=%T11:%Z', [2]],
      ['stamp__istartswith=2026-01-01t10', [1]],
      ['stamp__regex=^2026-01-01T11.*Z$', [2]],
      ['at__not_like=%T10%', []],
      ['code__startswith=7', [1, 2]],
      ['code__endswith=7', [1]],
    ])('the filter %s compares every digit that is sent', async (query, expected) => {
      expect(await find(query, 'moments')).toEqual(expected);
    });

    it('a key with more digits than the column stores finds no record', async () => {
      for (const [table, key] of [
        ['instants', '2026-01-01T10:00:00.123456'],
        ['spans', '10:00:00.123456'],
      ] as const) {
        for (const [method, digits, status] of [
          ['GET', '', 200],
          ['GET', '7', 404],
          ['DELETE', '7', 404],
          ['GET', '000', 200],
        ] as const)
          expect([table, method, digits, (await call(method, `/${table}/${key}${digits}`)).status]).toEqual([
            table,
            method,
            digits,
            status,
          ]);
      }
    });

    it('the dotted form of the `where` parameter accepts * as a wildcard', async () => {
      for (const [where, expected] of [
        ['old.like.*lai*', [1]],
        ['old.ilike.*LAI*', [1]],
        ['old.like.%lai%', [1]],
        ['old.like.*x*', []],
        ['old.like."*lai*"', [1]],
        ['old.like.\\*lai*', []],
        ["old LIKE '*lai*'", []],
      ] as const)
        expect([where, await find(`where=${where}`, 'words')]).toEqual([where, expected]);
    });

    it.each<[string, number[]]>([
      ['flag__in=true,false', [1, 2, 3, 4]],
      ['flag__in=true', [1, 2, 3]],
      ['flag__in=0', [4]],
      ['flag__not_in=true', [4]],
      ['flag__not_in=true,false', []],
      ['_filter={"flag__in":[true,false]}', [1, 2, 3, 4]],
      ['where=flag IN (TRUE, FALSE)', [1, 2, 3, 4]],
      ['where=flag.in.(true,false)', [1, 2, 3, 4]],
      ['id=1.0', [1]],
      ['id=1e0', [1]],
      ['id__in=1e0,20e-1', [1, 2]],
      ['_filter={"id":1e0}', [1]],
      ['_filter={"y__eq":2026.0,"flag":true}', [1, 2, 3]],
    ])('the filter %s on a boolean or number column finds the expected records', async (query, expected) => {
      expect(await find(query, 'kinds')).toEqual(expected);
    });

    it('an integer is the same number in every JSON spelling', async () => {
      const response = await call(
        'POST',
        '/kinds',
        '{"id":9e0,"flag":1e0,"big":10e-1,"bits":1.0e1,"y":2.026e3}',
      );
      expect([response.status, response.json]).toEqual([
        201,
        expect.objectContaining({ id: 9, flag: true, big: 1, bits: 10, y: 2026 }),
      ]);
      expect((await call('POST', '/kinds', '{"id":15e-1}')).status).toBe(422);
      expect((await call('DELETE', '/kinds/9')).status).toBe(204);
    });

    it('parameters of SQL queries keep every digit in JSON, streams, events and MCP', async () => {
      const { secret } = await stage.cell.addKey(stage.tenant, {
        scopes: ['read', 'write', 'query', 'query:write'],
      });
      const sendRequest = (sql: string, params: string, extra = '', headers = {}): Promise<TestResponse> =>
        call(
          'POST',
          '/query',
          `{"query":${JSON.stringify(sql)},"params":${params}${extra}}`,
          headers,
          secret,
        );
      const digits = '[12345678901234567.89,9007199254740993.5,123456789012345678901234567890,-1.50,1e-7]';
      const visible = digits.replace('1e-7', '0.0000001');
      const echo = 'SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e';
      expect((await sendRequest(echo, digits, ',"array_mode":true')).text).toBe(`[${visible}]`);
      expect(
        (
          await sendRequest(echo, digits, ',"array_mode":true', { accept: 'application/x-ndjson' })
        ).text.trim(),
      ).toBe(visible);
      expect((await sendRequest(echo, digits, '', { accept: 'text/csv' })).text.split('\r\n')[1]).toBe(
        visible.slice(1, -1),
      );
      expect((await sendRequest(echo, digits, ',"verbose":true')).text).toContain(`"params":${visible}`);
      expect((await sendRequest(echo, digits, '', { accept: 'text/event-stream' })).text).toContain(
        `"params":${visible}`,
      );
      const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_database","arguments":{"query":"${echo}","params":${digits}}}}`;
      const reported = await callGateway(stage.gateway.url, 'POST', '/mcp', {
        key: secret,
        body: message,
        headers: { accept: 'application/json, text/event-stream' },
      });
      expect(reported.json.result.content[0].text).toContain(
        '{"a":12345678901234567.89,"b":9007199254740993.5,"c":123456789012345678901234567890,"d":-1.50,"e":0.0000001}',
      );
    });

    it.each<[string, string[]]>([
      ['invoices with id 9007199254740993', ['9007199254740993']],
      ['invoices with total 12345678901234567890.12', ['9007199254740992']],
      ['invoices with a total above 12345678901234567890.12', ['9007199254740993']],
      ['invoices with total 0.1', ['3']],
      ['invoices with a total of at least 0.10000000000000000001 and below 1', ['4']],
      ['invoices with code 007', ['9007199254740993']],
      ['invoices with code 1147386954405658711', ['4']],
    ])('the question "%s" matches all digits of its number', async (query, expected) => {
      const ask = (accept: string): Promise<TestResponse> =>
        call('POST', '/query', { query }, { accept, prefer: 'numbers=string' });
      const [list, lines] = await Promise.all([ask('application/json'), ask('application/x-ndjson')]);
      expect([list.status, list.json.map((row: { id: string | number }) => String(row.id))]).toEqual([
        200,
        expected,
      ]);
      expect(lines.text.trim().split('\n')).toHaveLength(expected.length);
    });

    it('parameters of SQL queries find and store exactly their number', async () => {
      const { secret } = await stage.cell.addKey(stage.tenant, {
        scopes: ['read', 'write', 'delete', 'query', 'query:write'],
      });
      const sendRequest = (sql: string, params: string): Promise<TestResponse> =>
        call('POST', '/query', `{"query":${JSON.stringify(sql)},"params":${params}}`, {}, secret);
      const price = '12345678901234567.8901234567';
      expect(
        (
          await sendRequest(
            'INSERT INTO kinds (id, price, big, ratio) VALUES (20, ?, ?, ?), (21, ?, 1, 1)',
            `[${price},9007199254740993.0,1e300,12345678901234567.89]`,
          )
        ).json,
      ).toMatchObject({ affected_rows: 2 });
      expect((await sendRequest('SELECT id, price FROM kinds WHERE price = ?', `[${price}]`)).text).toBe(
        `[{"id":20,"price":${price}}]`,
      );
      expect(
        (
          await sendRequest(
            'SELECT id FROM kinds WHERE price > ? AND price < ?',
            '[12345678901234567.8900000000,12345678901234567.8901234568]',
          )
        ).json,
      ).toEqual([{ id: 20 }]);
      expect(
        (await sendRequest('SELECT id FROM kinds WHERE price = :p', '{"p":12345678901234567.89}')).json,
      ).toEqual([{ id: 21 }]);
      expect((await sendRequest('SELECT id FROM kinds WHERE big = ?', '[9007199254740992]')).json).toEqual(
        [],
      );
      expect(
        (await sendRequest('SELECT id FROM kinds WHERE big = ? AND id > 1', '[9007199254740993e0]')).json,
      ).toEqual([{ id: 20 }]);
      expect((await sendRequest('SELECT id FROM kinds WHERE big = ?', '[9007199254740993.5]')).json).toEqual(
        [],
      );
      expect(
        (await sendRequest('SELECT id FROM kinds WHERE ratio = ? OR ratio = ?', '[1e300,0.5]')).json,
      ).toEqual([{ id: 20 }]);
      expect(
        (await sendRequest('SELECT id FROM kinds WHERE id > 19 ORDER BY id LIMIT ?', '[1.0]')).json,
      ).toEqual([{ id: 20 }]);
      expect(
        (await sendRequest('DELETE FROM kinds WHERE price IN (?, ?)', `[${price},12345678901234567.89]`))
          .json,
      ).toMatchObject({ affected_rows: 2 });
      expect((await sendRequest('SELECT id FROM kinds WHERE ratio = ?', '[1e400]')).json).toMatchObject({
        code: 'body.invalid',
        detail: [{ loc: ['body', 'params', 0] }],
      });
    });

    it.each([
      'old=ł',
      'old__in=a,😀',
      'old__like=%ł',
      'cyrillic=é',
      "where=old = 'ł'",
      '_filter={"old":"ł"}',
    ])('the character set error for %s names the parameter', async (query) => {
      for (const method of ['GET', 'DELETE']) {
        const response = await call(method, `/words?${query.replaceAll(/[^=&]+/g, encodeURIComponent)}`);
        expect([response.status, response.json.detail[0]]).toEqual([
          422,
          expect.objectContaining({
            loc: expect.arrayContaining(['query', query.split('=')[0]]),
            type: 'charset',
          }),
        ]);
      }
    });
  },
);

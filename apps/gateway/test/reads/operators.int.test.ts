import { getTestServers, JSON_FILTERS } from '@rowhouse/testkit';
import { describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const DDL = [
  `CREATE TABLE things (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(50) NULL, code varchar(50) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, old varchar(50) CHARACTER SET latin1 NULL, kind enum('new','Old','3') NULL, marks set('a','b','c') NULL,
    whole int NULL, big bigint unsigned NULL, price decimal(10,2) NULL, ratio double NULL, small float NULL, ok tinyint(1) NULL, bits bit(9) NULL, day date NULL, at datetime(3) NULL, stamp timestamp NULL, span time NULL, y year NULL, raw varbinary(8) NULL,
    data json NULL, body text NULL, place point NULL, FULLTEXT KEY words (body))`,
];
const ROWS = [
  `INSERT INTO things (name, code, old, kind, marks, whole, big, price, ratio, small, ok, bits, day, at, stamp, span, y, raw, data, body, place) VALUES
    ('Apple', 'Apple', '\u00c9t\u00e9', 'new', 'a,c', -5, 18446744073709551615, 1.10, 0.1, 1.1, 1, 5, '2026-01-31', '2026-01-31 10:00:00.500', '2026-01-31 10:00:00', '-01:00:00', 2026, 'AB',
      '{"a": {"b": 5}, "l": ["x", 10], "on": true, "odd key": 1, "t": "Text"}', 'green apples and pears', ST_GeomFromText('POINT(1 1)')),
    ('apple 100%', 'apple', 'ete', 'Old', 'b', 0, 0, -0.01, -1.5, 0, 0, 0, '2025-12-31', '2025-12-31 23:59:59.999', '2025-12-31 23:59:59', '00:00:00', 1999, '', '{"a": {"b": "five"}, "l": [2], "on": false, "none": null}', 'yellow bananas', ST_GeomFromText('POINT(9 9)')),
    ('a_b\\\\c', '\u00c4pfel', NULL, '3', '', 7, 9007199254740993, 99999999.99, 1e300, 3.5, 2, 511, '2026-02-01', '2026-02-01 00:00:00', '2026-02-01 00:00:00', '25:00:00', 2027, 'ab', '[1, 2]', 'nothing here', NULL),
    (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`,
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'operators on %s',
  (_name, engine) => {
    const stage = stageCell(engine, {
      tenant: { ddl: DDL, rows: ROWS, settings: { regex_enabled: true } },
      other: null,
    });

    const get = (query: string): Promise<TestResponse> =>
      callGateway(stage.gateway.url, 'GET', `/v1/-/things?_select=id&sort=id&${query}`, {
        key: stage.tenant.key,
      });
    const encode = (query: string): string =>
      query
        .split('&')
        .map((pair) => pair.split(/=(.*)/s).slice(0, 2).map(encodeURIComponent).join('='))
        .join('&');

    it.each<[string, number[]]>([
      ['name=apple', [1]],
      ['name__eq=APPLE', [1]],
      ['code=apple', [2]],
      ['name__ne=apple', [2, 3]],
      ['whole__gt=-5', [2, 3]],
      ['whole__lte=0', [1, 2]],
      ['price__gte=1.1', [1, 3]],
      ['price=1.100', [1]],
      ['price__lt=0', [2]],
      ['ratio=0.1', [1]],
      ['small=1.1', [1]],
      ['ratio__gt=1e299', [3]],
      ['big=18446744073709551615', [1]],
      ['big=9007199254740993', [3]],
      ['big=9007199254740992', []],
      ['big__gt=9007199254740993', [1]],
      ['bits=511', [3]],
      ['bits__lt=6', [1, 2]],
      ['ok=true', [1, 3]],
      ['ok=false', [2]],
      ['ok__ne=true', [2]],
      ['kind=Old', [2]],
      ['kind__in=new,3', [1, 3]],
      ['marks=a,c', [1]],
      ['marks=c,a', [1]],
      ['marks=', [3]],
      ['y=2026', [1]],
      ['y__gte=2026', [1, 3]],
      ['raw=QUI=', [1]],
      ['raw__in=QUI=,YWI=', [1, 3]],
      ['span__lt=00:00:00', [1]],
      ['span__gte=25:00:00', [3]],
      ['day=2026-01-31', [1]],
      ['at=2026-01-31T10:00:00.5', [1]],
      ['stamp=2026-01-31T12:00:00+02:00', [1]],
      ['at__gt=2025-12-31T23:59:59.998Z', [1, 2, 3]],
      ['at__before=2026-01-31T10:00:00.500', [2]],
      ['at__after=2026-01-31', [1, 3]],
      ['at__on=2025-12-31', [2]],
      ['day__on=2026-02-01', [3]],
      ['stamp__year=2026', [1, 3]],
      ['at__month=12', [2]],
      ['day__day=31', [1, 2]],
      ['whole__in=-5,7,7,99', [1, 3]],
      ['whole__not_in=-5', [2, 3]],
      ['name__in=["apple","a_b\\\\c"]', [1, 3]],
      ['name__in="apple",zzz', [1]],
      ['price__between=-1,2', [1, 2]],
      ['price__not_between=-1,2', [3]],
      ['day__between=2026-01-01,2026-12-31', [1, 3]],
      ['whole__isnull=true', [4]],
      ['whole__isnull=false', [1, 2, 3]],
      ['raw__isnull=1', [4]],
      ['data__isnull=true', [4]],
      ['place__isnull=true', [3, 4]],
      ['name__like=APP%', [1, 2]],
      ['code__like=App%', [1]],
      ['name__not_like=app%', [3]],
      ['code__ilike=APP%', [1, 2]],
      ['name__like=%\\%', [2]],
      ['name__like=a\\_b%', [3]],
      ['name__like=a_b%', [3]],
      ['whole__like=-%', [1]],
      ['day__like=2026-%', [1, 3]],
      ['kind__like=%ew', [1]],
      ['name__contains=100%', [2]],
      ['name__contains=_', [3]],
      ['name__contains=\\', [3]],
      ['code__contains=PPLE', []],
      ['code__icontains=PPLE', [1, 2]],
      ['name__startswith=a', [1, 2, 3]],
      ['code__startswith=a', [2]],
      ['code__istartswith=A', [1, 2]],
      ['name__endswith=%', [2]],
      ['code__endswith=LE', []],
      ['code__iendswith=LE', [1, 2]],
      ['code__iexact=APPLE', [1, 2]],
      ['code__iexact=\u00e4PFEL', [3]],
      ['old__iexact=\u00c9T\u00c9', [1, 2]],
      ['name__iexact=appl_', []],
      ['name__regex=^app', [1, 2]],
      ['code__regex=^app', [2]],
      ['whole__regex=^-\\d$', [1]],
      ['data->t__regex=^[TX]ext$', [1]],
      ...JSON_FILTERS,
      ['data->a.b__between=1,9', [1]],
      ['data->0=1', [3]],
      ['data->a.b__isnull=true', [3, 4]],
      ['data->none__isnull=true', [1, 2, 3, 4]],
      ['data->t__ilike=TEXT', [1]],
      ['data->`odd key`=1', [1]],
      ['_filter={"marks":["c","a"]}', [1]],
      ['_filter={"whole":null}', [4]],
      ['_filter={"whole__ne":null,"ok":true}', [1, 3]],
      ['_filter={"big":18446744073709551615}', [1]],
      ['_q=apples bananas', [1, 2]],
      ['place__within=0,0,2,2', [1]],
      ['place__within={"type":"Polygon","coordinates":[[[5,5],[10,5],[10,10],[5,10],[5,5]]]}', [2]],
      ["where=name LIKE 'app%' AND NOT (price < 0 OR day IS NULL)", [1]],
      ['where=price IN (1.10, -0.01) AND at < NOW()', [1, 2]],
      ['where=whole.lt.0', [1]],
      ['where=kind.in.(new,3) AND ok.is.true', [1, 3]],
    ])('the list filter %s finds the expected records', async (query, ids) => {
      const response = await get(encode(query));
      expect([
        query,
        response.status === 200 ? response.json.map((row: { id: number }) => row.id) : response.text,
      ]).toEqual([query, ids]);
    });
  },
);

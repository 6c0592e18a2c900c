import fc from 'fast-check';
import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestCell, type TestCell } from '../support/test-cell.js';
import { checkStoredColumnUses } from './column-uses.js';
import type { ColumnUse, TypeCase } from './type-case.js';
import { createTableStatements, send, type ColumnUseFixture } from './type-fixture.js';

const servers = getTestServers();
const none = fc.constant({ json: 'null', read: 'null', raw: '' });
const ODD_DAYS = ['0000-00-00', '0000-05-01', '2024-00-00', '2024-05-00', '2024-05-07'] as const;
const ORDERED: readonly ColumnUse[] = ['equal', 'order', 'sort', 'cursor'];

/**
 * A value that another program has stored in another SQL mode, and that the API cannot write. It has the SQL
 * that stores it and the expected response.
 */
interface StoredCase {
  readonly entry: TypeCase;
  readonly stored: readonly (readonly [sql: string, read: string])[];
}

function storedCase(
  name: string,
  type: string,
  uses: readonly ColumnUse[],
  stored: StoredCase['stored'],
  compare: TypeCase['compare'] = 'exact',
  engine: TypeCase['engine'] = 'both',
): StoredCase {
  return {
    entry: {
      name,
      type,
      engine,
      values: none,
      edges: [],
      raw: 'v',
      codePaths: uses,
      compare,
      ...(/^(date|timestamp)/.test(type) ? { subject: 'CAST(v AS CHAR)' } : {}),
    },
    stored,
  };
}

const CASES: readonly StoredCase[] = [
  storedCase(
    'zerodate',
    'date',
    ORDERED,
    ODD_DAYS.map((day) => [`'${day}'`, `"${day}"`]),
  ),
  storedCase(
    'zeromoment',
    'datetime(3)',
    ORDERED,
    ODD_DAYS.map((day) => [
      `'${day} 00:00:00.5'`.replace('0000-00-00 00:00:00.5', '0000-00-00'),
      `"${day}T00:00:00.${day === '0000-00-00' ? '0' : '5'}00"`,
    ]),
  ),
  storedCase('zerostamp', 'timestamp(3)', ORDERED, [
    ["'0000-00-00'", '"0000-00-00T00:00:00.000Z"'],
    ["'1970-01-01 00:00:01'", '"1970-01-01T00:00:01.000Z"'],
  ]),
  storedCase(
    'noday',
    'date',
    ['sort', 'cursor'],
    [
      ["'2024-02-31'", '"2024-02-31"'],
      ["'2023-02-29'", '"2023-02-29"'],
      ["'2024-03-01'", '"2024-03-01"'],
    ],
  ),
  storedCase(
    'nolabel',
    "enum('a','b')",
    ['equal', 'sort', 'cursor'],
    [
      ["'nope'", '""'],
      ["'b'", '"b"'],
      ["'a'", '"a"'],
    ],
  ),
  storedCase(
    'notruth',
    'tinyint(1)',
    ['sort', 'cursor'],
    [
      ['5', 'true'],
      ['0', 'false'],
      ['-1', 'true'],
      ['1', 'true'],
    ],
  ),
  storedCase(
    'badjson',
    'json',
    [],
    [
      ["'not json'", '"not json"'],
      [`'{"a": 1.10, "b":\\n [ 1,2 ] }'`, '{"a":1.10,"b":[1,2]}'],
    ],
    'exact',
    'mariadb',
  ),
  storedCase('padded', 'varchar(9)', ORDERED, [
    ["'a  '", '"a  "'],
    ["'a'", '"a"'],
    ["'A '", '"A "'],
  ]),
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'values stored by other programs on %s',
  (name, engine) => {
    const cases = CASES.filter(({ entry }) => entry.engine === 'both' || entry.engine === name);
    let cell: TestCell;
    let bench: ColumnUseFixture;
    let loose: AdminConnection;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      const keys = [
        'CREATE TABLE days (d date, n int, PRIMARY KEY (d, n), UNIQUE (d))',
        'CREATE TABLE moments (d datetime(2) PRIMARY KEY, note varchar(9))',
        'CREATE TABLE later (id int AUTO_INCREMENT PRIMARY KEY, d date, FOREIGN KEY (d) REFERENCES days (d))',
      ];
      const tenant = await cell.addTenant({
        ddl: [...cases.flatMap(({ entry }) => createTableStatements(entry)), ...keys],
      });
      bench = {
        cell,
        tenant,
        url: (await cell.startGateway()).url,
        driverUrl: (await cell.startGateway({ answersReadBy: 'driver' })).url,
      };
      loose = await openAdminConnection({ ...engine, database: tenant.schemaName });
      await loose.run("SET SESSION sql_mode='ALLOW_INVALID_DATES'");
      if (name === 'mariadb') await loose.run('SET SESSION check_constraint_checks=0');
    });

    afterAll(async () => {
      await loose?.close();
      await cell?.stop();
    });

    it.each(cases.map((storedCase) => [storedCase.entry.name, storedCase] as const))(
      'the stored value %s is returned unchanged by every endpoint',
      async (_name, { entry, stored }) => {
        for (const [sql] of stored) await loose.run(`INSERT INTO v${entry.name} (v) VALUES (${sql})`);
        await loose.run(`INSERT INTO v${entry.name} (v) VALUES (NULL)`);
        await checkStoredColumnUses(
          bench,
          entry,
          stored.map(([, read], index) => ({ id: index + 1, written: { json: read, read, raw: '' } })),
        );
      },
    );

    it('a record can be addressed and included by an invalid date in its key', async () => {
      const days = ['0000-00-00', '2024-05-00', '2024-02-31'];
      for (const day of days) {
        await loose.run(`INSERT INTO days VALUES ('${day}', 1)`);
        await loose.run(`INSERT INTO later (d) VALUES ('${day}')`);
        await loose.run(`INSERT INTO moments VALUES ('${day} 01:02:03.4', 'x')`);
      }
      for (const day of days) {
        expect((await send(bench, 'GET', `/days/${day},1`)).json).toEqual({ d: day, n: 1 });
        const moment = `/moments/${day}T01:02:03.40`;
        expect((await send(bench, 'PATCH', moment, { body: { note: 'y' } })).json).toEqual({
          d: `${day}T01:02:03.40`,
          note: 'y',
        });
        expect((await send(bench, 'DELETE', moment)).status).toBe(204);
      }
      expect((await send(bench, 'GET', '/days/2024-05-32,1')).status).toBe(422);
      const included = await send(bench, 'GET', '/later?sort=id&include=day');
      // MySQL does not find an invalid date if it uses an index.
      const found = name === 'mysql' ? days.slice(0, 2) : days;
      expect(
        included.json
          .map((record: { d: string; day: { d: string } | null }) => [record.d, record.day?.d])
          .slice(0, found.length),
      ).toEqual(found.map((day) => [day, day]));
      expect((await send(bench, 'POST', '/later', { body: { d: '0000-00-00' } })).json).toMatchObject({
        d: '0000-00-00',
      });
      expect((await send(bench, 'POST', '/later', { body: { d: '2024-02-31' } })).json.detail).toMatchObject([
        { loc: ['body', 'd'] },
      ]);
    });
  },
);

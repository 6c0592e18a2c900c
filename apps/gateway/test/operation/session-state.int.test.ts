import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageCell } from '../support/stage-cell.js';

const servers = getTestServers();
const LOCK = `rowhouse-test-${Math.random().toString(36).slice(2)}`;

const CODE = [
  "CREATE FUNCTION take_lock() RETURNS int DETERMINISTIC NO SQL RETURN GET_LOCK('LOCK', 0)",
  "CREATE VIEW by_view AS SELECT 1 AS id, GET_LOCK('LOCK', 0) AS got",
  'CREATE VIEW by_function AS SELECT 1 AS id, take_lock() AS got',
  'CREATE TABLE by_trigger (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, got int NULL)',
  "CREATE TRIGGER by_trigger_in BEFORE INSERT ON by_trigger FOR EACH ROW SET NEW.got = GET_LOCK('LOCK', 0), @kept = 7, SESSION group_concat_max_len = 777",
  'CREATE TABLE plain (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, a int NULL)',
  'CREATE FUNCTION setting() RETURNS bigint DETERMINISTIC NO SQL RETURN @@SESSION.group_concat_max_len',
  'CREATE VIEW seen AS SELECT 1 AS id, setting() AS size',
].map((sql) => sql.replace("LOCK'", `${LOCK}'`));

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  "session state left by tenants' code on a pooled session of %s",
  (_name, engine) => {
    const stage = stageCell(engine, { deploy: CODE });
    const { call } = stage;
    let root: AdminConnection;
    beforeAll(async () => {
      root = await openAdminConnection(engine);
    });
    afterAll(() => root.close());

    const holder = async (): Promise<unknown> =>
      (await root.rows<{ holder: unknown }>(`SELECT IS_USED_LOCK('${LOCK}') AS holder`))[0]?.holder;

    it.each([
      ['a view in a list', () => call('GET', '/by-view')],
      ['a view that calls a function', () => call('GET', '/by-function?id=1')],
      ['a trigger of one record', () => call('POST', '/by-trigger', {})],
      ['a trigger of several records', () => call('POST', '/by-trigger', [{}, {}])],
      [
        'a view in SQL of the query endpoint',
        () => call('POST', '/query', { mode: 'sql', query: 'SELECT got FROM by_view' }),
      ],
    ])('a lock that %s takes is released soon after the response', async (_what, send) => {
      const response = await send();
      expect([response.status, response.text]).toEqual([
        expect.any(Number),
        expect.stringMatching(/"got":1\b|\[1\]|created/),
      ]);
      await expect.poll(holder, { timeout: 2_000 }).toBeNull();
    });

    it('a setting changed by a trigger does not affect the next request', async () => {
      // Several concurrent calls make sure that each session of the tenant is used.
      const sizes = async (): Promise<unknown[]> =>
        (await Promise.all(Array.from({ length: 6 }, () => call('GET', '/seen')))).map(
          (response) => response.json[0].size,
        );
      expect(
        (await Promise.all(Array.from({ length: 6 }, () => call('POST', '/by-trigger', {})))).map(
          ({ status }) => status,
        ),
      ).toEqual([201, 201, 201, 201, 201, 201]);
      expect(await sizes()).not.toContain(777);
    });

    it('pooled sessions are not reset after requests to plain tables', async () => {
      const countChanges = async (): Promise<number> =>
        Number(
          (await root.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Com_change_user'"))[0]?.Value ?? 0,
        );
      await call('POST', '/plain', { a: 1 });
      const before = await countChanges();
      for (let index = 0; index < 5; index += 1) expect((await call('GET', '/plain/1')).status).toBe(200);
      expect(await countChanges()).toBe(before);
    });
  },
);

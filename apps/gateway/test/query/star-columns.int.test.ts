import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE people (id int PRIMARY KEY, name varchar(20) NOT NULL, active boolean NOT NULL DEFAULT true, pin int)',
  'CREATE TABLE teams (id int PRIMARY KEY, person_id int NOT NULL, title varchar(20))',
];
const ROWS = [
  "INSERT INTO people VALUES (1, 'ann', true, 4711), (2, 'bob', false, 4712)",
  "INSERT INTO teams VALUES (7, 1, 'red')",
];
const TABLES = { people: ['read', 'write', 'delete'], teams: ['read', 'write', 'delete'] } as const;

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'SELECT * from a table with hidden columns on %s',
  (name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let tenant: TestTenant;
    let key: string;

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      tenant = await cell.addTenant({
        ddl: DDL,
        rows: ROWS,
        settings: { hidden_columns: { people: ['pin'] } },
      });
      key = (
        await cell.addKey(tenant, {
          tables: TABLES,
          scopes: ['read', 'write', 'delete', 'query', 'query:write'],
        })
      ).secret;
      // A worker grants the account only columns of people, so the test does the same.
      const accounts = await cell.pool.rows<{ user_name: string; kind: string }>(
        "SELECT user_name, kind FROM database_account WHERE database_id = ? AND kind LIKE 'query%' AND rights_hash <> ''",
        [tenant.databaseId],
      );
      for (const { user_name: user, kind } of accounts) {
        if (kind === 'query')
          await cell.root.run(`REVOKE SELECT ON ${tenant.schemaName}.people FROM ${user}@'%'`);
        await cell.root.run(`GRANT SELECT (id, name, active) ON ${tenant.schemaName}.people TO ${user}@'%'`);
      }
      gateway = await cell.startGateway();
    });

    afterAll(() => cell.stop());

    const query = (sql: string, extra: Record<string, unknown> = {}): Promise<TestResponse> =>
      callGateway(gateway.url, 'POST', '/v1/-/query', { key, body: { query: sql, mode: 'sql', ...extra } });

    it('SELECT * returns the columns that the key may read, with their types', async () => {
      expect((await query('SELECT * FROM people ORDER BY id')).json).toEqual([
        { id: 1, name: 'ann', active: true },
        { id: 2, name: 'bob', active: false },
      ]);
      expect((await query('SELECT p.* FROM people p WHERE p.id = 2')).json).toEqual([
        { id: 2, name: 'bob', active: false },
      ]);
      expect((await query('SELECT * FROM people p JOIN teams t ON t.person_id = p.id')).json).toEqual([
        { id: 1, name: 'ann', active: true, id_2: 7, person_id: 1, title: 'red' },
      ]);
      expect(
        (
          await query(
            'WITH a AS (SELECT * FROM people) SELECT COUNT(*) AS n FROM a WHERE EXISTS (SELECT * FROM people WHERE id = a.id)',
          )
        ).json,
      ).toEqual([{ n: 2 }]);
      expect((await query('SELECT COUNT(*) AS n FROM people')).json).toEqual([{ n: 2 }]);
      expect((await query('SELECT * FROM teams')).json).toEqual([{ id: 7, person_id: 1, title: 'red' }]);
    });

    it('X-Generated-SQL contains * as it was expanded', async () => {
      const response = await query('SELECT * FROM people LIMIT 1', { verbose: true });
      expect(response.json).toMatchObject({
        sql: 'SELECT people.`id`, people.`name`, people.`active` FROM people LIMIT 1',
        columns: [
          { name: 'id', table: 'people', column: 'id' },
          { name: 'name' },
          { name: 'active', type: 'boolean' },
        ],
      });
      expect((await query('SELECT * FROM people', { dry_run: true })).json).toEqual([]);
      expect((await query('EXPLAIN SELECT * FROM people')).status).toBe(200);
    });

    it.each([
      'SELECT * FROM people NATURAL JOIN teams',
      'SELECT * FROM people JOIN teams USING (id)',
      'SELECT pin FROM people',
      'SELECT id FROM people ORDER BY pin',
      'SELECT SQL_NO_CACHE * FROM people',
      'SELECT t.id FROM teams t NATURAL JOIN people p WHERE p.pin = 1',
      ...(name === 'mysql' ? ['SELECT 1 UNION (TABLE people)'] : []),
    ])('SELECT * that cannot be expanded is rejected without hidden values: %s', async (sql) => {
      const response = await query(sql);
      expect([response.status, response.text]).toEqual([
        expect.toBeOneOf([400, 403]),
        expect.not.stringContaining('471'),
      ]);
      expect(['query.not_allowed', 'query.unknown_column', 'query.invalid_sql']).toContain(
        response.json.code,
      );
    });

    it('an SQL write with RETURNING * returns only columns that the key may read', async () => {
      expect(
        (
          await query(
            'INSERT INTO people (id, name, active) SELECT id + 10, name, active FROM (SELECT * FROM people) x WHERE id = 1',
          )
        ).json,
      ).toMatchObject({ success: true, affected_rows: 1 });
      const deletedResponse = await query(
        `DELETE FROM people WHERE id = 11${name === 'mariadb' ? ' RETURNING *' : ''}`,
      );
      expect(deletedResponse.json).toEqual(
        name === 'mariadb'
          ? [{ id: 11, name: 'ann', active: true }]
          : { success: true, affected_rows: 1, insert_id: null },
      );
    });
  },
);

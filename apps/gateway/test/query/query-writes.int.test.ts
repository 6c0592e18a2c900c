import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callGateway, type TestResponse } from '../support/http-call.js';
import type { TestGateway } from '../support/start-gateway.js';
import { createTestCell, type TestCell, type TestTenant } from '../support/test-cell.js';

const servers = getTestServers();
const DDL = [
  'CREATE TABLE tags (id int AUTO_INCREMENT PRIMARY KEY, name varchar(20) NOT NULL UNIQUE, n int NOT NULL DEFAULT 0)',
  'CREATE TABLE notes (id int AUTO_INCREMENT PRIMARY KEY, tag_id int NOT NULL, body varchar(20), FOREIGN KEY (tag_id) REFERENCES tags (id))',
  'CREATE TABLE vault (id int PRIMARY KEY, pin varchar(20))',
];

describe.each(servers.engines.map((engine) => [engine.engine, engine] as const))(
  'SQL that writes on %s',
  (_name, engine) => {
    let cell: TestCell;
    let gateway: TestGateway;
    let tenant: TestTenant;
    let other: TestTenant;
    let key: string;
    const hasReturning = engine.engine === 'mariadb';

    beforeAll(async () => {
      cell = await createTestCell(engine, servers.redisUrl);
      tenant = await cell.addTenant({ ddl: DDL });
      other = await cell.addTenant({ ddl: DDL });
      gateway = await cell.startGateway();
      key = (await cell.addKey(tenant, { scopes: ['read', 'write', 'delete', 'query', 'query:write'] }))
        .secret;
    });

    beforeEach(async () => {
      for (const { schemaName } of [tenant, other]) {
        for (const sql of [
          'DELETE FROM S.notes',
          'DELETE FROM S.tags',
          'DELETE FROM S.vault',
          "INSERT INTO S.tags (id, name) VALUES (1, 'a'), (2, 'b'), (3, 'c')",
          "INSERT INTO S.vault VALUES (1, 'x')",
        ])
          await cell.root.run(sql.replaceAll('S.', `${schemaName}.`));
      }
    });

    afterAll(() => cell.stop());

    const query = (
      sql: string,
      extra: Record<string, unknown> = {},
      secret = key,
      headers: Record<string, string> = {},
    ): Promise<TestResponse> =>
      callGateway(gateway.url, 'POST', '/v1/-/query', {
        key: secret,
        body: { query: sql, ...extra },
        headers,
      });
    const names = async (): Promise<string> =>
      (await query('SELECT name FROM tags ORDER BY id', { array_mode: true })).json.join();

    it('POST /query runs INSERT, UPDATE and DELETE and returns the number of rows', async () => {
      const created = await query("INSERT INTO tags (name) VALUES (?), ('e')", { params: ['d'] });
      expect(created.json).toEqual({ success: true, affected_rows: 2, insert_id: expect.any(Number) });
      expect(await names()).toBe('a,b,c,d,e');
      expect(
        (await query("UPDATE tags SET n = n + 5, name = UPPER(name) WHERE name IN ('a', 'b')")).json,
      ).toEqual({ success: true, affected_rows: 2, insert_id: null });
      expect((await query('DELETE FROM tags WHERE id = :id', { params: { id: 3 } })).json).toEqual({
        success: true,
        affected_rows: 1,
        insert_id: null,
      });
      expect(await names()).toBe('A,B,d,e');
      expect(
        (
          await query(
            "INSERT INTO tags (id, name) VALUES (1, 'z') ON DUPLICATE KEY UPDATE name = VALUES(name)",
          )
        ).status,
      ).toBe(200);
      expect(await names()).toBe('z,B,d,e');
      const verbose = await query('DELETE FROM tags WHERE id = 1', { verbose: true });
      expect(verbose.json).toMatchObject({
        data: [],
        affected_rows: 1,
        insert_id: null,
        source: 'sql',
        sql: 'DELETE FROM tags WHERE id = 1',
      });
    });

    it('RETURNING returns the written rows on MariaDB and is rejected on MySQL', async () => {
      const response = await query("INSERT INTO tags (name) VALUES ('d'), ('e') RETURNING name");
      if (hasReturning) {
        expect(response.json).toEqual([{ name: 'd' }, { name: 'e' }]);
        expect(
          (await query('DELETE FROM tags WHERE id < 3 RETURNING id', { verbose: true })).json,
        ).toMatchObject({ data: [{ id: 1 }, { id: 2 }], affected_rows: 2 });
        expect(await names()).toBe('c,d,e');
      } else expect(response.json).toMatchObject({ code: 'query.invalid_sql' });
    });

    it('an SQL write above max-affected or with tx=rollback changes nothing', async () => {
      const bounded = { Prefer: 'max-affected=1' };
      expect((await query('UPDATE tags SET n = 1 WHERE 1 = 1', {}, key, bounded)).json).toMatchObject({
        code: 'record.max_affected',
        max_affected: 1,
      });
      expect((await query('DELETE FROM tags WHERE id > 0', {}, key, bounded)).status).toBe(409);
      if (hasReturning)
        expect((await query('DELETE FROM tags WHERE id > 0 RETURNING id', {}, key, bounded)).status).toBe(
          409,
        );
      expect((await query('DELETE FROM tags WHERE id > 0', { dry_run: true })).json).toMatchObject({
        success: true,
        affected_rows: 3,
      });
      expect(
        (await query('DELETE FROM tags WHERE id > 0', {}, key, { Prefer: 'tx=rollback' })).json,
      ).toMatchObject({ affected_rows: 3 });
      expect(await names()).toBe('a,b,c');
      expect((await query('SELECT SUM(n) AS n FROM tags')).json).toEqual([{ n: 0 }]);
    });

    it('POST /query rejects a write without scope, WHERE or right', async () => {
      for (const sql of [
        'DELETE FROM tags',
        'UPDATE tags SET n = 1',
        'DROP TABLE tags',
        'TRUNCATE tags',
        'ALTER TABLE tags ADD x int',
        "REPLACE INTO tags VALUES (1, 'x', 1)",
        'DELETE FROM tags WHERE id = 1; DELETE FROM tags WHERE id = 2',
      ]) {
        expect((await query(sql)).json, sql).toMatchObject({ code: 'query.not_allowed' });
      }
      expect((await query('DELETE FROM tags WHERE id = 1', {}, tenant.key)).json).toMatchObject({
        code: 'query.not_allowed',
        detail: expect.stringContaining('query:write'),
      });
      expect((await query("INSERT INTO tags (name) VALUES ('d')", { mode: 'question' })).status).toBe(422);
      expect(await names()).toBe('a,b,c');
    });

    it('the database server rejects tables and verbs that a narrowed key may not write', async () => {
      const narrow = (
        await cell.addKey(tenant, {
          scopes: ['read', 'write', 'query', 'query:write'],
          tables: { tags: ['read', 'write', 'delete'], notes: ['read'] },
        })
      ).secret;
      expect((await query("INSERT INTO tags (name) VALUES ('d')", {}, narrow)).status).toBe(200);
      expect(
        (await query("UPDATE tags SET n = (SELECT COUNT(*) FROM notes) WHERE name = 'd'", {}, narrow)).json,
      ).toMatchObject({ affected_rows: 1 });
      for (const sql of [
        'DELETE FROM tags WHERE id = 1',
        'INSERT INTO notes (tag_id) VALUES (1)',
        'UPDATE notes n JOIN tags t ON t.id = n.tag_id SET n.body = 1 WHERE 1',
      ])
        expect((await query(sql, {}, narrow)).json, sql).toMatchObject({ code: 'query.not_allowed' });
      for (const sql of [
        'UPDATE vault SET pin = 1 WHERE id = 1',
        'DELETE FROM vault WHERE id = 1',
        'INSERT INTO tags (name) SELECT pin FROM vault',
        'UPDATE tags SET name = (SELECT pin FROM vault) WHERE id = 1',
      ]) {
        expect((await query(sql, {}, narrow)).json, sql).toMatchObject({ code: 'query.unknown_table' });
      }
      const [user] = await cell.pool.rows<{ user_name: string }>(
        "SELECT user_name FROM database_account WHERE database_id = ? AND kind = 'query_write' ORDER BY created_at DESC LIMIT 1",
        [tenant.databaseId],
      );
      expect(user).toBeDefined();
    });

    it('an SQL write cannot reach another tenant', async () => {
      for (const sql of [
        `DELETE FROM ${other.schemaName}.tags WHERE id = 1`,
        `INSERT INTO ${other.schemaName}.tags (name) VALUES ('x')`,
        `UPDATE tags t JOIN ${other.schemaName}.tags o ON o.id = t.id SET o.n = 9 WHERE 1`,
        `INSERT INTO tags (name) SELECT name FROM ${other.schemaName}.tags`,
      ]) {
        expect((await query(sql)).json, sql).toMatchObject({ code: 'query.not_allowed' });
      }
      const rows = await cell.root.rows<{ n: number }>(
        `SELECT COUNT(*) AS n FROM ${other.schemaName}.tags WHERE n = 0`,
      );
      expect(Number(rows[0]?.n)).toBe(3);
    });

    it('errors of SQL writes have the messages of the table endpoints', async () => {
      expect((await query("INSERT INTO tags (name) VALUES ('a')")).json).toMatchObject({
        code: 'record.duplicate',
        columns: ['name'],
      });
      expect((await query('INSERT INTO notes (tag_id) VALUES (99)')).json).toMatchObject({
        code: 'record.foreign_key',
      });
      expect((await query(`INSERT INTO tags (name) VALUES ('${'x'.repeat(30)}')`)).status).toBe(422);
      const unknown = await query("INSERT INTO tags (nmae) VALUES ('q')");
      expect(unknown.json).toMatchObject({
        code: 'query.unknown_column',
        line: 1,
        column: 19,
        suggestions: ['name'],
      });
      expect(
        (await query("INSERT INTO tags (name) VALUES ('q')", {}, key, { Accept: 'text/csv' })).status,
      ).toBe(406);
      expect(await names()).toBe('a,b,c');
    });
  },
);

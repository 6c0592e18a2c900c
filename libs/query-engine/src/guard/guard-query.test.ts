import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { fillSchemaName, HIDDEN_TABLES, KNOWN_TABLES } from '../../test/schema.js';
import { BORROWED_NAMES } from '../../test/hostile-names.js';
import { HOSTILE_STATEMENTS } from '../../test/hostile-statements.js';
import { VALID_READS } from '../../test/valid-reads.js';
import { guardQuery } from './guard-query.js';
import type { GuardedQuery, QueryParams } from '../types.js';

const SCHEMA_NAME = 'pabc234';

function guard(sql: string, params?: QueryParams): GuardedQuery {
  return guardQuery(fillSchemaName(sql, SCHEMA_NAME), {
    tables: KNOWN_TABLES,
    hiddenNames: HIDDEN_TABLES,
    schemaName: SCHEMA_NAME,
    params,
  });
}

function catchError(sql: string, params?: QueryParams): AppError {
  try {
    guard(sql, params);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error(`accepted: ${sql}`);
}

describe('guardQuery', () => {
  it.each(VALID_READS)('guardQuery accepts $sql', ({ sql, params }) => {
    expect(guard(sql, params).kind).toMatch(/^(select|explain)$/);
  });

  it.each(HOSTILE_STATEMENTS)('guardQuery rejects $sql', ({ sql, code }) => {
    expect(catchError(sql).code).toBe(code);
  });

  it('guardQuery is tested with enough valid and hostile statements', () => {
    expect(VALID_READS.length).toBeGreaterThan(150);
    expect(HOSTILE_STATEMENTS.length).toBeGreaterThan(300);
  });

  it('guardQuery reports an unknown table with line, column and the closest table', () => {
    expect(catchError('SELECT 1\nFROM user')).toMatchObject({
      code: 'query.unknown_table',
      extra: { line: 2, column: 6, suggestions: ['users'] },
      hint: 'Did you mean users?',
    });
    expect(catchError('SELECT id,\n  SLEEP(1)')).toMatchObject({ extra: { line: 2, column: 3 } });
  });

  it('guardQuery rejects a function with unlimited pattern matching, because KILL does not stop it', () => {
    const sql = `SELECT JSON_SCHEMA_VALID('{"pattern": "(a+)+$"}', '"aaaaaaaa!"')`;
    expect(catchError(sql)).toMatchObject({
      detail: expect.stringContaining('JSON_SCHEMA_VALID is not allowed') as string,
    });
  });

  it.each([
    "SELECT LOCATE(CONCAT(REPEAT('a',6000),'b'),REPEAT('a',12000000))",
    'SELECT INSTR(SPACE(60000), username) FROM users',
    "SELECT SUBSTRING_INDEX(RPAD('a', id, 'a'), 'ab', 1) FROM users",
    "SELECT RPAD('a', 1e7, 'a') LIKE '%ab'",
    "SELECT 1 LIKE x FROM (SELECT CONCAT(y, y, y, y, y, y, y, y, y) AS x FROM (SELECT REPEAT('a', 9000) AS y) a) b",
    "SELECT REPLACE(REPLACE(REPEAT('a', 1000), 'a', 'bbbbbbbbbb'), 'b', 'cccccccccc')",
    "SELECT ST_ISSIMPLE(ST_GEOMFROMTEXT(CONCAT('LINESTRING(', REPEAT('0 0,1 1,', 99999), '0 0)')))",
    "SELECT LOCATE(SFORMAT('{:a>30000}', 'b'), SFORMAT('{:a>1000000}', 'b'))",
    "SELECT CONCAT_WS(REPEAT('a', 9000), '', '', '', '', '', '', '') LIKE '%b'",
    "SELECT INSTR(x, 'b') FROM (SELECT GROUP_CONCAT(REPEAT('a', 999) SEPARATOR '') AS x FROM users) a",
    "WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 900) SELECT INSTR(x, 'b') FROM (SELECT GROUP_CONCAT(n) AS x FROM c) a",
    "SELECT JSON_EXTRACT(CONCAT('[\"', REPEAT('a', 9000), '\"]'), '$[0]', '$[0]', '$[0]', '$[0]', '$[0]', '$[0]') LIKE '%b'",
    "SELECT JSON_EXTRACT(REPEAT('[', 999), '$**[0]') LIKE '%b'",
    "SELECT JSON_PRETTY(REPEAT('[', 999)) LIKE '%b'",
    "SELECT DATE_FORMAT(NOW(), REPEAT('%r', 9000)) LIKE '%b'",
    "SELECT JSON_OVERLAPS(CONCAT('[', REPEAT('1,', 200000), '1]'), '[2]')",
    "SELECT CAST('a' AS BINARY(9000000)) LIKE '%b'",
    "WITH RECURSIVE r AS (SELECT username AS s FROM users UNION ALL SELECT CONCAT(s, s, s, s, s) FROM r) SELECT s LIKE '%b' FROM r",
    "SELECT JSON_EXTRACT(meta, '$**[0]**[0]') FROM orders",
    "SELECT JSON_EXTRACT(meta, CONCAT('$**', '**')) FROM orders",
    "SELECT JSON_CONTAINS_PATH(meta, 'one', '$.a', meta) FROM orders",
    "SELECT JSON_SEARCH(meta, 'one', 'a', NULL, meta) FROM orders",
  ])('guardQuery rejects a statement that may continue after KILL: %s', (sql) => {
    expect(catchError(sql).code).toBe('query.not_allowed');
  });

  it('guardQuery rejects a long search text in parameters', () => {
    expect(catchError('SELECT id FROM users WHERE username LIKE ?', ['a'.repeat(60_000)]).code).toBe(
      'query.not_allowed',
    );
    expect(catchError('SELECT JSON_EXTRACT(meta, ?) FROM orders', ['$**[0]**[0]']).code).toBe(
      'query.not_allowed',
    );
    expect(
      guard('SELECT JSON_EXTRACT(meta, ?), LPAD(id, ?, 0) LIKE ? FROM orders', ['$**.a', 10, '%b']).kind,
    ).toBe('select');
  });

  it.each([
    "SELECT REPEAT('*', id) FROM users",
    "SELECT username, (SELECT GROUP_CONCAT(title, ': ', content SEPARATOR ', ') FROM posts) AS p FROM users WHERE username LIKE '%a%'",
    "SELECT CONCAT_WS(', ', username, email) FROM users WHERE DATE_FORMAT(created_at, '%Y-%m') LIKE '2026%'",
    "SELECT id FROM users WHERE CONCAT(username, ' ', email) LIKE CONCAT('%', LOWER(username), '%')",
    "WITH RECURSIVE r AS (SELECT id, name AS p FROM employees UNION ALL SELECT e.id, CONCAT(r.p, ' > ', e.name) FROM employees e JOIN r ON r.id = e.manager_id) SELECT * FROM r WHERE p LIKE '%x%'",
    "SELECT REPLACE(email, '@', ' at '), JSON_EXTRACT(meta, '$.a', '$**.b') FROM users, orders",
  ])('guardQuery accepts search texts of ordinary length: %s', (sql) => {
    expect(guard(sql).kind).toBe('select');
  });

  it('guardQuery never suggests a hidden table', () => {
    const error = catchError('SELECT * FROM secret');
    expect(JSON.stringify([error.detail, error.hint, error.extra])).not.toContain('secrets');
  });

  it('guardQuery reports the same error for a hidden table and a missing table', () => {
    const shape = (name: string): unknown => {
      const { status, code, detail, hint, extra } = catchError(
        `SELECT * FROM users u JOIN ${name} x ON x.id = u.id`,
      );
      return [status, code, detail.replaceAll(name, 'NAME'), hint, extra];
    };
    expect(shape('secrets')).toEqual(shape('nowhere'));
    expect(shape('payroll')).toEqual(shape('parroll'));
  });

  it.each(BORROWED_NAMES)(
    'guardQuery accepts and replaces an alias with the name of a hidden table: %s',
    (sql) => {
      const guarded = guard(sql);
      if (guarded.kind !== 'select') throw new Error(guarded.kind);
      expect(guarded.sql).toBe(sql);
      // The removed uses of the name are aliases and columns, which do not refer to the hidden table.
      expect(guarded.runSql.replaceAll(/(?:AS|id|BY) secrets/gi, '')).not.toMatch(/secrets|payroll/i);
      expect(guarded.tables.filter((name) => name === 'secrets')).toEqual([]);
    },
  );

  it('guardQuery lists each read table once', () => {
    expect(
      guard(
        'WITH a AS (SELECT * FROM posts) SELECT * FROM a, users u WHERE EXISTS (SELECT 1 FROM comments c, posts)',
      ),
    ).toMatchObject({ tables: ['comments', 'posts', 'users'] });
    expect(guard('SELECT 1')).toMatchObject({ tables: [] });
  });

  it('guardQuery removes comments and the last semicolon and keeps line breaks', () => {
    expect(guard('/* a */ SELECT/* b\n c */1 -- d\n;')).toMatchObject({
      kind: 'select',
      sql: 'SELECT \n1',
      runSql: 'SELECT \n1',
      params: [],
      tables: [],
    });
    expect(guard("SELECT '-- x', `id`#y\nFROM users")).toMatchObject({
      sql: "SELECT '-- x', `id` \nFROM users",
    });
  });

  it('guardQuery returns named parameters in the order of the text', () => {
    expect(guard('SELECT :a, :b, :a FROM users WHERE id > :b', { a: 'x', b: 2 })).toMatchObject({
      sql: 'SELECT ?, ?, ? FROM users WHERE id > ?',
      params: ['x', 2, 'x', 2],
    });
    expect(guard("SELECT ?, ':a ?' FROM users WHERE id = ?", [null, true])).toMatchObject({
      params: [null, true],
    });
  });

  it.each<[string, QueryParams | undefined]>([
    ['SELECT ?', undefined],
    ['SELECT ?', []],
    ['SELECT ?', [1, 2]],
    ['SELECT 1', [1]],
    ['SELECT 1', { a: 1 }],
    ['SELECT ?', { a: 1 }],
    ['SELECT :a', [1]],
    ['SELECT :a', undefined],
    ['SELECT :a', {}],
    ['SELECT :a', { a: 1, b: 2 }],
    ['SELECT :toString', {}],
    ['SELECT :a, ?', { a: 1 }],
    ['SELECT ?', ['\ud800']],
    ['SELECT ?', [Number.NaN]],
    ['SELECT ?', [{ toString: 'x' } as unknown as string]],
    ['SELECT :a', { a: [1] as unknown as string }],
  ])('guardQuery rejects %s with params %j with 422', (sql, params) => {
    expect(catchError(sql, params)).toMatchObject({ code: 'body.invalid', status: 422 });
  });

  it('SHOW and DESCRIBE only accept tables that the key may read', () => {
    expect(guard('SHOW TABLES')).toEqual({ kind: 'show_tables', like: null });
    expect(guard("show full tables like 'p%';")).toEqual({ kind: 'show_tables', like: 'p%' });
    expect(guard('DESCRIBE users')).toEqual({ kind: 'describe', table: 'users', column: null });
    expect(guard('desc {schema}.users email')).toEqual({ kind: 'describe', table: 'users', column: 'email' });
    expect(guard('EXPLAIN `order`')).toEqual({ kind: 'describe', table: 'order', column: null });
    expect(() => guard('SHOW COLUMNS 2fa_codes')).toThrow('FROM and a table name');
    expect(guard('SHOW COLUMNS FROM 2fa_codes')).toEqual({
      kind: 'describe',
      table: '2fa_codes',
      column: null,
    });
  });

  it('guardQuery finds a visible table although a hidden one differs only in case', () => {
    const options = { tables: ['Users'], hiddenNames: ['users'], schemaName: SCHEMA_NAME };
    expect(guardQuery('SELECT * FROM Users', options)).toMatchObject({ tables: ['Users'] });
    expect(() => guardQuery('SELECT * FROM users', options)).toThrow(AppError);
  });

  it('guardQuery reads a keyword as a keyword even if a hidden table has the same name', () => {
    const options = { tables: ['users'], hiddenNames: ['order', 'count', 'group'], schemaName: SCHEMA_NAME };
    expect(guardQuery('SELECT COUNT(*) FROM users GROUP BY id ORDER BY id', options).kind).toBe('select');
    expect(() => guardQuery('SELECT * FROM `order`', options)).toThrow(AppError);
    expect(guardQuery('WITH count (a) AS (SELECT 1) SELECT * FROM count', options)).toMatchObject({
      runSql: 'WITH `given0` (a) AS (SELECT 1) SELECT * FROM `given0`',
    });
    expect(guardQuery('SELECT given0.id, count.id FROM users given0, users count', options)).toMatchObject({
      runSql: 'SELECT given0.id, `given_0`.id FROM users given0, users `given_0`',
    });
  });

  it('the longest allowed query is parsed without deep recursion, whatever its shape', () => {
    const nested = `SELECT ${'('.repeat(64)}1${')'.repeat(64)}`;
    expect(guard(nested).kind).toBe('select');
    const wide = `SELECT id FROM users WHERE ${Array.from({ length: 950 }, (_, index) => `id = ${index}`).join(' OR ')}`;
    expect(guard(wide).kind).toBe('select');
  });
});

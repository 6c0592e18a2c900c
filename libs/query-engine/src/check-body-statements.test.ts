import { describe, expect, it } from 'vitest';
import { classifyDdl, withoutInvoker } from './classify-ddl.js';
import { splitStatements } from './split-statements.js';

function classifyOne(sql: string): { readonly kind: string; readonly detail?: string } {
  const [statement] = splitStatements(`DELIMITER //\n${sql}//\n`, { engine: 'mariadb', version: '10.11.19' });
  if (statement === undefined) throw new Error('no statement');
  return classifyDdl(statement);
}

const REFUSED: readonly (readonly [body: string, statement: string])[] = [
  ['CREATE PROCEDURE p(IN x TEXT) EXECUTE IMMEDIATE x', 'EXECUTE IMMEDIATE'],
  ["CREATE PROCEDURE p() COMMENT 'a' execute immediate 'SELECT 1'", 'EXECUTE IMMEDIATE'],
  ['CREATE PROCEDURE p() SQL SECURITY INVOKER EXECUTE s', 'EXECUTE'],
  ['CREATE PROCEDURE p() BEGIN EXECUTE `s` USING @a; END', 'EXECUTE'],
  ['CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION EXECUTE s; END', 'EXECUTE'],
  ['CREATE PROCEDURE p(IN x TEXT) BEGIN PREPARE s FROM x; END', 'PREPARE'],
  ["CREATE PROCEDURE p() IF 1 THEN PREPARE s FROM 'SELECT 1'; END IF", 'PREPARE'],
  ['CREATE PROCEDURE p() BEGIN DEALLOCATE PREPARE s; END', 'DEALLOCATE PREPARE'],
  ['CREATE PROCEDURE p() BEGIN DROP PREPARE s; END', 'DROP PREPARE'],
  ["CREATE PROCEDURE p() BEGIN SET STATEMENT max_statement_time = 1 FOR EXECUTE IMMEDIATE 'SELECT 1'; END", 'EXECUTE IMMEDIATE'],
  ["CREATE PROCEDURE p() SET PASSWORD = PASSWORD('x')", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() SET @a = 1, PASSWORD = PASSWORD('x')", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() SET @a = CASE WHEN 1 THEN 2 ELSE 3 END, PASSWORD = 'x'", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() SET STATEMENT max_statement_time = 1 FOR SET PASSWORD = 'x'", 'SET PASSWORD'],
  ["CREATE OR REPLACE PROCEDURE p() SET PASSWORD FOR a@b = 'x'", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() BEGIN UPDATE t SET a = 1; SET PASSWORD = 'x'; END", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() IF INSERT('a', 1, 1, 'b') = 'b' THEN SET PASSWORD = 'x'; END IF", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() IF (SELECT 1 FROM t FOR UPDATE) THEN SET PASSWORD = 'x'; END IF", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() BEGIN SET @a = (SELECT 1 FROM t LIMIT 1 FOR UPDATE), @b = CAST('x' AS CHAR CHARACTER SET utf8mb4), PASSWORD = PASSWORD('x'); END", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() SET @b = CONVERT('x', CHAR CHARACTER SET utf8mb4), @c = (SELECT 1 FROM t FOR UPDATE), PASSWORD FOR CURRENT_USER = 'x'", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() SET @a = (SELECT 1 FROM t FOR UPDATE), @b = CAST('x' AS CHAR CHARACTER SET utf8mb4), GLOBAL max_connections = 1", 'SET GLOBAL'],
  ["CREATE PROCEDURE p() SET @a = (SELECT 1 FROM t FOR UPDATE), CHARACTER SET utf8mb4, PASSWORD = 'x'", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() BEGIN l:LOOP XA START 'x'; LEAVE l; END LOOP; END", 'XA'],
  ['CREATE PROCEDURE p() BEGIN l:BEGIN FLUSH TABLES; END; END', 'FLUSH'],
  ["CREATE PROCEDURE p() BEGIN UPDATE t SET a = 1; l:BEGIN SET PASSWORD = 'x'; END; END", 'SET PASSWORD'],
  ['CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION SHUTDOWN; SELECT 1; END', 'SHUTDOWN'],
  ["CREATE TRIGGER r AFTER UPDATE ON t FOR EACH ROW SET PASSWORD = 'x'", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() ALTER USER CURRENT_USER() IDENTIFIED BY 'x'", 'ALTER USER'],
  ["CREATE PROCEDURE p() CREATE OR REPLACE USER a IDENTIFIED BY 'x'", 'CREATE USER'],
  ['CREATE PROCEDURE p() DROP ROLE r', 'DROP ROLE'],
  ['CREATE PROCEDURE p() RENAME USER a TO b', 'RENAME USER'],
  ['CREATE PROCEDURE p() GRANT SELECT ON t TO a', 'GRANT'],
  ['CREATE PROCEDURE p() REVOKE SELECT ON t FROM a', 'REVOKE'],
  ['CREATE PROCEDURE p() SET ROLE r', 'SET ROLE'],
  ['CREATE PROCEDURE p() SET GLOBAL max_connections = 1', 'SET GLOBAL'],
  ['CREATE PROCEDURE p() SET @@GLOBAL.max_connections = 1', '@@GLOBAL.max_connections'],
  ['CREATE PROCEDURE p() DROP DATABASE IF EXISTS pabcs', 'DROP DATABASE'],
  ['CREATE PROCEDURE p() CREATE EVENT e ON SCHEDULE EVERY 1 SECOND DO SELECT 1', 'CREATE EVENT'],
  ['CREATE PROCEDURE p() KILL 7', 'KILL'],
  ['CREATE PROCEDURE p() DROP TRIGGER IF EXISTS sign', 'DROP TRIGGER'],
  ['CREATE PROCEDURE p() SHUTDOWN', 'SHUTDOWN'],
  ['CREATE PROCEDURE p() BEGIN FLUSH TABLES; END', 'FLUSH'],
  ["CREATE PROCEDURE p() SELECT 1 INTO OUTFILE '/tmp/x'", 'INTO OUTFILE'],
  ["CREATE PROCEDURE p() XA PREPARE 'a'", 'XA'],
];

const TAKEN: readonly string[] = [
  'CREATE PROCEDURE p() BEGIN SET @a = 1; UPDATE users SET password = SHA2(@a, 256), role = 1 WHERE id = 1; END',
  'CREATE PROCEDURE p() INSERT INTO users SET password = 1, role = 2',
  'CREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 2; UPDATE t SET a = CASE WHEN b THEN c ELSE d END, password = 1; END',
  'CREATE TRIGGER r BEFORE INSERT ON users FOR EACH ROW SET NEW.password = UPPER(NEW.password), NEW.role = 1',
  'CREATE PROCEDURE p() SELECT prepare FROM jobs',
  'CREATE PROCEDURE p() SELECT t.execute, prepare AS x, execute FROM jobs t WHERE execute = 1',
  'CREATE PROCEDURE p() BEGIN SELECT role, user FROM t; CREATE TEMPORARY TABLE user_copy (a INT); DROP TEMPORARY TABLE user_copy; END',
  'CREATE PROCEDURE p() BEGIN DECLARE flush INT; SET flush = 1; SELECT flush, reset FROM t; END',
  "CREATE FUNCTION f(a TEXT) RETURNS SET('x','y') DETERMINISTIC RETURN REPLACE(a, 'x', 'y')",
  'CREATE PROCEDURE p() SET SESSION sql_mode = DEFAULT',
  'CREATE PROCEDURE p(x TEXT CHARACTER SET utf8mb4) UPDATE users SET a = 1, password = 2',
  'CREATE PROCEDURE p() SET STATEMENT max_statement_time = 1 FOR UPDATE users SET a = (SELECT 1 FROM t), password = 2',
  "CREATE PROCEDURE p() SQL SECURITY INVOKER UPDATE users SET a = CAST('x' AS CHAR CHARACTER SET utf8mb4), password = 'y'",
];

describe('bodies of deployed routines and triggers', () => {
  it.each(REFUSED)('%s is refused with the name of its statement', (sql, statement) => {
    expect(classifyOne(sql)).toMatchObject({ kind: 'refused', code: 'schema.statement_not_allowed', detail: `A deployed body cannot contain ${statement}.` });
  });

  it.each([
    'CREATE FUNCTION f() RETURNS INT SQL SECURITY INVOKER RETURN 1', 'CREATE FUNCTION f() RETURNS INT DETERMINISTIC sql security /* x */ invoker RETURN 1',
    'ALTER FUNCTION f SQL SECURITY INVOKER',
  ])('%s is refused: a view would call it with the rights of whoever opens the view', (sql) => {
    expect(classifyOne(sql)).toMatchObject({ kind: 'refused', detail: 'A function cannot be SQL SECURITY INVOKER.' });
  });

  it('functions of older files lose SQL SECURITY INVOKER, and nothing in their texts does', () => {
    const body = "RETURN 'SQL SECURITY INVOKER'";
    expect(withoutInvoker(`CREATE FUNCTION \`f\`() RETURNS text\n    SQL SECURITY INVOKER\n${body}`)).toBe(`CREATE FUNCTION \`f\`() RETURNS text\n    SQL SECURITY DEFINER\n${body}`);
    for (const sql of [`CREATE FUNCTION \`f\`() RETURNS text\n${body}`, 'CREATE PROCEDURE p() SQL SECURITY INVOKER SELECT 1']) expect(withoutInvoker(sql)).toBe(sql);
  });

  it.each(TAKEN)('%s is taken', (sql) => {
    expect(classifyOne(sql)).toMatchObject({ kind: 'allowed' });
  });
});

import { describe, expect, it } from 'vitest';
import { classifyDdl, withoutInvoker } from './classify-ddl.js';
import { splitStatements } from '../script/split-statements.js';

function classifyOne(sql: string): { readonly kind: string; readonly detail?: string } {
  const [statement] = splitStatements(`DELIMITER //\n${sql}//\n`, { engine: 'mariadb', version: '10.11.19' });
  if (statement === undefined) throw new Error('no statement');
  return classifyDdl(statement);
}

const REJECTED: readonly (readonly [body: string, statement: string])[] = [
  ['CREATE PROCEDURE p(IN x TEXT) EXECUTE IMMEDIATE x', 'EXECUTE IMMEDIATE'],
  ["CREATE PROCEDURE p() COMMENT 'a' execute immediate 'SELECT 1'", 'EXECUTE IMMEDIATE'],
  ['CREATE PROCEDURE p() SQL SECURITY INVOKER EXECUTE s', 'EXECUTE'],
  ['CREATE PROCEDURE p() BEGIN EXECUTE `s` USING @a; END', 'EXECUTE'],
  ['CREATE PROCEDURE p() BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION EXECUTE s; END', 'EXECUTE'],
  ['CREATE PROCEDURE p(IN x TEXT) BEGIN PREPARE s FROM x; END', 'PREPARE'],
  ["CREATE PROCEDURE p() IF 1 THEN PREPARE s FROM 'SELECT 1'; END IF", 'PREPARE'],
  ['CREATE PROCEDURE p() BEGIN DEALLOCATE PREPARE s; END', 'DEALLOCATE PREPARE'],
  ['CREATE PROCEDURE p() BEGIN DROP PREPARE s; END', 'DROP PREPARE'],
  [
    "CREATE PROCEDURE p() BEGIN SET STATEMENT max_statement_time = 1 FOR EXECUTE IMMEDIATE 'SELECT 1'; END",
    'EXECUTE IMMEDIATE',
  ],
  ["CREATE PROCEDURE p() SET PASSWORD = PASSWORD('x')", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() SET @a = 1, PASSWORD = PASSWORD('x')", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() SET @a = CASE WHEN 1 THEN 2 ELSE 3 END, PASSWORD = 'x'", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() SET STATEMENT max_statement_time = 1 FOR SET PASSWORD = 'x'", 'SET PASSWORD'],
  ["CREATE OR REPLACE PROCEDURE p() SET PASSWORD FOR a@b = 'x'", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() BEGIN UPDATE t SET a = 1; SET PASSWORD = 'x'; END", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() IF INSERT('a', 1, 1, 'b') = 'b' THEN SET PASSWORD = 'x'; END IF", 'SET PASSWORD'],
  ["CREATE PROCEDURE p() IF (SELECT 1 FROM t FOR UPDATE) THEN SET PASSWORD = 'x'; END IF", 'SET PASSWORD'],
  [
    "CREATE PROCEDURE p() BEGIN SET @a = (SELECT 1 FROM t LIMIT 1 FOR UPDATE), @b = CAST('x' AS CHAR CHARACTER SET utf8mb4), PASSWORD = PASSWORD('x'); END",
    'SET PASSWORD',
  ],
  [
    "CREATE PROCEDURE p() SET @b = CONVERT('x', CHAR CHARACTER SET utf8mb4), @c = (SELECT 1 FROM t FOR UPDATE), PASSWORD FOR CURRENT_USER = 'x'",
    'SET PASSWORD',
  ],
  [
    "CREATE PROCEDURE p() SET @a = (SELECT 1 FROM t FOR UPDATE), @b = CAST('x' AS CHAR CHARACTER SET utf8mb4), GLOBAL max_connections = 1",
    'SET GLOBAL',
  ],
  [
    "CREATE PROCEDURE p() SET @a = (SELECT 1 FROM t FOR UPDATE), CHARACTER SET utf8mb4, PASSWORD = 'x'",
    'SET CHARACTER',
  ],
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

const SETTINGS: readonly (readonly [body: string, statement: string])[] = [
  ['SET SESSION sql_select_limit = 0', 'SET SESSION'],
  ['set local character_set_results = NULL', 'SET LOCAL'],
  ['SET @@session.sql_mode = 1', 'SET @@session.sql_mode'],
  ['SET @a = 1, @@sql_mode = 1', 'SET @@sql_mode'],
  ['SET sql_select_limit = 0', 'SET sql_select_limit'],
  ['SET @a = (SELECT 1), `Max_Join_Size` := 1', 'SET Max_Join_Size'],
  ['SET NAMES latin1', 'SET NAMES'],
  ['SET CHARACTER SET latin1', 'SET CHARACTER'],
  ['SET TRANSACTION READ ONLY', 'SET TRANSACTION'],
  ['SET RESOURCE GROUP g', 'SET RESOURCE'],
  ['SET x.y = 1', 'SET x'],
  ['SET STATEMENT a = 1, b = 2 FOR SET c = 3', 'SET c'],
  ['BEGIN BEGIN DECLARE sql_select_limit INT; END; SET sql_select_limit = 0; END', 'SET sql_select_limit'],
  [
    'IF 1 THEN BEGIN DECLARE sql_select_limit INT; END; SET sql_select_limit = 0; END IF',
    'SET sql_select_limit',
  ],
  ['l:LOOP BEGIN DECLARE autocommit INT; END; SET autocommit = 0; LEAVE l; END LOOP', 'SET autocommit'],
  ["BEGIN IF 1 THEN SIGNAL SQLSTATE '45000'; SET autocommit = 0; END IF; END", 'SET autocommit'],
  ['BEGIN ALTER TABLE t ALTER a SET DEFAULT 1; SET autocommit = 0; END', 'SET autocommit'],
  ['BEGIN DECLARE autocommit CURSOR FOR SELECT 1; SET autocommit = 0; END', 'SET autocommit'],
  [
    'BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN DECLARE autocommit INT; END; SET autocommit = 0; END',
    'SET autocommit',
  ],
];

const ACCEPTED: readonly string[] = [
  'CREATE PROCEDURE p() BEGIN SET @a = 1; UPDATE users SET password = SHA2(@a, 256), role = 1 WHERE id = 1; END',
  'CREATE PROCEDURE p() INSERT INTO users SET password = 1, role = 2',
  'CREATE PROCEDURE p() BEGIN INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 2; UPDATE t SET a = CASE WHEN b THEN c ELSE d END, password = 1; END',
  'CREATE TRIGGER r BEFORE INSERT ON users FOR EACH ROW SET NEW.password = UPPER(NEW.password), NEW.role = 1',
  'CREATE PROCEDURE p() SELECT prepare FROM jobs',
  'CREATE PROCEDURE p() SELECT t.execute, prepare AS x, execute FROM jobs t WHERE execute = 1',
  'CREATE PROCEDURE p() BEGIN SELECT role, user FROM t; CREATE TEMPORARY TABLE user_copy (a INT); DROP TEMPORARY TABLE user_copy; END',
  'CREATE PROCEDURE p() BEGIN DECLARE flush INT; SET flush = 1; SELECT flush, reset FROM t; END',
  "CREATE FUNCTION f(a TEXT) RETURNS SET('x','y') DETERMINISTIC RETURN REPLACE(a, 'x', 'y')",
  'CREATE PROCEDURE p() BEGIN DECLARE sql_mode, autocommit INT; BEGIN DECLARE n INT; SET n = 1, sql_mode = 2, `autocommit` = 3; END; END',
  'CREATE FUNCTION f(timestamp INT, b DECIMAL(3,1)) RETURNS INT DETERMINISTIC BEGIN SET timestamp = 1, b = timestamp; RETURN b; END',
  'CREATE PROCEDURE p(INOUT session INT) BEGIN SET session = 1, @x := 2; SET NEW.sql_mode = 1; FOR i IN 1 .. 3 DO SET i = 2; END FOR; END',
  "CREATE PROCEDURE p() BEGIN DECLARE a VARCHAR(9) CHARACTER SET utf8mb4; DECLARE s SET('x') DEFAULT 'x'; CREATE TABLE x (a INT) DEFAULT CHARACTER SET utf8mb4, COMMENT = 'x'; ALTER TABLE x ALTER COLUMN a SET DEFAULT 1; SET a = 'b'; END",
  'CREATE PROCEDURE p() BEGIN SET STATEMENT sort_buffer_size = 1, max_statement_time = 1 FOR SELECT 1; SELECT @@sql_mode; END',
  'CREATE PROCEDURE p(x TEXT CHARACTER SET utf8mb4) UPDATE users SET a = 1, password = 2',
  'CREATE PROCEDURE p() SET STATEMENT max_statement_time = 1 FOR UPDATE users SET a = (SELECT 1 FROM t), password = 2',
  "CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'not today', MYSQL_ERRNO = 1644",
  "CREATE PROCEDURE p() BEGIN DECLARE c CONDITION FOR SQLSTATE '45000'; DECLARE EXIT HANDLER FOR c RESIGNAL SET MESSAGE_TEXT = 'b'; SIGNAL c SET MESSAGE_TEXT = 'a'; END",
  'CREATE PROCEDURE p() BEGIN DECLARE done INT; DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = TRUE; ALTER TABLE t ALTER a SET DEFAULT 1, COMMENT = 1; END',
  "CREATE PROCEDURE p() SQL SECURITY INVOKER UPDATE users SET a = CAST('x' AS CHAR CHARACTER SET utf8mb4), password = 'y'",
];

describe('bodies of deployed routines and triggers', () => {
  it.each(REJECTED)(
    'a routine body is rejected with the name of its forbidden statement: %s',
    (sql, statement) => {
      expect(classifyOne(sql)).toMatchObject({
        kind: 'refused',
        code: 'schema.statement_not_allowed',
        detail: `A deployed routine or trigger cannot contain ${statement}.`,
      });
    },
  );

  it.each(SETTINGS)('a procedure or trigger that changes the session is rejected: %s', (body, statement) => {
    const detail = `A deployed routine or trigger cannot contain ${statement}.`;
    for (const sql of [
      `CREATE PROCEDURE p() ${body}`,
      `CREATE TRIGGER r BEFORE INSERT ON t FOR EACH ROW ${body}`,
    ]) {
      expect(classifyOne(sql)).toMatchObject({
        kind: 'refused',
        code: 'schema.statement_not_allowed',
        detail,
      });
    }
  });

  it.each([
    'CREATE FUNCTION f() RETURNS INT SQL SECURITY INVOKER RETURN 1',
    'CREATE FUNCTION f() RETURNS INT DETERMINISTIC sql security /* x */ invoker RETURN 1',
    'ALTER FUNCTION f SQL SECURITY INVOKER',
  ])('a function with the rights of its caller is rejected: %s', (sql) => {
    expect(classifyOne(sql)).toMatchObject({
      kind: 'refused',
      detail: 'A function cannot be SQL SECURITY INVOKER.',
    });
  });

  it('a function of an older file loses SQL SECURITY INVOKER and is otherwise unchanged', () => {
    const body = "RETURN 'SQL SECURITY INVOKER'";
    expect(withoutInvoker(`CREATE FUNCTION \`f\`() RETURNS text\n    SQL SECURITY INVOKER\n${body}`)).toBe(
      `CREATE FUNCTION \`f\`() RETURNS text\n    SQL SECURITY DEFINER\n${body}`,
    );
    for (const sql of [
      `CREATE FUNCTION \`f\`() RETURNS text\n${body}`,
      'CREATE PROCEDURE p() SQL SECURITY INVOKER SELECT 1',
    ])
      expect(withoutInvoker(sql)).toBe(sql);
  });

  it.each(ACCEPTED)('a routine body may contain the statement %s', (sql) => {
    expect(classifyOne(sql)).toMatchObject({ kind: 'allowed' });
  });
});

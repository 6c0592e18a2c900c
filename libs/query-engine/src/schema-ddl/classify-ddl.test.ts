import { describe, expect, it } from 'vitest';
import { classifyDdl } from './classify-ddl.js';
import type { DdlClass } from '../types.js';

function classify(sql: string): DdlClass {
  return classifyDdl({ sql, line: 7, lineEnd: 7 });
}

describe('classifyDdl', () => {
  it.each([
    ['CREATE TABLE users (id INT PRIMARY KEY)', 'create', 'table', 'users'],
    [
      'create table if not exists `My Table` (id INT) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4',
      'create',
      'table',
      'My Table',
    ],
    [
      "CREATE TABLE cars (engine VARCHAR(9), connection INT, `data` INT, CHECK (engine = 'x'))",
      'create',
      'table',
      'cars',
    ],
    ["CREATE TABLE t (a INT) ENGINE 'InnoDB' COMMENT 'AS SELECT, DATA DIRECTORY'", 'create', 'table', 't'],
    ['CREATE OR REPLACE TABLE t (a INT)', 'create', 'table', 't'],
    ['CREATE TABLE t LIKE u', 'create', 'table', 't'],
    [
      'CREATE TABLE t (a INT) PARTITION BY RANGE (a) (PARTITION p0 VALUES LESS THAN (10) ENGINE = InnoDB)',
      'create',
      'table',
      't',
    ],
    ['CREATE TABLE t (a INT, b INT AS (t.a + 1), c INT REFERENCES u (id))', 'create', 'table', 't'],
    ['CREATE TABLE engine (id INT)', 'create', 'table', 'engine'],
    ['CREATE TABLE t (autoextend_size INT) AUTOEXTEND_SIZE=0', 'create', 'table', 't'],
    ['ALTER TABLE t ADD autoextend_size INT, AUTOEXTEND_SIZE 0', 'alter', 'table', 't'],
    ['ALTER TABLE users ADD COLUMN engine INT, DROP COLUMN connection', 'alter', 'table', 'users'],
    [
      'ALTER TABLE users CHANGE old engine INT, MODIFY engine TEXT, ALTER engine SET DEFAULT 1',
      'alter',
      'table',
      'users',
    ],
    ['ALTER TABLE users ADD FOREIGN KEY (a) REFERENCES engine (id)', 'alter', 'table', 'users'],
    ['ALTER TABLE users RENAME TO people', 'alter', 'table', 'users'],
    ['ALTER ONLINE TABLE users ADD x INT', 'alter', 'table', 'users'],
    ['DROP TABLE IF EXISTS users, posts', 'drop', 'table', 'users'],
    ['RENAME TABLE a TO b, c TO d', 'rename', 'table', 'a'],
    ['CREATE UNIQUE INDEX i ON users (email)', 'create', 'index', 'i'],
    ['CREATE FULLTEXT INDEX i ON users (bio)', 'create', 'index', 'i'],
    ['DROP INDEX i ON users', 'drop', 'index', 'i'],
    [
      'CREATE OR REPLACE VIEW v AS SELECT u.id FROM users u JOIN posts p ON p.user_id = u.id',
      'create',
      'view',
      'v',
    ],
    [
      'CREATE VIEW v AS SELECT EXTRACT(YEAR FROM u.created_at), TRIM(LEADING 0 FROM u.n) FROM users u',
      'create',
      'view',
      'v',
    ],
    ['ALTER VIEW v AS SELECT 1', 'alter', 'view', 'v'],
    ['DROP VIEW v', 'drop', 'view', 'v'],
    [
      'CREATE TRIGGER t AFTER UPDATE ON users FOR EACH ROW INSERT INTO log VALUES (OLD.id)',
      'create',
      'trigger',
      't',
    ],
    ['DROP TRIGGER t', 'drop', 'trigger', 't'],
    [
      'CREATE PROCEDURE p(IN a INT) BEGIN SELECT u.x INTO @y FROM users u; SET @z = 1; END',
      'create',
      'procedure',
      'p',
    ],
    ['CREATE FUNCTION f() RETURNS INT DETERMINISTIC RETURN 1', 'create', 'function', 'f'],
    ['DROP FUNCTION IF EXISTS f', 'drop', 'function', 'f'],
  ])('classifyDdl allows the statement %s', (sql, verb, object, name) => {
    expect(classify(sql)).toEqual({ kind: 'allowed', sql, verb, object, name, line: 7 });
  });

  it.each([
    'TRUNCATE PARTITION p0',
    'EXCHANGE PARTITION p0 WITH TABLE u',
    'OPTIMIZE PARTITION ALL',
    'CONVERT PARTITION p0 TO TABLE u',
    'REORGANIZE PARTITION p0, p1 INTO (PARTITION p1 VALUES LESS THAN (9))',
  ])('classifyDdl rejects %s with a hint', (change) => {
    expect(classifyDdl({ sql: `ALTER TABLE t ${change}`, line: 1, lineEnd: 1 })).toMatchObject({
      kind: 'refused',
      code: 'schema.statement_not_allowed',
      detail: expect.stringContaining('PARTITION') as unknown,
      hint: expect.any(String) as unknown,
    });
  });
  it.each([
    'ADD PARTITION (PARTITION p2 VALUES LESS THAN (9))',
    'DROP PARTITION p0',
    'REORGANIZE PARTITION p1 INTO (PARTITION p1 VALUES LESS THAN (9), PARTITION p2 VALUES LESS THAN MAXVALUE)',
    'COALESCE PARTITION 2',
    'PARTITION BY KEY (id)',
    'REMOVE PARTITIONING',
  ])('classifyDdl accepts %s', (change) => {
    expect(classifyDdl({ sql: `ALTER TABLE t ${change}`, line: 1, lineEnd: 1 })).toMatchObject({
      kind: 'allowed',
    });
  });
  it.each([
    [
      'CREATE DEFINER=`root`@`localhost` TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET NEW.x = 1',
      'CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW SET NEW.x = 1',
    ],
    ["CREATE DEFINER = 'a'@'%' PROCEDURE p() SELECT 1", 'CREATE PROCEDURE p() SELECT 1'],
    [
      'CREATE DEFINER=root@localhost FUNCTION f() RETURNS INT RETURN 1',
      'CREATE FUNCTION f() RETURNS INT RETURN 1',
    ],
    ['CREATE DEFINER=CURRENT_USER() VIEW v AS SELECT 1', 'CREATE VIEW v AS SELECT 1'],
    ['CREATE DEFINER=CURRENT_USER VIEW v AS SELECT 1', 'CREATE VIEW v AS SELECT 1'],
    [
      'CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW v AS SELECT 1',
      'CREATE ALGORITHM=UNDEFINED SQL SECURITY DEFINER VIEW v AS SELECT 1',
    ],
  ])('classifyDdl removes the definer from %s', (sql, cleaned) => {
    expect(classify(sql)).toMatchObject({ kind: 'allowed', sql: cleaned });
  });

  it.each([
    'SET NAMES utf8mb4',
    'SET @a = 1',
    'USE shop',
    'LOCK TABLES `users` WRITE',
    'UNLOCK TABLES',
    'START TRANSACTION',
    'COMMIT',
    'CREATE DATABASE shop',
    'CREATE SCHEMA IF NOT EXISTS shop',
    'ALTER DATABASE shop CHARACTER SET utf8mb4',
    'ALTER TABLE `users` DISABLE KEYS',
    "INSERT INTO users VALUES (1, 'a')",
    'REPLACE INTO users VALUES (1)',
  ])('classifyDdl skips the statement %s with a note', (sql) => {
    expect(classify(sql)).toMatchObject({ kind: 'ignored', line: 7 });
  });

  it.each([
    'DROP DATABASE shop',
    'CREATE TABLE t AS SELECT * FROM users',
    'CREATE TABLE t SELECT 1',
    'CREATE TABLE t (a INT) IGNORE SELECT 1 AS a',
    'CREATE TABLE t (SELECT 1)',
    'CREATE TABLE t AS WITH c AS (SELECT 1) SELECT * FROM c',
    'CREATE TABLE t TABLE users',
    'CREATE TABLE t VALUES ROW(1)',
    'CREATE TEMPORARY TABLE t (a INT)',
    'DROP TEMPORARY TABLE t',
    'CREATE TABLE t (a INT) WITH SYSTEM VERSIONING',
    'CREATE TABLE t (a INT, s DATE, e DATE, PERIOD FOR p (s, e))',
    'ALTER TABLE t ADD SYSTEM VERSIONING',
    "CREATE TABLE t (a INT) DATA DIRECTORY='/tmp'",
    "CREATE TABLE t (a INT) INDEX DIRECTORY = '/tmp'",
    "CREATE TABLE t (a INT) PARTITION BY HASH (a) (PARTITION p DATA DIRECTORY '/tmp')",
    'CREATE TABLE t (a INT) ENGINE=MyISAM',
    'CREATE TABLE t (a INT) ENGINE MEMORY',
    "CREATE TABLE t (a INT) ENGINE='CSV'",
    'CREATE TABLE t (a INT) ENGINE = `FEDERATED`',
    'CREATE TABLE t (a INT) PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1) ENGINE = MyISAM)',
    'ALTER TABLE t ENGINE=MyISAM',
    'ALTER TABLE t ADD x INT, ENGINE = Aria',
    "CREATE TABLE t (a INT) CONNECTION='mysql://a@b/c/d'",
    'ALTER TABLE t DISCARD TABLESPACE',
    'CREATE TABLE t (a INT) UNION=(b, c)',
    'CREATE TABLE t (a INT) AUTOEXTEND_SIZE=1G',
    'CREATE TABLE t (a INT) AUTOEXTEND_SIZE 4M PARTITION BY HASH (a) PARTITIONS 1024',
    'ALTER TABLE t ADD x INT, AUTOEXTEND_SIZE = 64M',
    'CREATE SEQUENCE s',
    'CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT 1',
    'CREATE DEFINER=a@b EVENT e ON SCHEDULE EVERY 1 DAY DO SELECT 1',
    "CREATE USER a IDENTIFIED BY 'b'",
    'CREATE ROLE r',
    "CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'x')",
    "CREATE FUNCTION f RETURNS STRING SONAME 'x.so'",
    "CREATE AGGREGATE FUNCTION f RETURNS STRING SONAME 'x.so'",
    'ALTER USER a ACCOUNT LOCK',
    'RENAME USER a TO b',
    'DROP USER a',
    'GRANT ALL ON *.* TO a',
    'UPDATE users SET a = 1',
    'DELETE FROM users',
    'TRUNCATE users',
    'SELECT 1',
    "LOAD DATA INFILE 'x' INTO TABLE t",
    'CALL p()',
    'ANALYZE TABLE t',
    'FLUSH TABLES',
    'PREPARE s FROM "DROP TABLE a"',
  ])('classifyDdl rejects the statement %s', (sql) => {
    expect(classify(sql)).toMatchObject({ kind: 'refused', code: 'schema.statement_not_allowed', line: 7 });
  });

  it.each([
    'CREATE TABLE _rh_kept (a INT)',
    'CREATE TABLE t (`_RH_x` INT)',
    'ALTER TABLE t ADD _rh_1 INT',
    'CREATE TABLE other.t (a INT)',
    'CREATE TABLE `other` . `t` (a INT)',
    'CREATE TABLE t (a INT REFERENCES other.u (id))',
    'CREATE TABLE t (a INT, FOREIGN KEY (a) REFERENCES t.u (id))',
    'CREATE TABLE t LIKE other.u',
    'ALTER TABLE other.t ADD x INT',
    'ALTER TABLE t RENAME TO other.t',
    'RENAME TABLE a TO other.a',
    'DROP TABLE a, other.b',
    'CREATE INDEX i ON other.t (a)',
    'DROP VIEW other.v',
    'CREATE VIEW v AS SELECT * FROM other.t',
    'CREATE VIEW v AS SELECT 1 FROM a JOIN other.t',
    'CREATE VIEW v AS SELECT other.t.a FROM t',
    'CREATE TRIGGER other.t BEFORE INSERT ON a FOR EACH ROW SET NEW.x = 1',
    'CREATE TRIGGER t BEFORE INSERT ON other.a FOR EACH ROW SET NEW.x = 1',
    'CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW INSERT INTO other.b VALUES (1)',
    'CREATE TRIGGER t BEFORE INSERT ON a FOR EACH ROW UPDATE other.b SET x = 1',
    'CREATE PROCEDURE p() CALL other.q()',
    'CREATE TABLE t (a INT DEFAULT @x)',
    "CREATE TABLE t (a INT DEFAULT 'open)",
    'CREATE TABLE t (a INT); DROP TABLE b',
    'CREATE TABLE',
    'CREATE TABLE 1',
    'CREATE DEFINER=a@b',
  ])('classifyDdl rejects the text: %s', (sql) => {
    expect(classify(sql)).toMatchObject({
      kind: 'refused',
      code: expect.stringMatching(/^schema\./) as string,
      line: 7,
    });
  });

  it('classifyDdl rejects a statement with too many table parts, but accepts any number of labels', () => {
    const list = (toItem: (position: number) => string): string =>
      Array.from({ length: 10_001 }, (_, position) => toItem(position)).join(', ');
    expect(classify(`CREATE TABLE t (${list((position) => `c${position} INT`)})`)).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('at most 10000 columns') as unknown,
    });
    expect(classify(`ALTER TABLE t ${list((position) => `ADD c${position} INT`)}`)).toMatchObject({
      kind: 'refused',
    });
    expect(classify(`ALTER TABLE t ADD c ENUM(${list((position) => `'${position}'`)})`)).toMatchObject({
      kind: 'allowed',
    });
    expect(classify(`CREATE TABLE t (a INT, b SET('a'), CHECK (a IN (${list(String)})))`)).toMatchObject({
      kind: 'allowed',
    });
  });

  it('classifyDdl reports line numbers of the whole text', () => {
    expect(classify('CREATE TABLE t (\n  a INT\n) ENGINE=MyISAM')).toMatchObject({
      kind: 'refused',
      line: 9,
    });
  });
});

// @ts-check
/** @typedef {import('./make-statements.mjs').StatementClass} StatementClass */
/** @typedef {import('./make-statements.mjs').ClassInput} ClassInput */

/** @param {string} name @param {number} how */
function reportTemporary(name, how) {
  const make =
    how === 0
      ? `CREATE TEMPORARY TABLE ${name} (id int)`
      : `CREATE TEMPORARY TABLE ${name} AS SELECT * FROM users`;
  return how === 2
    ? make
    : `${make}; INSERT INTO tags (name) SELECT CONCAT('${name}', id) FROM ${how === 0 ? 'posts' : name}`;
}

/**
 * Statements that change rows, tables, accounts or files.
 * @type {readonly StatementClass[]}
 */
export const WRITE_CLASSES = [
  {
    name: 'insert',
    make: ({ r, own, n, t }) =>
      r.pick([
        `INSERT INTO ${own()} (id) VALUES (${n()})`,
        `INSERT IGNORE INTO tags (name) VALUES (${t()})`,
        `INSERT INTO tags SET name = ${t()}`,
        `INSERT INTO tags (name) SELECT CONCAT(username, ${n()}) FROM users LIMIT 1`,
        `INSERT INTO tags (id, name) VALUES (1, ${t()}) ON DUPLICATE KEY UPDATE name = ${t()}`,
      ]),
  },
  {
    name: 'update',
    make: ({ r, n, t }) =>
      r.pick([
        `UPDATE users SET username = ${t()}`,
        `UPDATE posts SET title = ${t()} WHERE id < ${n()}`,
        `UPDATE tags SET name = CONCAT(name, ${n()}) LIMIT 1`,
        `UPDATE users u JOIN posts p ON p.user_id = u.id SET u.email = ${t()}, p.title = ${t()}`,
        `UPDATE LOW_PRIORITY IGNORE users SET bio = ${t()} ORDER BY id LIMIT ${1 + r.integer(3)}`,
      ]),
  },
  {
    name: 'delete',
    make: ({ r, own, n }) =>
      r.pick([
        `DELETE FROM ${own()}`,
        `DELETE FROM tags WHERE id < ${n()}`,
        `DELETE QUICK FROM posts WHERE id > 0 LIMIT ${1 + r.integer(9)}`,
        `DELETE p FROM posts p JOIN users u ON u.id = p.user_id WHERE u.id < ${n()}`,
        `DELETE FROM p USING posts AS p WHERE p.id < ${n()}`,
      ]),
  },
  {
    name: 'replace',
    make: ({ r, n, t }) =>
      r.pick([
        `REPLACE INTO tags (id, name) VALUES (1, ${t()})`,
        `REPLACE tags SET id = ${1 + r.integer(3)}, name = ${t()}`,
        `REPLACE INTO tags (id, name) SELECT 1, CONCAT(username, ${n()}) FROM users LIMIT 1`,
      ]),
  },
  {
    name: 'truncate or drop',
    make: ({ r, own, n }) =>
      r.pick([
        `TRUNCATE TABLE ${own()}`,
        `TRUNCATE ${own()} -- ${n()}\n`,
        `DROP TABLE ${own()}`,
        `DROP TABLE IF EXISTS nothing${n()}, ${own()}`,
        `DROP VIEW IF EXISTS nothing${n()}, shown`,
      ]),
  },
  {
    name: 'alter',
    make: ({ r, own, n }) =>
      r.pick([
        `ALTER TABLE ${own()} ADD COLUMN c${n()} int`,
        `ALTER TABLE ${own()} COMMENT 'c${n()}'`,
        `ALTER TABLE tags MODIFY name varchar(${100 + r.integer(400)})`,
        `ALTER TABLE ${own()} ADD INDEX i${n()} (id)`,
        `ALTER TABLE ${own()} AUTO_INCREMENT = ${1_000 + r.integer(90_000)}`,
      ]),
  },
  {
    name: 'create',
    make: ({ r, own, n }) =>
      r.pick([
        `CREATE TABLE t${n()} (id int)`,
        `CREATE TABLE t${n()} AS SELECT * FROM ${own()}`,
        `CREATE TABLE t${n()} LIKE ${own()}`,
        `CREATE VIEW v${n()} AS SELECT * FROM ${own()}`,
        `CREATE OR REPLACE VIEW v${n()} AS SELECT 1 AS a`,
        `CREATE INDEX i${n()} ON ${own()} (id)`,
        `CREATE TRIGGER g${n()} BEFORE INSERT ON tags FOR EACH ROW SET NEW.name = 'x'`,
        `CREATE PROCEDURE p${n()}() SELECT 1`,
        `CREATE FUNCTION f${n()}() RETURNS int DETERMINISTIC NO SQL RETURN 1`,
      ]),
  },
  {
    name: 'rename',
    make: ({ r, own, n }) =>
      r.pick([
        `RENAME TABLE ${own()} TO r${n()}`,
        `ALTER TABLE ${own()} RENAME TO r${n()}`,
        `RENAME TABLE ${own()} TO r${n()}, r${n()}x TO y`,
        `ALTER TABLE tags RENAME COLUMN name TO c${n()}`,
      ]),
  },
  { name: 'temporary table', make: ({ r, n }) => reportTemporary(`tmp${n()}`, r.integer(3)) },
  {
    name: 'write behind with',
    make: ({ r, engine, n, t }) =>
      engine === 'mysql'
        ? r.pick([
            `WITH c AS (SELECT ${n()} AS n) DELETE FROM tags WHERE id < (SELECT n FROM c)`,
            `WITH c AS (SELECT ${n()} AS n) UPDATE users, c SET username = CONCAT(${t()}, n)`,
            `WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < ${2 + r.integer(9)}) DELETE tags FROM tags JOIN c ON c.n = tags.id`,
          ])
        : `INSERT INTO tags (name) WITH c AS (SELECT ${n()} AS n) SELECT CONCAT('c', n) FROM c`,
  },
  {
    name: 'stacked write',
    make: ({ r, own, n, t }) =>
      `SELECT ${n()}; ${r.pick([`DELETE FROM ${own()}`, `DROP TABLE ${own()}`, `UPDATE users SET email = ${t()}`, `INSERT INTO tags (name) VALUES (${t()})`, `TRUNCATE ${own()}`])}${r.pick(['', ';', ' -- x', '; SELECT 1', '/* */;'])}`,
  },
  {
    name: 'write in a comment that runs',
    make: ({ r, engine, own, n, t }) =>
      `${r.pick(['/*!', '/*!50000 ', '/*!40101 ', ...(engine === 'mariadb' ? ['/*M!', '/*M!100100 '] : ['/*!80000 '])])}${r.pick([`DELETE FROM ${own()}`, `UPDATE users SET username = ${t()}`, `INSERT INTO tags (name) VALUES (${t()})`, `DROP TABLE ${own()}`])} */${r.pick(['', ' ', `-- ${n()}`])}`,
  },
  {
    name: 'half a write in a comment that runs',
    make: ({ r, own, n, t }) =>
      r.pick([
        `DELETE /*!50000 FROM */ ${own()} WHERE id < ${n()}`,
        `/*!50000 UPDATE */ users SET username = ${t()}`,
        `INSERT /*!INTO*/ tags (name) VALUES (${t()})`,
        `/*! TRUNCATE */ ${own()} /* ${n()} */`,
      ]),
  },
  {
    name: 'analyzed write',
    make: ({ r, engine, own, n, t }) =>
      engine === 'mariadb'
        ? r.pick([
            `ANALYZE DELETE FROM ${own()} WHERE id < ${n()}`,
            `ANALYZE FORMAT=JSON UPDATE users SET username = ${t()}`,
            `ANALYZE INSERT INTO tags (name) VALUES (${t()})`,
          ])
        : r.pick([
            `EXPLAIN ANALYZE SELECT SLEEP(${2 + r.integer(3)}), ${n()}`,
            `EXPLAIN ANALYZE SELECT note, ${n()} FROM {victim}.notes`,
            `EXPLAIN FORMAT=TREE DELETE FROM tags WHERE id < ${n()}`,
          ]),
  },
  {
    name: 'prepared',
    make: ({ r, engine, own, n, t }) =>
      engine === 'mariadb'
        ? r.pick([
            `EXECUTE IMMEDIATE 'DELETE FROM ${own()} WHERE id < ${n()}'`,
            `EXECUTE IMMEDIATE CONCAT('UPDATE users SET bio = ', '${n()}')`,
          ])
        : `PREPARE s${n()} FROM 'DELETE FROM ${own()}'; SET @a = ${t()}; INSERT INTO tags (name) VALUES (@a)`,
  },
  {
    name: 'block',
    make: ({ r, engine, own, n, t }) =>
      engine === 'mariadb'
        ? r.pick([
            `BEGIN NOT ATOMIC DELETE FROM ${own()} WHERE id < ${n()}; END`,
            `BEGIN NOT ATOMIC DECLARE v int DEFAULT ${n()}; UPDATE tags SET name = v WHERE id = 1; END`,
            `IF 1 < ${n()} THEN DELETE FROM ${own()}; END IF`,
            `FOR i IN 1 .. ${1 + r.integer(5)} DO INSERT INTO tags (name) VALUES (CONCAT(${t()}, i)); END FOR`,
          ])
        : `BEGIN; DELETE FROM ${own()} WHERE id < ${n()}; COMMIT`,
  },
  {
    name: 'procedure',
    make: ({ r, n }) =>
      r.pick([
        `CALL wreck(${n()})`,
        `CALL {own}.wreck(${n()})`,
        `CALL wreck(${n()} + 1)`,
        `CALL wreck((SELECT ${n()}))`,
      ]),
  },
  {
    name: 'function that writes',
    make: ({ r, n }) =>
      r.pick([
        `SELECT wreck_one(${n()})`,
        `SELECT {own}.wreck_one(${n()})`,
        `SELECT id FROM users WHERE wreck_one(${n()}) > 0`,
        `SELECT \`wreck_one\`(${n()}) AS a`,
        `SELECT * FROM (SELECT wreck_one(${n()}) AS a) x`,
        `VALUES ROW(wreck_one(${n()}))`,
        `SELECT id FROM users ORDER BY wreck_one(id + ${n()})`,
      ]),
  },
  {
    name: 'load data',
    make: ({ r, n }) =>
      r.pick([
        `LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE tags FIELDS TERMINATED BY ':' (name) SET id = ${n()}`,
        `LOAD DATA INFILE '{files}/in.txt' IGNORE INTO TABLE tags (name) SET id = NULL -- ${n()}`,
        `LOAD DATA INFILE '{files}/in.txt' REPLACE INTO TABLE tags LINES TERMINATED BY '\\n' IGNORE 0 LINES (name) -- ${n()}`,
      ]),
  },
  {
    name: 'into a file',
    make: ({ r, own, n }) =>
      r.pick([
        `SELECT * FROM ${own()} INTO OUTFILE '{files}/out${n()}'`,
        `SELECT 1 INTO DUMPFILE '{files}/dump${n()}'`,
        `SELECT * INTO OUTFILE '{files}/o${n()}' FROM users`,
        `SELECT id FROM users UNION SELECT ${n()} INTO OUTFILE '{files}/u${n()}'`,
        `(SELECT ${n()}) INTO OUTFILE '{files}/p${n()}'`,
        `TABLE tags INTO OUTFILE '{files}/t${n()}'`,
      ]),
  },
  {
    name: 'accounts',
    make: ({ r, n }) =>
      r.pick([
        `CREATE USER u${n()} IDENTIFIED BY 'Xx1!${n()}'`,
        `GRANT SELECT ON *.* TO {low}`,
        `GRANT ALL ON {victim}.* TO {low} -- ${n()}`,
        `ALTER USER {low} IDENTIFIED BY 'Yy2!${n()}'`,
        `CREATE ROLE r${n()}`,
        `DROP USER {low} -- ${n()}`,
        `RENAME USER {low} TO l${n()}`,
      ]),
  },
  {
    name: 'write elsewhere',
    make: ({ r, n, t }) =>
      r.pick([
        `DELETE FROM {victim}.notes WHERE id < ${n()}`,
        `UPDATE {victim}.notes SET note = ${t()}`,
        `INSERT INTO {victim}.notes (note) VALUES (${t()})`,
        `DROP TABLE {victim}.notes -- ${n()}`,
        `INSERT INTO tags (name) SELECT CONCAT(LEFT(note, 30), ${n()}) FROM {victim}.notes`,
        `CREATE TABLE {victim}.x${n()} (id int)`,
      ]),
  },
  {
    name: 'server at large',
    make: ({ r, engine, n }) =>
      r.pick([
        `SET GLOBAL max_allowed_packet = ${(1 + r.integer(900)) * 1024 * 1024}`,
        `SET GLOBAL wait_timeout = ${1_000 + r.integer(9_000)}`,
        `CREATE DATABASE d${n()}`,
        `DROP DATABASE {victim} -- ${n()}`,
        `SET GLOBAL long_query_time = ${1 + r.integer(60)}, GLOBAL wait_timeout = ${1_000 + r.integer(9_000)}`,
        engine === 'mysql'
          ? `SET PERSIST_ONLY wait_timeout = ${1_000 + r.integer(9_000)}; SET GLOBAL wait_timeout = ${n()}0`
          : `SET GLOBAL wait_timeout = ${n()}0, sql_notes = 0`,
      ]),
  },
  {
    name: 'sequence',
    make: ({ r, engine, n, t }) =>
      engine === 'mariadb'
        ? r.pick([
            `SELECT NEXTVAL(seq) + ${n()}`,
            `SELECT NEXT VALUE FOR seq, ${n()}`,
            `SELECT SETVAL(seq, ${1_000 + r.integer(90_000)})`,
            `SELECT id, (NEXT VALUE FOR seq) AS s${n()} FROM users`,
            `ALTER SEQUENCE seq RESTART ${1_000 + r.integer(90_000)}`,
          ])
        : `INSERT INTO tags (name) VALUES (${t()}), (CONCAT(LAST_INSERT_ID(${n()}), 'x'))`,
  },
  {
    name: 'commit first',
    make: ({ r, own, n }) =>
      `${r.pick(['COMMIT', 'ROLLBACK', 'START TRANSACTION READ WRITE', 'SET TRANSACTION READ WRITE', 'SET SESSION TRANSACTION READ WRITE', 'COMMIT AND CHAIN', 'BEGIN'])}; DELETE FROM ${own()} WHERE id < ${n()}; COMMIT`,
  },
];

// @ts-check
/** @typedef {import('./make-statements.mjs').StatementClass} StatementClass */

/**
 * Statements that show rows, names or settings that the caller may not see.
 * @type {readonly StatementClass[]}
 */
export const READ_CLASSES = [
  {
    name: 'another schema',
    make: ({ r, n }) =>
      r.pick([
        `SELECT * FROM {victim}.notes WHERE id < ${n()}`,
        `SELECT note, ${n()} FROM \`{victim}\`.\`notes\``,
        `SELECT v.note AS a${n()} FROM {victim} . notes v`,
        `SELECT {victim}.notes.note FROM {victim}.notes LIMIT ${n()}`,
        `SELECT note FROM /*x*/{victim}/*y*/./*z*/notes -- ${n()}`,
      ]),
  },
  {
    name: 'another schema joined',
    make: ({ r, n }) =>
      r.pick([
        `SELECT u.id, v.note FROM users u JOIN {victim}.notes v ON ${n()}`,
        `SELECT * FROM users, {victim}.notes WHERE users.id < ${n()}`,
        `SELECT * FROM users u LEFT JOIN {victim}.notes v ON v.id > 0 LIMIT ${n()}`,
        `SELECT * FROM {OJ users u LEFT OUTER JOIN {victim}.notes v ON ${n()} > 0}`,
        `SELECT note FROM users NATURAL JOIN {victim}.notes -- ${n()}`,
        `SELECT * FROM (users, {victim}.notes) LIMIT ${n()}`,
      ]),
  },
  {
    name: 'another schema in a subquery',
    make: ({ r, n }) =>
      r.pick([
        `SELECT id, (SELECT note FROM {victim}.notes LIMIT 1) AS a${n()} FROM users`,
        `SELECT COALESCE((SELECT MAX(note) FROM {victim}.notes), ${n()})`,
        `SELECT * FROM (SELECT note, ${n()} FROM {victim}.notes) x`,
        `SELECT GROUP_CONCAT(note) AS a${n()} FROM {victim}.notes`,
        `SELECT CASE WHEN 1 < ${n()} THEN (SELECT note FROM {victim}.notes LIMIT 1) END`,
        `SELECT CONCAT((SELECT note FROM {victim}.notes LIMIT 1), ${n()}) FROM users LIMIT 1`,
      ]),
  },
  {
    name: 'another schema by union',
    make: ({ r, n }) =>
      r.pick([
        `SELECT username FROM users UNION SELECT note FROM {victim}.notes LIMIT ${n()}`,
        `(SELECT ${n()}) UNION ALL (SELECT note FROM {victim}.notes)`,
        `SELECT ${n()} UNION DISTINCT (SELECT note FROM {victim}.notes)`,
        `SELECT * FROM ((SELECT '${n()}' AS a) UNION (SELECT note FROM {victim}.notes)) x`,
        `SELECT note FROM {victim}.notes EXCEPT SELECT '${n()}'`,
      ]),
  },
  {
    name: 'another schema by with',
    make: ({ r, n }) =>
      r.pick([
        `WITH a AS (SELECT note FROM {victim}.notes) SELECT *, ${n()} FROM a`,
        `WITH RECURSIVE a AS (SELECT note, 1 AS n FROM {victim}.notes UNION ALL SELECT note, n + 1 FROM a WHERE n < ${2 + r.integer(4)}) SELECT * FROM a`,
        `SELECT * FROM (WITH a AS (SELECT note FROM {victim}.notes) SELECT *, ${n()} FROM a) x`,
        `WITH notes AS (SELECT ${n()} AS note) SELECT v.note FROM {victim}.notes v`,
      ]),
  },
  {
    name: 'union in a comment that runs',
    make: ({ r, engine, n }) =>
      r.pick([
        `SELECT ${n()} /*! UNION SELECT note FROM {victim}.notes */`,
        `SELECT ${n()} /*!UNION ALL SELECT note FROM {victim}.notes*/`,
        `SELECT ${n()} /*!50000 UNION SELECT note */ /*!40000 FROM {victim}.notes */`,
        engine === 'mariadb'
          ? `SELECT ${n()} /*M! UNION SELECT note FROM {victim}.notes */`
          : `SELECT ${n()} /*!80000UNION SELECT note FROM {victim}.notes*/`,
        `SELECT note, ${n()} FROM /*!{victim}.*/notes`,
        `SELECT ${n()} -- x\n/*! UNION SELECT note FROM {victim}.notes */`,
      ]),
  },
  {
    name: 'information_schema',
    make: ({ r, n }) =>
      r.pick([
        `SELECT * FROM information_schema.schemata -- ${n()}`,
        `SELECT table_schema, table_name FROM information_schema.tables WHERE table_rows < ${n()}`,
        `SELECT column_name, table_schema FROM INFORMATION_SCHEMA.COLUMNS WHERE table_schema LIKE '{victim}' LIMIT ${n()}`,
        `SELECT schema_name AS a${n()} FROM \`information_schema\`.\`SCHEMATA\``,
        `SELECT * FROM information_schema.processlist LIMIT ${n()}`,
        `SELECT COUNT(*), MAX(schema_name) AS m${n()} FROM information_schema.schemata WHERE schema_name = '{victim}'`,
      ]),
  },
  {
    name: 'tables of the server',
    make: ({ r, engine, n }) =>
      r.pick([
        `SELECT user, host FROM mysql.user LIMIT ${n()}`,
        `SELECT *, ${n()} FROM mysql.db`,
        engine === 'mariadb'
          ? `SELECT * FROM mysql.global_priv LIMIT ${n()}`
          : `SELECT user, authentication_string FROM mysql.user LIMIT ${n()}`,
        `SELECT * FROM performance_schema.threads LIMIT ${n()}`,
        `SELECT processlist_user, ${n()} FROM performance_schema.threads`,
        `SELECT variable_value AS a${n()} FROM performance_schema.session_status LIMIT 500`,
        `SELECT ${n()}, host, user FROM mysql.user`,
      ]),
  },
  {
    name: 'out of reach',
    make: ({ r, n }) =>
      r.pick([
        `SELECT * FROM vault WHERE id < ${n()}`,
        `SELECT pin AS a${n()} FROM vault`,
        `SELECT u.id, v.pin FROM users u JOIN vault v ON ${n()}`,
        `SELECT (SELECT pin FROM vault LIMIT 1) AS a${n()}`,
        `SELECT username FROM users UNION SELECT pin FROM vault LIMIT ${n()}`,
        `SELECT * FROM {own}.vault LIMIT ${n()}`,
        `SELECT id, pin FROM users JOIN vault USING (id) LIMIT ${n()}`,
      ]),
  },
  {
    name: 'out of reach by another code path',
    make: ({ r, engine, n }) =>
      r.pick([
        `WITH vault AS (SELECT * FROM vault) SELECT *, ${n()} FROM vault`,
        `WITH a AS (SELECT pin FROM vault) SELECT *, ${n()} FROM a`,
        `SELECT pin FROM .vault LIMIT ${n()}`.replace('.vault', engine === 'mysql' ? 'vault' : '.vault'),
        `SELECT * FROM {oj vault v LEFT JOIN users u ON u.id = ${n()}}`,
        engine === 'mysql' ? `TABLE vault LIMIT ${n()}` : `SELECT * FROM (vault) LIMIT ${n()}`,
        `WITH vault AS (SELECT ${n()} AS pin), b AS (SELECT pin FROM {own}.vault) SELECT * FROM b`,
        engine === 'mysql'
          ? `SELECT 1, 2, ${n()} UNION (SELECT id, pin, 1 FROM vault)`
          : `SELECT * FROM ((SELECT pin, ${n()} FROM vault)) x`,
        `SELECT GROUP_CONCAT(v.pin) AS a${n()} FROM vault AS v`,
      ]),
  },
  {
    name: 'describe elsewhere',
    make: ({ r, n }) =>
      r.pick([
        `SHOW CREATE TABLE {victim}.notes -- ${n()}`,
        `SHOW TABLES FROM {victim} -- ${n()}`,
        `SHOW DATABASES LIKE '{victim}' -- ${n()}`,
        `SHOW TABLE STATUS FROM {victim} WHERE 1 < ${n()}`,
        `SHOW OPEN TABLES FROM {victim} WHERE 1 < ${n()}`,
        `SHOW DATABASES WHERE 1 < ${n()}`,
        `SHOW CREATE DATABASE {victim} -- ${n()}`,
        `SHOW EXTENDED COLUMNS FROM vault -- ${n()}`,
      ]),
  },
  {
    name: 'use elsewhere',
    make: ({ r, n }) =>
      `USE {victim}; ${r.pick([`SELECT * FROM notes WHERE id < ${n()}`, `SELECT note AS a${n()} FROM notes`, `DELETE FROM notes WHERE id < ${n()}`])}`,
  },
  {
    name: 'variables',
    make: ({ r, n }) =>
      r.pick([
        `SELECT @@datadir AS a${n()}`,
        `SELECT @@global.datadir, ${n()}`,
        `SELECT @@hostname, @@version, ${n()}`,
        `SELECT CONCAT(@@basedir, '|', @@version) AS a${n()} FROM users LIMIT 1`,
        `SELECT id FROM users WHERE 1 < ${n()} UNION SELECT @@version`,
        `SELECT @@session.tmpdir AS a${n()}`.replace('@@session.tmpdir', '@@tmpdir'),
        `SELECT * FROM (SELECT @@socket AS s, ${n()}) x`,
        `SELECT @@\`version\` AS a${n()}`,
      ]),
  },
  {
    name: 'show settings',
    make: ({ r, n }) =>
      r.pick([
        `SHOW VARIABLES LIKE 'datadir' -- ${n()}`,
        `SHOW GLOBAL VARIABLES WHERE variable_name = 'datadir' OR ${n()} < 0`,
        `SHOW VARIABLES WHERE 1 < ${n()}`,
        `SHOW SESSION VARIABLES LIKE '%dir' -- ${n()}`,
        `SHOW ENGINE INNODB STATUS -- ${n()}`,
        `SHOW PLUGINS -- ${n()}`,
        `SHOW GLOBAL STATUS WHERE 1 < ${n()}`,
      ]),
  },
  {
    name: 'who and where',
    make: ({ r, n }) =>
      r.pick([
        `SELECT VERSION() AS a${n()}`,
        `SELECT USER(), ${n()}`,
        `SELECT CURRENT_USER AS a${n()}`,
        `SELECT CURRENT_USER(), ${n()}`,
        `SELECT SESSION_USER() AS a${n()}`,
        `SELECT CONCAT(VERSION(), '-', ${n()})`,
        `SELECT SYSTEM_USER(), ${n()} FROM users LIMIT 1`,
        `SELECT LOWER(VERSION()) AS a${n()}`,
        `SELECT id, USER() FROM users WHERE id < ${n()}`,
      ]),
  },
  {
    name: 'files',
    make: ({ r, n }) =>
      r.pick([
        `SELECT LOAD_FILE('{files}/in.txt') AS a${n()}`,
        `SELECT HEX(LOAD_FILE('{files}/in.txt')), LOAD_FILE(CONCAT('{files}', '/in.txt')), ${n()}`,
        `SELECT id, LOAD_FILE('{files}/in.txt') FROM users LIMIT ${n()}`,
        `SELECT CONVERT(LOAD_FILE('{files}/in.txt') USING utf8mb4) AS a${n()}`,
        `SELECT * FROM (SELECT LOAD_FILE('{files}/in.txt') AS f, ${n()}) x`,
      ]),
  },
  {
    name: 'grants and processes',
    make: ({ r, n }) =>
      r.pick([
        `SHOW GRANTS -- ${n()}`,
        `SHOW GRANTS FOR CURRENT_USER() -- ${n()}`,
        `SHOW PROCESSLIST -- ${n()}`,
        `SHOW FULL PROCESSLIST -- ${n()}`,
        `SHOW CREATE USER CURRENT_USER() -- ${n()}`,
        `SHOW GRANTS FOR {low} -- ${n()}`,
      ]),
  },
  {
    name: 'revealed by an error',
    make: ({ r, n }) =>
      r.pick([
        `SELECT EXTRACTVALUE(${n()}, CONCAT(0x7e, (SELECT note FROM {victim}.notes LIMIT 1)))`,
        `SELECT UPDATEXML(${n()}, CONCAT(0x7e, (SELECT note FROM {victim}.notes LIMIT 1)), 1)`,
        `SELECT EXTRACTVALUE(${n()}, CONCAT(0x7e, VERSION()))`,
        `SELECT UPDATEXML(${n()}, CONCAT(0x7e, @@datadir), 1)`,
        `SELECT EXTRACTVALUE(${n()}, CONCAT(0x7e, (SELECT pin FROM vault LIMIT 1)))`,
      ]),
  },
  {
    name: 'stacked read',
    make: ({ r, n }) =>
      `SELECT ${n()}${r.pick([';', ' ;', ';\n', '; /* */'])} ${r.pick(['SELECT note FROM {victim}.notes', 'SELECT @@datadir', 'SHOW VARIABLES', 'SELECT VERSION()', 'SHOW GRANTS'])}`,
  },
  {
    name: 'end of a literal',
    make: ({ r, n }) =>
      r.pick([
        `SELECT '\\\\' UNION SELECT note FROM {victim}.notes -- '${n()}`,
        `SELECT '${n()}\\\\' UNION SELECT @@datadir -- '`,
        `SELECT "${n()}'" UNION SELECT note FROM {victim}.notes -- "`,
        `SELECT '${n()}''' UNION SELECT note FROM {victim}.notes # '`,
        `SELECT '${n()}' /* ' */ UNION SELECT note FROM {victim}.notes -- '`,
        `SELECT _latin1'${n()}' UNION SELECT note FROM {victim}.notes`,
        `SELECT x'4D' 'a${n()}' UNION SELECT note FROM {victim}.notes`,
      ]),
  },
];

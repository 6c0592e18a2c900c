// @ts-check
/** @typedef {import('./make-statements.mjs').StatementClass} StatementClass */

const BOMB_TABLES =
  'users a, users b, users c, users d, users e, users f, users g, users h, users i, users j, users k, users l, users m, users o, users p, users q, users s, users t, users v, users w';

/**
 * Statements that wait, use CPU, lock, or remove a limit.
 * @type {readonly StatementClass[]}
 */
export const LIMIT_CLASSES = [
  {
    name: 'sleep',
    make: ({ r, n }) =>
      r.pick([
        `SELECT SLEEP(${2 + r.integer(6)}), ${n()}`,
        `SELECT id FROM users WHERE SLEEP(${2 + r.integer(6)}) = ${n()}`,
        `SELECT * FROM (SELECT SLEEP(${2 + r.integer(6)}) AS a, ${n()}) x`,
        `SELECT IF(1 < ${n()}, SLEEP(${2 + r.integer(6)}), 0)`,
        `SELECT \`sleep\`(${2 + r.integer(6)}) AS a${n()}`,
        `SELECT id FROM users ORDER BY SLEEP(${2 + r.integer(6)}), ${n()}`,
        `SELECT COUNT(SLEEP(${1 + r.integer(6)})) AS a${n()} FROM users`,
        `SELECT SLEEP(2) + ${n()} FROM users GROUP BY SLEEP(1)`,
        `DO SLEEP(${2 + r.integer(6)}) -- ${n()}`,
      ]),
  },
  {
    name: 'benchmark',
    make: ({ r, n }) =>
      r.pick([
        `SELECT BENCHMARK(${900_000_000 + r.integer(90_000_000)}, MD5('${n()}'))`,
        `SELECT id FROM users WHERE BENCHMARK(900000000, SHA2('${n()}', 512)) = 1`,
        `SELECT * FROM (SELECT BENCHMARK(900000000, SHA1('${n()}')) AS b) x`,
        `DO BENCHMARK(900000000, MD5('${n()}'))`,
      ]),
  },
  {
    name: 'product of tables',
    isBomb: true,
    make: ({ r, n }) =>
      r.pick([
        `SELECT COUNT(*) AS a${n()} FROM ${BOMB_TABLES}`,
        `SELECT SUM(a.id * b.id + ${n()}) FROM ${BOMB_TABLES}`,
        `SELECT MAX(CONCAT(a.username, w.email)) AS a${n()} FROM ${BOMB_TABLES}`,
        `SELECT COUNT(DISTINCT a.id, b.id, c.id, d.id) + ${n()} FROM ${BOMB_TABLES}`,
      ]),
  },
  {
    name: 'recursive bomb',
    isBomb: true,
    make: ({ r, n }) =>
      r.pick([
        `WITH RECURSIVE x AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM x WHERE n < 900) SELECT COUNT(*) AS a${n()} FROM x a, x b, x c, x d`,
        `WITH RECURSIVE x AS (SELECT ${n()} AS n UNION ALL SELECT n + 1 FROM x WHERE n < ${900 + r.integer(90)}) SELECT SUM(a.n * b.n * c.n) FROM x a, x b, x c, x d, x e`,
      ]),
  },
  {
    name: 'regex bomb',
    isBomb: true,
    make: ({ n }) =>
      `SELECT COUNT(*) FROM ${BOMB_TABLES} WHERE CONCAT(a.username, ${n()}) REGEXP '(a|b|ab)*c'`,
  },
  {
    name: 'limit beyond the limit',
    make: ({ r, n }) =>
      r.pick([
        `SELECT a.id, ${n()} FROM users a, users b, users c, users d, users e LIMIT ${300_000 + r.integer(90_000)}`,
        `(SELECT a.id, ${n()} FROM users a, users b, users c, users d LIMIT 200000)`,
        `SELECT a.id FROM users a, users b, users c, users d, users e LIMIT 0, ${18_000 + r.integer(90_000)}`,
        `WITH x AS (SELECT a.id FROM users a, users b, users c, users d, users e LIMIT 500000) SELECT id, ${n()} FROM x LIMIT 500000`,
        `SELECT a.id FROM users a, users b, users c, users d, users e UNION ALL SELECT ${n()} LIMIT 400000`,
      ]),
  },
  {
    name: 'limits of the session',
    make: ({ r, engine, n }) =>
      r.pick([
        `SET SESSION sql_select_limit = ${1_000_000 + r.integer(90_000)}`,
        engine === 'mariadb'
          ? `SET max_statement_time = ${1_000 + r.integer(900)}`
          : `SET SESSION max_execution_time = ${100_000 + r.integer(90_000)}`,
        `SET sql_mode = 'ANSI_QUOTES', sql_select_limit = ${100_000 + r.integer(90_000)}`,
        `SET SESSION sort_buffer_size = ${1_000_000 + r.integer(90_000_000)}`,
        `SET autocommit = 0, sql_select_limit = ${100_000 + r.integer(90_000)}`,
        `SET NAMES latin1; SET sql_mode = 'NO_BACKSLASH_ESCAPES', sql_select_limit = ${n()}`,
      ]),
  },
  {
    name: 'limits of the statement',
    make: ({ r, engine, n }) =>
      engine === 'mariadb'
        ? r.pick([
            `SET STATEMENT max_statement_time = 0 FOR SELECT SLEEP(${2 + r.integer(6)}), ${n()}`,
            `SET STATEMENT sql_select_limit = 500000 FOR SELECT a.id, ${n()} FROM users a, users b, users c, users d, users e`,
            `SET STATEMENT sql_mode = '' FOR SELECT SLEEP(${2 + r.integer(6)}) AS a${n()}`,
          ])
        : r.pick([
            `SELECT /*+ MAX_EXECUTION_TIME(0) */ SLEEP(${2 + r.integer(6)}), ${n()}`,
            `SELECT /*+ SET_VAR(sql_select_limit = 500000) */ a.id, ${n()} FROM users a, users b, users c, users d, users e`,
            `SELECT /*+ MAX_EXECUTION_TIME(900000) */ SLEEP(${2 + r.integer(6)}) AS a${n()}`,
          ]),
  },
  {
    name: 'named locks',
    make: ({ r, n }) =>
      r.pick([
        `SELECT GET_LOCK('lk_${n()}', 0)`,
        `SELECT GET_LOCK(CONCAT('lk_', ${n()}), 1) AS a`,
        `SELECT id, GET_LOCK('lk_${n()}', 0) FROM users LIMIT 1`,
        `SELECT * FROM (SELECT GET_LOCK('lk_${n()}', 0) AS l) x`,
        `DO GET_LOCK('lk_${n()}', 0)`,
        `SELECT IF(1 < 2, GET_LOCK('lk_${n()}', 0), 0)`,
      ]),
  },
  {
    name: 'row locks',
    make: ({ r, n }) =>
      `${r.pick(['START TRANSACTION', 'BEGIN', 'SET autocommit = 0'])}; ${r.pick([`SELECT * FROM users WHERE id < ${n()} FOR UPDATE`, `SELECT id AS a${n()} FROM posts LOCK IN SHARE MODE`, `SELECT * FROM (SELECT id AS a${n()} FROM users FOR UPDATE) x`, `UPDATE tags SET name = '${n()}'`])}`,
  },
  {
    name: 'lock in a read',
    make: ({ r, n, engine }) =>
      r.pick([
        `SELECT * FROM users WHERE id < ${n()} FOR UPDATE`,
        `SELECT id AS a${n()} FROM posts LOCK IN SHARE MODE`,
        `SELECT (SELECT id FROM users LIMIT 1 FOR UPDATE) AS a${n()}`,
        `SELECT id FROM users LIMIT ${n()} FOR UPDATE ${engine === 'mysql' ? 'NOWAIT' : 'WAIT 1'}`,
        `SELECT id AS a${n()} FROM users FOR UPDATE SKIP LOCKED`,
      ]),
  },
  {
    name: 'table locks',
    make: ({ r, own, n }) =>
      r.pick([
        `LOCK TABLES ${own()} WRITE -- ${n()}`,
        `LOCK TABLES ${own()} READ, tags AS t${n()} READ`,
        `FLUSH TABLES WITH READ LOCK -- ${n()}`,
        `FLUSH TABLES ${own()} WITH READ LOCK -- ${n()}`,
        `LOCK TABLES users AS u${n()} WRITE, posts WRITE`,
      ]),
  },
  {
    name: 'handler',
    make: ({ r, own, n }) => `HANDLER ${own()} OPEN AS h${n()}${r.pick(['', '; SELECT 1', ` /* ${n()} */`])}`,
  },
  {
    name: 'open transaction',
    make: ({ r, engine, n }) =>
      r.pick([
        `START TRANSACTION WITH CONSISTENT SNAPSHOT; SELECT COUNT(*) FROM users WHERE id < ${n()}`,
        engine === 'mariadb' ? `XA START 'x${n()}'` : `XA BEGIN 'x${n()}'`,
        `BEGIN; SELECT * FROM users WHERE id < ${n()}`,
        `SET autocommit = 0; SELECT id AS a${n()} FROM posts`,
      ]),
  },
  {
    name: 'user variables',
    make: ({ r, n }) =>
      r.pick([
        `SET @kept = ${n()}`,
        `SELECT @kept := ${n()}`,
        `SELECT id INTO @kept FROM users WHERE id < ${n()} LIMIT 1`,
        `SELECT ${n()} INTO @kept`,
        `SELECT @kept := @kept + ${n()} FROM users, (SELECT @kept := 0) x`,
      ]),
  },
  {
    name: 'large cells',
    make: ({ r, n }) =>
      r.pick([
        `SELECT REPEAT('${n()}', ${15_000_000 + r.integer(900_000)}) AS a, REPEAT('b', 15000000) AS b, REPEAT('c', 15000000) AS c, REPEAT('d', 15000000) AS d, REPEAT('e', 15000000) AS e`,
        `SELECT a.id, REPEAT('${n()}', 200000) FROM users a, users b, users c, users d`,
      ]),
  },
];

// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { guardQuery } from '@rowhouse/query-engine';
import { CANARIES } from './laboratory.mjs';
import { fillNames } from './make-statements.mjs';

/**
 * The guards that are on.
 * @typedef {{ user: 'boss' | 'reader', hasGuard: boolean }} Walls
 * @typedef {'changed' | 'rows of others' | 'settings' | 'limits' | 'locks' | 'state'} Harm
 * @typedef {{ sql: string, className: string, harms: Harm[], outcome: 'refused by the guard' | 'refused by the server' | 'ran', told: string }}
 *   Trial
 */

/** The time after which a statement is stopped. One that runs on has no limit. */
const TIME_MS_MAX = 1_000;
const ROWS_MAX = 1_000;
const BYTES_MAX = 64 * 1024 * 1024;
const DENIED = new Set([1044, 1045, 1142, 1143, 1227, 1370]);
/** The errors of a session that holds LOCK TABLES or a global read lock. */
const LOCK_ERRORS = new Set([1099, 1100, 1223]);

/**
 * The maximum age of the data in INNODB_TRX, which is cached when others have just read it. An ended
 * transaction may still be in it.
 */
const STALE_MS = 300;

/** The number of statements at once, where none of them affects another. */
const LANES = 8;
const BATCH = 48;
/** Statements that wait or use CPU until they are stopped, and change nothing. */
const WAITING = new Set(['sleep', 'benchmark']);

/**
 * Runs each statement in its own session and restores what it has harmed. Statements that can only wait, or
 * that a guard rejects, run several at once. When one of such a batch has changed something, each is run
 * again on its own.
 * @param {import('./laboratory.mjs').Laboratory} lab
 * @param {readonly import('./make-statements.mjs').Hostile[]} statements
 * @param {Walls} walls
 * @returns {Promise<Trial[]>}
 */
export async function runDirect(lab, statements, walls) {
  const isBare = walls.user === 'boss' && !walls.hasGuard;
  /** @param {import('./make-statements.mjs').Hostile} one */
  const isCalm = (one) => !isBare || one.isBomb || WAITING.has(one.className);
  const calm = statements.filter(isCalm);
  let asIs = await lab.reset();
  /** @type {Trial[]} */
  const trials = [];
  const alone = statements.filter((one) => !isCalm(one));
  for (let at = 0; at < calm.length; at += BATCH) {
    const batch = calm.slice(at, at + BATCH);
    const tried = await runTogether(lab, batch, walls);
    if (isSame(asIs, await lab.look())) trials.push(...tried);
    else {
      asIs = await lab.reset();
      alone.push(...batch);
    }
  }
  for (const statement of alone) {
    const trial = await tryOne(lab, statement, walls);
    const after = trial.outcome === 'refused by the guard' ? asIs : await lab.look();
    if (!isSame(asIs, after)) {
      trial.harms.push('changed');
      asIs = await lab.reset(asIs, after);
    }
    trials.push(trial);
  }
  return trials;
}

/** @param {readonly string[]} one @param {readonly string[]} other */
function isSame(one, other) {
  return one.every((part, at) => part === other[at]);
}

/** @param {import('./laboratory.mjs').Laboratory} lab @param {readonly import('./make-statements.mjs').Hostile[]} batch @param {Walls} walls @returns {Promise<Trial[]>} */
async function runTogether(lab, batch, walls) {
  const left = [...batch];
  /** @type {Trial[]} */
  const trials = [];
  await Promise.all(Array.from({ length: LANES }, async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) trials.push(await tryOne(lab, one, walls));
  }));
  return trials;
}

/** @param {import('./laboratory.mjs').Laboratory} lab @param {import('./make-statements.mjs').Hostile} statement @param {Walls} walls @returns {Promise<Trial>} */
async function tryOne(lab, { sql: text, className }, walls) {
  const sql = fillNames(text, lab.names);
  const judged = walls.hasGuard ? judge(sql, lab.names.own) : { sql, params: [] };
  if (judged === null) return { sql, className, harms: [], outcome: 'refused by the guard', told: '' };
  return { sql, className, ...(await runOne(lab, judged, walls)) };
}

/**
 * Returns the SQL that the guard passes to the server, or null when it rejects the statement.
 * @param {string} sql
 * @param {string} own
 */
function judge(sql, own) {
  try {
    const guarded = guardQuery(sql, { tables: ['users', 'posts', 'tags', 'shown'], hiddenNames: ['vault', 'probe', 'seq'], schemaName: own });
    return guarded.kind === 'select' || guarded.kind === 'explain' ? { sql: guarded.runSql, params: guarded.params } : null;
  } catch {
    return null;
  }
}

/** @param {import('./laboratory.mjs').Laboratory} lab @param {{ sql: string, params: readonly unknown[] }} text @param {Walls} walls @returns {Promise<Omit<Trial, 'sql' | 'className'>>} */
async function runOne(lab, text, { user, hasGuard }) {
  const isBare = user === 'boss' && !hasGuard;
  const connection = await lab.open(user, isBare);
  connection.on('error', () => undefined);
  /** @type {Set<Harm>} */
  const harms = new Set();
  let told = '';
  let outcome = /** @type {Trial['outcome']} */ ('ran');
  try {
    if (!isBare) await connection.query(user === 'reader' ? 'START TRANSACTION READ ONLY' : 'SET sql_select_limit = 1001');
    const asIs = await readState(connection);
    const startedMs = performance.now();
    const timer = setTimeout(() => void lab.root.query(`KILL QUERY ${connection.threadId}`).catch(() => undefined), TIME_MS_MAX + 100);
    try {
      const [rows] = /** @type {any} */ (await connection.query({ sql: text.sql, values: hasGuard ? [...text.params] : undefined, timeout: 20_000 }));
      told = tellRows(rows, harms);
    } catch (err) {
      const { errno, message } = /** @type {Error & { errno?: number }} */ (err);
      // An access error names the account to itself. No such text reaches a response.
      told = DENIED.has(Number(errno)) ? '' : message;
      outcome = 'refused by the server';
    }
    clearTimeout(timer);
    if (performance.now() - startedMs > TIME_MS_MAX) harms.add('limits');
    if (CANARIES.some((canary) => told.includes(canary))) harms.add('rows of others');
    if (lab.secrets.some((secret) => secret.test(told) && !secret.test(text.sql))) harms.add('settings');
    if (user === 'reader') await connection.query('ROLLBACK').catch(() => undefined);
    await findTraces(lab, connection, asIs, harms);
  } finally {
    connection.destroy();
  }
  return { harms: [...harms], outcome, told: told.slice(0, 200) };
}

/**
 * Returns the first of the result as text.
 * @param {any} rows
 * @param {Set<Harm>} harms
 */
function tellRows(rows, harms) {
  const sets = Array.isArray(rows) && rows.some((row) => Array.isArray(row) && Array.isArray(row[0])) ? rows : [rows];
  let text = '';
  let bytes = 0;
  for (const set of sets) {
    if (!Array.isArray(set)) continue;
    if (set.length > ROWS_MAX + 1) harms.add('limits');
    for (const row of set) {
      for (const cell of Array.isArray(row) ? row : Object.values(row ?? {})) {
        const piece = Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell);
        bytes += piece.length;
        if (text.length < 1_000_000) text += `'${piece.slice(0, 2_000)}' `;
      }
    }
  }
  if (bytes > BYTES_MAX) harms.add('limits');
  return text;
}

/** @param {import('mysql2/promise').Connection} connection */
async function readState(connection) {
  const [rows] = await connection.query('SELECT @@sql_select_limit, @@sql_mode, @@autocommit, @@sort_buffer_size, @@character_set_client, DATABASE(), @kept');
  const [time] = await connection.query("SHOW SESSION VARIABLES WHERE variable_name IN ('max_statement_time', 'max_execution_time')");
  return JSON.stringify([rows, time]);
}

/** @param {import('./laboratory.mjs').Laboratory} lab @param {import('mysql2/promise').Connection} connection */
async function countTransactions(lab, connection) {
  const [[found]] = /** @type {any} */ (await lab.root.query(`SELECT COUNT(*) AS n FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id = ${connection.threadId}`));
  return Number(found.n);
}

/**
 * Looks for locks, an open transaction and settings that the session keeps.
 * @param {import('./laboratory.mjs').Laboratory} lab
 * @param {import('mysql2/promise').Connection} connection
 * @param {string} asIs
 * @param {Set<Harm>} harms
 */
async function findTraces(lab, connection, asIs, harms) {
  try {
    if ((await countTransactions(lab, connection)) > 0) {
      await sleep(STALE_MS);
      if ((await countTransactions(lab, connection)) > 0) harms.add('locks');
    }
    const [[released]] = /** @type {any} */ (await connection.query('SELECT RELEASE_ALL_LOCKS()'));
    if (Number(released[0]) > 0) harms.add('locks');
    await connection.query(`DELETE FROM ${lab.names.own}.probe WHERE id = -1`).catch((err) => {
      if (LOCK_ERRORS.has(err.errno)) harms.add('locks');
    });
    const now = await readState(connection);
    if (now !== asIs) harms.add('state');
  } catch {
    // A session that no longer answers keeps nothing.
  }
}

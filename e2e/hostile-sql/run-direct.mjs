// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { guardQuery } from '@rowhouse/query-engine';
import { CANARIES } from './laboratory.mjs';
import { fillNames } from './make-statements.mjs';

/**
 * The guards that are on.
 * @typedef {{ user: 'boss' | 'reader', hasGuard: boolean }} Guards
 * @typedef {'changed' | 'rows of others' | 'settings' | 'limits' | 'locks' | 'state'} Harm
 * @typedef {{
 *   sql: string,
 *   className: string,
 *   harms: Harm[],
 *   outcome: 'rejected by the guard' | 'rejected by the server' | 'ran',
 *   message: string,
 * }}
 *   Trial
 */

/**
 * The time after which a statement is stopped, in milliseconds. If it has to be stopped, it counts as a
 * statement without a limit.
 */
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

/** The number of statements that run at once, if they cannot affect each other. */
const TARGETS = 8;
const BATCH = 48;
/** Statements that wait or use CPU until they are stopped, and change nothing. */
const WAITING = new Set(['sleep', 'benchmark']);

/**
 * Runs each statement in its own session and restores what it has harmed. Statements that can only wait, or
 * that a guard rejects, run several at once. When one of such a batch has changed something, each is run
 * again on its own.
 * @param {import('./laboratory.mjs').Laboratory} lab
 * @param {readonly import('./make-statements.mjs').Hostile[]} statements
 * @param {Guards} guards
 * @returns {Promise<Trial[]>}
 */
export async function runDirect(lab, statements, guards) {
  const isBare = guards.user === 'boss' && !guards.hasGuard;
  /** @param {import('./make-statements.mjs').Hostile} item */
  const isCalm = (item) => !isBare || item.isBomb || WAITING.has(item.className);
  const calm = statements.filter(isCalm);
  let asIs = await lab.reset();
  /** @type {Trial[]} */
  const trials = [];
  const alone = statements.filter((item) => !isCalm(item));
  for (let index = 0; index < calm.length; index += BATCH) {
    const batch = calm.slice(index, index + BATCH);
    const tried = await runTogether(lab, batch, guards);
    if (isSame(asIs, await lab.check())) trials.push(...tried);
    else {
      asIs = await lab.reset();
      alone.push(...batch);
    }
  }
  for (const statement of alone) {
    const trial = await tryOne(lab, statement, guards);
    const after = trial.outcome === 'rejected by the guard' ? asIs : await lab.check();
    if (!isSame(asIs, after)) {
      trial.harms.push('changed');
      asIs = await lab.reset(asIs, after);
    }
    trials.push(trial);
  }
  return trials;
}

/** @param {readonly string[]} item @param {readonly string[]} other */
function isSame(item, other) {
  return item.every((part, index) => part === other[index]);
}

/**
 * @param {import('./laboratory.mjs').Laboratory} lab
 * @param {readonly import('./make-statements.mjs').Hostile[]} batch
 * @param {Guards} guards
 * @returns {Promise<Trial[]>}
 */
async function runTogether(lab, batch, guards) {
  const left = [...batch];
  /** @type {Trial[]} */
  const trials = [];
  await Promise.all(
    Array.from({ length: TARGETS }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift())
        trials.push(await tryOne(lab, item, guards));
    }),
  );
  return trials;
}

/**
 * @param {import('./laboratory.mjs').Laboratory} lab
 * @param {import('./make-statements.mjs').Hostile} statement
 * @param {Guards} guards
 * @returns {Promise<Trial>}
 */
async function tryOne(lab, { sql: text, className }, guards) {
  const sql = fillNames(text, lab.names);
  const judged = guards.hasGuard ? judge(sql, lab.names.own) : { sql, params: [] };
  if (judged === null) return { sql, className, harms: [], outcome: 'rejected by the guard', message: '' };
  return { sql, className, ...(await runOne(lab, judged, guards)) };
}

/**
 * Returns the SQL that the guard passes to the server, or null when it rejects the statement.
 * @param {string} sql
 * @param {string} own
 */
function judge(sql, own) {
  try {
    const guarded = guardQuery(sql, {
      tables: ['users', 'posts', 'tags', 'shown'],
      hiddenNames: ['vault', 'probe', 'seq'],
      schemaName: own,
    });
    return guarded.kind === 'select' || guarded.kind === 'explain'
      ? { sql: guarded.runSql, params: guarded.params }
      : null;
  } catch {
    return null;
  }
}

/**
 * @param {import('./laboratory.mjs').Laboratory} lab
 * @param {{ sql: string, params: readonly unknown[] }} text
 * @param {Guards} walls
 * @returns {Promise<Omit<Trial, 'sql' | 'className'>>}
 */
async function runOne(lab, text, { user, hasGuard }) {
  const isBare = user === 'boss' && !hasGuard;
  const connection = await lab.open(user, isBare);
  connection.on('error', () => undefined);
  /** @type {Set<Harm>} */
  const damages = new Set();
  let reported = '';
  let outcome = /** @type {Trial['outcome']} */ ('ran');
  try {
    if (!isBare)
      await connection.query(
        user === 'reader' ? 'START TRANSACTION READ ONLY' : 'SET sql_select_limit = 1001',
      );
    const asIs = await readState(connection);
    const startedMs = performance.now();
    const timer = setTimeout(
      () => void lab.root.query(`KILL QUERY ${connection.threadId}`).catch(() => undefined),
      TIME_MS_MAX + 100,
    );
    try {
      const [rows] = /** @type {any} */ (
        await connection.query({
          sql: text.sql,
          values: hasGuard ? [...text.params] : undefined,
          timeout: 20_000,
        })
      );
      reported = reportRows(rows, damages);
    } catch (err) {
      const { errno, message } = /** @type {Error & { errno?: number }} */ (err);
      // An access error contains the account's own name. The text is ignored, because responses never contain
      // it.
      reported = DENIED.has(Number(errno)) ? '' : message;
      outcome = 'rejected by the server';
    }
    clearTimeout(timer);
    if (performance.now() - startedMs > TIME_MS_MAX) damages.add('limits');
    if (CANARIES.some((canary) => reported.includes(canary))) damages.add('rows of others');
    if (lab.secrets.some((secret) => secret.test(reported) && !secret.test(text.sql)))
      damages.add('settings');
    if (user === 'reader') await connection.query('ROLLBACK').catch(() => undefined);
    await findTraces(lab, connection, asIs, damages);
  } finally {
    connection.destroy();
  }
  return { harms: [...damages], outcome, message: reported.slice(0, 200) };
}

/**
 * Returns the first rows of the result as text.
 * @param {any} rows
 * @param {Set<Harm>} damages
 */
function reportRows(rows, damages) {
  const sets =
    Array.isArray(rows) && rows.some((row) => Array.isArray(row) && Array.isArray(row[0])) ? rows : [rows];
  let text = '';
  let bytes = 0;
  for (const set of sets) {
    if (!Array.isArray(set)) continue;
    if (set.length > ROWS_MAX + 1) damages.add('limits');
    for (const row of set) {
      for (const cell of Array.isArray(row) ? row : Object.values(row ?? {})) {
        const chunk = Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell);
        bytes += chunk.length;
        if (text.length < 1_000_000) text += `'${chunk.slice(0, 2_000)}' `;
      }
    }
  }
  if (bytes > BYTES_MAX) damages.add('limits');
  return text;
}

/** @param {import('mysql2/promise').Connection} connection */
async function readState(connection) {
  const [rows] = await connection.query(
    'SELECT @@sql_select_limit, @@sql_mode, @@autocommit, @@sort_buffer_size, @@character_set_client, DATABASE(), @kept',
  );
  const [time] = await connection.query(
    "SHOW SESSION VARIABLES WHERE variable_name IN ('max_statement_time', 'max_execution_time')",
  );
  return JSON.stringify([rows, time]);
}

/**
 * @param {import('./laboratory.mjs').Laboratory} lab
 * @param {import('mysql2/promise').Connection} connection
 */
async function countTransactions(lab, connection) {
  const [[found]] = /** @type {any} */ (
    await lab.root.query(
      `SELECT COUNT(*) AS n FROM information_schema.INNODB_TRX WHERE trx_mysql_thread_id = ${connection.threadId}`,
    )
  );
  return Number(found.n);
}

/**
 * Looks for locks, an open transaction and settings that the session keeps.
 * @param {import('./laboratory.mjs').Laboratory} lab
 * @param {import('mysql2/promise').Connection} connection
 * @param {string} asIs
 * @param {Set<Harm>} damages
 */
async function findTraces(lab, connection, asIs, damages) {
  try {
    if ((await countTransactions(lab, connection)) > 0) {
      await sleep(STALE_MS);
      if ((await countTransactions(lab, connection)) > 0) damages.add('locks');
    }
    const [[released]] = /** @type {any} */ (await connection.query('SELECT RELEASE_ALL_LOCKS()'));
    if (Number(released[0]) > 0) damages.add('locks');
    await connection.query(`DELETE FROM ${lab.names.own}.probe WHERE id = -1`).catch((err) => {
      if (LOCK_ERRORS.has(err.errno)) damages.add('locks');
    });
    const now = await readState(connection);
    if (now !== asIs) damages.add('state');
  } catch {
    // A session that no longer responds holds no locks and no settings.
  }
}

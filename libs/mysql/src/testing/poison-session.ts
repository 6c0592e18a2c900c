import { DatabaseFault } from '../faults.js';
import type { PoolSession } from '../session/pool-session.js';
import type { DbValue } from '../types.js';
import { collectRows } from '../row-sinks.js';

/** The permissions of a poisoned session's account in its own schema. */
export interface PoisonRights {
  /** A table with a text column `note`. Null when the account may not write. */
  readonly table: string | null;
  /** `transaction` leaves rows and their locks uncommitted. `locked` leaves the table locked. */
  readonly kind: 'transaction' | 'locked';
}

/**
 * Statements that leave state in a session. The next user must not see it. `poisonSession` leaves more state,
 * depending on the account's rights.
 */
const SETTINGS = [
  "SET @poison = 'left behind'",
  `SET SESSION sql_mode = 'ANSI_QUOTES', time_zone = '+05:30', foreign_key_checks = 0, unique_checks = 0, sql_select_limit = 1, group_concat_max_len = 16,
    lc_time_names = 'de_DE', div_precision_increment = 0, innodb_lock_wait_timeout = 1, character_set_results = 'latin1', optimizer_search_depth = 1`,
  'SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE',
  "PREPARE poison FROM 'SELECT 1'",
  'CREATE TEMPORARY TABLE poison_rows (mark varchar(20))',
  "INSERT INTO poison_rows VALUES ('left behind')",
  'SET SESSION autocommit = 0',
];

export const POISON_NOTE = 'poison';

/**
 * Leaves in an idle session all the state that a careless or hostile user could leave, up to an open
 * transaction. Rejects if the server rejects a part of it.
 */
export async function poisonSession(session: PoolSession, { table, kind }: PoisonRights): Promise<void> {
  for (const sql of SETTINGS) await session.command(sql);
  await session.run(
    'SELECT GET_LOCK(?, 0)',
    [lockName(session.account.user)],
    collectRows({ bytesMax: 100 }),
  );
  if (table === null) return;
  if (kind === 'locked') return session.command(`LOCK TABLES ${table} WRITE, poison_rows WRITE`);
  await session.command(`INSERT INTO ${table} (note) VALUES ('${POISON_NOTE}')`);
  await session.command(`SELECT * FROM ${table} FOR UPDATE`);
}

const lockName = (user: string): string => `poison ${user}`;

/**
 * Selects the visible state of a session. Except for the first two values, it is equal in all new sessions.
 */
const STATE = `SELECT CURRENT_USER(), DATABASE(), @poison, @@sql_mode, @@time_zone, @@foreign_key_checks, @@unique_checks, @@sql_select_limit, @@group_concat_max_len,
  @@lc_time_names, @@div_precision_increment, @@innodb_lock_wait_timeout, @@lock_wait_timeout, @@character_set_client, @@character_set_connection, @@character_set_results,
  @@collation_connection, @@optimizer_search_depth, @@autocommit, LAST_INSERT_ID()`;
const NEWEST_NAME = '@@transaction_isolation, @@max_execution_time';
const MARIADB_NAME = '@@tx_isolation, @@max_statement_time';

/**
 * Statements that must fail with one of the given error numbers. They then prove that no prepared statement,
 * no temporary table and no open transaction is left. In an open transaction, the error would be 1568.
 */
const UNKNOWN = [
  { sql: 'EXECUTE poison', errnos: [1243], remains: 'a prepared statement' },
  { sql: 'SELECT * FROM poison_rows', errnos: [1142, 1146], remains: 'a temporary table' },
];

export interface Predecessor {
  readonly user: string;
  readonly schema: string;
}

/** Returns the state of a new session. A session that was taken over must have the same state. */
export async function readSessionState(session: PoolSession): Promise<readonly DbValue[]> {
  const sql = `${STATE}, ${session.server.engine === 'mariadb' ? MARIADB_NAME : NEWEST_NAME}`;
  const { rows } = await session.run(sql, [], collectRows({ bytesMax: 10_000 }));
  return rows.rows[0] ?? [];
}

/** Returns every session variable by name. Much slower than `readSessionState`. */
export async function readSessionVariables(session: PoolSession): Promise<ReadonlyMap<string, string>> {
  const { rows } = await session.run('SHOW SESSION VARIABLES', [], collectRows({ bytesMax: 1_000_000 }));
  return new Map(rows.rows.map(([name, value]) => [String(name), String(value)]));
}

/**
 * Returns a list of the state that the previous user has left in a session. The list is empty if the session
 * is as clean as a new one.
 */
export async function findRemains(
  session: PoolSession,
  predecessor: Predecessor,
  fresh: readonly DbValue[],
): Promise<string[]> {
  const remains: string[] = [];
  const [user, schema, ...state] = await readSessionState(session);
  if (user !== `${session.account.user}@%`)
    remains.push(`it is ${String(user)} and not ${session.account.user}`);
  if (schema !== session.account.schema) remains.push(`it is in ${String(schema)}`);
  fresh.slice(2).forEach((value, index) => {
    if (value !== state[index])
      remains.push(`value ${index + 2} is ${String(state[index])} and not ${String(value)}`);
  });
  const { rows } = await session.run(
    'SELECT IS_USED_LOCK(?) = CONNECTION_ID()',
    [lockName(predecessor.user)],
    collectRows({ bytesMax: 100 }),
  );
  // If the lock is taken, another session of the same account may hold it by now, so only a lock of this
  // session counts.
  if (Number(rows.rows[0]?.[0]) === 1) remains.push('a lock by name');
  // The server rejects this statement within a transaction. Without one, the statement sets the isolation
  // level that already applies.
  if ((await errnoOf(session, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')) !== 0)
    remains.push('a transaction');
  for (const { sql, errnos, remains: name } of [
    ...UNKNOWN,
    {
      sql: `SELECT * FROM ${predecessor.schema}.poison_rows`,
      errnos: [1142, 1146],
      remains: "its predecessor's temporary table",
    },
  ]) {
    if (!errnos.includes(await errnoOf(session, sql))) remains.push(name);
  }
  return remains;
}

/** Returns the error number, or 0 for success. */
async function errnoOf(session: PoolSession, sql: string): Promise<number> {
  try {
    await session.command(sql);
    return 0;
  } catch (error) {
    if (error instanceof DatabaseFault) return error.errno;
    throw error;
  }
}

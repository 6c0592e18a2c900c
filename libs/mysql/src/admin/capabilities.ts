import { SYNTAX_ERROR, NO_SUCH_ACCOUNT } from '@rowhouse/errors';
import type { EngineCapabilities } from '@rowhouse/schema-model';
import type { AdminConnection } from './admin-connection.js';
import { readServerFault } from './admin-session.js';
import { GALERA_STATE_SQL, readGaleraState, type GaleraState } from './galera-state.js';

/**
 * The name of a schema that exists on no server. A statement on it fails after parsing, so the error
 * shows whether the parser supports its syntax.
 */
const NOWHERE = 'rowhousenowhere';

/**
 * Detects the capabilities of a server by trying statements. Nothing is changed: each statement only reads,
 * or names a schema, account or table that does not exist. Detecting `twoPasswords` needs the CREATE USER
 * right; without it, the value is `none`.
 */
export async function probeCapabilities(connection: AdminConnection): Promise<EngineCapabilities> {
  const [row] = await connection.rows<{ version: string; mode: number; bin: number }>(
    'SELECT VERSION() AS version, @@performance_schema AS mode, @@log_bin AS bin',
  );
  const version = row?.version ?? '';
  const isMariadb = await succeeds(connection, 'SET STATEMENT max_statement_time=1 FOR SELECT 1');
  const cluster = (await readNodeState(connection)) === null ? 'none' : 'galera';
  return {
    engine: isMariadb ? 'mariadb' : 'mysql',
    version,
    insertReturning: await failsWith(
      connection,
      `PREPARE rowhouseprobe FROM 'INSERT INTO ${NOWHERE}.t VALUES (1) RETURNING a'`,
      [1049, 1146],
    ),
    deleteReturning: await failsWith(
      connection,
      `PREPARE rowhouseprobe FROM 'DELETE FROM ${NOWHERE}.t RETURNING a'`,
      [1049, 1146],
    ),
    regexFaults: (await succeeds(connection, "SELECT 'a' REGEXP '(?R)'")) ? 'warned' : 'raised',
    alterNowait: await failsWith(
      connection,
      `ALTER TABLE ${NOWHERE}.t NOWAIT ADD COLUMN a int`,
      [1049, 1146],
    ),
    alterNocopy: await failsWith(
      connection,
      `ALTER TABLE ${NOWHERE}.t ADD COLUMN a int, ALGORITHM=NOCOPY`,
      [1049, 1146],
    ),
    maxStatementTimeForAll: isMariadb,
    killUser: !(await failsWith(connection, `KILL USER '${NOWHERE}'`, [SYNTAX_ERROR])),
    twoPasswords: await probeTwoPasswords(connection),
    invisibleColumns: await failsWith(
      connection,
      `CREATE TABLE ${NOWHERE}.t (a int INVISIBLE, b int)`,
      [1049],
    ),
    uuidType: await failsWith(connection, `CREATE TABLE ${NOWHERE}.t (a uuid)`, [1049]),
    vectorType: await failsWith(connection, `CREATE TABLE ${NOWHERE}.t (a vector(3))`, [1049]),
    performanceSchema: Number(row?.mode) === 1,
    // Rebuilding is disabled on a cluster, because copied rows and concurrent writes may be on different
    // nodes.
    rebuild:
      cluster === 'none' &&
      (await takesTriggers(connection)) &&
      (Number(row?.bin) === 0 || (await trustsFunctionCreators(connection))),
    cluster,
  };
}

/** Returns the state of a Galera node, or null for other servers. */
export async function readNodeState(connection: AdminConnection): Promise<GaleraState | null> {
  if (!(await succeeds(connection, 'SELECT @@wsrep_on'))) return null;
  const [row] = await connection.rows<{ is_on: number }>('SELECT @@GLOBAL.wsrep_on AS is_on');
  if (Number(row?.is_on) !== 1) return null;
  const rows = await connection.rows<{ Variable_name: string; Value: string }>(GALERA_STATE_SQL);
  return readGaleraState(rows.map((row) => [row.Variable_name, row.Value]));
}

/** Returns whether this account can create accounts with SQL. Probes an account that does not exist. */
export function makesAccounts(connection: AdminConnection): Promise<boolean> {
  return failsWith(connection, `ALTER USER '${NOWHERE}'@'%' ACCOUNT LOCK`, [NO_SUCH_ACCOUNT]);
}

/**
 * Returns whether the server supports triggers, which capture the writes during a rebuild. Some servers that
 * use the MySQL protocol have none.
 */
function takesTriggers(connection: AdminConnection): Promise<boolean> {
  return failsWith(
    connection,
    `CREATE TRIGGER ${NOWHERE}.r BEFORE INSERT ON ${NOWHERE}.t FOR EACH ROW SET @a = 1`,
    [1044, 1049, 1142, 1146, 1419],
  );
}

async function probeTwoPasswords(connection: AdminConnection): Promise<EngineCapabilities['twoPasswords']> {
  if (
    await failsWith(connection, `ALTER USER '${NOWHERE}'@'%' IDENTIFIED BY 'a' RETAIN CURRENT PASSWORD`, [
      NO_SUCH_ACCOUNT,
    ])
  )
    return 'retain';
  const alternatives = `ALTER USER '${NOWHERE}'@'%' IDENTIFIED VIA mysql_native_password USING PASSWORD('a') OR mysql_native_password USING PASSWORD('b')`;
  return (await failsWith(connection, alternatives, [NO_SUCH_ACCOUNT])) ? 'alternatives' : 'none';
}

async function trustsFunctionCreators(connection: AdminConnection): Promise<boolean> {
  try {
    const [row] = await connection.rows<{ trusted: number }>(
      'SELECT @@log_bin_trust_function_creators AS trusted',
    );
    return Number(row?.trusted) === 1;
  } catch {
    return false;
  }
}

async function succeeds(connection: AdminConnection, sql: string): Promise<boolean> {
  try {
    await connection.rows(sql);
    return true;
  } catch (error) {
    if (readServerFault(error)?.isConnectionLost !== false) throw error;
    return false;
  }
}

/** Returns whether the server rejects `sql` with one of `errnos`. Throws when the connection is lost. */
async function failsWith(
  connection: AdminConnection,
  sql: string,
  errnos: readonly number[],
): Promise<boolean> {
  try {
    await connection.run(sql);
    return false;
  } catch (error) {
    const fault = readServerFault(error);
    if (fault === null || fault.isConnectionLost) throw error;
    return errnos.includes(fault.errno);
  }
}

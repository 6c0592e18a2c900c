import type { EngineKind } from '@rowhouse/schema-model';
import { GROUPED_SQL_MODE, toPlatformSqlMode } from '../admin/admin-connection.js';
import { GALERA_WAIT } from '../admin/galera-state.js';
import { quoteName } from '@rowhouse/schema-model';
import type { PoolAccount } from '../types.js';

/** The time limits for row locks and metadata locks, in seconds. */
const ROW_LOCK_WAIT_SECONDS = 4;
const TABLE_LOCK_WAIT_SECONDS = 8;
const LOCK_WAITS = `innodb_lock_wait_timeout=${ROW_LOCK_WAIT_SECONDS}, lock_wait_timeout=${TABLE_LOCK_WAIT_SECONDS}`;
/**
 * The number of joined tables up to which the optimizer tries all orders. With MySQL's default of 62,
 * planning ten filters over one relationship took 20 s. With 4, it takes milliseconds.
 */
const SEARCH_DEPTH = 4;

/**
 * Returns one statement with all settings of a tenant's session that must not depend on the server's
 * defaults. It runs after a session was opened, and after each change of user, because that resets the
 * settings.
 * @param statementMsMax the time limit of each statement on the server
 * @param isGalera each statement then waits until the node has applied what other nodes have committed
 */
export function toSessionSettings(engine: EngineKind, statementMsMax: number, isGalera = false): string {
  return (
    `SET SESSION time_zone='+00:00', sql_mode='${toPlatformSqlMode(engine)}', autocommit=1, ` +
    `${LOCK_WAITS}, optimizer_search_depth=${SEARCH_DEPTH}, ${statementLimit(engine, statementMsMax)}${isGalera ? `, ${GALERA_WAIT}` : ''}`
  );
}

/**
 * Makes the session reject columns that do not depend on the grouped ones. It is used for SQL whose result
 * must be deterministic.
 */
export const GROUP_STRICTLY = `SET SESSION sql_mode='${GROUPED_SQL_MODE}'`;

/** Returns the statement that changes the time limit of later statements. */
export function toStatementLimit(engine: EngineKind, statementMsMax: number): string {
  return `SET SESSION ${statementLimit(engine, statementMsMax)}`;
}

/**
 * Returns the settings of a session for grouped writes, which only MariaDB supports: no waiting for locks,
 * and a time limit.
 */
export function toGroupedSettings(statementMsMax: number): string {
  return `SET SESSION innodb_lock_wait_timeout=0, lock_wait_timeout=0, ${statementLimit('mariadb', statementMsMax)}`;
}

/** Returns the settings that restore the session after grouped writes (MariaDB). */
export function toPlainSettings(statementMsMax: number): string {
  return `SET SESSION ${LOCK_WAITS}, ${statementLimit('mariadb', statementMsMax)}`;
}

/**
 * Returns the session variable that limits each statement on the server (each SELECT on MySQL), and its value
 * in the variable's unit.
 */
export function toStatementBound(
  engine: EngineKind,
  statementMsMax: number,
): { readonly variable: string; readonly value: number } {
  const wholeMs = Math.ceil(statementMsMax);
  return engine === 'mariadb'
    ? { variable: 'max_statement_time', value: wholeMs / 1_000 }
    : { variable: 'max_execution_time', value: wholeMs };
}

function statementLimit(engine: EngineKind, statementMsMax: number): string {
  const { variable, value } = toStatementBound(engine, statementMsMax);
  return `${variable}=${value}`;
}

/**
 * Returns whether a statement names a table whose triggers or defaults may change the session. A column with
 * the name of such a table also counts, because only the SQL text is searched.
 */
export function runsTenantCode({ codeTables }: Pick<PoolAccount, 'codeTables'>, sql: string): boolean {
  const names = codeTables?.();
  return names !== undefined && names.some((name) => sql.includes(quoteName(name)));
}

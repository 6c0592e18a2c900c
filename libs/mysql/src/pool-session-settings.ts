import type { EngineKind } from '@rowhouse/schema-model';
import { GROUPED_SQL_MODE, toPlatformSqlMode } from './admin-connection.js';
import { GALERA_WAIT } from './galera-state.js';

/** Seconds that a statement waits for a row lock, and for a table's metadata lock. */
const ROW_LOCK_WAIT_SECONDS = 4;
const TABLE_LOCK_WAIT_SECONDS = 8;
const LOCK_WAITS = `innodb_lock_wait_timeout=${ROW_LOCK_WAIT_SECONDS}, lock_wait_timeout=${TABLE_LOCK_WAIT_SECONDS}`;
/** Tables that the optimizer orders at once. MySQL's own 62 took 20 s to plan ten filters over one relationship; 4 takes milliseconds. */
const SEARCH_DEPTH = 4;

/**
 * Everything a tenant's session must not leave to the server's defaults, as one statement: run after connecting and
 * after each change of user, which puts all of it back. `statementMsMax` bounds each statement on the server. On a Galera node
 * each statement waits for what was acknowledged elsewhere.
 */
export function toSessionSettings(engine: EngineKind, statementMsMax: number, isGalera = false): string {
  return (
    `SET SESSION time_zone='+00:00', sql_mode='${toPlatformSqlMode(engine)}', autocommit=1, ` +
    `${LOCK_WAITS}, optimizer_search_depth=${SEARCH_DEPTH}, ${statementLimit(engine, statementMsMax)}${isGalera ? `, ${GALERA_WAIT}` : ''}`
  );
}

/** Columns that depend on nothing grouped are refused from here on: for SQL that must answer alike each time. */
export const GROUP_STRICTLY = `SET SESSION sql_mode='${GROUPED_SQL_MODE}'`;

/** Another limit for the statements that follow in the session. */
export function toStatementLimit(engine: EngineKind, statementMsMax: number): string {
  return `SET SESSION ${statementLimit(engine, statementMsMax)}`;
}

/** For writes that are sent together (MariaDB): none of them waits for a lock, and none takes longer than so long. */
export function toTogetherSettings(statementMsMax: number): string {
  return `SET SESSION innodb_lock_wait_timeout=0, lock_wait_timeout=0, ${statementLimit('mariadb', statementMsMax)}`;
}

/** What the session has otherwise. */
export function toAloneSettings(statementMsMax: number): string {
  return `SET SESSION ${LOCK_WAITS}, ${statementLimit('mariadb', statementMsMax)}`;
}

/** The session's variable that bounds each statement on the server (on MySQL each SELECT), and its value in that variable's unit. */
export function toStatementBound(engine: EngineKind, statementMsMax: number): { readonly variable: string; readonly value: number } {
  const wholeMs = Math.ceil(statementMsMax);
  return engine === 'mariadb' ? { variable: 'max_statement_time', value: wholeMs / 1_000 } : { variable: 'max_execution_time', value: wholeMs };
}

function statementLimit(engine: EngineKind, statementMsMax: number): string {
  const { variable, value } = toStatementBound(engine, statementMsMax);
  return `${variable}=${value}`;
}

import type { EngineKind } from '@rowhouse/schema-model';

/**
 * A server's sessions as a table for FROM: ID, USER, DB, COMMAND, STATE, INFO, whichever engine it is. On MySQL
 * `information_schema.PROCESSLIST` cannot be read by anybody while a statement at work, of whomever, has a character of
 * four bytes in it: reading it would let a tenant keep its sessions from being ended, and everybody's migrations from
 * looking for theirs. It is asked there only where the server has no performance schema.
 */
export const SESSIONS = `(SELECT ID, USER, DB, COMMAND, STATE, INFO FROM /*M!100000 information_schema.PROCESSLIST */ /*!80022 performance_schema.processlist
  UNION ALL SELECT ID, USER, DB, COMMAND, STATE, INFO FROM information_schema.PROCESSLIST WHERE @@performance_schema = 0 */) AS sessions`;

/** Commands of a session that has begun a login: a new one, or one that changes its user. */
export const LOGIN_COMMANDS: readonly string[] = ['Connect', 'Change user'];

/**
 * While MariaDB waits for a password, it shows the user name that the client sent, which anybody can choose. Threads of
 * the server itself have no host.
 */
const BEGUN_ON_MARIADB = `COMMAND IN (${LOGIN_COMMANDS.map((command) => `'${command}'`).join(', ')}) AND HOST <> ''`;

/**
 * Statements that list all sessions with what they hold in memory: `id`, `user`, `client` (an address, on MariaDB with a
 * port), `command`, `state`, `state_ms` in that state, `statement_id` and `memory` in bytes. `user` is `unauthenticated user` until a login has
 * succeeded. None reads the text of statements on MySQL.
 * MySQL has no user or address for a session that has not logged in: its socket does. Its `state_ms` follows what the session
 * set as `timestamp`; its `statement_id` tells the session's last statement from the one before. MariaDB needs none.
 */
export const SESSION_AMOUNTS: Readonly<Record<EngineKind, string>> = {
  mariadb: `SELECT ID AS id, IF(${BEGUN_ON_MARIADB}, 'unauthenticated user', USER) AS user, HOST AS client, COMMAND AS command, STATE AS state,
      TIME_MS AS state_ms, NULL AS statement_id, MEMORY_USED AS memory FROM information_schema.PROCESSLIST`,
  mysql: `SELECT PROCESSLIST_ID AS id, COALESCE(PROCESSLIST_USER, IF(s.THREAD_ID IS NULL, NULL, 'unauthenticated user')) AS user, COALESCE(s.IP, PROCESSLIST_HOST) AS client,
      PROCESSLIST_COMMAND AS command, PROCESSLIST_STATE AS state, PROCESSLIST_TIME * 1000 AS state_ms, e.EVENT_ID AS statement_id, TOTAL_MEMORY AS memory
    FROM performance_schema.threads t LEFT JOIN performance_schema.socket_instances s ON s.THREAD_ID = t.THREAD_ID AND t.PROCESSLIST_USER IS NULL
      LEFT JOIN performance_schema.events_statements_current e ON e.THREAD_ID = t.THREAD_ID AND e.NESTING_EVENT_LEVEL = 0
    WHERE t.TYPE = 'FOREGROUND' AND t.PROCESSLIST_ID IS NOT NULL`,
};

/** Statements that list the sessions that have not logged in: `id` and `client`, as above. They read no more than a flood of them needs. */
export const HALF_OPEN_LOGINS: Readonly<Record<EngineKind, string>> = {
  mariadb: `SELECT ID AS id, HOST AS client FROM information_schema.PROCESSLIST WHERE ${BEGUN_ON_MARIADB}`,
  mysql: `SELECT t.PROCESSLIST_ID AS id, s.IP AS client FROM performance_schema.threads t JOIN performance_schema.socket_instances s ON s.THREAD_ID = t.THREAD_ID
    WHERE t.PROCESSLIST_USER IS NULL AND t.PROCESSLIST_ID IS NOT NULL`,
};

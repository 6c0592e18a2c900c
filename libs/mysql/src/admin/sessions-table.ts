import type { EngineKind } from '@rowhouse/schema-model';

/**
 * The list of a server's sessions as a table for FROM, with the columns ID, USER, DB, COMMAND, STATE and INFO
 * on both engines. On MySQL, `information_schema.PROCESSLIST` cannot be read while a running statement
 * contains a four-byte character. A tenant could use this to keep its sessions from being ended, or to block
 * migrations. That table is therefore used only on servers without the performance schema.
 */
export const SESSIONS = `(SELECT ID, USER, DB, COMMAND, STATE, INFO FROM /*M!100000 information_schema.PROCESSLIST */ /*!80022 performance_schema.processlist
  UNION ALL SELECT ID, USER, DB, COMMAND, STATE, INFO FROM information_schema.PROCESSLIST WHERE @@performance_schema = 0 */) AS sessions`;

/** The values of COMMAND for a session that is logging in or changing its user. */
export const LOGIN_COMMANDS: readonly string[] = ['Connect', 'Change user'];

/**
 * Matches sessions that are logging in. While MariaDB waits for a password, it shows the user name that the
 * client sent, which can be any text. The condition on HOST excludes threads of the server, which have no
 * host.
 */
const LOGGING_IN = `COMMAND IN (${LOGIN_COMMANDS.map((command) => `'${command}'`).join(', ')}) AND HOST <> ''`;

/**
 * Statements that list all sessions with their memory: `id`, `user`, `client` (an address, with a port on
 * MariaDB), `command`, `state`, `state_ms` in that state, `statement_id`, `memory` in bytes and its highest value
 * `peak`, which only MariaDB has. `user` is `unauthenticated user` until a login succeeds. On MySQL, none of
 * them reads statement texts.
 *
 * MySQL has no user or address for a session that has not logged in, but its socket has. `state_ms` depends
 * on the session's `timestamp` variable there, so `statement_id` distinguishes consecutive statements.
 * MariaDB does not need it.
 */
export const SESSION_AMOUNTS: Readonly<Record<EngineKind, string>> = {
  mariadb: `SELECT ID AS id, IF(${LOGGING_IN}, 'unauthenticated user', USER) AS user, HOST AS client,
      COMMAND AS command, STATE AS state,
      TIME_MS AS state_ms, NULL AS statement_id, MEMORY_USED AS memory, MAX_MEMORY_USED AS peak
    FROM information_schema.PROCESSLIST`,
  mysql: `SELECT PROCESSLIST_ID AS id, COALESCE(PROCESSLIST_USER, IF(s.THREAD_ID IS NULL, NULL, 'unauthenticated user')) AS user,
      COALESCE(s.IP, PROCESSLIST_HOST) AS client,
      PROCESSLIST_COMMAND AS command, PROCESSLIST_STATE AS state, PROCESSLIST_TIME * 1000 AS state_ms,
      e.EVENT_ID AS statement_id, TOTAL_MEMORY AS memory, NULL AS peak
    FROM performance_schema.threads t
      LEFT JOIN performance_schema.socket_instances s ON s.THREAD_ID = t.THREAD_ID AND t.PROCESSLIST_USER IS NULL
      LEFT JOIN performance_schema.events_statements_current e ON e.THREAD_ID = t.THREAD_ID
        AND e.NESTING_EVENT_LEVEL = 0
    WHERE t.TYPE = 'FOREGROUND' AND t.PROCESSLIST_ID IS NOT NULL`,
};

/**
 * Statements that list the sessions that have not logged in: `id` and `client` as above. They read as little
 * as a flood of such sessions allows.
 */
export const HALF_OPEN_LOGINS: Readonly<Record<EngineKind, string>> = {
  mariadb: `SELECT ID AS id, HOST AS client FROM information_schema.PROCESSLIST WHERE ${LOGGING_IN}`,
  mysql: `SELECT t.PROCESSLIST_ID AS id, s.IP AS client FROM performance_schema.threads t JOIN performance_schema.socket_instances s ON s.THREAD_ID = t.THREAD_ID
    WHERE t.PROCESSLIST_USER IS NULL AND t.PROCESSLIST_ID IS NOT NULL`,
};

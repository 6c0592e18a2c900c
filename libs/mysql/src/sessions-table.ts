import type { EngineKind } from '@rowhouse/schema-model';

/**
 * A server's sessions as a table for FROM: ID, USER, DB, COMMAND, STATE, INFO, whichever engine it is. On MySQL
 * `information_schema.PROCESSLIST` cannot be read by anybody while a statement at work, of whomever, has a character of
 * four bytes in it: reading it would let a tenant keep its sessions from being ended, and everybody's migrations from
 * looking for theirs. It is asked there only where the server has no performance schema.
 */
export const SESSIONS = `(SELECT ID, USER, DB, COMMAND, STATE, INFO FROM /*M!100000 information_schema.PROCESSLIST */ /*!80022 performance_schema.processlist
  UNION ALL SELECT ID, USER, DB, COMMAND, STATE, INFO FROM information_schema.PROCESSLIST WHERE @@performance_schema = 0 */) AS sessions`;

/**
 * Statements that list all sessions with what they hold in memory: `id`, `user`, `command`, `state`, `state_ms` in that state and
 * `memory` in bytes. None reads the text of statements on MySQL.
 */
export const SESSION_AMOUNTS: Readonly<Record<EngineKind, string>> = {
  mariadb: 'SELECT ID AS id, USER AS user, COMMAND AS command, STATE AS state, TIME_MS AS state_ms, MEMORY_USED AS memory FROM information_schema.PROCESSLIST',
  mysql: `SELECT PROCESSLIST_ID AS id, PROCESSLIST_USER AS user, PROCESSLIST_COMMAND AS command, PROCESSLIST_STATE AS state, PROCESSLIST_TIME * 1000 AS state_ms, TOTAL_MEMORY AS memory
    FROM performance_schema.threads WHERE TYPE = 'FOREGROUND' AND PROCESSLIST_ID IS NOT NULL`,
};

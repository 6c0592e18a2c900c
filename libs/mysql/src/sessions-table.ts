/**
 * A server's sessions as a table for FROM: ID, USER, DB, COMMAND, STATE, INFO, whichever engine it is. On MySQL
 * `information_schema.PROCESSLIST` cannot be read by anybody while a statement at work, of whomever, has a character of
 * four bytes in it: reading it would let a tenant keep its sessions from being ended, and everybody's migrations from
 * looking for theirs. It is asked there only where the server has no performance schema.
 */
export const SESSIONS = `(SELECT ID, USER, DB, COMMAND, STATE, INFO FROM /*M!100000 information_schema.PROCESSLIST */ /*!80022 performance_schema.processlist
  UNION ALL SELECT ID, USER, DB, COMMAND, STATE, INFO FROM information_schema.PROCESSLIST WHERE @@performance_schema = 0 */) AS sessions`;

/**
 * The sessions of a server as a table for FROM, on either engine. MySQL cannot read
 * `information_schema.PROCESSLIST` while a running statement contains a 4-byte character.
 */
export const SESSIONS =
  '(SELECT ID, USER, DB, COMMAND, TIME, INFO FROM /*M!100000 information_schema.PROCESSLIST */ /*!80022 performance_schema.processlist */) AS sessions';

// @ts-check
/**
 * The sessions of a server as a table for FROM, on either engine. On MySQL `information_schema.PROCESSLIST` cannot be read
 * by anybody while a statement at work has a character of four bytes in it, and what suites send has many.
 */
export const SESSIONS = '(SELECT ID, USER, DB, COMMAND, TIME, INFO FROM /*M!100000 information_schema.PROCESSLIST */ /*!80022 performance_schema.processlist */) AS sessions';

import { numbersOfKind } from './mysql-errors.js';

/** The numbers of server errors that code handles one by one, on both engines. */
export const UNKNOWN_COLUMN = 1054;
export const NO_SUCH_THREAD = 1094;
export const NO_SUCH_TABLE = 1146;
export const LOCK_WAIT_TIMEOUT = 1205;
export const DEADLOCK = 1213;
/** EXPLAIN was denied, because the account may not read the tables of a view. */
export const VIEW_HIDES = 1345;

/** The numbers of statements that were stopped, because they took too long or were killed. */
export const TIMEOUT_NUMBERS = numbersOfKind('timeout');

/** A row changed since the snapshot of the transaction. MariaDB from 11.8 on has snapshot isolation. */
export const ROW_CHANGED = 1020;

export const UNKNOWN_SCHEMA = 1049;

/** A row with the same unique key exists. */
export const DUPLICATE_KEY = 1062;

/** Another session ended the statement with KILL QUERY. */
export const QUERY_INTERRUPTED = 1317;

/** MySQL's number for a row that is locked and read with NOWAIT. */
export const LOCKED_NOWAIT = 3572;

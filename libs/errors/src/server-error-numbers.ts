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

/**
 * Owns the table of error codes, the one error class and the forms of an error body.
 * Must not know HTTP frameworks, databases or who throws.
 */
export { AppError, addExtra, changeError, faultAt, FAULTS_MAX, validationError, type AppErrorOptions, type FieldFault } from './app-error.js';
export { toAppError, toErrorBody, toProblemBody, type ErrorBody } from './body.js';
export { ERROR_CODES, type ErrorCode } from './codes.js';
export { nearestNames } from './nearest-names.js';
export { isAuthorsOwn, listMysqlErrors, numbersOfKind, readMysqlError, type MysqlEngine, type MysqlErrorKind, type MysqlErrorMeaning } from './mysql-errors.js';

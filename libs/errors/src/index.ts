/**
 * Error codes, the error class, and the response bodies of errors. This package does not depend on an HTTP
 * framework or a database driver.
 */
export {
  AppError,
  addExtra,
  changeError,
  defect,
  faultAt,
  FAULTS_MAX,
  validationError,
  type AppErrorOptions,
  type FaultLocation,
  type FieldFault,
} from './app-error.js';
export { toAppError, toErrorBody, toProblemBody, type ErrorBody } from './body.js';
export { ERROR_CODES, type ErrorCode } from './codes.js';
export { nearestNames } from './nearest-names.js';
export {
  isAuthorsOwn,
  listMysqlErrors,
  numbersOfKind,
  readMysqlError,
  type MysqlEngine,
  type MysqlErrorKind,
  type MysqlErrorMeaning,
} from './mysql-errors.js';
export * from './server-error-numbers.js';

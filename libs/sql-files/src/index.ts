/**
 * The text of every SQL file that users load elsewhere: exports, migration files, schema downloads. Such a
 * file contains SQL for one database and nothing that a command-line client interprets.
 *
 * This library is pure: no I/O, no clock, no randomness. It does not run statements, read servers, or decide
 * what belongs to a schema.
 */
export { endStatement } from './file-statement.js';
export { CHANGE_FRAME, FILE_FRAME, isFileSetting, toCommentLine } from './file-frame.js';
export { escapeLineBreaks } from './file-statement.js';
export { splitFileStatements } from './file-statement.js';
export { toFileStatement, type FileStatement } from './file-statement.js';
export {
  renderSchemaSql,
  renderSchemaSqlSteps,
  writeSchema,
  writeSchemaSteps,
  type OmittedObject,
  type WrittenSchema,
} from './write-schema.js';

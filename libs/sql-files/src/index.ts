/**
 * Writes the text of every SQL file that users load into other servers: exports, migration files and schema
 * downloads. Such a file contains only SQL for one database, and no text that a command-line client
 * interprets.
 *
 * The library is pure: it uses no I/O, clock or randomness. It does not run statements or read from servers,
 * and does not decide what belongs to a schema.
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

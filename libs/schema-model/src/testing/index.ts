/** Schemas for the tests of all packages. Production code must not import this module. */
export { GRAMMAR_WORDS, isLegal, listAwkwardNames, makeAwkwardName } from './awkward-names.js';
export { BUSINESS_TYPES } from './business-types.js';
export { EXAMPLE_SCHEMA } from './example-schema.js';
export { INDEXED_POSTS } from './indexed-posts.js';
export { foreignKey, rawColumn, rawTable, uniqueIndex } from './raw-builders.js';
export { openRandom, type Random } from './open-random.js';
export { COLUMN_TYPES, makeRandomSchema } from './random-schema.js';
export {
  toRawSchema,
  toSchemaSql,
  type ColumnSketch,
  type SchemaSketch,
  type TableSketch,
} from './schema-sketch.js';
export {
  openChangeSequence,
  type ChangeSequence,
  type ProposedStatement,
} from './change-sequence/change-sequence.js';

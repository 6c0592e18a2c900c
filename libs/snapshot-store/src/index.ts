/**
 * Manages the stored form of snapshots, and the compiled schemas that a process uses. It does not decide
 * which snapshot is published, parse requests or introspect databases.
 */
export {
  createLiveSchemas,
  type DatedPointer,
  type LiveSchemas,
  type LiveSchemasOptions,
  type SchemaUse,
  type SnapshotPointer,
} from './live-schemas.js';
export {
  createPreparedSchemas,
  type PreparedSchemas,
  type PreparedSchemasOptions,
} from './prepared-schemas.js';
export { readRevisions, type StoredRevision } from './read-revisions.js';
export type { RightsView } from './live-schema.js';
export {
  decodeSnapshot,
  encodeChanged,
  encodeSnapshot,
  hashSnapshot,
  readSnapshot,
  type EncodedSnapshot,
} from './snapshot-codec.js';

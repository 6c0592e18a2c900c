/**
 * Owns the stored form of snapshots and the live, compiled schemas of a process.
 * Must not decide which snapshot is published, read requests, or introspect databases.
 */
export { decodeSnapshot, encodeSnapshot, type EncodedSnapshot } from './snapshot-codec.js';

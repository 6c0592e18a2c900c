import type { RawSchema } from './raw-schema.js';
import type { Snapshot } from './types.js';

/**
 * Completes what an engine described: value kinds, formats, row keys, and the sticky names of paths and relationships.
 * `predecessor`: the snapshot that is published now; its names stay where they are.
 */
export function nameSnapshot(_schema: RawSchema, _predecessor: Snapshot | null): Snapshot {
  throw new Error("not filled in");
}

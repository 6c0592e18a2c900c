import { compileSnapshot, type CompiledSnapshot, type Rights } from '@rowhouse/schema-model';
import type { SharedContent } from './content-cache.js';

/** A set of rights with a name. Two sets with the same name are equal. */
export interface RightsView {
  readonly name: string;
  readonly rights: Rights;
}

/**
 * One published snapshot of one database, as this process uses it. It does not change, except for its
 * counters and its compiled views.
 */
export interface LiveSchema {
  readonly number: number;
  readonly content: SharedContent;
  readonly views: Map<string, CompiledView>;
  /** The number of requests that are using this schema. */
  users: number;
  /**
   * Whether a newer schema has replaced this one. A retired schema remains in memory until its last request
   * ends.
   */
  isRetired: boolean;
}

interface CompiledView {
  readonly rights: Rights;
  readonly compiled: CompiledSnapshot;
}

/**
 * Creates a live schema. Before it replaces the previous schema, the views that the previous one has are
 * compiled, so that no request has to compile them.
 */
export function createLiveSchema(
  number: number,
  content: SharedContent,
  predecessor: LiveSchema | undefined,
): LiveSchema {
  const schema: LiveSchema = { number, content, views: new Map(), users: 0, isRetired: false };
  for (const [name, view] of predecessor?.views ?? []) {
    schema.views.set(name, {
      rights: view.rights,
      compiled: compileSnapshot(content.snapshot, number, view.rights),
    });
  }
  return schema;
}

/**
 * Returns the view of the schema for the given rights. If there are `viewsMax` views, the least recently used
 * is removed.
 */
export function viewSchema(schema: LiveSchema, view: RightsView, viewsMax: number): CompiledSnapshot {
  const known = schema.views.get(view.name);
  if (known !== undefined) {
    // The order of use is only maintained if the cache is more than half full.
    if (schema.views.size > viewsMax / 2) {
      schema.views.delete(view.name);
      schema.views.set(view.name, known);
    }
    return known.compiled;
  }
  const compiled = compileSnapshot(schema.content.snapshot, schema.number, view.rights);
  const [oldest] = schema.views.keys();
  if (oldest !== undefined && schema.views.size >= viewsMax) schema.views.delete(oldest);
  schema.views.set(view.name, { rights: view.rights, compiled });
  return compiled;
}

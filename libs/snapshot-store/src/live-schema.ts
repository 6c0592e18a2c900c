import { compileSnapshot, type CompiledSnapshot, type Rights } from '@rowhouse/schema-model';
import type { SharedContent } from './content-cache.js';

/** A named set of rights. Equal names mean equal rights. */
export interface RightsView {
  readonly name: string;
  readonly rights: Rights;
}

/**
 * One published snapshot of one database as this process serves it.
 * Immutable except for its counters and views.
 */
export interface LiveSchema {
  readonly number: number;
  readonly content: SharedContent;
  readonly views: Map<string, CompiledView>;
  /** The number of requests that are using this schema. */
  users: number;
  /**
   * True when a newer schema has replaced this one. A retired schema stays in memory until its last request
   * ends.
   */
  isRetired: boolean;
}

interface CompiledView {
  readonly rights: Rights;
  readonly compiled: CompiledSnapshot;
}

/**
 * Creates a live schema. Compiles the views that the predecessor has before the swap, so that no request has
 * to compile them.
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

/** Returns the schema under the given rights. At `viewsMax`, the least recently used view is evicted. */
export function viewSchema(schema: LiveSchema, view: RightsView, viewsMax: number): CompiledSnapshot {
  const known = schema.views.get(view.name);
  if (known !== undefined) {
    // The order of use is only maintained close to the limit.
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

import { compileSnapshot, type CompiledSnapshot, type Rights } from '@rowhouse/schema-model';
import type { SharedContent } from './content-cache.js';

/** What a key may see: a name for the set of rights, and the rights. Equal names mean equal rights. */
export interface RightsView {
  readonly name: string;
  readonly rights: Rights;
}

/** One published snapshot of one database as this process serves it. Immutable but for its counters and views. */
export interface LiveSchema {
  readonly number: number;
  readonly content: SharedContent;
  readonly views: Map<string, CompiledView>;
  /** Requests that run on it. */
  users: number;
  /** A newer one has taken its place; it lives until its last request ends. */
  isRetired: boolean;
}

interface CompiledView {
  readonly rights: Rights;
  readonly compiled: CompiledSnapshot;
}

/** Views of the predecessor are compiled before the swap, so that no request pays for it. */
export function createLiveSchema(number: number, content: SharedContent, predecessor: LiveSchema | undefined): LiveSchema {
  const schema: LiveSchema = { number, content, views: new Map(), users: 0, isRetired: false };
  for (const [name, view] of predecessor?.views ?? []) {
    schema.views.set(name, { rights: view.rights, compiled: compileSnapshot(content.snapshot, number, view.rights) });
  }
  return schema;
}

/** The schema as the rights see it; the least recently used view makes room at `viewsMax`. */
export function viewSchema(schema: LiveSchema, view: RightsView, viewsMax: number): CompiledSnapshot {
  const known = schema.views.get(view.name);
  if (known !== undefined) {
    // Only what is near the bound pays for being kept in order of use.
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

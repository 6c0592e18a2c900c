import { foldName } from './read-context.js';
import type { RouteSchema, RouteTable } from './types.js';

/** The names of a schema, to be looked up: a text of 4,000 words over 100,000 columns would be compared for minutes. */
export interface SchemaNames {
  /** By their folded names. */
  readonly tables: ReadonlyMap<string, RouteTable>;
  /** Folded names of all columns. */
  readonly columns: ReadonlySet<string>;
  /** Names of all tables and columns in upper case, as words of SQL are. */
  readonly words: ReadonlySet<string>;
}

const known = new WeakMap<RouteSchema, SchemaNames>();

/** Made once for each schema. */
export function namesOf(schema: RouteSchema): SchemaNames {
  const found = known.get(schema);
  if (found !== undefined) return found;
  const columns = schema.tables.flatMap((table) => table.columns);
  const names: SchemaNames = {
    tables: new Map(schema.tables.map((table) => [foldName(table.name), table])),
    columns: new Set(columns.map(foldName)),
    words: new Set([...schema.tables.map((table) => table.name), ...columns].map((name) => name.toUpperCase())),
  };
  known.set(schema, names);
  return names;
}

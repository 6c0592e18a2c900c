import { doSteps, type Steps } from '@rowhouse/schema-model';
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

/** Made once for each schema, here in one go. */
export function namesOf(schema: RouteSchema): SchemaNames {
  return known.get(schema) ?? doSteps(readNamesSteps(schema));
}

/** About a millisecond of work. */
const COLUMNS_PER_STEP = 1_000;

/** The same in steps: of a hundred thousand columns it is a fifth of a second of work. */
export function* readNamesSteps(schema: RouteSchema): Steps<SchemaNames> {
  const tables = new Map(schema.tables.map((table) => [foldName(table.name), table]));
  const columns = new Set<string>();
  const words = new Set(schema.tables.map((table) => table.name.toUpperCase()));
  let read = 0;
  for (const { columns: own } of schema.tables) {
    for (const name of own) {
      columns.add(foldName(name));
      words.add(name.toUpperCase());
    }
    read += own.length;
    if (read < COLUMNS_PER_STEP) continue;
    read = 0;
    yield;
  }
  const names: SchemaNames = { tables, columns, words };
  known.set(schema, names);
  return names;
}

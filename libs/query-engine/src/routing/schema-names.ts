import { doSteps, type Steps } from '@rowhouse/schema-model';
import { foldName } from '../lexer/names.js';
import type { RouteSchema, RouteTable } from '../types.js';

/**
 * The names of a schema as lookup sets. Comparing a text of 4,000 words with 100,000 columns would take
 * minutes.
 */
export interface SchemaNames {
  /** Tables by folded name. */
  readonly tables: ReadonlyMap<string, RouteTable>;
  /** The folded names of all columns. */
  readonly columns: ReadonlySet<string>;
  /** The upper-case names of all tables and columns, in the form of SQL words. */
  readonly words: ReadonlySet<string>;
}

const known = new WeakMap<RouteSchema, SchemaNames>();

/** Returns the names of a schema, computed once per schema without pauses. */
export function namesOf(schema: RouteSchema): SchemaNames {
  return known.get(schema) ?? doSteps(readNamesSteps(schema));
}

/** The number of columns per step, about a millisecond of work. */
const COLUMNS_PER_STEP = 1_000;

/** Computes the result of `namesOf` in steps, because a hundred thousand columns take 200 ms in total. */
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

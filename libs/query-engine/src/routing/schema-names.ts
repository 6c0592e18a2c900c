import { doSteps, type Steps } from '@rowhouse/schema-model';
import { foldName } from '../lexer/names.js';
import type { RouteSchema, RouteTable } from '../types.js';

/**
 * The names of a schema in sets for fast lookup. Without them, comparing a text of 4,000 words with 100,000
 * columns would take minutes.
 */
export interface SchemaNames {
  /** The tables by their folded names. */
  readonly tables: ReadonlyMap<string, RouteTable>;
  /** The folded names of the columns of all tables. */
  readonly columns: ReadonlySet<string>;
  /** The names of all tables and columns in upper case, which is also the form of words in tokens. */
  readonly words: ReadonlySet<string>;
}

const known = new WeakMap<RouteSchema, SchemaNames>();

/**
 * Returns the names of a schema. They are computed once for each schema, without pauses for other requests.
 */
export function namesOf(schema: RouteSchema): SchemaNames {
  return known.get(schema) ?? doSteps(readNamesSteps(schema));
}

/** The number of columns that are processed in each step, which takes about a millisecond. */
const COLUMNS_PER_STEP = 1_000;

/** Computes the result of `namesOf` in steps. For a hundred thousand columns, this takes 200 ms in total. */
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

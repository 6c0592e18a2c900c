import type { ForeignKey, Table } from '@rowhouse/schema-model';
import type { Random } from './create-random.js';
import { isOptional } from './plan-fills.js';
import { spellValue } from './spell-value.js';
import type { ParentKeys, SampleValue } from './types.js';

/** What the keys of a go at a table may be. */
export interface KeyChoice {
  readonly parents: ParentKeys;
  /** Keys that stay NULL. */
  readonly openKeys: ReadonlySet<string>;
  /** Keys by which each row points at itself. */
  readonly ownKeys: ReadonlySet<string>;
}

interface Pointing extends KeyChoice {
  readonly random: Random;
  readonly ordinal: number;
  readonly attempt: number;
  readonly isUnique: (column: string) => boolean;
}

export interface PointedKeys {
  readonly values: Readonly<Record<string, SampleValue>>;
  /** Columns that take what stands in another of the same row. */
  readonly own: Readonly<Record<string, string>>;
}

const NULL_PERCENT = 10;

/** A row for each key to point at; null where a key that must point at something cannot. */
export function pointKeys(table: Table, pointing: Pointing): PointedKeys | null {
  const values: Record<string, SampleValue> = {};
  const own: Record<string, string> = {};
  for (const key of table.foreignKeys) {
    if (pointing.ownKeys.has(key.name)) key.columns.forEach((column, at) => (own[column] = key.referencedColumns[at] ?? column));
    else if (!pointKey(table, key, values, pointing)) return null;
  }
  return { values, own };
}

/** False where nothing is left to point at. Columns that an earlier key has filled stay as they are. */
function pointKey(table: Table, key: ForeignKey, values: Record<string, SampleValue>, pointing: Pointing): boolean {
  const { random, parents, openKeys } = pointing;
  const isFree = isOptional(table, key);
  const rows = openKeys.has(key.name) || (isFree && random.chance(NULL_PERCENT)) ? [] : (parents.get(key.name) ?? []);
  const given = key.columns.map((column) => values[column]);
  const fitting = given.some((value) => value !== undefined && value !== null) ? rows.filter((row) => given.every((value, at) => isSame(value, row[at]))) : rows;
  const chosen = choose(fitting, key, pointing);
  if (chosen === undefined) return isFree && leaveOpen(table, key, values);
  key.columns.forEach((column, at) => (values[column] = chosen[at] ?? null));
  return true;
}

/** What no key before has filled is whatever is chosen. */
function isSame(given: SampleValue | undefined, value: SampleValue | undefined): boolean {
  return given === undefined || given === null || (value !== undefined && value !== null && spellValue(given) === spellValue(value));
}

/** One row each where the key is unique, in turn; else the first ones more often, as in life. */
function choose<T>(rows: readonly T[], key: ForeignKey, { random, ordinal, attempt, isUnique }: Pointing): T | undefined {
  if (key.columns.some((column) => isUnique(column))) return rows[(ordinal - 1 + attempt) % Math.max(1, rows.length)];
  return rows[random.chance(30) ? Math.min(random.below(rows.length), random.below(rows.length)) : random.below(rows.length)];
}

function leaveOpen(table: Table, key: ForeignKey, values: Record<string, SampleValue>): boolean {
  const open = key.columns.find((name) => values[name] === undefined && table.columns.find((column) => column.name === name)?.nullable === true);
  if (open === undefined) return key.columns.some((name) => values[name] === null);
  values[open] = null;
  return true;
}

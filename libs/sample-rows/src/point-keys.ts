import type { ForeignKey, Table } from '@rowhouse/schema-model';
import type { Random } from './create-random.js';
import { isOptional } from './plan-fills.js';
import { spellValue } from './track-unique.js';
import type { ParentKeys, SampleValue } from './types.js';

/** The possible values of foreign keys in one pass over a table. */
export interface KeyChoice {
  readonly parents: ParentKeys;
  /** The foreign keys that are NULL in this pass. */
  readonly openKeys: ReadonlySet<string>;
  /** The foreign keys by which each row refers to itself. */
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
  /** The columns that get the same value as another column of the row. */
  readonly own: Readonly<Record<string, string>>;
}

const NULL_PERCENT = 10;

/**
 * Chooses the row to refer to for each foreign key. Returns null if a required key has no row to refer to.
 */
export function pointKeys(table: Table, pointing: Pointing): PointedKeys | null {
  const values: Record<string, SampleValue> = {};
  const own: Record<string, string> = {};
  for (const key of table.foreignKeys) {
    if (pointing.ownKeys.has(key.name))
      key.columns.forEach((column, index) => (own[column] = key.referencedColumns[index] ?? column));
    else if (!pointKey(table, key, values, pointing)) return null;
  }
  return { values, own };
}

/**
 * Chooses the row to which one foreign key refers. Returns false if none is left. Columns that an earlier
 * foreign key has set are not changed.
 */
function pointKey(
  table: Table,
  key: ForeignKey,
  values: Record<string, SampleValue>,
  pointing: Pointing,
): boolean {
  const { random, parents, openKeys } = pointing;
  const isFree = isOptional(table, key);
  const rows =
    openKeys.has(key.name) || (isFree && random.chance(NULL_PERCENT)) ? [] : (parents.get(key.name) ?? []);
  const provided = key.columns.map((column) => values[column]);
  const fitting = provided.some((value) => value !== undefined && value !== null)
    ? rows.filter((row) => provided.every((value, index) => isSame(value, row[index])))
    : rows;
  const chosen = choose(fitting, key, pointing);
  if (chosen === undefined) return isFree && leaveOpen(table, key, values);
  key.columns.forEach((column, index) => (values[column] = chosen[index] ?? null));
  return true;
}

/**
 * Reports whether a value is possible for a column. Any value is possible if no earlier foreign key has set
 * the column.
 */
function isSame(provided: SampleValue | undefined, value: SampleValue | undefined): boolean {
  return (
    provided === undefined ||
    provided === null ||
    (value !== undefined && value !== null && spellValue(provided) === spellValue(value))
  );
}

/**
 * Chooses a row. If the key is unique, each row is chosen once, in order. Otherwise, the first rows are
 * chosen more often, as in real data.
 */
function choose<T>(
  rows: readonly T[],
  key: ForeignKey,
  { random, ordinal, attempt, isUnique }: Pointing,
): T | undefined {
  if (key.columns.some((column) => isUnique(column)))
    return rows[(ordinal - 1 + attempt) % Math.max(1, rows.length)];
  return rows[
    random.chance(30)
      ? Math.min(random.below(rows.length), random.below(rows.length))
      : random.below(rows.length)
  ];
}

function leaveOpen(table: Table, key: ForeignKey, values: Record<string, SampleValue>): boolean {
  const open = key.columns.find(
    (name) =>
      values[name] === undefined && table.columns.find((column) => column.name === name)?.nullable === true,
  );
  if (open === undefined) return key.columns.some((name) => values[name] === null);
  values[open] = null;
  return true;
}

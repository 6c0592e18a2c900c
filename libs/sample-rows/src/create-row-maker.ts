import type { Column, Table } from '@rowhouse/schema-model';
import { isRejectedBy } from './checks/evaluate-check.js';
import { readCheck } from './checks/read-check.js';
import { NO_LIMITS, readLimits } from './checks/read-limits.js';
import { createRandom } from './create-random.js';
import { pointKeys, type KeyChoice } from './point-keys.js';
import { trackUnique } from './track-unique.js';
import type { SampleRow, SampleValue } from './types.js';
import { makeValue } from './values/make-value.js';
import { momentOf } from './values/make-moment.js';
import { toWords, choosePerson } from './values/value-context.js';

export interface RowMakerOptions {
  readonly seed: string;
  /** The total number of rows. Dates are spread evenly, so that the last row has the latest date. */
  readonly rows: number;
  /** The latest time in milliseconds since 1970 that a value in the past may have. */
  readonly nowMs: number;
  /** The primary key of the first row that is created, if the key is a number. */
  readonly firstNumber: number;
}

export interface GeneratedRows {
  readonly rows: readonly SampleRow[];
  /** The reason why fewer rows than requested were created. Null if all were created. */
  readonly shortage: string | null;
}

/** Creates rows for one table. It remembers them, so that a second call continues after the first. */
export interface RowMaker {
  make(count: number, choice: KeyChoice): GeneratedRows;
}

const ATTEMPTS_MAX = 60;
const NULL_PERCENT = 12;
/** Matches columns for events that have not happened to most rows. Most of their values are NULL. */
const RARE =
  /(^|_)(deleted|cancelled|canceled|archived|removed|banned|blocked|revoked|rejected|failed|closed)(_at|_on|_date)?$/;
const RARE_NULL_PERCENT = 92;

export function createRowMaker(table: Table, options: RowMakerOptions): RowMaker {
  const random = createRandom(`${options.seed}\n${table.name}`);
  const checks = table.checks.flatMap((check) => readCheck(check.clause) ?? []);
  const limits = readLimits(checks);
  const unique = trackUnique(table);
  const columns = table.columns.filter((column) => column.generated === null);
  const tableName = toWords(table.name);
  const names = new Map(columns.map((column) => [column.name, toWords(column.name)]));
  let createdCount = 0;

  function makeRow(ordinal: number, attempt: number, choice: KeyChoice): SampleRow | null {
    const momentMs = momentOf(ordinal, options.rows, options.nowMs, random.below(1_000) / 1_000);
    const user = choosePerson(random);
    const row: Record<string, SampleValue> = {};
    const keyed = pointKeys(table, {
      ...choice,
      random,
      ordinal,
      attempt,
      isUnique: (name) => unique.alone.has(name),
    });
    if (keyed === null) return null;
    for (const column of columns) {
      const name = names.get(column.name) ?? '';
      const provided = keyed.values[column.name];
      if (provided !== undefined) row[column.name] = provided;
      else if (column.autoIncrement) row[column.name] = options.firstNumber + ordinal - 1;
      else if (isOmitted(column, name)) row[column.name] = null;
      else {
        const isUnique = unique.alone.has(column.name);
        const of = isUnique ? ordinal + options.firstNumber - 1 : ordinal;
        row[column.name] = makeValue({
          column,
          name,
          tableName,
          limits: limits.get(column.name.toLowerCase()) ?? NO_LIMITS,
          random,
          person: user,
          ordinal: of,
          momentMs,
          nowMs: options.nowMs,
          isUnique,
          attempt,
        });
      }
    }
    for (const [column, source] of Object.entries(keyed.own)) row[column] = row[source] ?? null;
    return row;
  }

  function isOmitted(column: Column, name: string): boolean {
    return column.nullable && random.chance(RARE.test(name) ? RARE_NULL_PERCENT : NULL_PERCENT);
  }

  function makeOne(ordinal: number, choice: KeyChoice): SampleRow | null {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const row = makeRow(ordinal, attempt, choice);
      if (row === null || unique.isTaken(row) || checks.some((check) => isRejectedBy(check, row))) continue;
      unique.add(row);
      return row;
    }
    return null;
  }

  return {
    make(count, choice) {
      const rows: SampleRow[] = [];
      while (rows.length < count) {
        const row = makeOne(createdCount + 1, choice);
        if (row === null)
          return { rows, shortage: 'no more rows can satisfy the unique keys and checks of the table' };
        createdCount += 1;
        rows.push(row);
      }
      return { rows, shortage: null };
    },
  };
}

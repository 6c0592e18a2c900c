import type { Column } from '@rowhouse/schema-model';
import type { ColumnLimits } from '../checks/read-limits.js';
import type { Random } from '../create-random.js';

import { WORDS } from './words.js';

/** The person that a row describes. */
export interface SamplePerson {
  readonly first: string;
  readonly last: string;
}
/** The input for creating a value. */
export interface ValueContext {
  readonly column: Column;
  /**
   * The words in the name of the column in lower case, joined with `_`, such as `unit_price`. `tableName`
   * contains the words in the name of the table.
   */
  readonly name: string;
  readonly tableName: string;
  readonly limits: ColumnLimits;
  readonly random: Random;
  readonly person: SamplePerson;
  /** The number of the row in its table, counted from 1. */
  readonly ordinal: number;
  /** The creation time of this row in milliseconds since 1970. */
  readonly momentMs: number;
  /** The latest time that a row may contain, in milliseconds since 1970. */
  readonly nowMs: number;
  /** Whether every value in this column must be different. */
  readonly isUnique: boolean;
  /** The number of earlier attempts for this value. Their results were not allowed, or already used. */
  readonly attempt: number;
}

/** Converts names such as `unitPrice`, `Unit Price` and `UNIT_PRICE` to `unit_price`. */
export function toWords(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toLowerCase();
}

/** Chooses a first and a last name for the row. */
export function choosePerson(random: Random): SamplePerson {
  return { first: random.pick(WORDS.firstNames), last: random.pick(WORDS.lastNames) };
}

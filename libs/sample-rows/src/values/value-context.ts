import type { Column } from '@rowhouse/schema-model';
import type { ColumnLimits } from '../checks/read-limits.js';
import type { Random } from '../create-random.js';

import { WORDS } from './words.js';

/** The person that a row is about. */
export interface SamplePerson {
  readonly first: string;
  readonly last: string;
}
/** The input for a value. */
export interface ValueContext {
  readonly column: Column;
  /** The words of the table's and the column's name in lower case, joined by `_`, such as `unit_price`. */
  readonly name: string;
  readonly tableName: string;
  readonly limits: ColumnLimits;
  readonly random: Random;
  readonly person: SamplePerson;
  /** The number of the row in its table, from 1. */
  readonly ordinal: number;
  /** When this row was created, in milliseconds since 1970. */
  readonly momentMs: number;
  /** The latest time that a row may contain. */
  readonly nowMs: number;
  /** Whether no value may occur twice in this column. */
  readonly isUnique: boolean;
  /** The number of earlier attempts whose value was taken or not allowed. */
  readonly attempt: number;
}

/** Turns `unitPrice`, `Unit Price` and `UNIT_PRICE` into `unit_price`. */
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

import type { Column } from '@rowhouse/schema-model';
import type { ColumnLimits } from '../checks/read-limits.js';
import type { Random } from '../create-random.js';
import type { Person } from './choose-person.js';

/** What a value may be made from. */
export interface ValueContext {
  readonly column: Column;
  /** Words of the column's name and of the table's, in lower case, with `_` between: `unit_price`. */
  readonly name: string;
  readonly tableName: string;
  readonly limits: ColumnLimits;
  readonly random: Random;
  readonly person: Person;
  /** From 1, over all rows of the table. */
  readonly ordinal: number;
  /** When this row came to be, in milliseconds since 1970. */
  readonly momentMs: number;
  /** The newest moment that may stand in a row. */
  readonly nowMs: number;
  /** No value may come twice in this column. */
  readonly isUnique: boolean;
  /** How many tries before this one met a value that is taken or not allowed. */
  readonly attempt: number;
}

/** `unitPrice`, `Unit Price` and `UNIT_PRICE` are `unit_price`. */
export function toWords(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '').toLowerCase();
}

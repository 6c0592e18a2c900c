import type { FaultLocation } from '@rowhouse/errors';
import { isFilledUuid, type CompiledColumn, type CompiledTable } from '@rowhouse/schema-model';
import type { FaultList } from '../../request/fault-list.js';
import type { JsonValue } from '../../request/json-value.js';
import type { BoundValue } from '../../values/cell.js';
import { GENERATED_FAULT, type Claim } from './claims.js';
import { findMemberColumn, readMember, readObject } from './plan-body.js';
import { readOperator } from '../filter/member-operator.js';
import type { PlanOptions, RowValues } from '../plan-parts.js';

/** Options of `planRow` for a record that is part of a larger request. */
export interface RowUse {
  /** Columns whose values come from a relationship. The body must not name them. */
  readonly filled: ReadonlySet<CompiledColumn>;
  /** Called if a member names a relationship. If null, such a member causes a fault. */
  readonly noteRelated: (() => void) | null;
  /**
   * Called with each required column that the body omits. Without this function, the omission causes a fault.
   */
  readonly noteMissing?: (column: CompiledColumn) => void;
  /**
   * Called with each value that its column does not accept, but that may equal the stored value. Without this
   * function, such a value causes a fault.
   */
  readonly noteClaim?: (claim: Claim) => void;
  /**
   * Returns the value that a new record gets for `{"$inc": operand}`, or undefined after adding a fault.
   * Without this function, `$inc` causes a fault.
   */
  readonly startAt?: (
    column: CompiledColumn,
    operand: JsonValue,
    loc: FaultLocation,
  ) => BoundValue | undefined;
}

export const NO_COLUMNS: ReadonlySet<CompiledColumn> = new Set();
const ALONE: RowUse = { filled: NO_COLUMNS, noteRelated: null };

/** Returns the values to insert for one record of a body, in the order of the table's columns. */
export function planRow(
  table: CompiledTable,
  body: JsonValue,
  loc: FaultLocation,
  options: PlanOptions,
  faults: FaultList,
  use: RowUse = ALONE,
): RowValues {
  const object = readObject(body, loc, faults);
  if (object === null) return [];
  const values = new Map<CompiledColumn, BoundValue>();
  const rejected = new Set<CompiledColumn>();
  for (const [name, value] of object) {
    // Stops early, because a body may name hundreds of thousands of unknown columns.
    if (faults.isFull()) break;
    const here = [...loc, name];
    const generated = use.noteClaim === undefined ? null : findGenerated(table, name);
    if (generated !== null) {
      use.noteClaim?.({
        column: generated,
        value,
        fault: { loc: here, msg: GENERATED_FAULT, type: 'generated_column', hint: null },
      });
      continue;
    }
    const column = findMemberColumn(table, name, here, options.unknownFields, faults, use.noteRelated);
    if (column === null || (column.autoIncrement && value === null)) continue;
    const bound = readValue(column, value, here, { options, faults, use });
    if (bound === undefined) rejected.add(column);
    else if (column.autoIncrement && bound === '0')
      faults.add(here, 'The database would replace 0 with the next number. Omit the member.', 'out_of_range');
    else values.set(column, bound);
  }
  // The row is in the order of the table's columns, so that records with the same members in any order share
  // a statement.
  const row: { readonly column: CompiledColumn; readonly value: BoundValue }[] = [];
  for (const column of table.columns) {
    const value = values.get(column);
    if (value !== undefined) row.push({ column, value });
    else if (rejected.has(column) || use.filled.has(column)) continue;
    else if (isFilledUuid(column)) row.push({ column, value: options.makeUuid() });
    else if (column.required && use.noteMissing !== undefined) use.noteMissing(column);
    else if (column.required) faults.add([...loc, column.name], COLUMN_REQUIRED, 'missing');
  }
  return row;
}

export const COLUMN_REQUIRED = 'The column is required.';

interface RowPlanContext {
  readonly options: PlanOptions;
  readonly faults: FaultList;
  readonly use: RowUse;
}

/**
 * Returns the generated column with this name if the API key may read it. For a hidden column, a comparison
 * with the stored value would reveal that value.
 */
export function findGenerated(table: CompiledTable, name: string): CompiledColumn | null {
  const column = table.findColumn(name);
  return column === null || column.generated === null ? null : column;
}

function readValue(
  column: CompiledColumn,
  value: JsonValue,
  loc: FaultLocation,
  { options, faults, use }: RowPlanContext,
): BoundValue | undefined {
  const operator = use.startAt === undefined ? null : readOperator(column, value);
  if (operator?.kind === '$inc') return use.startAt?.(column, operator.operand, loc);
  return readMember(column, value, loc, options, faults);
}

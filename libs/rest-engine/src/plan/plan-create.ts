import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { CreateRequest } from '../request/api-request.js';
import { createFaultList, type FaultList } from '../request/fault-list.js';
import { isJsonArray } from '../request/json-kind.js';
import type { JsonValue } from '../request/json-value.js';
import type { BoundValue } from '../sql/statement.js';
import { findMemberColumn, readMember, readObject } from './plan-body.js';
import type { CreatePlan, PlanOptions, RowValues, Touch } from './plan.js';

export const BULK_ROWS_MAX = 10_000;

type Loc = readonly (string | number)[];

export function planCreate(request: CreateRequest, options: PlanOptions): CreatePlan {
  const { table, preferences } = request;
  const faults = createFaultList('body.invalid');
  const isBulk = isJsonArray(request.body);
  const rows = isJsonArray(request.body)
    ? planRows(table, request.body, options, faults)
    : [planRow(table, request.body, ['body'], options, faults)];
  faults.throwIfAny();
  const touches: Touch[] = [{ table: table.name, verb: 'write' }];
  if (preferences.transaction === 'rollback') touches.push({ table: table.name, verb: 'read' });
  const isMinimal = preferences.result === 'minimal' || !table.verbs.includes('read') || table.rowKey === null;
  return { kind: 'create', table, touches, address: request.address, preferences, isBulk, rows, answer: isMinimal ? null : table.shown };
}

function planRows(table: CompiledTable, body: readonly JsonValue[], options: PlanOptions, faults: FaultList): readonly RowValues[] {
  if (body.length === 0) faults.add(['body'], 'The array holds no record.', 'too_short');
  if (body.length > BULK_ROWS_MAX) {
    faults.add(['body'], `One request creates at most ${BULK_ROWS_MAX} records.`, 'too_long');
    return [];
  }
  const rows: RowValues[] = [];
  for (const [at, record] of body.entries()) {
    if (faults.isFull()) break;
    rows.push(planRow(table, record, ['body', at], options, faults));
  }
  return rows;
}

export function planRow(table: CompiledTable, body: JsonValue, loc: Loc, options: PlanOptions, faults: FaultList): RowValues {
  const object = readObject(body, loc, faults);
  if (object === null) return [];
  const values = new Map<CompiledColumn, BoundValue>();
  const refused = new Set<CompiledColumn>();
  for (const [name, value] of object) {
    const here = [...loc, name];
    const column = findMemberColumn(table, name, here, options.unknownFields, faults);
    if (column === null || (column.autoIncrement && value === null)) continue;
    const bound = readMember(column, value, here, options, faults);
    if (bound === undefined) refused.add(column);
    else if (column.autoIncrement && bound === '0') faults.add(here, 'The engine reads 0 as "the next number": leave the member out.', 'out_of_range');
    else values.set(column, bound);
  }
  for (const column of table.columns) {
    if (values.has(column) || refused.has(column)) continue;
    if (isFilledUuid(column)) values.set(column, options.makeUuid());
    else if (column.required) faults.add([...loc, column.name], 'The column is required.', 'missing');
  }
  // In the table's order, so that the same members in another order are the same statement.
  return [...values].sort(([a], [b]) => a.position - b.position).map(([column, value]) => ({ column, value }));
}

/** A column called `uuid` that holds one as text and would otherwise stay empty. */
function isFilledUuid(column: CompiledColumn): boolean {
  if (column.name !== 'uuid' || column.generated !== null) return false;
  if (column.default.kind !== 'none' && column.default.kind !== 'null') return false;
  return column.valueKind === 'uuid' || (column.valueKind === 'string' && column.maxLength === 36);
}

import type { CompiledTable } from '@rowhouse/schema-model';
import type { CreateRequest } from '../request/api-request.js';
import { createFaultList, type FaultList } from '../request/fault-list.js';
import { isJsonArray } from '../request/json-kind.js';
import type { JsonValue } from '../request/json-value.js';
import type { Claim } from './claims.js';
import { createRecordFiller } from './fill-records.js';
import { planNestedCreate } from './nested/plan-nested-create.js';
import type { NestedCreatePlan } from './nested/nested-plan.js';
import { NO_COLUMNS, planRow, type RowUse } from './plan-row.js';
import type { CreatePlan, PlanOptions, RowValues, Touch } from './plan.js';

export const BULK_ROWS_MAX = 10_000;

/**
 * Plans a create. A body that names relationships is planned again as a nested create, so that other bodies
 * need no search for relationships.
 */
export function planCreate(request: CreateRequest, options: PlanOptions): CreatePlan | NestedCreatePlan {
  const { table, preferences } = request;
  const faults = createFaultList('body.invalid');
  const isBulk = isJsonArray(request.body);
  const noted = { isNested: false, hasOddDays: false, row: 0 };
  const claims = new Map<number, Claim[]>();
  const use: RowUse = {
    filled: NO_COLUMNS,
    noteRelated: () => void (noted.isNested = true),
    ...(canCompare(table)
      ? { noteClaim: (claim) => void claims.set(noted.row, [...(claims.get(noted.row) ?? []), claim]) }
      : {}),
  };
  const own = { ...options, noteOddDay: () => void (noted.hasOddDays = true) };
  const rows = isJsonArray(request.body)
    ? planRows(table, request.body, own, faults, use, (row) => void (noted.row = row))
    : [planRow(table, request.body, ['body'], own, faults, use)];
  if (noted.isNested) return planNestedCreate(request, options);
  faults.throwIfAny();
  const touches: Touch[] = [{ table: table.name, verb: 'write' }];
  if (preferences.transaction === 'rollback') touches.push({ table: table.name, verb: 'read' });
  const isMinimal =
    preferences.result === 'minimal' || !table.verbs.includes('read') || table.rowKey === null;
  return {
    kind: 'create',
    table,
    touches,
    address: request.address,
    preferences,
    isBulk,
    rows,
    answer: isMinimal ? null : table.shown,
    ...(claims.size > 0 ? { claims } : {}),
    ...(noted.hasOddDays ? { hasOddDays: true } : {}),
  };
}

/**
 * Reports whether the body's values of generated columns can be compared with the stored record, which must
 * be found and readable.
 */
function canCompare(table: CompiledTable): boolean {
  return table.rowKey !== null && table.verbs.includes('read');
}

function planRows(
  table: CompiledTable,
  body: readonly JsonValue[],
  options: PlanOptions,
  faults: FaultList,
  use: RowUse,
  begin: (row: number) => void,
): readonly RowValues[] {
  if (body.length === 0) faults.add(['body'], 'The array holds no record.', 'too_short');
  if (body.length > BULK_ROWS_MAX) {
    faults.add(
      ['body'],
      `One request creates at most ${BULK_ROWS_MAX} records.`,
      'too_long',
      null,
      'limit.bulk_rows',
    );
    return [];
  }
  const rows: RowValues[] = [];
  const fill = createRecordFiller(table, options);
  for (const [index, record] of body.entries()) {
    if (faults.isFull()) break;
    begin(index);
    // The slow path handles records that need it, and reports their faults.
    rows.push(fill(record) ?? planRow(table, record, ['body', index], options, faults, use));
  }
  return rows;
}

import type { CompiledTable } from '@rowhouse/schema-model';
import type { CreateRequest, UpdateRequest } from '../../request/api-request.js';
import { createFaultList, type FaultList } from '../../request/fault-list.js';
import { isJsonArray } from '../../request/json-value.js';
import type { JsonValue } from '../../request/json-value.js';
import type { Claim } from './claims.js';
import { createRecordFiller } from './fill-records.js';
import { planNestedCreate } from './nested/plan-nested-create.js';
import type { NestedCreatePlan, NestedUpdatePlan } from './nested/nested-plan.js';
import { NO_COLUMNS, planRow, type RowUse } from './plan-row.js';
import type { PlanOptions, RowValues, Touch } from '../plan-parts.js';
import type { CreatePlan, UpdatePlan } from '../plan.js';
import { planNestedUpdate } from './nested/plan-nested-update.js';
import { readObject } from './plan-body.js';
import { planChanges, type ChangeNotes } from './plan-changes.js';
import { planConditions, requireIfMatch, planKey } from './record-target.js';

export const BULK_ROWS_MAX = 10_000;

/**
 * Plans a create. If the body names relationships, it is planned again as a nested create. Bodies without
 * them therefore need no search for relationships.
 */
export function planCreate(request: CreateRequest, options: PlanOptions): CreatePlan | NestedCreatePlan {
  const { table, preferences } = request;
  const faults = createFaultList('body.invalid');
  const isBulk = isJsonArray(request.body);
  const noted = { isNested: false, hasZeroDate: false, row: 0 };
  const claims = new Map<number, Claim[]>();
  const use: RowUse = {
    filled: NO_COLUMNS,
    noteRelated: () => void (noted.isNested = true),
    ...(canCompare(table)
      ? { noteClaim: (claim) => void claims.set(noted.row, [...(claims.get(noted.row) ?? []), claim]) }
      : {}),
  };
  const own = { ...options, noteZeroDate: () => void (noted.hasZeroDate = true) };
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
    returned: isMinimal ? null : table.shown,
    ...(claims.size > 0 ? { claims } : {}),
    ...(noted.hasZeroDate ? { hasZeroDate: true } : {}),
  };
}

/**
 * Reports whether the values that a body has for generated columns can be compared with the stored record. To
 * do so, the record must have a key and be readable.
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
  if (body.length === 0) faults.add(['body'], 'The array has no records.', 'too_short');
  if (body.length > BULK_ROWS_MAX) {
    faults.add(
      ['body'],
      `A request can create at most ${BULK_ROWS_MAX} records.`,
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
    // If `fill` returns null, `planRow` converts the record and reports its faults.
    rows.push(fill(record) ?? planRow(table, record, ['body', index], options, faults, use));
  }
  return rows;
}

/** Plans a PUT or a PATCH. Both do the same: columns that the body omits keep their values. */
export function planUpdate(request: UpdateRequest, options: PlanOptions): UpdatePlan | NestedUpdatePlan {
  const { table, preferences } = request;
  const key = [...planKey(table, request.key)];
  requireIfMatch(table, request.ifMatch, options);
  const faults = createFaultList('body.invalid');
  const object = readObject(request.body, ['body'], faults);
  const noted: ChangeNotes = { claims: [], hasZeroDate: false, isNested: false };
  const changes = object === null ? [] : planChanges(table, object, key, options, faults, noted);
  if (noted.isNested) return planNestedUpdate(request, options);
  faults.throwIfAny();
  const { claims, hasZeroDate } = noted;
  const touches: Touch[] = [{ table: table.name, verb: 'write' }];
  const conditions = planConditions(table, request, options);
  if (preferences.transaction === 'rollback' || conditions !== null || claims.length > 0)
    touches.push({ table: table.name, verb: 'read' });
  const isMinimal = preferences.result === 'minimal' || !table.verbs.includes('read');
  return {
    kind: 'update',
    table,
    touches,
    address: request.address,
    preferences,
    key,
    conditions,
    changes,
    ...(claims.length > 0 ? { claims } : {}),
    ...(hasZeroDate ? { hasZeroDate } : {}),
    returned: isMinimal ? null : table.shown,
  };
}

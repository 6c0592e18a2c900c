import { faultAt, validationError } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { CreateRequest, Preferences } from '../request/api-request.js';
import { createFaultList, type FaultList } from '../request/fault-list.js';
import { isJsonArray, isJsonObject } from '../request/json-kind.js';
import type { JsonValue } from '../request/json-value.js';
import { requireIfMatch } from './plan-if-match.js';
import { planRow } from './plan-row.js';
import { splitNames, toName } from './plan-select.js';
import type { PlanOptions, RowValues, Touch, UpsertPlan, UpsertRow } from './plan.js';

export const UPSERT_ROWS_MAX = 1_000;

/** `POST /{table}?_on_conflict=email`: each record is created, or the one with the same key is changed. */
export function planUpsert(request: CreateRequest, onConflict: string, options: PlanOptions): UpsertPlan {
  const { table, preferences, address, body } = request;
  const target = planTarget(table, onConflict, preferences, options);
  const faults = createFaultList('body.invalid');
  const isBulk = isJsonArray(body);
  const rows = isJsonArray(body) ? planRows(table, body, target.columns, options, faults) : [planUpsertRow(table, body, ['body'], target.columns, options, faults)];
  faults.throwIfAny();
  // Whether there is a record already is told by the answer: that is reading.
  const touches: Touch[] = [{ table: table.name, verb: 'write' }, { table: table.name, verb: 'read' }];
  const answer = preferences.result === 'minimal' ? (table.rowKey ?? target.columns) : table.shown;
  return { kind: 'upsert', table, touches, address, preferences, isBulk, target: target.columns, constraint: target.name, resolution: preferences.resolution ?? 'merge', rows, answer };
}

function planRows(table: CompiledTable, body: readonly JsonValue[], target: readonly CompiledColumn[], options: PlanOptions, faults: FaultList): UpsertRow[] {
  if (body.length === 0) faults.add(['body'], 'The array holds no record.', 'too_short');
  if (body.length > UPSERT_ROWS_MAX) {
    faults.add(['body'], `One request with _on_conflict holds at most ${UPSERT_ROWS_MAX} records.`, 'too_long', null, 'limit.upsert_rows');
    return [];
  }
  const rows: UpsertRow[] = [];
  for (const [at, record] of body.entries()) {
    if (faults.isFull()) break;
    rows.push(planUpsertRow(table, record, ['body', at], target, options, faults));
  }
  return rows;
}

export function planUpsertRow(
  table: CompiledTable, body: JsonValue, loc: readonly (string | number)[], target: readonly CompiledColumn[], options: PlanOptions, faults: FaultList,
): UpsertRow {
  const insert = planRow(table, body, loc, options, faults);
  for (const column of target) {
    const given = insert.find((entry) => entry.column === column);
    if (given?.value === null) faults.add([...loc, column.name], 'A key that is null is never the same as another: nothing could be found by it.', 'null_key');
    if (given === undefined && !(column.required && isJsonObject(body))) faults.add([...loc, column.name], 'The columns of _on_conflict are needed in every record.', 'missing');
  }
  for (const column of table.rowKey ?? []) {
    if (target.includes(column) || !isNamed(body, column)) continue;
    faults.add([...loc, column.name], 'The record that is there already has a key of its own.', 'key_changed', `Leave ${column.name} out, or name it in _on_conflict.`);
  }
  return { insert, key: insert.filter((entry) => target.includes(entry.column)), changes: toChanges(body, insert, target) };
}

/** What was filled in for a new record is no change of one that is there. */
function toChanges(body: JsonValue, insert: RowValues, target: readonly CompiledColumn[]): UpsertRow['changes'] {
  return insert.filter(({ column }) => !target.includes(column) && isNamed(body, column)).map(({ column, value }) => ({ kind: 'set', column, value }));
}

function isNamed(body: JsonValue, column: CompiledColumn): boolean {
  return isJsonObject(body) && body.has(column.name);
}

/** The key that records are found by. 428 where changing what is found would take an If-Match. */
export function planTarget(table: CompiledTable, onConflict: string, { resolution }: Preferences, options: PlanOptions): { name: string; columns: readonly CompiledColumn[] } {
  const target = readTarget(table, onConflict);
  if (resolution !== 'ignore') requireIfMatch(table, null, options, 'Only Prefer: resolution=ignore-duplicates leaves records alone that are there.');
  return target;
}

/** Exactly the columns of one unique key, in any order. */
function readTarget(table: CompiledTable, text: string): { name: string; columns: readonly CompiledColumn[] } {
  const names = new Set(splitNames(text).map(toName));
  const uniques = table.indexes.filter((index) => index.unique && index.columns.every((part) => part.name !== null && part.prefixLength === null && table.findColumn(part.name) !== null));
  const found = uniques.find((index) => index.columns.length === names.size && index.columns.every((part) => names.has(part.name ?? '')));
  if (found !== undefined) return { name: found.name, columns: found.columns.flatMap((part) => table.findColumn(part.name ?? '') ?? []) };
  const known = uniques.map((index) => index.columns.map((part) => part.name ?? '').join(','));
  const hint = known.length === 0 ? 'The table has no unique key.' : `Unique keys are: ${known.join('; ')}.`;
  throw validationError('params.invalid', [faultAt(['query', '_on_conflict'], 'These are not exactly the columns of one unique key.', 'unknown_key')], hint);
}

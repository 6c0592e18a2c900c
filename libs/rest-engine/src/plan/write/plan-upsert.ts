import { faultAt, validationError, type FieldFault, type FaultLocation } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { CreateRequest, Preferences } from '../../request/api-request.js';
import { createFaultList, type FaultList } from '../../request/fault-list.js';
import { isJsonArray, isJsonObject } from '../../request/json-value.js';
import type { JsonValue } from '../../request/json-value.js';
import type { Claim } from './claims.js';
import { readIncrement, startIncrement } from './increments.js';
import { requireIfMatch } from './record-target.js';
import { COLUMN_REQUIRED, NO_COLUMNS, planRow } from './plan-row.js';
import { splitNames, toName } from '../list/plan-select.js';
import type { BoundValue } from '../../values/cell.js';
import type { Assignment, PlanOptions, RowValues, Touch } from '../plan-parts.js';
import type { UpsertPlan, UpsertRow } from '../plan.js';

export const UPSERT_ROWS_MAX = 1_000;

/**
 * Plans an upsert such as `POST /{table}?_on_conflict=email`. For each record of the body, it creates a
 * record or changes the existing record with the same key.
 */
export function planUpsert(request: CreateRequest, onConflict: string, options: PlanOptions): UpsertPlan {
  const { table, preferences, address, body } = request;
  const target = planTarget(table, onConflict, preferences, options);
  const faults = createFaultList('body.invalid');
  const isBulk = isJsonArray(body);
  let hasZeroDate = false;
  const own = { ...options, noteZeroDate: () => void (hasZeroDate = true) };
  const rows = isJsonArray(body)
    ? planRows(table, body, target.columns, own, faults)
    : [planUpsertRow(table, body, ['body'], target.columns, own, faults)];
  faults.throwIfAny();
  // The response reveals whether a record existed, so the API key needs the right to read.
  const touches: Touch[] = [
    { table: table.name, verb: 'write' },
    { table: table.name, verb: 'read' },
  ];
  const returned = preferences.result === 'minimal' ? (table.rowKey ?? target.columns) : table.shown;
  return {
    kind: 'upsert',
    table,
    touches,
    address,
    preferences,
    isBulk,
    target: target.columns,
    constraint: target.name,
    resolution: preferences.resolution ?? 'merge',
    rows,
    ...(hasZeroDate ? { hasZeroDate } : {}),
    returned,
  };
}

function planRows(
  table: CompiledTable,
  body: readonly JsonValue[],
  target: readonly CompiledColumn[],
  options: PlanOptions,
  faults: FaultList,
): UpsertRow[] {
  if (body.length === 0) faults.add(['body'], 'The array has no records.', 'too_short');
  if (body.length > UPSERT_ROWS_MAX) {
    faults.add(
      ['body'],
      `A request with _on_conflict can have at most ${UPSERT_ROWS_MAX} records.`,
      'too_long',
      null,
      'limit.upsert_rows',
    );
    return [];
  }
  const rows: UpsertRow[] = [];
  for (const [index, record] of body.entries()) {
    if (faults.isFull()) break;
    rows.push(planUpsertRow(table, record, ['body', index], target, options, faults));
  }
  return rows;
}

export function planUpsertRow(
  table: CompiledTable,
  body: JsonValue,
  loc: readonly (string | number)[],
  target: readonly CompiledColumn[],
  options: PlanOptions,
  faults: FaultList,
): UpsertRow {
  const claims: Claim[] = [];
  const draft: UpsertDraft = { target, faults, added: new Map(), insertFaults: [] };
  const insert = planRow(table, body, loc, options, faults, {
    filled: NO_COLUMNS,
    noteRelated: null,
    noteMissing: (column) =>
      void (
        target.includes(column) ||
        draft.insertFaults.push(faultAt([...loc, column.name], COLUMN_REQUIRED, 'missing'))
      ),
    startAt: (column, operand, here) => startAt(draft, column, operand, here),
    ...(table.verbs.includes('read') ? { noteClaim: (claim: Claim) => void claims.push(claim) } : {}),
  });
  if (isJsonObject(body)) checkTarget(draft, insert, loc);
  return {
    insert,
    key: insert.filter((entry) => target.includes(entry.column)),
    changes: toChanges(table, body, insert, draft),
    insertFaults: draft.insertFaults,
    ...(claims.length > 0 ? { claims } : {}),
  };
}

interface UpsertDraft {
  readonly target: readonly CompiledColumn[];
  readonly faults: FaultList;
  /** The amounts that `$inc` adds to an existing record. */
  readonly added: Map<CompiledColumn, BoundValue>;
  readonly insertFaults: FieldFault[];
}

/**
 * Returns the value that `$inc` stores in a new record. Returns undefined if no record can be created with
 * it. An existing record can still be changed.
 */
function startAt(
  { target, faults, added, insertFaults }: UpsertDraft,
  column: CompiledColumn,
  operand: JsonValue,
  loc: FaultLocation,
): BoundValue | undefined {
  if (target.includes(column)) {
    faults.add(loc, '$inc cannot change this column, because it identifies the record.', 'increment');
    return undefined;
  }
  const value = readIncrement(column, operand, loc, faults);
  if (value === undefined) return undefined;
  added.set(column, value);
  const start = startIncrement(column, value);
  if (start.kind === 'value') return start.value;
  insertFaults.push(faultAt(loc, `A new record: ${start.msg}`, start.type));
  return undefined;
}

function checkTarget({ target, faults }: UpsertDraft, insert: RowValues, loc: FaultLocation): void {
  for (const column of target) {
    const provided = insert.find((entry) => entry.column === column);
    if (provided?.value === null)
      faults.add([...loc, column.name], 'A null key never matches an existing record.', 'null_key');
    if (provided === undefined)
      faults.add([...loc, column.name], 'Every record needs the columns of _on_conflict.', 'missing');
  }
}

/**
 * Returns the changes to make in an existing record. They do not include its key or values generated for new
 * records.
 */
function toChanges(
  table: CompiledTable,
  body: JsonValue,
  insert: RowValues,
  { target, added }: UpsertDraft,
): UpsertRow['changes'] {
  const isChange = (column: CompiledColumn): boolean =>
    !target.includes(column) && table.rowKey?.includes(column) !== true;
  const sets = insert.filter(({ column }) => isChange(column) && isNamed(body, column) && !added.has(column));
  const changes: Assignment[] = sets.map(({ column, value }) => ({ kind: 'set', column, value }));
  for (const [column, value] of added) if (isChange(column)) changes.push({ kind: 'add', column, value });
  return changes.sort((a, b) => a.column.position - b.column.position);
}

function isNamed(body: JsonValue, column: CompiledColumn): boolean {
  return isJsonObject(body) && body.has(column.name);
}

/**
 * Returns the unique key by which the upsert finds existing records. Throws 428 if changing existing records
 * requires If-Match.
 */
export function planTarget(
  table: CompiledTable,
  onConflict: string,
  { resolution }: Preferences,
  options: PlanOptions,
): { name: string; columns: readonly CompiledColumn[] } {
  const target = readTarget(table, onConflict);
  if (resolution !== 'ignore')
    requireIfMatch(
      table,
      null,
      options,
      'The record would not be changed. To skip existing records, send Prefer: resolution=ignore-duplicates.',
    );
  return target;
}

/** Returns the unique key that has exactly these columns, in any order. */
function readTarget(
  table: CompiledTable,
  text: string,
): { name: string; columns: readonly CompiledColumn[] } {
  const names = new Set(splitNames(text).map(toName));
  const uniques = table.indexes.filter(
    (index) =>
      index.unique &&
      index.columns.every(
        (part) => part.name !== null && part.prefixLength === null && table.findColumn(part.name) !== null,
      ),
  );
  const found = uniques.find(
    (index) =>
      index.columns.length === names.size && index.columns.every((part) => names.has(part.name ?? '')),
  );
  if (found !== undefined)
    return {
      name: found.name,
      columns: found.columns.flatMap((part) => table.findColumn(part.name ?? '') ?? []),
    };
  const known = uniques.map((index) => index.columns.map((part) => part.name ?? '').join(','));
  const hint =
    known.length === 0 ? 'The table has no unique key.' : `The unique keys are: ${known.join('; ')}.`;
  throw validationError(
    'params.invalid',
    [faultAt(['query', '_on_conflict'], 'These columns are not one unique key.', 'unknown_key')],
    hint,
  );
}

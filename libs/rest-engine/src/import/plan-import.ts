import { AppError, faultAt, validationError } from '@rowhouse/errors';
import type { CompiledSnapshot, CompiledTable } from '@rowhouse/schema-model';
import { NO_COLUMNS, planRow, type RowUse } from '../plan/write/plan-row.js';
import { planTarget, planUpsertRow } from '../plan/write/plan-upsert.js';
import type { PlanOptions, RowValues, Touch } from '../plan/plan-parts.js';
import type { CreatePlan, UpsertPlan, UpsertRow } from '../plan/plan.js';
import type { ParseOptions, Preferences, RawRequest, RequestAddress } from '../request/api-request.js';
import { createFaultList, type HintBudget } from '../request/fault-list.js';
import type { JsonValue } from '../request/json-value.js';
import { negotiateFormat, parsePreferences } from '../request/parse-headers.js';
import { parseParameters } from '../request/parse-parameters.js';
import { parsePath } from '../request/parse-path.js';

/** A create or an upsert whose records arrive one by one. */
export interface ImportRequest {
  readonly table: CompiledTable;
  readonly address: RequestAddress;
  readonly preferences: Preferences;
  readonly onConflict: string | null;
}

/** The plan that is applied to each imported record. It contains no records itself. */
export type ImportPlan = CreatePlan | UpsertPlan;
export type ImportRow = (
  | { readonly kind: 'create'; readonly row: RowValues }
  | { readonly kind: 'upsert'; readonly row: UpsertRow }
) & {
  /** Whether the record contains a date with a month or day of zero. */
  readonly hasZeroDate?: boolean;
};

/**
 * Parses the import request `POST /{table}` with a body in NDJSON or CSV and the preference `on-error`.
 * Throws 404, 405, 406, 415 or 422.
 */
export function parseImport(
  raw: Omit<RawRequest, 'body'>,
  compiled: CompiledSnapshot,
  options: ParseOptions,
): ImportRequest {
  findRowsTable(raw.rawPath, compiled);
  checkReport(raw.headers['accept']);
  rejectHeader(raw, 'If-Match', 'If-Match applies to one record. Nothing was imported.');
  rejectHeader(
    raw,
    'Idempotency-Key',
    'An import is stored in parts, so Idempotency-Key does not apply. Nothing was imported.',
  );
  return readImport(raw, compiled, options);
}

/** Parses the parts that imports share with other requests that create many records. */
export function readImport(
  raw: Omit<RawRequest, 'body'>,
  compiled: CompiledSnapshot,
  options: ParseOptions,
): ImportRequest {
  const table = findRowsTable(raw.rawPath, compiled);
  const { onConflict } = parseParameters(raw.rawQuery, 'create');
  return {
    table,
    address: { prefix: options.prefix, rawPath: raw.rawPath, rawQuery: raw.rawQuery },
    preferences: parsePreferences(raw.headers, true),
    onConflict,
  };
}

/**
 * Returns the table to which a body with many records is written. Throws if the path does not address a
 * table.
 */
export function findRowsTable(rawPath: string, compiled: CompiledSnapshot): CompiledTable {
  const { table, rawKey, isSearch } = parsePath(rawPath, compiled);
  if (isSearch)
    throw new AppError('request.unsupported_type', {
      hint: 'Send the parameters of a search as application/json.',
    });
  if (rawKey !== null)
    throw new AppError('request.method_not_allowed', {
      headers: { Allow: 'GET, HEAD, PUT, PATCH, DELETE' },
      hint: 'Records are created by POST to the table itself.',
    });
  if (table.kind === 'view') throw new AppError('table.read_only', { headers: { Allow: 'GET, HEAD' } });
  return table;
}

function checkReport(accept: string | readonly string[] | undefined): void {
  const text = typeof accept === 'string' ? accept : (accept ?? []).join(',');
  if (/(^|[,\s])(\*\/\*|application\/\*)/.test(text)) return;
  if (text !== '' && negotiateFormat(text, true) !== 'ndjson')
    throw new AppError('request.not_acceptable', {
      hint: 'The report of an import is application/x-ndjson. Send Accept: application/x-ndjson.',
    });
}

function rejectHeader({ headers }: Pick<RawRequest, 'headers'>, name: string, message: string): void {
  if (headers[name.toLowerCase()] === undefined) return;
  throw validationError(
    'params.invalid',
    [faultAt(['header', name], message, 'no_meaning')],
    `Send the import without ${name}, or send the records as an array without on-error.`,
  );
}

/**
 * Plans an import. Throws 422 if `_on_conflict` does not name a unique key, and 428 if the table requires
 * If-Match.
 */
export function planImport(
  { table, address, preferences, onConflict }: ImportRequest,
  options: PlanOptions,
): ImportPlan {
  const touches: Touch[] = [{ table: table.name, verb: 'write' }];
  if (preferences.transaction === 'rollback' || onConflict !== null)
    touches.push({ table: table.name, verb: 'read' });
  const base = { table, touches, address, preferences, isBulk: true, rows: [] } as const;
  if (onConflict === null) return { kind: 'create', ...base, returned: null };
  const target = planTarget(table, onConflict, preferences, options);
  return {
    kind: 'upsert',
    ...base,
    target: target.columns,
    constraint: target.name,
    resolution: preferences.resolution ?? 'merge',
    returned: table.rowKey ?? target.columns,
  };
}

/**
 * Imports ignore values for generated columns. They cannot compare them, because imported records are not
 * read back.
 */
const IMPORTED: RowUse = { filled: NO_COLUMNS, noteRelated: null, noteClaim: () => undefined };

/**
 * Plans one imported record. Throws 422 with all faults of the record. Records that are stored together share
 * the budget `hints` for searches of similar names.
 */
export function planImportRow(
  plan: ImportPlan,
  record: JsonValue,
  options: PlanOptions,
  hints?: HintBudget,
): ImportRow {
  const faults = createFaultList('body.invalid', hints);
  let hasZeroDate = false;
  const own = { ...options, noteZeroDate: () => void (hasZeroDate = true) };
  const planned: ImportRow =
    plan.kind === 'create'
      ? { kind: 'create', row: planRow(plan.table, record, ['body'], own, faults, IMPORTED) }
      : { kind: 'upsert', row: planUpsertRow(plan.table, record, ['body'], plan.target, own, faults) };
  faults.throwIfAny();
  return hasZeroDate ? { ...planned, hasZeroDate } : planned;
}

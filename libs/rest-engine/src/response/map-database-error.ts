import { AppError, isAuthorsOwn, readMysqlError, type FieldFault, type MysqlErrorKind, type MysqlErrorMeaning } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { Plan } from '../plan/plan.js';
import { decodePercent } from '../request/decode-percent.js';
import { findCheck, findDuplicateKey, findFaultColumn, findForeignKey } from './named-in-fault.js';

/** What a driver tells of a refused statement. */
export interface DatabaseFault {
  readonly errno: number;
  readonly sqlState: string;
  readonly message: string;
}

type FaultPlan = Pick<Plan, 'kind' | 'table'> & Partial<Pick<Plan, 'address'>>;

/** The state that a SIGNAL gives to a text for the caller. */
const AUTHORS_STATE = '45000';

/** Whether the plan may be made again on a newer snapshot: the database does not know what this one names. */
export function isStaleFault(fault: DatabaseFault, plan: FaultPlan): boolean {
  return fault.sqlState !== AUTHORS_STATE && !isUnfilled(fault, plan.table) && readMysqlError(fault.errno, plan.table.schema.engine)?.kind === 'stale';
}

/** No value was sent for a column that a trigger may set, and it did not. */
function isUnfilled(fault: DatabaseFault, table: CompiledTable): boolean {
  return fault.errno === NO_DEFAULT && findFaultColumn(fault.message, table)?.triggerFilled === true;
}

const NO_DEFAULT = 1364;

/** What a server refuses about one record, and nothing else of its transaction. */
const RECORD_CODES: ReadonlySet<string> = new Set(['record.duplicate', 'record.foreign_key', 'record.check_failed', 'record.rejected', 'body.invalid']);

/** Whether the fault is about one of the records of a body, and leaves the transaction as it was before the statement. */
export function isRecordFault(fault: DatabaseFault, plan: FaultPlan): boolean {
  return !isStaleFault(fault, plan) && RECORD_CODES.has(mapDatabaseError(fault, plan).code);
}

/** As the caller may know it; the database's own text goes to `internal` alone, but for SIGNAL '45000'. */
export function mapDatabaseError(fault: DatabaseFault, plan: FaultPlan): AppError {
  const internal = `${fault.errno} (${fault.sqlState}) ${fault.message}`;
  // A trigger may give its SIGNAL any error number.
  if (fault.sqlState === AUTHORS_STATE) return mapSignal(fault, internal);
  const meaning = readMysqlError(fault.errno, plan.table.schema.engine);
  if (meaning === null) return isAuthorsOwn(fault.errno, fault.sqlState) ? mapSignal(fault, internal) : new AppError('internal.defect', { internal });
  if (isUnfilled(fault, plan.table)) return mapValue(fault, 'not_null', plan, internal);
  switch (meaning.kind) {
    case 'duplicate': return mapDuplicate(fault, plan.table, internal);
    case 'foreign_key_target':
    case 'foreign_key_use': return mapForeignKey(fault, meaning, plan.table, internal);
    case 'check': return mapCheck(fault, plan.table, internal);
    case 'signal': return mapSignal(fault, internal);
    case 'not_null':
    case 'value':
    case 'row':
    case 'partition':
    case 'expression': return mapValue(fault, meaning.kind, plan, internal);
    case 'pattern': return regexError('The regular expression cannot be read.', 'regex_parsing', internal);
    case 'pattern_cost': return regexError('The regular expression takes too many steps on some value.', 'regex_cost', internal);
    case 'complex': return new AppError('params.invalid', { faults: [{ loc: ['query'], msg: 'This is more than the database plans at once.', type: 'too_complex' }], hint: 'Ask for less: fewer conditions, fewer relationships, narrower filters.', internal });
    case 'charset': return mapCharset(plan, internal);
    case 'exhausted': return new AppError('limit.storage', { detail: `No number is left that ${plan.table.name} could assign to a new record.`, internal });
    case 'unavailable': return isDiskFull(fault) ? new AppError('limit.storage', { internal }) : new AppError(meaning.code, { internal, retryAfterSeconds: 1 });
    case 'retry':
    case 'missing':
    case 'busy': return new AppError(meaning.code, { internal, retryAfterSeconds: 1 });
    default: return new AppError(meaning.code, { internal });
  }
}

/** `Got error 28 "No space left on device" from storage engine`. */
function isDiskFull(fault: DatabaseFault): boolean {
  return fault.errno === 1030 && /\berror 28\b/.test(fault.message);
}

/** The value is not repeated. */
function mapDuplicate(fault: DatabaseFault, own: CompiledTable, internal: string): AppError {
  const found = findDuplicateKey(fault.message, own);
  const columns = found?.index.columns.map((part) => part.name ?? '').filter((name) => name !== '') ?? [];
  if (found === null || columns.some((name) => found.table.findColumn(name) === null)) return new AppError('record.duplicate', { internal });
  // Of an index over an expression not all is known by columns.
  const by = columns.length === 0 ? `a value of ${found.index.name} that is taken` : `this ${columns.join(', ')}`;
  const detail = `A record of ${found.table.name} with ${by} exists already.`;
  return new AppError('record.duplicate', { detail, internal, extra: { constraint: found.index.name, columns, ...(found.table === own ? {} : { table: found.table.name }) } });
}

function mapForeignKey(fault: DatabaseFault, meaning: MysqlErrorMeaning, table: CompiledTable, internal: string): AppError {
  const found = findForeignKey(fault.message, table);
  if (found === null) return new AppError('record.foreign_key', { internal });
  const { holder, key } = found;
  const isUse = meaning.kind === 'foreign_key_use';
  const detail = isUse
    ? `Records of ${holder.name} still refer to this one by ${key.columns.join(', ')}.`
    : `There is no record of ${key.referencedTable} for ${key.columns.join(', ')}.`;
  return new AppError('record.foreign_key', { detail, internal, extra: { constraint: key.name, table: holder.name, columns: key.columns } });
}

function mapCheck(fault: DatabaseFault, table: CompiledTable, internal: string): AppError {
  const check = findCheck(fault.message, table);
  if (check === null) return new AppError('record.check_failed', { internal });
  const column = table.findColumn(check.name);
  const faults: FieldFault[] = [{
    loc: column === null ? ['body'] : ['body', column.name],
    msg: column?.valueKind === 'json' ? 'This is not valid JSON.' : `The check constraint ${check.name} refuses these values.`,
    type: 'check',
  }];
  return new AppError('record.check_failed', { faults, internal, extra: { constraint: check.name } });
}

/** The one database text that was written for people. Only state 45000 is an author's own. */
function mapSignal(fault: DatabaseFault, internal: string): AppError {
  if (fault.sqlState !== AUTHORS_STATE) return new AppError('record.rejected', { internal });
  return new AppError('record.rejected', { faults: [{ loc: ['body'], msg: fault.message, type: 'signal' }], internal });
}

const KIND_TEXTS: Readonly<Partial<Record<MysqlErrorKind, string>>> = {
  not_null: 'The column must not be null.',
  value: 'The value does not fit the column.',
  row: 'The record as a whole is larger than the database stores in one row or one change.',
  partition: 'No partition of the table takes a record with these values.',
  expression: 'The result does not fit the column.',
};
const NUMBER_TEXTS: Readonly<Record<number, string>> = {
  1264: 'The value is out of range for the column.',
  1365: 'A division by zero.',
  1364: 'The column is required: the trigger that may set it did not.',
  1406: 'The value is too long for the column.',
  3616: 'A longitude lies between -180 and 180.',
  3617: 'A latitude lies between -90 and 90.',
  3643: 'The column holds places of another reference system.',
};

/** Refused while it was read: a parameter; while it was written: a member of the body. */
function mapValue(fault: DatabaseFault, kind: MysqlErrorKind, plan: FaultPlan, internal: string): AppError {
  const msg = NUMBER_TEXTS[fault.errno] ?? KIND_TEXTS[kind] ?? '';
  if (isRead(plan)) return new AppError('params.invalid', { faults: [{ loc: ['query'], msg, type: kind }], internal });
  const column = findFaultColumn(fault.message, plan.table);
  return new AppError('body.invalid', { faults: [{ loc: column === null ? ['body'] : ['body', column.name], msg, type: kind }], internal });
}

function regexError(msg: string, type: string, internal: string): AppError {
  return new AppError('params.invalid', { faults: [{ loc: ['query'], msg, type }], hint: 'Anchor it (^), avoid repeats inside of repeats, or narrow the records by other filters.', internal });
}

/** The engine converts a text to the column's character set to compare it, and refuses what that set cannot hold. */
function mapCharset(plan: FaultPlan, internal: string): AppError {
  const own = plan.table.columns.filter((column) => !column.hidden && column.charset !== null && column.charset !== 'utf8mb4');
  const msg = "The value holds characters that the column's character set does not have.";
  if (isRead(plan) || plan.kind === 'update_many' || plan.kind === 'delete_many') return new AppError('params.invalid', { faults: locateText(plan, own).map((loc) => ({ loc, msg, type: 'charset' })), internal });
  const isKey = plan.kind === 'read' || plan.kind === 'delete' || (plan.kind === 'update' && own.some((column) => plan.table.rowKey?.includes(column) === true));
  if (!isKey) return new AppError('body.invalid', { faults: [{ loc: own.length === 1 ? ['body', own[0]?.name ?? ''] : ['body'], msg, type: 'charset' }], internal });
  return new AppError('key.invalid', { faults: [{ loc: ['path', 'id'], msg, type: 'charset' }], internal });
}

/** The parameters with a value beyond ASCII, which every character set has; of a search the only column that it can be. */
function locateText({ address }: FaultPlan, columns: readonly CompiledColumn[]): readonly (readonly string[])[] {
  if (address?.isBody === true) return [['body', ...(columns.length === 1 ? [columns[0]?.name ?? ''] : [])]];
  const names = (address?.rawQuery ?? '').split('&').flatMap((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    return /%[89a-f]|[\u0080-\uffff]/i.test(value) ? [decodePercent(name, true)] : [];
  });
  return names.length === 0 ? [['query']] : names.map((name) => ['query', name]);
}

function isRead(plan: FaultPlan): boolean {
  return plan.kind === 'list' || plan.kind === 'aggregate' || plan.kind === 'explain';
}

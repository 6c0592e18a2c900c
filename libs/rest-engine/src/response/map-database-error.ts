import {
  AppError,
  isAuthorsOwn,
  readMysqlError,
  type FieldFault,
  type MysqlErrorKind,
  type MysqlErrorMeaning,
  NO_DEFAULT,
} from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { Plan } from '../plan/plan.js';
import { decodePercent } from '../request/decode-percent.js';
import { findCheck, findDuplicateKey, findFaultColumn, findForeignKey } from './named-in-fault.js';

/** The error that a driver reports for a failed statement. */
export interface DatabaseFault {
  readonly errno: number;
  readonly sqlState: string;
  readonly message: string;
}

type FaultPlan = Pick<Plan, 'kind' | 'table'> & Partial<Pick<Plan, 'address'>>;

/** The SQLSTATE of errors that a trigger or routine raises with SIGNAL for the caller. */
const AUTHORS_STATE = '45000';

/**
 * Reports whether the error is due to an outdated snapshot: the database does not know a name in it. The
 * request may then be planned again with a newer snapshot.
 */
export function isStaleFault(fault: DatabaseFault, plan: FaultPlan): boolean {
  return (
    fault.sqlState !== AUTHORS_STATE &&
    !isUnfilled(fault, plan.table) &&
    readMysqlError(fault.errno, plan.table.schema.engine)?.kind === 'stale'
  );
}

/**
 * Reports whether the error is about a column that the request left to a trigger, but that the trigger did
 * not set.
 */
function isUnfilled(fault: DatabaseFault, table: CompiledTable): boolean {
  return fault.errno === NO_DEFAULT && findFaultColumn(fault.message, table)?.triggerFilled === true;
}

/** Codes of errors that concern one record and leave the transaction valid. */
const RECORD_CODES: ReadonlySet<string> = new Set([
  'record.duplicate',
  'record.foreign_key',
  'record.check_failed',
  'record.rejected',
  'body.invalid',
]);

/**
 * Reports whether the error concerns only one record of a body. The transaction is then in the same state as
 * before the failed statement.
 */
export function isRecordFault(fault: DatabaseFault, plan: FaultPlan): boolean {
  return !isStaleFault(fault, plan) && RECORD_CODES.has(mapDatabaseError(fault, plan).code);
}

/**
 * Maps a database error to the error that the caller receives. The server's message is only in `internal`,
 * except for messages of SIGNAL '45000'.
 */
export function mapDatabaseError(fault: DatabaseFault, plan: FaultPlan): AppError {
  const internal = `${fault.errno} (${fault.sqlState}) ${fault.message}`;
  // A trigger can raise a SIGNAL with any error number, so the SQLSTATE is checked first.
  if (fault.sqlState === AUTHORS_STATE) return mapSignal(fault, internal);
  const meaning = readMysqlError(fault.errno, plan.table.schema.engine);
  if (meaning === null)
    return isAuthorsOwn(fault.errno, fault.sqlState)
      ? mapSignal(fault, internal)
      : new AppError('internal.defect', { internal });
  if (isUnfilled(fault, plan.table)) return mapValue(fault, 'not_null', plan, internal);
  switch (meaning.kind) {
    case 'duplicate':
      return mapDuplicate(fault, plan.table, internal);
    case 'foreign_key_target':
    case 'foreign_key_use':
      return mapForeignKey(fault, meaning, plan.table, internal);
    case 'check':
      return mapCheck(fault, plan.table, internal);
    case 'signal':
      return mapSignal(fault, internal);
    case 'not_null':
    case 'value':
    case 'row':
    case 'partition':
    case 'expression':
      return mapValue(fault, meaning.kind, plan, internal);
    case 'pattern':
      return regexError('The regular expression is invalid.', 'regex_parsing', internal);
    case 'pattern_cost':
      return regexError(
        'The regular expression needs too many steps to match a value.',
        'regex_cost',
        internal,
      );
    case 'complex':
      return new AppError('params.invalid', {
        faults: [{ loc: ['query'], msg: 'The request is too large for the database.', type: 'too_complex' }],
        hint: 'Use fewer conditions, fewer relationships or narrower filters.',
        internal,
      });
    case 'charset':
      return mapCharset(plan, internal);
    case 'exhausted':
      return new AppError('limit.storage', {
        detail: `${plan.table.name} has no numbers left for new records.`,
        internal,
      });
    case 'unavailable':
      return isDiskFull(fault)
        ? new AppError('limit.storage', { internal })
        : new AppError(meaning.code, { internal, retryAfterSeconds: 1 });
    case 'retry':
    case 'missing':
    case 'busy':
      return new AppError(meaning.code, { internal, retryAfterSeconds: 1 });
    default:
      return new AppError(meaning.code, { internal });
  }
}

/** Detects the error `Got error 28 "No space left on device" from storage engine`. */
function isDiskFull(fault: DatabaseFault): boolean {
  return fault.errno === 1030 && /\berror 28\b/.test(fault.message);
}

/** Maps a duplicate key error. The returned message does not contain the duplicate value. */
function mapDuplicate(fault: DatabaseFault, own: CompiledTable, internal: string): AppError {
  const found = findDuplicateKey(fault.message, own);
  const columns = found?.index.columns.map((part) => part.name ?? '').filter((name) => name !== '') ?? [];
  if (found === null || columns.some((name) => found.table.findColumn(name) === null))
    return new AppError('record.duplicate', { internal });
  // For an index over an expression, the columns do not describe the duplicate values completely, so the
  // message names the index.
  const by = columns.length === 0 ? `the same values in ${found.index.name}` : `this ${columns.join(', ')}`;
  const detail = `A record of ${found.table.name} with ${by} already exists.`;
  return new AppError('record.duplicate', {
    detail,
    internal,
    extra: {
      constraint: found.index.name,
      columns,
      ...(found.table === own ? {} : { table: found.table.name }),
    },
  });
}

function mapForeignKey(
  fault: DatabaseFault,
  meaning: MysqlErrorMeaning,
  table: CompiledTable,
  internal: string,
): AppError {
  const found = findForeignKey(fault.message, table);
  if (found === null) return new AppError('record.foreign_key', { internal });
  const { holder, key } = found;
  const isUse = meaning.kind === 'foreign_key_use';
  const detail = isUse
    ? `Records of ${holder.name} still reference this one in ${key.columns.join(', ')}.`
    : `No record of ${key.referencedTable} matches ${key.columns.join(', ')}.`;
  return new AppError('record.foreign_key', {
    detail,
    internal,
    extra: { constraint: key.name, table: holder.name, columns: key.columns },
  });
}

function mapCheck(fault: DatabaseFault, table: CompiledTable, internal: string): AppError {
  const check = findCheck(fault.message, table);
  if (check === null) return new AppError('record.check_failed', { internal });
  const column = table.findColumn(check.name);
  const faults: FieldFault[] = [
    {
      loc: column === null ? ['body'] : ['body', column.name],
      msg:
        column?.valueKind === 'json'
          ? 'This is not valid JSON.'
          : `The check constraint ${check.name} rejects these values.`,
      type: 'check',
    },
  ];
  return new AppError('record.check_failed', { faults, internal, extra: { constraint: check.name } });
}

/**
 * Maps an error raised with SIGNAL. Its message is passed on only for SQLSTATE 45000, which marks messages
 * that were written for users.
 */
function mapSignal(fault: DatabaseFault, internal: string): AppError {
  if (fault.sqlState !== AUTHORS_STATE) return new AppError('record.rejected', { internal });
  return new AppError('record.rejected', {
    faults: [{ loc: ['body'], msg: fault.message, type: 'signal' }],
    internal,
  });
}

const KIND_TEXTS: Readonly<Partial<Record<MysqlErrorKind, string>>> = {
  not_null: 'The column must not be null.',
  value: 'The value does not fit the column.',
  row: 'The record is larger than the database can store in one row or one change.',
  partition: 'The table has no partition for these values.',
  expression: 'The result does not fit the column.',
};
const NUMBER_TEXTS: Readonly<Record<number, string>> = {
  1264: 'The value is out of range for the column.',
  1365: 'Division by zero.',
  1364: 'The column is required, and no trigger set it.',
  1406: 'The value is too long for the column.',
  3616: 'A longitude must be between -180 and 180.',
  3617: 'A latitude must be between -90 and 90.',
  3643: 'The column has another spatial reference system.',
};

/**
 * Maps an error about an invalid value. The returned error refers to a query parameter if the statement was a
 * read, and to a member of the body if it was a write.
 */
function mapValue(fault: DatabaseFault, kind: MysqlErrorKind, plan: FaultPlan, internal: string): AppError {
  const msg = NUMBER_TEXTS[fault.errno] ?? KIND_TEXTS[kind] ?? '';
  if (isRead(plan))
    return new AppError('params.invalid', { faults: [{ loc: ['query'], msg, type: kind }], internal });
  const column = findFaultColumn(fault.message, plan.table);
  return new AppError('body.invalid', {
    faults: [{ loc: column === null ? ['body'] : ['body', column.name], msg, type: kind }],
    internal,
  });
}

function regexError(msg: string, type: string, internal: string): AppError {
  return new AppError('params.invalid', {
    faults: [{ loc: ['query'], msg, type }],
    hint: 'Anchor it (^), avoid nested repetitions, or add other filters.',
    internal,
  });
}

/**
 * Maps an error about character sets. For a comparison, the server converts a text to the column's character
 * set, and fails if this set lacks a character.
 */
function mapCharset(plan: FaultPlan, internal: string): AppError {
  const own = plan.table.columns.filter(
    (column) => !column.hidden && column.charset !== null && column.charset !== 'utf8mb4',
  );
  const msg = "The value contains characters that the column's character set does not have.";
  if (isRead(plan) || plan.kind === 'update_many' || plan.kind === 'delete_many')
    return new AppError('params.invalid', {
      faults: locateText(plan, own).map((loc) => ({ loc, msg, type: 'charset' })),
      internal,
    });
  const isKey =
    plan.kind === 'read' ||
    plan.kind === 'delete' ||
    (plan.kind === 'update' && own.some((column) => plan.table.rowKey?.includes(column) === true));
  if (!isKey)
    return new AppError('body.invalid', {
      faults: [{ loc: own.length === 1 ? ['body', own[0]?.name ?? ''] : ['body'], msg, type: 'charset' }],
      internal,
    });
  return new AppError('key.invalid', { faults: [{ loc: ['path', 'id'], msg, type: 'charset' }], internal });
}

/**
 * Returns the parameters that can have caused a character set error: their values have characters beyond
 * ASCII, which every character set supports. For a search, returns the only column that can be the cause.
 */
function locateText(
  { address }: FaultPlan,
  columns: readonly CompiledColumn[],
): readonly (readonly string[])[] {
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

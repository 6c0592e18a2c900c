import { AppError, readMysqlError, type FieldFault, type MysqlErrorMeaning } from '@rowhouse/errors';
import type { CompiledTable, ForeignKey } from '@rowhouse/schema-model';
import type { Plan } from '../plan/plan.js';

/** What a driver tells of a refused statement. */
export interface DatabaseFault {
  readonly errno: number;
  readonly sqlState: string;
  readonly message: string;
}

/** As the caller may know it; the database's own text goes to `internal` alone, but for SIGNAL '45000'. */
export function mapDatabaseError(fault: DatabaseFault, plan: Pick<Plan, 'kind' | 'table'>): AppError {
  const internal = `${fault.errno} (${fault.sqlState}) ${fault.message}`;
  // A trigger may give its SIGNAL any error number.
  if (fault.sqlState === '45000') return mapSignal(fault, internal);
  const meaning = readMysqlError(fault.errno);
  if (meaning === null) return new AppError('internal.defect', { internal });
  switch (meaning.kind) {
    case 'duplicate': return mapDuplicate(fault, plan.table, internal);
    case 'foreign_key_target':
    case 'foreign_key_use': return mapForeignKey(fault, meaning, plan.table, internal);
    case 'check': return mapCheck(fault, plan.table, internal);
    case 'signal': return mapSignal(fault, internal);
    case 'not_null':
    case 'value':
    case 'expression': return mapValue(fault, meaning, plan.table, internal);
    case 'pattern': return regexError('The regular expression cannot be read.', 'regex_parsing', internal);
    case 'pattern_cost': return regexError('The regular expression takes too many steps on some value.', 'regex_cost', internal);
    case 'charset': return mapCharset(plan, internal);
    case 'retry':
    case 'busy':
    case 'unavailable': return new AppError(meaning.code, { internal, retryAfterSeconds: 1 });
    default: return new AppError(meaning.code, { internal });
  }
}

/** `Duplicate entry 'x' for key 'email'`; MySQL writes `users.email`. The value is not repeated. */
function mapDuplicate(fault: DatabaseFault, table: CompiledTable, internal: string): AppError {
  const tail = fault.message.slice(fault.message.lastIndexOf(" for key '") + 10).replace(/'$/, '');
  const index = table.indexes.find((candidate) => candidate.name === tail || `${table.name}.${candidate.name}` === tail);
  const columns = index?.columns.map((part) => part.name ?? '').filter((name) => name !== '') ?? [];
  if (index === undefined || columns.some((name) => table.findColumn(name) === null)) return new AppError('record.duplicate', { internal });
  const detail = `A record of ${table.name} with this ${columns.join(', ')} exists already.`;
  return new AppError('record.duplicate', { detail, internal, extra: { constraint: index.name, columns } });
}

/** `… fails (\`db\`.\`comments\`, CONSTRAINT \`fk\` FOREIGN KEY …)`: the table that holds the key, and the key. */
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

function findForeignKey(message: string, table: CompiledTable): { holder: CompiledTable; key: ForeignKey } | null {
  const parts = /fails \(`(?:[^`]|``)+`\.`((?:[^`]|``)+)`, CONSTRAINT `((?:[^`]|``)+)`/.exec(message);
  if (parts === null) return null;
  const [, tableName = '', keyName = ''] = parts.map((part) => part.replaceAll('``', '`'));
  const holder = table.schema.findByName(tableName);
  const key = holder?.foreignKeys.find((candidate) => candidate.name === keyName);
  if (holder === null || key === undefined || table.schema.findByName(key.referencedTable) === null) return null;
  return key.columns.some((name) => holder.findColumn(name) === null) ? null : { holder, key };
}

/** MariaDB: `CONSTRAINT \`c\` failed for …`; MySQL: `Check constraint 'c' is violated.` */
function mapCheck(fault: DatabaseFault, table: CompiledTable, internal: string): AppError {
  const name = /^CONSTRAINT `(.+)` failed for /.exec(fault.message)?.[1] ?? /^Check constraint '(.+)' is violated/.exec(fault.message)?.[1] ?? '';
  const check = table.source.checks.find((candidate) => candidate.name === name.replace(/^.*\./, '') || candidate.name === name);
  if (check === undefined) return new AppError('record.check_failed', { internal });
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
  if (fault.sqlState !== '45000') return new AppError('record.rejected', { internal });
  return new AppError('record.rejected', { faults: [{ loc: ['body'], msg: fault.message, type: 'signal' }], internal });
}

const VALUE_TEXTS: Readonly<Record<string, string>> = {
  not_null: 'The column must not be null.',
  value: 'The value does not fit the column.',
  expression: 'The result does not fit the column.',
};

/** `Data too long for column 'x' at row 1`, `Out of range value for column 'x' …`, `Column 'x' cannot be null`. */
function mapValue(fault: DatabaseFault, meaning: MysqlErrorMeaning, table: CompiledTable, internal: string): AppError {
  const name = /[Cc]olumn '?(?:`[^`]*`\.)*[`']?([^`']+)[`']/.exec(fault.message)?.[1] ?? '';
  const column = table.findColumn(name);
  const text = fault.errno === 1406 ? 'The value is too long for the column.' : fault.errno === 1264 ? 'The value is out of range for the column.' : (VALUE_TEXTS[meaning.kind] ?? '');
  return new AppError('body.invalid', { faults: [{ loc: column === null ? ['body'] : ['body', column.name], msg: text, type: meaning.kind }], internal });
}

function regexError(msg: string, type: string, internal: string): AppError {
  return new AppError('params.invalid', { faults: [{ loc: ['query'], msg, type }], hint: 'Anchor it (^), avoid repeats inside of repeats, or narrow the records by other filters.', internal });
}

/** The engine converts a text to the column's character set to compare it, and refuses what that set cannot hold. */
function mapCharset(plan: Pick<Plan, 'kind'>, internal: string): AppError {
  const msg = "The value holds characters that the column's character set does not have.";
  if (plan.kind === 'list' || plan.kind === 'aggregate' || plan.kind === 'explain' || plan.kind === 'update_many' || plan.kind === 'delete_many') return new AppError('params.invalid', { faults: [{ loc: ['query'], msg, type: 'charset' }], internal });
  return new AppError('key.invalid', { faults: [{ loc: ['path', 'id'], msg, type: 'charset' }], internal });
}

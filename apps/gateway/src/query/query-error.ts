import {
  AppError,
  nearestNames,
  VIEW_HIDES,
  NO_SUCH_TABLE,
  INVALID_VIEW,
  TABLE_DEFINITION_CHANGED,
  SCHEMA_ACCESS_DENIED,
  PRIVILEGE_REQUIRED,
  OPTION_PREVENTS_STATEMENT,
  TRANSACTION_IS_READ_ONLY,
  TABLE_ACCESS_DENIED,
  UNKNOWN_COLUMN,
  COLUMN_ACCESS_DENIED,
  SYNTAX_ERROR,
  NOT_GROUPED,
} from '@rowhouse/errors';
import type { DatabaseFault } from '@rowhouse/mysql';
import {
  explainMisspelling,
  locateName,
  locateText,
  routeQuery,
  type GuardedRead,
  type GuardedWrite,
} from '@rowhouse/query-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { StaleSchemaError } from '../schema/retry-through-schema-change.js';
import { toRouteSchema } from './list-guard-options.js';

/**
 * The server errors that mean that the snapshot is outdated: the server does not know or grant a table that
 * the guard found in the snapshot.
 */
const STALE_NUMBERS = new Set([TABLE_ACCESS_DENIED, NO_SUCH_TABLE, INVALID_VIEW, TABLE_DEFINITION_CHANGED]);
/**
 * The server errors for a statement that the account may not run: a missing privilege, a server option, or a
 * write in a READ ONLY transaction.
 */
const REJECTED_NUMBERS = new Set([
  SCHEMA_ACCESS_DENIED,
  PRIVILEGE_REQUIRED,
  OPTION_PREVENTS_STATEMENT,
  TRANSACTION_IS_READ_ONLY,
]);

/** The message for the author of a statement, by the server's error number. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [1052, 'A column name is ambiguous. Add the name of its table: table.column.'],
  [1056, 'You cannot group by this expression.'],
  [1060, 'Two columns of a derived table have the same name.'],
  [1066, 'Two tables have the same name. Give one of them an alias.'],
  [1111, 'An aggregate function is not allowed here.'],
  [1140, 'Aggregates and plain columns are mixed without GROUP BY.'],
  [1222, 'The SELECTs of a UNION have different numbers of columns.'],
  [1241, 'A subquery returns the wrong number of columns.'],
  [1242, 'A subquery returns more than one row where one is expected.'],
  [1248, 'Every derived table needs an alias.'],
  [1267, 'Two strings with different collations cannot be compared.'],
  [1305, 'The database server does not have this function.'],
  [1365, 'Division by zero.'],
  // The guard allows only known functions. If the server does not have one of them, it looks for a stored
  // function with that name.
  [1370, 'The database server does not have this function.'],
  [1463, 'HAVING uses a column that is not selected.'],
  [1582, 'A function has the wrong number of arguments.'],
  [1690, 'A number is out of range.'],
]);

type Guarded = GuardedRead | GuardedWrite;

/**
 * Converts the server's error about a guarded statement for its author. The response contains no text of the
 * server.
 */
export function toQueryError(fault: DatabaseFault, guarded: Guarded, compiled: CompiledSnapshot): Error {
  const internal = `errno ${fault.errno}: ${fault.sqlMessage}`;
  if (fault.errno === TABLE_ACCESS_DENIED && wantsWholePart(guarded, compiled))
    return deniedColumn(fault, guarded, compiled, internal);
  if (STALE_NUMBERS.has(fault.errno))
    return new StaleSchemaError({ kind: 'server', errno: fault.errno, message: fault.sqlMessage });
  if (fault.errno === UNKNOWN_COLUMN) return unknownColumn(fault, guarded, compiled, internal);
  if (fault.errno === COLUMN_ACCESS_DENIED) return deniedColumn(fault, guarded, compiled, internal);
  if (fault.errno === VIEW_HIDES)
    return new AppError('query.not_allowed', {
      detail: 'Only a key that may read the tables of a view can explain it.',
      hint: 'Run the statement without EXPLAIN.',
      internal,
    });
  if (REJECTED_NUMBERS.has(fault.errno)) return new AppError('query.not_allowed', { internal });
  if (fault.errno === NOT_GROUPED) return notGrouped(fault, guarded.sql, internal);
  if (fault.errno === SYNTAX_ERROR)
    return unreadable(invalidSql('The SQL is not valid.', fault, guarded, internal), guarded, compiled);
  return invalidSql(
    MESSAGES.get(fault.errno) ?? 'The database rejects this statement.',
    fault,
    guarded,
    internal,
  );
}

/**
 * Looks for a misspelled keyword (`SELECT * FORM posts`) in a statement that the guard accepted but the
 * server cannot parse.
 */
function unreadable(error: AppError, { text }: Guarded, compiled: CompiledSnapshot): Error {
  const schema = toRouteSchema(compiled);
  return explainMisspelling(
    error,
    text,
    schema,
    (repaired) => routeQuery(repaired, schema).kind === 'sql',
  ) as Error;
}

/**
 * Creates the error for invalid SQL. The server's message quotes the text at the error, or contains the line
 * number.
 */
function invalidSql(detail: string, fault: DatabaseFault, guarded: Guarded, internal: string): AppError {
  const near = /near '([^]*)' at line \d{1,5}$/.exec(fault.sqlMessage)?.[1];
  const textPosition = near === undefined ? null : locateText(guarded.text, guarded.runSql, near);
  const line = /at line (\d{1,5})/.exec(fault.sqlMessage)?.[1];
  if (textPosition !== null)
    return new AppError('query.invalid_sql', {
      detail: `${detail.slice(0, -1)} (line ${textPosition.line}, column ${textPosition.column}).`,
      extra: { ...textPosition },
      internal,
    });
  return new AppError('query.invalid_sql', {
    detail,
    internal,
    ...(line === undefined ? {} : { extra: { line: Number(line) } }),
  });
}

/**
 * Creates the error for a column that is not grouped. MySQL always reports it, and MariaDB only for SQL
 * written by a language model (ADR 45).
 */
function notGrouped(fault: DatabaseFault, sql: string, internal: string): AppError {
  const path = (/'([^']*)'/.exec(fault.sqlMessage)?.[1] ?? '').split('.').slice(-2);
  const column = path.at(-1) ?? '';
  const isWritten = column !== '' && sql.toLowerCase().includes(column.toLowerCase());
  const name = isWritten
    ? path.length === 2 && sql.toLowerCase().includes(path.join('.').toLowerCase())
      ? path.join('.')
      : column
    : null;
  return new AppError('query.invalid_sql', {
    detail:
      name === null
        ? 'A selected column is neither grouped nor aggregated.'
        : `The column ${name} is selected, but neither grouped nor aggregated.`,
    hint:
      `Add ${name ?? 'it'} to GROUP BY, or use MIN(${name ?? 'column'}). A group can have several ` +
      'values.',
    internal,
  });
}

/**
 * Returns whether `*` may have caused the error. If an account may read only some columns of a table, the
 * server responds to `*` with an error about the table.
 */
function wantsWholePart(guarded: Guarded, compiled: CompiledSnapshot): boolean {
  return (
    guarded.sql.includes('*') &&
    guarded.tables.some((table) => compiled.findByName(table)?.columns.some((column) => column.hidden))
  );
}

/**
 * Creates the error for a denied column. A hidden column named by the caller is reported as unknown. If the
 * caller did not name the column, it was included by `*`.
 */
function deniedColumn(
  fault: DatabaseFault,
  guarded: Guarded,
  compiled: CompiledSnapshot,
  internal: string,
): AppError {
  const column = / for column ('[^']*')/.exec(fault.sqlMessage)?.[1] ?? '';
  const isNamed = column !== '' && guarded.sql.toLowerCase().includes(column.slice(1, -1).toLowerCase());
  if (isNamed) return unknownColumn({ ...fault, sqlMessage: column }, guarded, compiled, internal);
  return new AppError('query.not_allowed', {
    detail: 'The statement uses a column that this key cannot read.',
    hint: 'List the columns instead of *.',
    internal,
  });
}

/**
 * Creates the error for an unknown column. The name from the server's message is only used if the caller
 * wrote it.
 */
function unknownColumn(
  fault: Pick<DatabaseFault, 'sqlMessage'>,
  guarded: Guarded,
  compiled: CompiledSnapshot,
  internal: string,
): AppError {
  const name = /'([^']*)'/.exec(fault.sqlMessage)?.[1]?.split('.').at(-1) ?? '';
  const textPosition = name === '' ? null : locateName(guarded.text, name);
  if (textPosition === null) return new AppError('query.unknown_column', { internal });
  const known = guarded.tables.flatMap(
    (table) => compiled.findByName(table)?.shown.map((column) => column.name) ?? [],
  );
  const similarNames = nearestNames(name, [...new Set(known)]);
  return new AppError('query.unknown_column', {
    detail: `Unknown column "${name}" (line ${textPosition.line}, column ${textPosition.column}).`,
    extra: { ...textPosition, suggestions: similarNames },
    ...(similarNames.length === 0 ? {} : { hint: `Did you mean ${similarNames.join(', ')}?` }),
    internal,
  });
}

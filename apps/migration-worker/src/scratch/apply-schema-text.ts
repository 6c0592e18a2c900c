import { setImmediate as nextSlice } from 'node:timers/promises';
import {
  AppError,
  CANNOT_CREATE_TABLE,
  NO_SUCH_TABLE,
  CANNOT_ADD_FOREIGN_KEY,
  ROW_IS_REFERENCED_UNNAMED,
  NO_SUCH_ROUTINE,
  ROW_IS_REFERENCED,
  REFERENCED_TABLE_NOT_FOUND,
  TABLE_IS_REFERENCED,
  COLUMN_IN_FOREIGN_KEY,
  COLUMN_IN_FOREIGN_KEY_OF_CHILD,
  INCOMPATIBLE_FOREIGN_KEY_COLUMNS,
  UNKNOWN_COLLATION,
} from '@rowhouse/errors';
import { introspectSchema, readServerFault, type ServerFault } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import {
  classifyDdl,
  lexSql,
  SCHEMA_BOUNDS,
  splitStatementsSteps,
  withoutDatabase,
} from '@rowhouse/query-engine';
import { findDanglingKey, type EngineKind, runStepsInSlices } from '@rowhouse/schema-model';
import { isFileSetting } from '@rowhouse/sql-files';
import { DumpDatabase } from '../transfer/import/dump-database.js';
import type { ScratchDatabase } from './scratch-database.js';
import { checkCharacters } from './unstorable-characters.js';

export const TEXT_BYTES_MAX = 1_048_576;
const STATEMENTS_MAX = 2_000;
/** The number of characters that are classified in one slice. */
const CLASSIFIED_PER_TURN = 32 * 1024;
const DURATION_MAX_MS = 30_000;

/**
 * The server's errors when a statement precedes its dependencies. Dumps turn key checks off and order tables
 * by name. Examples are a foreign key before its table, a view before its table or function, or dropping a
 * table that is still referenced. Such a statement is tried again after the others.
 */
const RETRY_LATER = new Set([
  CANNOT_CREATE_TABLE,
  NO_SUCH_TABLE,
  CANNOT_ADD_FOREIGN_KEY,
  ROW_IS_REFERENCED_UNNAMED,
  NO_SUCH_ROUTINE,
  ROW_IS_REFERENCED,
  REFERENCED_TABLE_NOT_FOUND,
  TABLE_IS_REFERENCED,
]);

/** Matches a text that creates or uses a database. Its statements may qualify names with that database. */
const NAMED_DATABASE =
  /^(?:USE|CREATE\s+(?:DATABASE|SCHEMA)(?:\s+IF\s+NOT\s+EXISTS)?)\s+(?:`((?:[^`]|``)+)`|([\w$]+))/i;

interface Pending {
  readonly sql: string;
  readonly line: number;
  readonly fault?: ServerFault;
}

/**
 * Applies schema text to a scratch database, one statement at a time. The engine is the only parser.
 *
 * @returns notes about ignored parts of the text
 * @throws AppError `schema.invalid_sql` or `schema.statement_not_allowed` with line and statement
 */
export async function applySchemaText(
  scratch: ScratchDatabase,
  server: WorkerServer,
  sql: string,
): Promise<string[]> {
  const { allowed, notes } = await readStatements(sql, server);
  const endsAt = performance.now() + DURATION_MAX_MS;
  let waiting: Pending[] = [];
  for (const statement of allowed) {
    const fault = await tryStatement(scratch, server, statement, notes, endsAt);
    if (fault === null) continue;
    if (!RETRY_LATER.has(fault.errno)) throw toSchemaError(scratch, statement, fault);
    waiting.push({ ...statement, fault });
  }
  while (waiting.length > 0) {
    const still = await retryAll(scratch, server, waiting, notes, endsAt);
    if (still.length === waiting.length) {
      await finishCircle(scratch, server, still, notes, endsAt);
      return notes;
    }
    waiting = still;
  }
  return notes;
}

/** Splits and classifies the text in slices. Between two slices, the worker can renew its leases. */
async function readStatements(
  sql: string,
  server: WorkerServer,
): Promise<{ allowed: Pending[]; notes: string[] }> {
  if (Buffer.byteLength(sql) > TEXT_BYTES_MAX)
    throw new AppError('schema.too_large', { hint: 'A schema text can have at most 1 MiB.' });
  const statements = await runStepsInSlices(
    splitStatementsSteps(sql, { engine: server.engine, version: server.engineVersion }),
    () => nextSlice(),
  );
  if (statements.length > STATEMENTS_MAX)
    throw new AppError('schema.too_large', {
      hint: `A schema text can have at most ${STATEMENTS_MAX} statements.`,
    });
  const allowed: Pending[] = [];
  const notes: string[] = [];
  const own = new DumpDatabase();
  let characters = 0;
  for (const statement of statements) {
    characters += statement.sql.length;
    if (characters > CLASSIFIED_PER_TURN) {
      characters = 0;
      await nextSlice();
    }
    if (isFileSetting(statement.sql)) continue;
    const named = NAMED_DATABASE.exec(statement.sql);
    if (named !== null) own.adopt((named[1] ?? named[2] ?? '').replaceAll('``', '`'));
    const ddl = classifyDdl(
      own.name === null ? statement : { ...statement, sql: withoutDatabase(statement.sql, own.name) },
    );
    if (ddl.kind === 'ignored') notes.push(`Line ${ddl.line}: ${ddl.note}`);
    else if (ddl.kind === 'refused') {
      throw new AppError(ddl.code, {
        detail: ddl.detail,
        ...(ddl.hint === undefined ? {} : { hint: ddl.hint }),
        extra: { line: ddl.line, statement: shorten(statement.sql) },
      });
    } else {
      notes.push(...checkCharacters(ddl.sql, server.engine, ddl.line));
      allowed.push({ sql: ddl.sql, line: ddl.line });
    }
  }
  return { allowed, notes };
}

/** Runs one statement. Returns null when the server accepted it, and otherwise the error. */
async function tryStatement(
  scratch: ScratchDatabase,
  server: WorkerServer,
  statement: Pending,
  notes: string[],
  endsAt: number,
): Promise<ServerFault | null> {
  if (performance.now() > endsAt)
    throw new AppError('schema.too_large', { detail: 'The schema text took longer than 30 s to apply.' });
  let { sql } = statement;
  for (;;) {
    try {
      await scratch.connection.run(sql);
      return null;
    } catch (error) {
      const fault = readServerFault(error);
      if (fault === null || fault.isConnectionLost) throw error;
      const mapped = mapCollation(sql, fault, server.engine);
      if (mapped === null) return fault;
      notes.push(
        `Line ${statement.line}: the server does not support the collation ${mapped.from}. It uses ` +
          `${mapped.to} instead.`,
      );
      sql = mapped.sql;
    }
  }
}

async function retryAll(
  scratch: ScratchDatabase,
  server: WorkerServer,
  waiting: readonly Pending[],
  notes: string[],
  endsAt: number,
): Promise<Pending[]> {
  const still: Pending[] = [];
  for (const statement of waiting) {
    const fault = await tryStatement(scratch, server, statement, notes, endsAt);
    if (fault !== null && !RETRY_LATER.has(fault.errno)) throw toSchemaError(scratch, statement, fault);
    if (fault !== null) still.push({ ...statement, fault });
  }
  return still;
}

/**
 * Creates tables that reference each other in a cycle, which works only with key checks turned off. The
 * server then also accepts a foreign key to a missing table, so the result is checked for such keys.
 */
async function finishCircle(
  scratch: ScratchDatabase,
  server: WorkerServer,
  waiting: readonly Pending[],
  notes: string[],
  endsAt: number,
): Promise<void> {
  await scratch.connection.run('SET SESSION foreign_key_checks = 0');
  try {
    const still = await retryAll(scratch, server, waiting, notes, endsAt);
    const first = still[0];
    if (first?.fault !== undefined) throw toSchemaError(scratch, first, first.fault);
    const cause = waiting[0];
    const tables = await introspectSchema(scratch.connection, scratch.schemaName, server.engine);
    if (findDanglingKey(tables) !== null && cause?.fault !== undefined)
      throw toSchemaError(scratch, cause, cause.fault);
  } finally {
    await scratch.connection.run('SET SESSION foreign_key_checks = 1');
  }
}

/**
 * The errors for changing the type of a column in a foreign key. No server can do this in one ALTER, but a
 * planned migration can.
 */
const HELD_BY_KEY: ReadonlySet<number> = new Set([
  COLUMN_IN_FOREIGN_KEY,
  COLUMN_IN_FOREIGN_KEY_OF_CHILD,
  INCOMPATIBLE_FOREIGN_KEY_COLUMNS,
]);

function toSchemaError(scratch: ScratchDatabase, statement: Pending, fault: ServerFault): AppError {
  const within = Number(/ at line (\d+)$/.exec(fault.message)?.[1] ?? 1);
  const line = statement.line + within - 1;
  const message = cleanMessage(fault.message.replace(/ at line \d+$/, ''), scratch.schemaName);
  const wayOut = HELD_BY_KEY.has(fault.errno)
    ? ' Send the whole schema with the new type in both tables.'
    : '';
  return new AppError('schema.invalid_sql', {
    detail: `Line ${line}: ${message}${wayOut}`,
    extra: { line, statement: shorten(statement.sql), errno: fault.errno },
  });
}

/** Removes internal names from a server's message, whose other parts help the author of a schema. */
export function cleanMessage(message: string, schemaName: string): string {
  return message
    .replaceAll(`\`${schemaName}\`.`, '')
    .replaceAll(`${schemaName}/`, '')
    .replaceAll(`${schemaName}.`, '')
    .replaceAll(new RegExp(`'?${schemaName}'?@'[^']*'`, 'g'), 'the schema account')
    .replaceAll(schemaName, 'the schema');
}

function shorten(sql: string): string {
  const text = sql.trim();
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/**
 * Returns the statement with the nearest collation of this engine in place of an unknown one. Returns null if
 * the error is a different one. Dumps of MySQL 8 contain `utf8mb4_0900_ai_ci`, and those of new MariaDB
 * versions `utf8mb4_uca1400_ai_ci`.
 */
export function mapCollation(
  sql: string,
  fault: ServerFault,
  engine: EngineKind,
): { sql: string; from: string; to: string } | null {
  if (fault.errno !== UNKNOWN_COLLATION) return null;
  const from = /'([^']+)'/.exec(fault.message)?.[1];
  if (from === undefined) return null;
  const to = /_(bin|as_cs)$/.test(from)
    ? 'utf8mb4_bin'
    : engine === 'mysql' && /uca1400/.test(from)
      ? 'utf8mb4_0900_ai_ci'
      : 'utf8mb4_unicode_ci';
  const tokens = lexSql(sql, SCHEMA_BOUNDS).filter(
    (token) =>
      (token.kind === 'word' || token.kind === 'string' || token.kind === 'quoted') &&
      token.value.toLowerCase() === from.toLowerCase(),
  );
  if (tokens.length === 0) return null;
  let text = sql;
  for (const token of tokens.reverse()) text = text.slice(0, token.start) + to + text.slice(token.end);
  return { sql: text, from, to };
}

import { AppError } from '@rowhouse/errors';
import {
  DatabaseFault,
  runStatements,
  type PairedStatement,
  type RowSink,
  type RunMode,
  type RunPair,
  type RunStatement,
  type RunTarget,
  type SessionNeed,
} from '@rowhouse/mysql';
import {
  isUpsertRace,
  isStaleFault,
  mayBeUpsertRace,
  mapDatabaseError,
  toResponse,
  type ApiResponse,
  type Plan,
  type ResultSet,
  type Statement,
  type StatementProgram,
  type StatementRound,
} from '@rowhouse/rest-engine';
import type { CompiledTable, EngineCapabilities } from '@rowhouse/schema-model';
import type { TenantDatabase } from '../tenant/tenant.js';
import { assertStorageQuota } from './assert-storage-quota.js';
import type { Gateway } from './gateway.js';
import { guardRegex } from './guard-regex.js';
import { isOfRows, nameRejected, noteRejected, withNamed } from './name-rejected.js';
import { finishResults } from './finish-results.js';
import { createResultSink } from './result-sink.js';
import { atPlace, newestOf, runAtPlacement } from './run-at-placement.js';
import { StaleSchemaError } from './stale-schema-error.js';
import { UnreadableWriteError } from './unreadable-write-error.js';

/** The maximum time that a request waits for one of its tenant's connections. */
export const CONNECTION_WAIT_MS = 3_000;
/** The maximum number of attempts when an upsert loses a race. */
export const UPSERT_ATTEMPTS_MAX = 4;

/**
 * Adds statements around a write in its transaction. Both functions may be called again when the whole job is
 * repeated.
 */
export interface WriteGuard {
  begin(run: RunStatement): Promise<void>;
  end(run: RunStatement, response: ApiResponse): Promise<void>;
}

/** A guard that is called before the response exists. */
interface ProgramGuard {
  begin(run: RunStatement): Promise<void>;
  end(run: RunStatement, results: readonly ResultSet[]): Promise<void>;
}

/** Returns the server and the account that read and write the tenant's rows. */
export function rowsTarget(database: TenantDatabase): RunTarget {
  const { server, rowsAccount: account } = newestOf(database);
  if (account === null)
    throw new AppError('db.provisioning', { retryAfterSeconds: 2, internal: 'no rows account' });
  return { server, account };
}

/**
 * Step 8: runs the statements of a plan on the tenant's own account. Returns results in the order of the
 * statements. Rejects with StaleSchema when the database does not know a name of the snapshot, and with
 * AppError otherwise.
 */
export function runProgram(
  gateway: Gateway,
  database: TenantDatabase,
  plan: Plan,
  program: StatementProgram,
  { guard = null, admitNext = null }: ProgramOptions = NO_OPTIONS,
): Promise<readonly ResultSet[]> {
  return plan.kind === 'upsert'
    ? runAgain(gateway, database, plan, program, guard)
    : runOnce(gateway, database, plan, program, guard, admitNext);
}

interface ProgramOptions {
  readonly guard?: ProgramGuard | null;
  readonly admitNext?: AdmitNext | null;
}

/**
 * Called before each later statement of a plan. `run` uses the session that is already open, if any. Returns
 * null when the statement can run immediately.
 */
export type AdmitNext = (statement: Statement, run: RunStatement | null) => Promise<void> | null;

const NO_OPTIONS: ProgramOptions = Object.freeze({});

/** Repeats an upsert that lost a race with other writes. */
async function runAgain(
  gateway: Gateway,
  database: TenantDatabase,
  plan: Extract<Plan, { kind: 'upsert' }>,
  program: StatementProgram,
  guard: ProgramGuard | null,
): Promise<readonly ResultSet[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(gateway, database, plan, program, guard);
    } catch (error) {
      const isRace =
        error instanceof AppError &&
        (attempt === 1 ? mayBeUpsertRace(plan, error) : isUpsertRace(plan, error));
      if (!isRace || attempt === UPSERT_ATTEMPTS_MAX) throw error;
    }
  }
}

/** Runs steps 8 and 9 between the two parts of a guard. The response is known before the transaction ends. */
export async function runGuarded(
  gateway: Gateway,
  database: TenantDatabase,
  plan: Plan,
  program: StatementProgram,
  guard: WriteGuard,
): Promise<ApiResponse> {
  let response: ApiResponse | null = null;
  await runProgram(gateway, database, plan, program, {
    guard: {
      begin: (run) => guard.begin(run),
      end(run, results) {
        response = toResponse(plan, results, gateway.digest);
        return guard.end(run, response);
      },
    },
  });
  if (response === null)
    throw new AppError('internal.defect', { internal: 'a guarded write ended without an answer' });
  return response;
}

async function runOnce(
  gateway: Gateway,
  database: TenantDatabase,
  plan: Plan,
  program: StatementProgram,
  guard: ProgramGuard | null,
  admitNext: AdmitNext | null = null,
): Promise<readonly ResultSet[]> {
  assertStorageQuota(database, plan.kind);
  try {
    if (guard === null && isSmallRead(plan, program))
      return await runReads(gateway, database, plan, program, admitNext);
    const mode = guard !== null && program.transaction === 'none' ? 'transaction' : toMode(plan, program);
    if (guard === null && mode === 'write' && isShortWrite(plan) && isAtOnce(program.first))
      return await runWrite(gateway, database, plan, program.first);
    return await runAtPlacement(
      gateway,
      database,
      rowsTarget,
      { mode, waitMs: CONNECTION_WAIT_MS, need: needOf(plan, mode, program.first) },
      async (run, runPair) => {
        await guard?.begin(run);
        const results = await runRounds(run, plan, program, database.record.server.capabilities, {
          runPair,
          admitNext,
          pause: pauseOf(gateway, database),
        }).catch(async (error: unknown) => {
          if (mode !== 'write' || !isOfRows(error)) await nameRejected(error, plan, run);
          throw error;
        });
        await guard?.end(run, results);
        return results;
      },
    );
  } catch (error) {
    if (program.transaction === 'none' && guard === null && isOfRows(error))
      await nameRehearsed(gateway, database, error, plan);
    throw toPlanError(error, plan);
  }
}

/**
 * Finds the rejected row of a statement that ran without a transaction. It repeats the rows in a transaction
 * that is rolled back.
 */
async function nameRehearsed(
  gateway: Gateway,
  database: TenantDatabase,
  error: DatabaseFault,
  plan: Plan,
): Promise<void> {
  // When this fails, the error is reported without the element.
  await runAtPlacement(
    gateway,
    database,
    rowsTarget,
    { mode: 'dry_run', waitMs: CONNECTION_WAIT_MS },
    (run) => nameRejected(error, plan, run),
  ).catch(() => undefined);
}

/**
 * Returns whether the program starts with a small read. The time limit of regular expressions needs a session
 * of its own.
 */
function isSmallRead(
  { hasRegex }: Plan,
  {
    transaction,
    first: {
      statements: [first],
    },
  }: StatementProgram,
): boolean {
  return (
    transaction === 'none' && hasRegex !== true && (first?.isShort === true || first?.mayBeShort === true)
  );
}

/** Returns whether the plan writes one record. */
function isShortWrite(plan: Plan): boolean {
  return plan.kind === 'update' || plan.kind === 'delete' || (plan.kind === 'create' && !plan.isBulk);
}

/**
 * Returns which sessions a plan may use. Writes that only wait for the disk may also use those for short
 * writes, while no other tenant is active.
 */
function needOf(plan: Plan, mode: RunMode, first: StatementRound): SessionNeed {
  if (isShortWrite(plan)) return 'short';
  return plan.kind === 'create' && mode === 'write' && isAtOnce(first) ? 'burst' : 'long';
}

/**
 * Returns whether the round is one write that commits by itself, optionally followed by reading the record
 * back.
 */
function isAtOnce({ statements: [write, read, ...more] }: StatementRound): boolean {
  return (
    (write?.role.kind === 'write' || write?.role.kind === 'records') &&
    (read === undefined || read.role.kind === 'records') &&
    more.length === 0
  );
}

/** Runs a write and its read in one round trip. The read uses the same key, whatever the write returns. */
async function runWrite(
  gateway: Gateway,
  database: TenantDatabase,
  { preferences: { numbers } }: Plan,
  { statements: [first, second] }: StatementRound,
): Promise<readonly ResultSet[]> {
  if (first === undefined) throw new Error('a write has a statement');
  const write = toPaired(first, numbers);
  const read = second === undefined ? null : toPaired(second, numbers);
  const [written, record] = await atPlace(gateway, database, (current) =>
    gateway.pools.executor.writeRecord(rowsTarget(current), SHORT_WRITE, { write, read }),
  );
  const results = record === null ? [written.rows] : [written.rows, record.rows];
  await finishResults(results, pauseOf(gateway, database));
  return results;
}

/** Returns a function that waits for the database's next slice of the event loop. */
export function pauseOf(
  { turns: scheduler }: Pick<Gateway, 'turns'>,
  { record }: Pick<TenantDatabase, 'record'>,
): () => Promise<void> {
  return () => scheduler.turn(record.schemaName);
}

const SHORT_WRITE = { waitMs: CONNECTION_WAIT_MS };

function toPaired(statement: Statement, numbers: 'json' | 'string'): PairedStatement<ResultSet> {
  return {
    sql: statement.sql,
    values: statement.params,
    makeSink: () => createResultSink(statement, numbers),
  };
}

/**
 * Runs reads without a transaction that start with a small one. Each statement uses the most suitable
 * connection.
 */
async function runReads(
  gateway: Gateway,
  database: TenantDatabase,
  plan: Plan,
  program: StatementProgram,
  admitNext: AdmitNext | null,
): Promise<readonly ResultSet[]> {
  const results: ResultSet[] = [];
  for (let round: StatementRound | null = program.first; round !== null; round = program.next(results)) {
    for (const statement of round.statements) {
      const admitting = statement.counted === undefined ? undefined : admitNext?.(statement, null);
      if (admitting) await admitting;
      const result = await readOne(gateway, database, statement, plan.preferences.numbers);
      if (result.isLate === true) await finishResults([result], pauseOf(gateway, database));
      results.push(result);
    }
  }
  return results;
}

/**
 * Runs one read. Short statements, and those that have proven to be short, share the tenant's pipelined
 * connection. All others use a connection of their own.
 */
async function readOne(
  { pools }: Gateway,
  database: TenantDatabase,
  statement: Statement,
  numbers: 'json' | 'string',
): Promise<ResultSet> {
  const target = rowsTarget(database);
  const makeSink = (): RowSink<ResultSet> => createResultSink(statement, numbers);
  if (statement.isShort === true)
    return (await pools.executor.readByKey(target, CONNECTION_WAIT_MS, statement, makeSink)).rows;
  if (statement.mayBeShort === true)
    return (await pools.executor.readFew(target, CONNECTION_WAIT_MS, statement, makeSink)).rows;
  return (
    await runStatements(pools, target, { mode: 'read', waitMs: CONNECTION_WAIT_MS }, (run) =>
      run(statement.sql, statement.params, makeSink()),
    )
  ).rows;
}

/**
 * Converts an error of the database for the caller. Returns StaleSchema when the database does not know a
 * name of the snapshot.
 */
export function toPlanError(error: unknown, plan: Plan): unknown {
  if (!(error instanceof DatabaseFault)) return error;
  if (error.isBehindWrite) return new UnreadableWriteError(error);
  if (isStaleFault(toFault(error), plan)) return new StaleSchemaError(error.errno, error.sqlMessage);
  return toAppFault(error, plan);
}

/** Counts the records of a list whose rows are not read by `runProgram`. */
export async function countRecords(
  gateway: Gateway,
  database: TenantDatabase,
  plan: Plan,
  count: Statement,
): Promise<ResultSet> {
  const program: StatementProgram = {
    transaction: 'none',
    first: { statements: [count], isOrdered: false },
    next: () => null,
  };
  const [result] = await runProgram(gateway, database, plan, program);
  if (result === undefined) throw new Error('a count has a result');
  return result;
}

function toMode(plan: Plan, program: StatementProgram): RunMode {
  if (program.transaction === 'commit') return 'transaction';
  if (program.transaction === 'rollback') return 'dry_run';
  return plan.kind === 'list' || plan.kind === 'aggregate' || plan.kind === 'explain' || plan.kind === 'read'
    ? 'read'
    : 'write';
}

export interface RoundOptions {
  /** Runs a write and its read together. */
  readonly runPair: RunPair;
  readonly admitNext: AdmitNext | null;
  /** Awaited between slices of large rows. */
  readonly pause: () => Promise<void>;
}

export async function runRounds(
  run: RunStatement,
  plan: Plan,
  program: StatementProgram,
  { regexFaults }: Pick<EngineCapabilities, 'regexFaults'>,
  { runPair, admitNext, pause }: RoundOptions,
): Promise<readonly ResultSet[]> {
  const { numbers } = plan.preferences;
  const bounded = plan.hasRegex === true ? guardRegex(run, regexFaults) : run;
  const results: ResultSet[] = [];
  let round: StatementRound | null = program.first;
  while (round !== null) {
    const { statements } = round;
    for (let index = 0; index < statements.length; index += 1) {
      const [first, second] = [statements[index] as Statement, statements[index + 1]];
      if (first.counted !== undefined) await admitNext?.(first, run);
      if (second !== undefined && plan.hasRegex !== true && isPair(first, second)) {
        results.push(...(await runBoth(runPair, first, second, numbers)));
        index += 1;
      } else results.push(await runOne(bounded, first, numbers));
      const finishing = finishResults(results.slice(-2), pause);
      if (finishing !== null) await finishing;
    }
    round = program.next(results);
  }
  return results;
}

/**
 * Returns whether these are a write of the request's own table and a read that does not depend on its result.
 */
function isPair(write: Statement, read: Statement): boolean {
  return (
    write.role.kind === 'write' &&
    read.role.kind === 'records' &&
    write.table === undefined &&
    read.table === undefined
  );
}

async function runBoth(
  runPair: RunPair,
  write: Statement,
  read: Statement,
  numbers: 'json' | 'string',
): Promise<readonly ResultSet[]> {
  const [written, record] = await runPair(toPaired(write, numbers), toPaired(read, numbers)).catch(
    (error: unknown) => {
      if (error instanceof DatabaseFault) noteRejected(error, write);
      throw error;
    },
  );
  return [written.rows, record.rows];
}

async function runOne(
  run: RunStatement,
  statement: Statement,
  numbers: 'json' | 'string',
): Promise<ResultSet> {
  try {
    return (await run(statement.sql, statement.params, createResultSink(statement, numbers))).rows;
  } catch (error) {
    if (error instanceof DatabaseFault) {
      noteRejected(error, statement);
      if (statement.table !== undefined) faultTables.set(error, statement.table);
    }
    throw error;
  }
}

/** The tables of errors that are not about the request's own table. */
const faultTables = new WeakMap<DatabaseFault, CompiledTable>();

function toFault(fault: DatabaseFault): Parameters<typeof mapDatabaseError>[0] {
  return { errno: fault.errno, sqlState: fault.sqlState, message: fault.sqlMessage };
}

/** Converts an error of the server to an error of the API. */
export function toAppFault(
  fault: DatabaseFault,
  plan: Pick<Plan, 'kind' | 'table'> & Partial<Pick<Plan, 'address'>>,
): AppError {
  return withNamed(
    mapDatabaseError(toFault(fault), { ...plan, table: faultTables.get(fault) ?? plan.table }),
    fault,
  );
}

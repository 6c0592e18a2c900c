import { AppError } from '@rowhouse/errors';
import { DatabaseFault, runBounded, runKeyed, runShortWrite, runStatements, type PairedStatement, type RowSink, type RunMode, type RunPair, type RunStatement, type RunTarget, type SessionNeed } from '@rowhouse/mysql';
import { isUpsertRace, isStaleFault, mayBeUpsertRace, mapDatabaseError, toResponse, type ApiResponse, type Plan, type ResultSet, type Statement, type StatementProgram, type StatementRound } from '@rowhouse/rest-engine';
import type { CompiledTable, EngineCapabilities } from '@rowhouse/schema-model';
import type { TenantDatabase } from '../tenant/tenant.js';
import { assertRoom } from './assert-room.js';
import type { Gateway } from './gateway.js';
import { guardRegex } from './guard-regex.js';
import { isOfRows, nameRefused, noteRefused, withNamed } from './name-refused.js';
import { finishResults } from './finish-results.js';
import { createResultSink } from './result-sink.js';
import { atPlace, newestOf, runAtPlace } from './run-at-place.js';
import { StaleSchema } from './stale-schema.js';
import { WrittenUnread } from './written-unread.js';

/** How long a request waits for one of its tenant's connections. */
export const CONNECTION_WAIT_MS = 3_000;
/** Of an upsert that others come in between. */
export const UPSERT_ATTEMPTS_MAX = 4;

/** What stands around a write in its transaction. Both may be called again when the whole job runs again. */
export interface WriteGuard {
  begin(run: RunStatement): Promise<void>;
  end(run: RunStatement, response: ApiResponse): Promise<void>;
}

/** The same, before there is an answer. */
interface ProgramGuard {
  begin(run: RunStatement): Promise<void>;
  end(run: RunStatement, results: readonly ResultSet[]): Promise<void>;
}

/** Where the tenant's rows are read and written. */
export function rowsTarget(database: TenantDatabase): RunTarget {
  const { server, rowsAccount: account } = newestOf(database);
  if (account === null) throw new AppError('db.provisioning', { retryAfterSeconds: 2, internal: 'no rows account' });
  return { server, account };
}

/**
 * Step 8: the plan's statements on the tenant's own account, results in the order of the statements. Throws
 * StaleSchema when the database does not know what the snapshot names, AppError otherwise.
 */
export function runProgram(gateway: Gateway, database: TenantDatabase, plan: Plan, program: StatementProgram, { guard = null, admitNext = null }: ProgramOptions = NO_OPTIONS): Promise<readonly ResultSet[]> {
  return plan.kind === 'upsert' ? runAgain(gateway, database, plan, program, guard) : runOnce(gateway, database, plan, program, guard, admitNext);
}

interface ProgramOptions {
  readonly guard?: ProgramGuard | null;
  readonly admitNext?: AdmitNext | null;
}

/** Asked just before what runs behind a plan's first statements does; `run`: on this session, which is there already. Null: nothing has to be waited for. */
export type AdmitNext = (statement: Statement, run: RunStatement | null) => Promise<void> | null;

const NO_OPTIONS: ProgramOptions = Object.freeze({});

/** An upsert, for as long as others come in between. */
async function runAgain(gateway: Gateway, database: TenantDatabase, plan: Extract<Plan, { kind: 'upsert' }>, program: StatementProgram, guard: ProgramGuard | null): Promise<readonly ResultSet[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(gateway, database, plan, program, guard);
    } catch (error) {
      const isRace = error instanceof AppError && (attempt === 1 ? mayBeUpsertRace(plan, error) : isUpsertRace(plan, error));
      if (!isRace || attempt === UPSERT_ATTEMPTS_MAX) throw error;
    }
  }
}

/** Steps 8 and 9 between the two parts of a guard: the answer is known before the transaction ends. */
export async function runGuarded(gateway: Gateway, database: TenantDatabase, plan: Plan, program: StatementProgram, guard: WriteGuard): Promise<ApiResponse> {
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
  if (response === null) throw new AppError('internal.defect', { internal: 'a guarded write ended without an answer' });
  return response;
}

async function runOnce(gateway: Gateway, database: TenantDatabase, plan: Plan, program: StatementProgram, guard: ProgramGuard | null, admitNext: AdmitNext | null = null): Promise<readonly ResultSet[]> {
  assertRoom(database, plan.kind);
  try {
    if (guard === null && isSmallRead(plan, program)) return await runReads(gateway, database, plan, program, admitNext);
    const mode = guard !== null && program.transaction === 'none' ? 'transaction' : toMode(plan, program);
    if (guard === null && mode === 'write' && isShortWrite(plan) && isAtOnce(program.first)) return await runWrite(gateway, database, plan, program.first);
    return await runAtPlace(gateway, database, rowsTarget, { mode, waitMs: CONNECTION_WAIT_MS, need: needOf(plan, mode, program.first) }, async (run, runPair) => {
      await guard?.begin(run);
      const results = await runRounds(run, plan, program, database.record.server.capabilities, { runPair, admitNext, pause: pauseOf(gateway, database) }).catch(async (error: unknown) => {
        if (mode !== 'write' || !isOfRows(error)) await nameRefused(error, plan, run);
        throw error;
      });
      await guard?.end(run, results);
      return results;
    });
  } catch (error) {
    if (program.transaction === 'none' && guard === null && isOfRows(error)) await nameRehearsed(gateway, database, error, plan);
    throw toPlanError(error, plan);
  }
}

/** The rows of a statement that committed by itself are tried once more, in a transaction that is rolled back. */
async function nameRehearsed(gateway: Gateway, database: TenantDatabase, error: DatabaseFault, plan: Plan): Promise<void> {
  // Without an answer the refusal is told without the element.
  await runAtPlace(gateway, database, rowsTarget, { mode: 'dry_run', waitMs: CONNECTION_WAIT_MS }, (run) => nameRefused(error, plan, run)).catch(() => undefined);
}

/** Begins with a read of few rows. The limit of a regular expression is its session's. */
function isSmallRead({ hasRegex }: Plan, { transaction, first: { statements: [first] } }: StatementProgram): boolean {
  return transaction === 'none' && hasRegex !== true && (first?.isShort === true || first?.mayBeShort === true);
}

/** Of one record. */
function isShortWrite(plan: Plan): boolean {
  return plan.kind === 'update' || plan.kind === 'delete' || (plan.kind === 'create' && !plan.isBulk);
}

/** What waits for the disk alone may have sessions of those for short writes, while its tenant works alone. */
function needOf(plan: Plan, mode: RunMode, first: StatementRound): SessionNeed {
  if (isShortWrite(plan)) return 'short';
  return plan.kind === 'create' && mode === 'write' && isAtOnce(first) ? 'burst' : 'long';
}

/** A write that commits by itself, and nothing else or the reading of the record as it is then. */
function isAtOnce({ statements: [write, read, ...more] }: StatementRound): boolean {
  return (write?.role.kind === 'write' || write?.role.kind === 'records') && (read === undefined || read.role.kind === 'records') && more.length === 0;
}

/** In one trip: what is read is found by the same key, whatever the change gives. */
async function runWrite(gateway: Gateway, database: TenantDatabase, { preferences: { numbers } }: Plan, { statements: [first, second] }: StatementRound): Promise<readonly ResultSet[]> {
  if (first === undefined) throw new Error('a write has a statement');
  const write = toPaired(first, numbers);
  const read = second === undefined ? null : toPaired(second, numbers);
  const [written, record] = await atPlace(gateway, database, (current) => runShortWrite(gateway.pools, rowsTarget(current), SHORT_WRITE, { write, read }));
  const results = record === null ? [written.rows] : [written.rows, record.rows];
  await finishResults(results, pauseOf(gateway, database));
  return results;
}

/** Waits for the next slice that the database may take of the event loop. */
export function pauseOf({ turns }: Pick<Gateway, 'turns'>, { record }: Pick<TenantDatabase, 'record'>): () => Promise<void> {
  return () => turns.turn(record.schemaName);
}

const SHORT_WRITE = { waitMs: CONNECTION_WAIT_MS };

function toPaired(statement: Statement, numbers: 'json' | 'string'): PairedStatement<ResultSet> {
  return { sql: statement.sql, values: statement.params, makeSink: () => createResultSink(statement, numbers) };
}

/** Reads without a transaction that begin with a small one: each statement where it is placed best. */
async function runReads(gateway: Gateway, database: TenantDatabase, plan: Plan, program: StatementProgram, admitNext: AdmitNext | null): Promise<readonly ResultSet[]> {
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

/** What surely is short goes beside others of its tenant on one connection, and so does what has shown that it is; everything else has one to itself. */
async function readOne({ pools }: Gateway, database: TenantDatabase, statement: Statement, numbers: 'json' | 'string'): Promise<ResultSet> {
  const target = rowsTarget(database);
  const makeSink = (): RowSink<ResultSet> => createResultSink(statement, numbers);
  if (statement.isShort === true) return (await runKeyed(pools, target, CONNECTION_WAIT_MS, statement, makeSink)).rows;
  if (statement.mayBeShort === true) return (await runBounded(pools, target, CONNECTION_WAIT_MS, statement, makeSink)).rows;
  return (await runStatements(pools, target, { mode: 'read', waitMs: CONNECTION_WAIT_MS }, (run) => run(statement.sql, statement.params, makeSink()))).rows;
}

/** What the database refused, as the caller may know it; StaleSchema where it does not know what the snapshot names. */
export function toPlanError(error: unknown, plan: Plan): unknown {
  if (!(error instanceof DatabaseFault)) return error;
  if (error.isBehindWrite) return new WrittenUnread(error);
  if (isStaleFault(toFault(error), plan)) return new StaleSchema(error.errno, error.sqlMessage);
  return toAppFault(error, plan);
}

/** How many records a list has that is not read by a program of its own. */
export async function countRecords(gateway: Gateway, database: TenantDatabase, plan: Plan, count: Statement): Promise<ResultSet> {
  const program: StatementProgram = { transaction: 'none', first: { statements: [count], isOrdered: false }, next: () => null };
  const [result] = await runProgram(gateway, database, plan, program);
  if (result === undefined) throw new Error('a count has a result');
  return result;
}

function toMode(plan: Plan, program: StatementProgram): RunMode {
  if (program.transaction === 'commit') return 'transaction';
  if (program.transaction === 'rollback') return 'dry_run';
  return plan.kind === 'list' || plan.kind === 'aggregate' || plan.kind === 'explain' || plan.kind === 'read' ? 'read' : 'write';
}

export interface RoundOptions {
  /** What runs a write and its reading back at once. */
  readonly runPair: RunPair;
  readonly admitNext: AdmitNext | null;
  /** Between slices of large rows. */
  readonly pause: () => Promise<void>;
}

export async function runRounds(run: RunStatement, plan: Plan, program: StatementProgram, { regexFaults }: Pick<EngineCapabilities, 'regexFaults'>, { runPair, admitNext, pause }: RoundOptions): Promise<readonly ResultSet[]> {
  const { numbers } = plan.preferences;
  const bounded = plan.hasRegex === true ? guardRegex(run, regexFaults) : run;
  const results: ResultSet[] = [];
  let round: StatementRound | null = program.first;
  while (round !== null) {
    const { statements } = round;
    for (let at = 0; at < statements.length; at += 1) {
      const [first, second] = [statements[at] as Statement, statements[at + 1]];
      if (first.counted !== undefined) await admitNext?.(first, run);
      if (second !== undefined && plan.hasRegex !== true && isPair(first, second)) {
        results.push(...(await runBoth(runPair, first, second, numbers)));
        at += 1;
      } else results.push(await runOne(bounded, first, numbers));
      const finishing = finishResults(results.slice(-2), pause);
      if (finishing !== null) await finishing;
    }
    round = program.next(results);
  }
  return results;
}

/** A write of the request's own table, and the reading back that needs nothing of what it gives. */
function isPair(write: Statement, read: Statement): boolean {
  return write.role.kind === 'write' && read.role.kind === 'records' && write.table === undefined && read.table === undefined;
}

async function runBoth(runPair: RunPair, write: Statement, read: Statement, numbers: 'json' | 'string'): Promise<readonly ResultSet[]> {
  const [written, record] = await runPair(toPaired(write, numbers), toPaired(read, numbers)).catch((error: unknown) => {
    if (error instanceof DatabaseFault) noteRefused(error, write);
    throw error;
  });
  return [written.rows, record.rows];
}

async function runOne(run: RunStatement, statement: Statement, numbers: 'json' | 'string'): Promise<ResultSet> {
  try {
    return (await run(statement.sql, statement.params, createResultSink(statement, numbers))).rows;
  } catch (error) {
    if (error instanceof DatabaseFault) {
      noteRefused(error, statement);
      if (statement.table !== undefined) faultTables.set(error, statement.table);
    }
    throw error;
  }
}

/** What a refusal is about where that is not the request's own table. */
const faultTables = new WeakMap<DatabaseFault, CompiledTable>();

function toFault(fault: DatabaseFault): Parameters<typeof mapDatabaseError>[0] {
  return { errno: fault.errno, sqlState: fault.sqlState, message: fault.sqlMessage };
}

/** What the server refused, in the words of the API. */
export function toAppFault(fault: DatabaseFault, plan: Pick<Plan, 'kind' | 'table'> & Partial<Pick<Plan, 'address'>>): AppError {
  return withNamed(mapDatabaseError(toFault(fault), { ...plan, table: faultTables.get(fault) ?? plan.table }), fault);
}

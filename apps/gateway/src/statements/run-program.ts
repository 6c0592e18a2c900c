import { pauseOf, type SchedulingServices } from '@rowhouse/admission';
import { AppError, defect } from '@rowhouse/errors';
import { runStatements, type RowSink, type RunStatement, type RunTarget } from '@rowhouse/mysql';
import {
  isUpsertRace,
  mayBeUpsertRace,
  toResponse,
  type ApiResponse,
  type Plan,
  type ResultSet,
  type Statement,
  type StatementProgram,
  type StatementRound,
  type DigestCells,
} from '@rowhouse/rest-engine';
import { assertStorageQuota } from '../limits/assert-storage-quota.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import { chooseExecution } from './choose-execution.js';
import { finishResults } from './finish-results.js';
import { toPlanError } from './plan-error.js';
import { isSeveralRows, locateRejected, type RejectedStatementError } from './rejected-statement.js';
import { createResultSink } from './result-sink.js';
import { atPlacement, newestOf, runAtPlacement, type PlacementServices } from './run-at-placement.js';
import { runRounds, toPaired, type AdmitNext } from './run-rounds.js';

export interface StatementServices extends PlacementServices, SchedulingServices {}

export interface RecordServices extends StatementServices {
  /** Computes the digests in ETags. Its key is the same in every gateway of the deployment. */
  readonly digest: DigestCells;
}

/** The maximum time that a request waits for one of its tenant's connections. */
export const CONNECTION_WAIT_MS = 3_000;
/** The maximum number of attempts when an upsert loses a race. */
export const UPSERT_ATTEMPTS_MAX = 4;

/**
 * Adds statements before and after a write, in its transaction. Both functions are called again when the
 * transaction is repeated.
 */
export interface WriteGuard {
  begin(run: RunStatement): Promise<void>;
  end(run: RunStatement, response: ApiResponse): Promise<void>;
}

/** A `WriteGuard` that receives the results of the statements instead of the response. */
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
 * Runs the statements of a plan under the tenant's own account. Returns their results in order. An upsert
 * that loses a race with another write is repeated.
 *
 * @throws StaleSchemaError when the database does not know a name of the snapshot
 * @throws UnreadableWriteError when the write was committed, but its record could not be read
 * @throws AppError for all other rejections
 */
export function runProgram(
  services: StatementServices,
  database: TenantDatabase,
  plan: Plan,
  program: StatementProgram,
  { guard = null, admitNext = null }: ProgramOptions = NO_OPTIONS,
): Promise<readonly ResultSet[]> {
  return plan.kind === 'upsert'
    ? runUpsert(services, database, plan, program, guard)
    : runOnce(services, database, plan, program, guard, admitNext);
}

interface ProgramOptions {
  readonly guard?: ProgramGuard | null;
  readonly admitNext?: AdmitNext | null;
}

const NO_OPTIONS: ProgramOptions = Object.freeze({});

/** Runs an upsert, up to `UPSERT_ATTEMPTS_MAX` times while it loses races with other writes. */
async function runUpsert(
  services: StatementServices,
  database: TenantDatabase,
  plan: Extract<Plan, { kind: 'upsert' }>,
  program: StatementProgram,
  guard: ProgramGuard | null,
): Promise<readonly ResultSet[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(services, database, plan, program, guard);
    } catch (error) {
      const isRace =
        error instanceof AppError &&
        (attempt === 1 ? mayBeUpsertRace(plan, error) : isUpsertRace(plan, error));
      if (!isRace || attempt === UPSERT_ATTEMPTS_MAX) throw error;
    }
  }
}

/** Runs a write and creates its response between the two parts of a guard, all in one transaction. */
export async function runGuarded(
  services: RecordServices,
  database: TenantDatabase,
  plan: Plan,
  program: StatementProgram,
  guard: WriteGuard,
): Promise<ApiResponse> {
  let response: ApiResponse | null = null;
  await runProgram(services, database, plan, program, {
    guard: {
      begin: (run) => guard.begin(run),
      end(run, results) {
        response = toResponse(plan, results, services.digest);
        return guard.end(run, response);
      },
    },
  });
  return response ?? defect('a guarded write ended without a response');
}

async function runOnce(
  services: StatementServices,
  database: TenantDatabase,
  plan: Plan,
  program: StatementProgram,
  guard: ProgramGuard | null,
  admitNext: AdmitNext | null = null,
): Promise<readonly ResultSet[]> {
  assertStorageQuota(database, plan.kind);
  const execution = chooseExecution(plan, program, guard !== null);
  try {
    if (execution.kind === 'reads') return await runReads(services, database, plan, program, admitNext);
    if (execution.kind === 'one_write') return await runWriteAndRead(services, database, plan, program.first);
    const { mode, need } = execution;
    return await runAtPlacement(
      services,
      database,
      rowsTarget,
      { mode, waitMs: CONNECTION_WAIT_MS, need },
      async (run, runPair) => {
        await guard?.begin(run);
        const results = await runRounds(run, plan, program, database.record.server.capabilities, {
          runPair,
          admitNext,
          pause: pauseOf(services, database),
        }).catch(async (error: unknown) => {
          // Without a transaction, repeating a part of a rejected INSERT would store its rows, so this is not
          // done here.
          if (mode !== 'write' || !isSeveralRows(error)) await locateRejected(error, plan, run);
          throw error;
        });
        await guard?.end(run, results);
        return results;
      },
    );
  } catch (error) {
    if (program.transaction === 'none' && guard === null && isSeveralRows(error))
      await locateInDryRun(services, database, error, plan);
    throw toPlanError(error, plan);
  }
}

/** Finds the rejected row by a dry run, after a statement without a transaction. */
async function locateInDryRun(
  services: StatementServices,
  database: TenantDatabase,
  error: RejectedStatementError,
  plan: Plan,
): Promise<void> {
  // If the dry run fails, the error does not name the rejected element.
  await runAtPlacement(
    services,
    database,
    rowsTarget,
    { mode: 'dry_run', waitMs: CONNECTION_WAIT_MS },
    (run) => locateRejected(error, plan, run),
  ).catch(() => undefined);
}

/**
 * Runs a write and the read of its record in one round trip. The read does not depend on the write's result.
 */
async function runWriteAndRead(
  services: StatementServices,
  database: TenantDatabase,
  { preferences: { numbers } }: Plan,
  { statements: [first, second] }: StatementRound,
): Promise<readonly ResultSet[]> {
  if (first === undefined) return defect('a write without a statement');
  const write = toPaired(first, numbers);
  const read = second === undefined ? null : toPaired(second, numbers);
  const [written, record] = await atPlacement(services, database, (current) =>
    services.pools.executor.writeRecord(rowsTarget(current), SHORT_WRITE, { write, read }),
  );
  const results = record === null ? [written.rows] : [written.rows, record.rows];
  await finishResults(results, pauseOf(services, database));
  return results;
}

const SHORT_WRITE = { waitMs: CONNECTION_WAIT_MS };

/** Runs reads without a transaction. `readOne` chooses a connection for each statement. */
async function runReads(
  services: StatementServices,
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
      const result = await readOne(services, database, statement, plan.preferences.numbers);
      if (result.isLate === true) await finishResults([result], pauseOf(services, database));
      results.push(result);
    }
  }
  return results;
}

/**
 * Runs one read. A statement that is short by its form, or was short in earlier runs, shares the tenant's
 * pipelined connection. Any other statement uses a separate connection.
 */
async function readOne(
  { pools }: Pick<StatementServices, 'pools'>,
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

/** Counts the records of a streamed list. */
export async function countRecords(
  services: StatementServices,
  database: TenantDatabase,
  plan: Plan,
  count: Statement,
): Promise<ResultSet> {
  const program: StatementProgram = {
    transaction: 'none',
    first: { statements: [count], isOrdered: false },
    next: () => null,
  };
  const [result] = await runProgram(services, database, plan, program);
  return result ?? defect('a count without a result');
}

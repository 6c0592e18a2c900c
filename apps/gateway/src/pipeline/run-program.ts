import { AppError } from '@rowhouse/errors';
import { DatabaseFault, runStatements, type RowSink, type RunMode, type RunStatement } from '@rowhouse/mysql';
import { createRowSink, isUpsertRace, mapDatabaseError, type Plan, type ResultSet, type Statement, type StatementProgram, type StatementRound } from '@rowhouse/rest-engine';
import { LIMITS } from '../limits.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import type { Gateway } from './gateway.js';
import { isStaleSchemaFault, StaleSchema } from './on-live-schema.js';

/** How long a request waits for one of its tenant's connections. */
export const CONNECTION_WAIT_MS = 3_000;
/** Of an upsert that others come in between. */
const UPSERT_ATTEMPTS_MAX = 4;

/**
 * Step 8: the plan's statements on the tenant's own account, results in the order of the statements. Throws
 * StaleSchema when the database does not know what the snapshot names, AppError otherwise.
 */
export async function runProgram(gateway: Gateway, database: TenantDatabase, plan: Plan, program: StatementProgram): Promise<readonly ResultSet[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(gateway, database, plan, program);
    } catch (error) {
      const isRace = plan.kind === 'upsert' && error instanceof AppError && isUpsertRace(plan, error);
      if (!isRace || attempt === UPSERT_ATTEMPTS_MAX) throw error;
    }
  }
}

async function runOnce(gateway: Gateway, database: TenantDatabase, plan: Plan, program: StatementProgram): Promise<readonly ResultSet[]> {
  const account = database.rowsAccount;
  if (account === null) throw new AppError('db.provisioning', { retryAfterSeconds: 2, internal: 'no rows account' });
  const numbers = plan.preferences.numbers;
  try {
    return await runStatements(gateway.pools, { server: database.server, account }, { mode: toMode(plan, program), waitMs: CONNECTION_WAIT_MS }, (run) => runRounds(run, program, numbers));
  } catch (error) {
    if (!(error instanceof DatabaseFault)) throw error;
    if (isStaleSchemaFault(error.errno)) throw new StaleSchema(error.errno, error.sqlMessage);
    throw mapDatabaseError({ errno: error.errno, sqlState: error.sqlState, message: error.sqlMessage }, plan);
  }
}

function toMode(plan: Plan, program: StatementProgram): RunMode {
  if (program.transaction === 'commit') return 'transaction';
  if (program.transaction === 'rollback') return 'dry_run';
  return plan.kind === 'list' || plan.kind === 'read' ? 'read' : 'write';
}

async function runRounds(run: RunStatement, program: StatementProgram, numbers: 'json' | 'string'): Promise<readonly ResultSet[]> {
  const results: ResultSet[] = [];
  let round: StatementRound | null = program.first;
  while (round !== null) {
    for (const statement of round.statements) results.push(await runOne(run, statement, numbers));
    round = program.next(results);
  }
  return results;
}

async function runOne(run: RunStatement, statement: Statement, numbers: 'json' | 'string'): Promise<ResultSet> {
  return (await run(statement.sql, statement.params, toDriverSink(statement, numbers))).rows;
}

/** The stock sink behind the driver's interface. Another implementation only has to give a ResultSet. */
function toDriverSink(statement: Statement, numbers: 'json' | 'string'): RowSink<ResultSet> {
  const sink = createRowSink(statement, { numbers, textMax: LIMITS.answerBytesMax });
  return {
    columns: () => undefined,
    row: (cells) => sink.row(cells),
    end: (counts) => sink.end({ affectedRows: counts.affectedRows, insertId: counts.insertId === '0' ? null : counts.insertId }),
  };
}

import type { Gate } from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import { checkStatement, DatabaseFault, runStatements, type PoolAccount } from '@rowhouse/mysql';
import type { GuardedRead, GuardedWrite } from '@rowhouse/query-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import type { CostServices } from '../cost/admit-plan.js';
import { admitQuery } from '../cost/admit-query.js';
import { LIMITS } from '../limits/limits.js';
import { mayBeRightsChange, StaleSchemaError } from '../schema/retry-through-schema-change.js';
import type { PlacementServices } from '../statements/run-at-placement.js';
import { CONNECTION_WAIT_MS } from '../statements/run-program.js';
import type { Tenant } from '../tenant/tenant.js';
import { toQueryError } from './query-error.js';
import {
  createQuerySink,
  createExplainCleaner,
  type QueryRows,
  type QuerySinkOptions,
} from './query-sink.js';

export interface QueryRunServices extends PlacementServices, CostServices {
  /** Returns the gate of a database, which admits at most two users' queries at once. */
  queryGate(databaseId: string): Gate;
}

export interface QueryRun {
  readonly rows: QueryRows;
  readonly elapsedMs: number;
  /** Set for a statement that writes. */
  readonly written: { readonly affectedRows: number; readonly insertId: string | null } | null;
}

export type RunnableQuery = GuardedRead;

/**
 * Runs a guarded query in a READ ONLY transaction, on the account with exactly this key's rights. Each
 * database runs at most two such queries at a time, including orphaned statements. The session is reset
 * afterwards.
 */
export async function runQuery(
  services: QueryRunServices,
  tenant: Tenant,
  query: RunnableQuery,
  options: Omit<QuerySinkOptions, 'clean'>,
): Promise<QueryRun> {
  const { database } = tenant;
  const account = findQueryAccount(tenant);
  const target = { server: database.server, account };
  const clean = createExplainCleaner(query, database.record.schemaName);
  try {
    return await services.queryGate(database.record.id).run((onLeft) =>
      runStatements(
        services.pools,
        target,
        { mode: 'read_only', waitMs: CONNECTION_WAIT_MS, statementMsMax: LIMITS.statementMsMax, onLeft },
        async (run) => {
          // One row more than requested shows whether there are more rows. An explicit LIMIT has precedence,
          // and the sink handles both cases.
          const remainingMs = await admitQuery(services.costs, tenant, query, options.compiled, run, {
            statementMsMax: LIMITS.statementMsMax,
            rowsMax: options.rowsMax + 1,
          });
          const result = await run(
            query.runSql,
            query.params,
            createQuerySink(query.runSql, { ...options, clean }),
            remainingMs,
          );
          // Some statements report success although the server stopped them at the time limit.
          if (result.elapsedMs >= remainingMs) throw new AppError('query.timeout');
          return { rows: result.rows, elapsedMs: result.elapsedMs, written: null };
        },
      ),
    );
  } catch (error) {
    throw toRunQueryError(error, query, options.compiled, (errno) =>
      mayBeRightsChange(services, database.record.id, errno),
    );
  }
}

export interface Rehearsal {
  readonly compiled: CompiledSnapshot;
  /** True for SQL that the caller did not write, which must give the same result each time. */
  readonly groupsStrictly: boolean;
}

/** Checks a query on the server without running it, with the key's own rights. Returns the time in ms. */
export async function rehearseQuery(
  services: QueryRunServices,
  tenant: Tenant,
  query: RunnableQuery,
  { compiled, groupsStrictly }: Rehearsal,
): Promise<number> {
  const { database } = tenant;
  const startedMs = performance.now();
  try {
    const target = { server: database.server, account: findQueryAccount(tenant) };
    await services
      .queryGate(database.record.id)
      .run(() =>
        checkStatement(services.pools, target, { waitMs: CONNECTION_WAIT_MS, groupsStrictly }, query.runSql),
      );
    return performance.now() - startedMs;
  } catch (error) {
    throw toRunQueryError(error, query, compiled, (errno) =>
      mayBeRightsChange(services, database.record.id, errno),
    );
  }
}

/**
 * Converts the error of a user's statement to an error for its author. `mayPass` returns whether a server
 * error may come from privileges that are being changed.
 */
export function toRunQueryError(
  error: unknown,
  query: GuardedRead | GuardedWrite,
  compiled: CompiledSnapshot,
  mayPass: (errno: number) => boolean,
): unknown {
  if (error instanceof DatabaseFault) {
    const rejection = toQueryError(error, query, compiled);
    return rejection instanceof StaleSchemaError || !mayPass(error.errno)
      ? rejection
      : new StaleSchemaError({ kind: 'server', errno: error.errno, message: error.sqlMessage }, rejection);
  }
  if (error instanceof AppError && error.code === 'limit.statement_time')
    return new AppError('query.timeout', { internal: error.internal ?? '', cause: error });
  return error;
}

export function findQueryAccount(tenant: Tenant): PoolAccount {
  const account = tenant.database.queryAccounts.get(tenant.key.rightsHash);
  if (account === undefined)
    throw new AppError('db.provisioning', {
      retryAfterSeconds: 2,
      internal: `no query account for rights ${tenant.key.rightsHash}`,
    });
  return account;
}

import { hashWriteRights } from '@rowhouse/credentials';
import { AppError, readMysqlError } from '@rowhouse/errors';
import { DatabaseFault, type RowSink, type RunTarget } from '@rowhouse/mysql';
import type { GuardedWrite } from '@rowhouse/query-engine';
import { MAX_AFFECTED_MAX, type Preferences } from '@rowhouse/rest-engine';
import type { CompiledSnapshot } from '@rowhouse/schema-model';
import { admitQuery } from '../cost/admit-query.js';
import { assertStorageQuota } from '../limits/assert-storage-quota.js';
import { LIMITS } from '../limits/limits.js';
import { mayBeRightsChange } from '../schema/retry-through-schema-change.js';
import { toAppFault } from '../statements/plan-error.js';
import { findWritablePlacement, runAtPlacement } from '../statements/run-at-placement.js';
import { CONNECTION_WAIT_MS } from '../statements/run-program.js';
import type { Tenant, TenantDatabase } from '../tenant/tenant.js';
import { createQuerySink, type QueryRows, type QuerySinkOptions } from './query-sink.js';
import { toRunQueryError, type QueryRun, type QueryRunServices } from './run-query.js';

export interface WriteOptions extends Omit<QuerySinkOptions, 'rowsMax' | 'clean'> {
  readonly isDryRun: boolean;
  readonly preferences: Preferences;
}

/**
 * The number of rows that an UPDATE or DELETE may change if `max-affected` is not set. Filtered writes have
 * the same default.
 */
const AFFECTED_MAX = 100;
/** The kinds of errors about values and rows, which get the messages of the table endpoints. */
const ROW_FAULT_KINDS = new Set([
  'duplicate',
  'foreign_key_target',
  'foreign_key_use',
  'check',
  'signal',
  'not_null',
  'value',
  'row',
  'partition',
  'charset',
  'exhausted',
  'unavailable',
  'retry',
]);

/**
 * Runs a guarded write in a transaction of its own, on the account with exactly the key's rights to write. It
 * is rolled back when it changes more than `max-affected` rows.
 */
export async function runWrite(
  services: QueryRunServices,
  tenant: Tenant,
  write: GuardedWrite,
  options: WriteOptions,
): Promise<QueryRun> {
  const { database } = tenant;
  assertStorageQuota(database, write.kind);
  const isDryRun = options.isDryRun || options.preferences.transaction === 'rollback';
  const affectedMax =
    options.preferences.maxAffected ?? (write.kind === 'insert' ? MAX_AFFECTED_MAX : AFFECTED_MAX);
  const mode = isDryRun ? 'dry_run' : 'transaction';
  try {
    // This wait happens outside of the gate. Inside, it would block queries that only read.
    const tenantDatabase = await findWritablePlacement(services, database);
    return await services.queryGate(database.record.id).run((onLeft) =>
      runAtPlacement(
        services,
        tenantDatabase,
        (current) => writeTarget(current, tenant.key),
        { mode, waitMs: CONNECTION_WAIT_MS, statementMsMax: LIMITS.statementMsMax, isUserText: true, onLeft },
        async (run) => {
          const remainingMs = await admitQuery(services.costs, tenant, write, options.compiled, run, {
            statementMsMax: LIMITS.statementMsMax,
            rowsMax: null,
          });
          const sink = boundRows(
            createQuerySink(write.runSql, { ...options, rowsMax: affectedMax, clean: null }),
            affectedMax,
          );
          const { kind, rows, counts, elapsedMs } = await run(write.runSql, write.params, sink, remainingMs);
          if (elapsedMs >= remainingMs) throw new AppError('query.timeout');
          const affectedRows = kind === 'rows' ? rows.rowCount : counts.affectedRows;
          if (affectedRows > affectedMax) throw tooMany(affectedMax);
          return {
            rows,
            elapsedMs,
            written: { affectedRows, insertId: counts.insertId === '0' ? null : counts.insertId },
          };
        },
      ),
    );
  } catch (error) {
    const mayPass = (errno: number): boolean => mayBeRightsChange(services, database.record.id, errno);
    throw toWriteError(error, write, options.compiled, database.record.server.engine, mayPass);
  }
}

/** Returns a sink that rejects the write when RETURNING reports more than `maximum` rows. */
function boundRows(sink: RowSink<QueryRows>, maximum: number): RowSink<QueryRows> {
  let count = 0;
  const countRow = (): void => {
    count += 1;
    if (count > maximum) throw tooMany(maximum);
  };
  return {
    ...sink,
    wire(layout) {
      const rows = sink.wire?.(layout) ?? null;
      return rows === null
        ? null
        : {
            row(bytes, start, end) {
              countRow();
              return rows.row(bytes, start, end);
            },
          };
    },
    row(cells) {
      countRow();
      return sink.row(cells);
    },
  };
}

function tooMany(maximum: number): AppError {
  return new AppError('record.max_affected', {
    detail: `More than ${maximum} records would change. Nothing was changed.`,
    hint: 'Narrow the WHERE clause, or allow more with Prefer: max-affected=1000. The maximum is 10,000.',
    extra: { max_affected: maximum },
  });
}

function toWriteError(
  error: unknown,
  write: GuardedWrite,
  compiled: CompiledSnapshot,
  engine: 'mariadb' | 'mysql',
  mayPass: (errno: number) => boolean,
): unknown {
  if (!(error instanceof DatabaseFault)) return toRunQueryError(error, write, compiled, mayPass);
  const table = compiled.findByName(write.targets[0] ?? '');
  const meaning = readMysqlError(error.errno, engine);
  const isRowFault = error.sqlState === '45000' || (meaning !== null && ROW_FAULT_KINDS.has(meaning.kind));
  if (table === null || !isRowFault) return toRunQueryError(error, write, compiled, mayPass);
  return toAppFault(error, { kind: write.kind === 'insert' ? 'create' : write.kind, table });
}

function writeTarget(database: TenantDatabase, key: Tenant['key']): RunTarget {
  const hash = hashWriteRights(key.scopes, key.tables);
  const account = database.writeAccounts.get(hash);
  if (account === undefined)
    throw new AppError('db.provisioning', {
      retryAfterSeconds: 2,
      internal: `no account for writes with rights ${hash}`,
    });
  return { server: database.server, account };
}

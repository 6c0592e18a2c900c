import type { MigrationState } from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { type AdminConnection, introspectSchema } from '@rowhouse/mysql';
import type { ClaimedMigration, WorkerAccount, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { EngineCapabilities, RawSchema, RawTable, Snapshot } from '@rowhouse/schema-model';
import type { LazyConnection } from '../servers/lazy-connection.js';
import { pauseBetween } from '../servers/pause-between.js';
import { asProvisioner } from '../servers/server-access.js';
import { toSnapshot, fingerprintTable } from '../snapshots/fingerprints.js';
import { inspectSchema, inspectSeparately } from '../snapshots/inspect-schema.js';
import type { JobLease, WorkerContext } from '../worker-context.js';

/**
 * Everything that one run uses. Its connection is opened for the run and never reconnects, so a run that has
 * lost it can send no further statement.
 */
export interface Run {
  readonly ctx: WorkerContext;
  readonly migration: ClaimedMigration;
  readonly lease: JobLease;
  readonly server: WorkerServer;
  readonly capabilities: EngineCapabilities;
  readonly database: WorkerDatabase;
  readonly accounts: readonly WorkerAccount[];
  readonly connection: AdminConnection;
  /** A second session. Its account can see the locks of other sessions and end their statements. */
  readonly watcher: LazyConnection;
  /** A session of the definer account, which creates views, triggers and routines. Opened on first use. */
  readonly definer: LazyConnection;
  /**
   * The state in which the migration is shown while nothing delays it, and whether the run can still be
   * cancelled.
   */
  readonly state: { current: MigrationState; mayCancel: boolean };
  /** The schema that the plan started from. `base` and `target` both use this database's stable names. */
  readonly base: Snapshot;
  readonly target: Snapshot;
  /** Tables and views that differ between `base` and `target`. */
  readonly planned: ReadonlySet<string>;
}

/** Thrown when a user cancelled the run. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/**
 * Checks that the run still holds its lease and that the migration is not cancelled. It is called before a
 * statement is sent.
 */
export async function assertMayContinue(run: Run): Promise<void> {
  run.lease.assertHeld();
  if (run.connection.isLost()) throw new AppError('db.unavailable', { internal: 'the run lost its session' });
  await run.ctx.migrations.assertHeld(run.migration);
  if (run.state.mayCancel && (await run.ctx.migrations.isCancelRequested(run.migration)))
    throw new CancelledError('cancelled on request');
}

/** Returns the current schema with the planned tables and views in their target form. */
export function withPlannedTables({ planned, target }: Run, live: RawSchema): RawSchema {
  const untouched = live.tables.filter((table) => !planned.has(table.name));
  const changed = target.tables.filter((table) => planned.has(table.name));
  return { ...live, tables: [...untouched, ...changed].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/**
 * Runs work that must be completed even if the migration is cancelled, such as reverting a step. Within
 * `callback`, statements that wait for a lock do not throw `CancelledError`.
 */
export async function withoutCancelling<T>(run: Run, callback: () => Promise<T>): Promise<T> {
  const { mayCancel } = run.state;
  run.state.mayCancel = false;
  try {
    return await callback();
  } finally {
    run.state.mayCancel = mayCancel;
  }
}

export function inspectAll(run: Run): Promise<RawSchema> {
  return withCheck(run, (session) =>
    inspectSchema(
      session,
      run.database.schemaName,
      run.server.engine,
      asProvisioner(run.ctx.access, run.server),
    ),
  );
}

/**
 * Reads over a separate session, because the run's own session must never open a view. See
 * `inspectSeparately`.
 */
export function withCheck<T>(
  { ctx, server, database, accounts }: Run,
  check: (session: AdminConnection) => Promise<T>,
): Promise<T> {
  return inspectSeparately(ctx.access.openMigrator(server, database, accounts), server.engine, (session) =>
    check(pauseBetween(session)),
  );
}

/** Returns the fingerprint of one table or view in its current state. */
export async function fingerprintNow(run: Run, tableName: string): Promise<string> {
  const check = (session: AdminConnection): Promise<RawTable[]> =>
    introspectSchema(session, run.database.schemaName, run.server.engine, tableName);
  const isView = [run.base, run.target].some(({ tables: all }) =>
    all.some((table) => table.name === tableName && table.kind === 'view'),
  );
  const tables = await (isView ? withCheck(run, check) : check(pauseBetween(run.connection)));
  return fingerprintTable(toSnapshot({ engine: run.server.engine, tables }), tableName);
}

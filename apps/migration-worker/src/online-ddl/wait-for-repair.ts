import { setTimeout as pause } from 'node:timers/promises';
import { withdrawPrepared, type ClaimedMigration } from '@rowhouse/platform-store';
import { isAccountRejected } from '../accounts/sessions/login-rejection.js';
import { withConnection } from '../servers/server-access.js';
import type { JobLease, WorkerContext, DatabaseAccess, PauseContext } from '../worker-context.js';

/**
 * The maximum time to wait, in milliseconds. An operator needs time to set a password. The owner of the
 * database can cancel the migration earlier.
 */
const WAIT_MS_MAX = 3_600_000;
const PROBE_INTERVAL_MS = 1_000;

/**
 * Waits until the server accepts the platform's accounts again. During this time, the journal shows that the
 * migration waits, and it does not occupy a job slot. Returns `cancelled` if the owner cancelled the
 * migration.
 */
export async function waitForRepair(
  ctx: WorkerContext,
  migration: ClaimedMigration,
  lease: JobLease,
): Promise<'repaired' | 'cancelled' | 'late'> {
  const startedAt = performance.now();
  lease.setWaiting(true);
  try {
    await ctx.migrations.setState(migration, 'waiting_for_repair');
    for (;;) {
      lease.assertHeld();
      if (await ctx.migrations.isCancelRequested(migration)) {
        await leaveExisting(ctx, migration);
        return 'cancelled';
      }
      if (performance.now() - startedAt > WAIT_MS_MAX) return 'late';
      if (await isRepaired(ctx, migration)) {
        await ctx.migrations.setState(migration, 'running');
        return 'repaired';
      }
      await pause(PROBE_INTERVAL_MS);
    }
  } finally {
    lease.setWaiting(false);
  }
}

/**
 * Returns false while the server rejects the login. After any other error, it returns true, and the next run
 * reports that error.
 */
async function isRepaired(ctx: DatabaseAccess, { databaseId }: ClaimedMigration): Promise<boolean> {
  const { database, server } = await ctx.directory.readPlace(databaseId);
  const accounts = await ctx.directory.listAccounts(databaseId);
  try {
    await withConnection(ctx.access.openProvisioner(server), () => Promise.resolve());
    await withConnection(ctx.access.openMigrator(server, database, accounts), () => Promise.resolve());
    return true;
  } catch (error) {
    return !isAccountRejected(error);
  }
}

/**
 * Withdraws the snapshot that was prepared, and requests an examination of the database. Without a session on
 * the server, it is unknown which steps have run. Once the server accepts logins, the detector publishes the
 * current schema.
 */
async function leaveExisting(ctx: PauseContext, migration: ClaimedMigration): Promise<void> {
  const entry = await withdrawPrepared(ctx.platform, ctx.cellId, migration.databaseId, {
    id: migration.id,
    owner: ctx.owner,
    fencingToken: migration.fencingToken,
  });
  if (entry !== null) await ctx.changes.announce(entry);
  await ctx.detects.request(migration.databaseId);
}

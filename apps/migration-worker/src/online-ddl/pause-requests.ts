import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@rowhouse/errors';
import { listGatewayLags, type GatewayLag } from '@rowhouse/platform-store';
import { assertMayContinue, type Run } from './run-state.js';
import { isInterruption } from '../jobs/job-faults.js';

/** The time after which a pause ends by itself, unless `callback` has begun. */
const PAUSE_MS = 3_000;
/** The maximum time that requests wait for the end of earlier requests. */
const QUIET_WAIT_MS = 1_000;
const POLL_INTERVAL_MS = 10;
const ATTEMPTS_MAX = 30;
const REST_MS = 1_000;

/**
 * Runs `callback` while every gateway of the cell holds all requests of the run's database, so that a name
 * can change its meaning. `callback` changes the schema, which takes milliseconds, updates settings and
 * rights for the new names, and publishes.
 *
 * If the worker dies or `callback` throws, requests stay paused, since gateways cannot know what the names
 * mean. The run that takes over calls this function again, so `callback` must handle a partly completed
 * earlier call. A run that ends in another way publishes the current schema and calls `resumeRequests`.
 *
 * Throws `db.timeout`, without any change, when earlier requests do not end.
 */
export async function withPausedRequests<T>(run: Run, callback: () => Promise<T>): Promise<T> {
  await pauseRequests(run);
  run.ctx.failPoint('requests-paused');
  const result = await callback();
  run.ctx.failPoint('requests-published');
  await resumeRequests(run);
  return result;
}

/** Ends a pause, if one exists. The current meaning of all names must be published first. */
export async function resumeRequests({ ctx, migration }: Run): Promise<void> {
  const entry = await ctx.pauses.lift(migration);
  if (entry !== null) await ctx.changes.announce(entry);
}

/** Returns when no request of the database runs and none begins until `resumeRequests`. */
async function pauseRequests(run: Run): Promise<void> {
  const { ctx, migration } = run;
  for (let attempts = 1; ; attempts += 1) {
    await assertMayContinue(run);
    const held = await tryToPause(run);
    if (held === null) return;
    ctx.logger.info({ migration: migration.id, tries: attempts, held }, 'requests were not paused');
    if (attempts >= ATTEMPTS_MAX) throw heldError(held);
    await pause(REST_MS);
  }
}

/**
 * Tries to pause requests. Returns null once they are paused. Otherwise requests continue, and the gateways
 * that prevented the pause are returned.
 */
async function tryToPause(run: Run): Promise<readonly GatewayLag[] | null> {
  const { ctx, migration } = run;
  // The time is read before the pause is stored, so this deadline is before the end of the pause.
  const endsMs = performance.now() + PAUSE_MS;
  const started = await ctx.pauses.begin(migration, PAUSE_MS);
  if (started === null)
    throw new AppError('schema.busy', { detail: 'The database is being moved, or it was deleted.' });
  try {
    await ctx.changes.announce(started.entry);
    const lags = await awaitQuiet(run, started.entry.seq);
    if (lags.length > 0) {
      if (!started.wasChanging) await resumeRequests(run);
      return lags;
    }
    await assertMayContinue(run);
    if ((await ctx.pauses.keepPaused(migration)) && (started.wasChanging || performance.now() < endsMs))
      return null;
  } catch (error) {
    if (!started.wasChanging && !isInterruption(error)) await resumeRequests(run);
    throw error;
  }
  if (!started.wasChanging) await resumeRequests(run);
  return [];
}

/**
 * Waits until no request from before the pause is running. Returns the gateways that may still run one at the
 * deadline.
 */
async function awaitQuiet({ ctx, database, lease }: Run, seq: number): Promise<readonly GatewayLag[]> {
  const endsMs = performance.now() + QUIET_WAIT_MS;
  for (;;) {
    lease.assertHeld();
    const lags = await listGatewayLags(ctx.platform, ctx.cellId, database.id, seq);
    if (lags.length === 0 || performance.now() > endsMs) return lags;
    await pause(POLL_INTERVAL_MS);
  }
}

const REASONS: Readonly<Record<GatewayLag['reason'], string>> = {
  behind: 'is behind the change log',
  old_requests: 'has requests that are still running',
  cut_off: 'stopped without releasing its lease',
};

function heldError(lags: readonly GatewayLag[]): AppError {
  const named = lags.map(({ gatewayId, reason }) => `gateway ${gatewayId} ${REASONS[reason]}`);
  return new AppError('db.timeout', {
    detail: `Requests could not be paused for this change: ${named.length === 0 ? 'the platform database was too slow' : named.join(', ')}.`,
    hint:
      'Deploy again when no long queries, exports or imports are running. A gateway that was ' +
      'killed blocks changes for ten minutes.',
  });
}

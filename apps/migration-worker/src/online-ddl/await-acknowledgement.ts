import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@rowhouse/errors';
import { listLaggingGateways } from '@rowhouse/platform-store';
import { assertMayContinue, type Run } from './run-state.js';

const POLL_INTERVAL_MS = 20;
/**
 * The maximum wait. Streams on an old snapshot are cut after 60 s, and the lease of a
 * dead gateway expires after 5 s.
 */
const DEADLINE_MS = 75_000;

/**
 * Waits until no live gateway of the cell can still send a statement of an older snapshot of
 * this database. The head of the change log is not older than the published entry, so waiting
 * for the head includes that entry.
 */
export async function awaitAcknowledgement(run: Run): Promise<void> {
  const { ctx, database } = run;
  const [head] = await ctx.platform.rows<{ last_seq: number }>(
    'SELECT last_seq FROM change_log_head WHERE cell_id = ?',
    [ctx.cellId],
  );
  const seq = Number(head?.last_seq ?? 0);
  const endsAt = performance.now() + DEADLINE_MS;
  for (let check = 1; ; check += 1) {
    const lagging = await listLaggingGateways(ctx.platform, ctx.cellId, database.id, seq);
    if (lagging.length === 0) return;
    if (performance.now() > endsAt)
      throw new AppError('db.timeout', {
        detail: 'A gateway did not leave the old schema behind in time.',
        internal: lagging.join(', '),
      });
    if (check % 50 === 0) await assertMayContinue(run);
    await pause(POLL_INTERVAL_MS);
  }
}

import type { MigrationPlan } from '@rowhouse/contracts';
import type { Snapshot } from '@rowhouse/schema-model';
import { expect } from 'vitest';
import type { TestDb, WorkerHarness } from './worker-harness.js';

/** A queued change, and the point at which the worker that claims it will be killed. */
export interface WaitingChange {
  readonly point: string;
  readonly database: TestDb;
  readonly migrationId: string;
  readonly plan: MigrationPlan;
}

/** Plans a change as a draft, which the test queues later. */
export async function holdChange(
  harness: WorkerHarness,
  database: TestDb,
  point: string,
  change: string,
): Promise<WaitingChange> {
  const { ids, plans } = await harness.holdDeploy(database.projectId, [database.id], change);
  return { point, database, migrationId: ids[0] as string, plan: plans[0] as MigrationPlan };
}

/**
 * Plans a change for each point, and kills a worker at that point. Another worker must complete each change.
 */
export async function killAtPoints(
  harness: WorkerHarness,
  points: readonly string[],
  make: () => Promise<TestDb>,
  change: string,
): Promise<WaitingChange[]> {
  const helper = await harness.startWorker();
  const waiting: WaitingChange[] = [];
  for (const point of points) waiting.push(await holdChange(harness, await make(), point, change));
  await helper.stop();
  for (const { point, migrationId } of waiting) {
    await harness.queueHeld(migrationId);
    const worker = await harness.startWorker({ FAIL_POINTS: point });
    expect({ point, how: await worker.exited }).toEqual({ point, how: 'SIGKILL' });
  }
  await harness.expireLeases();
  return waiting;
}

/**
 * Waits for the end of the change and checks that the planned schema is published.
 * Returns the served snapshot.
 */
export async function expectPublished(
  harness: WorkerHarness,
  { point, database, migrationId, plan }: WaitingChange,
): Promise<Snapshot> {
  const row = await harness.waitMigration(migrationId);
  expect({ point, state: row.state, error: row.error }).toEqual({ point, state: 'published', error: null });
  const { snapshot } = await harness.readSnapshot(database.id);
  expect({ point, hash: harness.fingerprint(snapshot) }).toEqual({ point, hash: plan.targetHash });
  return snapshot;
}

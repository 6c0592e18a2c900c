import type { MigrationPlan } from '@rowhouse/contracts';
import type { Snapshot } from '@rowhouse/schema-model';
import { expect } from 'vitest';
import type { TestDb, WorkerHarness } from './worker-harness.js';

/** A change that waits, and the point at which the worker that takes it is going to be killed. */
export interface WaitingChange {
  readonly point: string;
  readonly database: TestDb;
  readonly migrationId: string;
  readonly plan: MigrationPlan;
}

/** Planned, and held until the test has it queued. */
export async function holdChange(harness: WorkerHarness, database: TestDb, point: string, change: string): Promise<WaitingChange> {
  const { ids, plans } = await harness.holdDeploy(database.projectId, [database.id], change);
  return { point, database, migrationId: ids[0] as string, plan: plans[0] as MigrationPlan };
}

/** Waits for the end of it, which has to be the schema that was planned; gives what is served then. */
export async function expectPublished(harness: WorkerHarness, { point, database, migrationId, plan }: WaitingChange): Promise<Snapshot> {
  const row = await harness.waitMigration(migrationId);
  expect({ point, state: row.state, error: row.error }).toEqual({ point, state: 'published', error: null });
  const { snapshot } = await harness.readSnapshot(database.id);
  expect({ point, hash: harness.fingerprint(snapshot) }).toEqual({ point, hash: plan.targetHash });
  return snapshot;
}

import { setImmediate as nextSlice } from 'node:timers/promises';
import { chooseStrategy, diffSnapshotsSteps, hashInput } from '@rowhouse/ddl-plan';
import type { DirectChange, WorkerDatabase } from '@rowhouse/platform-store';
import { createId } from '@rowhouse/runtime';
import { runStepsInSlices, type Snapshot } from '@rowhouse/schema-model';
import { fingerprintSchema, sha256 } from './fingerprints.js';

/**
 * Assumptions for describing a change that has already been made. The server's algorithm and the number of
 * rows are unknown, so no table counts as empty and nothing as soft-deleted.
 */
const AS_IT_WAS = {
  copyRowsMax: Number.POSITIVE_INFINITY,
  inplaceRowsMax: Number.POSITIVE_INFINITY,
  served: new Set<never>(),
};

/**
 * Describes direct changes as the statements that lead from the published snapshot to the current schema.
 * Returns undefined when only API names differ.
 */
export async function describeDirect(
  database: WorkerDatabase,
  deployed: Snapshot,
  live: Snapshot,
  createdBy: string,
): Promise<DirectChange | undefined> {
  const diff = await runStepsInSlices(diffSnapshotsSteps(deployed, live), () => nextSlice());
  if (diff.steps.length === 0) return undefined;
  const steps = diff.steps.map((step) =>
    chooseStrategy(
      step,
      { algorithm: 'instant', side: step.beforePublish === null ? 'afterPublish' : 'beforePublish', rows: 1 },
      AS_IT_WAS,
    ),
  );
  const head = {
    database: database.id,
    environment: database.environment,
    baseSnapshot: database.snapshotNumber,
  };
  return {
    migrationId: createId('mig'),
    createdBy,
    plan: {
      ...head,
      steps,
      loss: diff.loss,
      impact: diff.impact,
      needsRebuild: [],
      hints: [],
      possibleRenames: diff.possibleRenames,
      notes: [],
      drift: [],
      targetNumber: null,
      hash: sha256(hashInput({ ...head, steps })),
      targetHash: fingerprintSchema(live),
    },
  };
}

import { setImmediate as nextSlice } from 'node:timers/promises';
import {
  compileSnapshot,
  describeSchemaSteps,
  runStepsInSlices,
  type Rights,
  type Snapshot,
} from '@rowhouse/schema-model';

const ALL_RIGHTS: Rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };

/**
 * Returns the tables of a schema as the gateway's `/schema` describes them to a key with all rights. Works in
 * slices.
 */
export async function describeTables(
  snapshot: Snapshot | null,
  revision: number,
  project: string,
): Promise<unknown[]> {
  if (snapshot === null) return [];
  const { tables } = await runStepsInSlices(
    describeSchemaSteps(compileSnapshot(snapshot, revision, ALL_RIGHTS), { project, database: 'draft' }),
    nextSlice,
  );
  return [...tables];
}

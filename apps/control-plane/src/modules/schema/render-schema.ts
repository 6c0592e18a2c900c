import { setImmediate as nextSlice } from 'node:timers/promises';
import {
  compileSnapshot,
  describeSchemaSteps,
  type Rights,
  runStepsInSlices,
  type Snapshot,
} from '@rowhouse/schema-model';
import { renderSchemaSqlSteps } from '@rowhouse/sql-files';

const ALL_RIGHTS: Rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };

/** Returns the statements of a schema, rendered in slices. Returns an empty text without a schema. */
export async function renderSchema(snapshot: Snapshot | null): Promise<string> {
  return snapshot === null ? '' : runStepsInSlices(renderSchemaSqlSteps(snapshot), () => nextSlice());
}

/**
 * Returns the tables of a schema as the gateway's `/schema` describes them to a key with all rights. The work
 * runs in slices.
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

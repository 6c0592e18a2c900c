import { setImmediate as nextTurn } from 'node:timers/promises';
import { compileSnapshot, describeSchemaSteps, doStepsInTurns, type Rights, type Snapshot } from '@rowhouse/schema-model';

const ALL_RIGHTS: Rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };

/** The tables of a schema as the gateway's `/schema` describes them to a key with all rights, some of them in each turn of the event loop. */
export async function describeTables(snapshot: Snapshot | null, revision: number, project: string): Promise<unknown[]> {
  if (snapshot === null) return [];
  const { tables } = await doStepsInTurns(describeSchemaSteps(compileSnapshot(snapshot, revision, ALL_RIGHTS), { project, database: 'draft' }), nextTurn);
  return [...tables];
}

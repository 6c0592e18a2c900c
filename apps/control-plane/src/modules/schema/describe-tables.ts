import { compileSnapshot, describeSchema, type Rights, type Snapshot } from '@rowhouse/schema-model';

const ALL_RIGHTS: Rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns: {} };

/** The tables of a schema as the gateway's `/schema` describes them to a key with all rights. */
export function describeTables(snapshot: Snapshot | null, revision: number, project: string): unknown[] {
  if (snapshot === null) return [];
  return [...describeSchema(compileSnapshot(snapshot, revision, ALL_RIGHTS), { project, database: 'draft' }).tables];
}

import { createHash } from 'node:crypto';
import { structureText, tableStructureText } from '@rowhouse/ddl-plan';
import { nameSnapshot, type RawSchema, type Snapshot } from '@rowhouse/schema-model';

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Names the structure of a whole schema, whatever its paths and relationship names. */
export function fingerprintSchema(snapshot: Snapshot): string {
  return sha256(structureText(snapshot));
}

/** Names the structure of one table or view; of one that is not there, too. */
export function fingerprintTable(snapshot: Snapshot, tableName: string): string {
  const table = snapshot.tables.find((entry) => entry.name === tableName);
  return sha256(table === undefined ? `no ${tableName}` : tableStructureText(table));
}

/** Those of `names` whose structure differs, be it that one side has none; without `names` of all that either has. */
export function listDiffering(one: Snapshot, other: Snapshot, names: ReadonlySet<string> = new Set([...one.tables, ...other.tables].map((table) => table.name))): string[] {
  const [texts, others] = [one, other].map(({ tables }) => new Map(tables.filter((table) => names.has(table.name)).map((table) => [table.name, tableStructureText(table)])));
  return [...names].filter((name) => texts?.get(name) !== others?.get(name));
}

/** What was introspected, without regard to sticky names: for comparing structures. */
export function toSnapshot(schema: RawSchema, predecessor: Snapshot | null = null): Snapshot {
  return nameSnapshot(schema, predecessor);
}

import { createHash } from 'node:crypto';
import { structureText, tableStructureText } from '@rowhouse/ddl-plan';
import { nameSnapshot, type RawSchema, type Snapshot } from '@rowhouse/schema-model';

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns a hash of a whole schema's structure, which excludes paths and relationship names. */
export function fingerprintSchema(snapshot: Snapshot): string {
  return sha256(structureText(snapshot));
}

/**
 * Returns a hash of the structure of one table or view. There is also a hash for a table that does not exist.
 */
export function fingerprintTable(snapshot: Snapshot, tableName: string): string {
  const table = snapshot.tables.find((entry) => entry.name === tableName);
  return sha256(table === undefined ? `no ${tableName}` : tableStructureText(table));
}

/**
 * Returns the names of tables, views and routines that differ between two schemas, or that only one of them
 * has.
 *
 * @param names the names to compare; by default all names of either schema
 */
export function listDiffering(
  item: Snapshot,
  other: Snapshot,
  names: ReadonlySet<string> = new Set([item, other].flatMap(listNames)),
): string[] {
  const [texts, others] = [item, other].map((snapshot) => readTexts(snapshot, names));
  return [...names].filter((name) => texts?.get(name) !== others?.get(name));
}

function listNames({ tables, routines = [] }: Snapshot): string[] {
  return [...tables, ...routines].map(({ name }) => name);
}

/**
 * Returns the texts to compare, by object name. A table, a procedure and a function may share a name, so
 * their texts are joined.
 */
function readTexts({ tables, routines = [] }: Snapshot, names: ReadonlySet<string>): Map<string, string> {
  const texts = new Map(
    tables.filter((table) => names.has(table.name)).map((table) => [table.name, tableStructureText(table)]),
  );
  for (const { name, createSql } of routines)
    if (names.has(name)) texts.set(name, `${texts.get(name) ?? ''}\n${createSql}`);
  return texts;
}

/**
 * Converts an introspected schema to a snapshot whose structure can be compared. It gets names for the API,
 * which do not matter for the comparison.
 */
export function toSnapshot(schema: RawSchema, predecessor: Snapshot | null = null): Snapshot {
  return nameSnapshot(schema, predecessor);
}

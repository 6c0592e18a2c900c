import { setImmediate as nextSlice } from 'node:timers/promises';
import { tableStructureText } from '@rowhouse/ddl-plan';
import { runStepsInSlices, mapTables, type Snapshot } from '@rowhouse/schema-model';

/** The number of tables compared per slice. */
const TABLES_PER_SLICE = 32;

export interface ObjectDifference {
  /** The object that differs: the name of a table or view, or `procedure name` for a routine. */
  object: string;
  how: 'only_here' | 'missing_here' | 'other';
}

/** Returns how the objects of `here` differ from those of `first`, by name. */
export async function compareSchemas(
  first: Snapshot | null,
  here: Snapshot | null,
): Promise<ObjectDifference[]> {
  const [before, after] = [await describeObjects(first), await describeObjects(here)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((object): ObjectDifference[] => {
    const [old, now] = [before.get(object), after.get(object)];
    if (old === now) return [];
    return [{ object, how: old === undefined ? 'only_here' : now === undefined ? 'missing_here' : 'other' }];
  });
}

const described = new WeakMap<Snapshot, Promise<ReadonlyMap<string, string>>>();

/**
 * Returns the structure of each object by name. The structure is computed once per snapshot, some hundred
 * columns per slice.
 */
export function describeObjects(snapshot: Snapshot | null): Promise<ReadonlyMap<string, string>> {
  if (snapshot === null) return Promise.resolve(new Map());
  const known = described.get(snapshot) ?? describe(snapshot);
  described.set(snapshot, known);
  return known;
}

async function describe({ tables, routines }: Snapshot): Promise<ReadonlyMap<string, string>> {
  const objects = new Map(
    await runStepsInSlices(
      mapTables(tables, (table) => [table.name, tableStructureText(table)] as const),
      () => nextSlice(),
    ),
  );
  for (const routine of routines ?? []) objects.set(`${routine.kind} ${routine.name}`, routine.createSql);
  return objects;
}

/**
 * Returns whether two schemas have the same text. The comparison runs in slices, because schemas with
 * hundreds of tables have megabytes of text.
 */
export async function isSameSchema(snapshot: Snapshot, other: Snapshot | null): Promise<boolean> {
  if (other === null || snapshot.tables.length !== other.tables.length) return false;
  if (JSON.stringify({ ...snapshot, tables: [] }) !== JSON.stringify({ ...other, tables: [] })) return false;
  for (const [index, table] of snapshot.tables.entries()) {
    if (index > 0 && index % TABLES_PER_SLICE === 0) await nextSlice();
    if (JSON.stringify(table) !== JSON.stringify(other.tables[index])) return false;
  }
  return true;
}

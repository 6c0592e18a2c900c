import { setImmediate as nextTurn } from 'node:timers/promises';
import { tableStructureText } from '@rowhouse/ddl-plan';
import { doStepsInTurns, mapTables, type Snapshot } from '@rowhouse/schema-model';

export interface ObjectDifference {
  /** A table or view by its name, a routine as `procedure name`. */
  object: string;
  how: 'only_here' | 'missing_here' | 'other';
}

/** What `here` has otherwise than `first`, by name. */
export async function compareSchemas(first: Snapshot | null, here: Snapshot | null): Promise<ObjectDifference[]> {
  const [before, after] = [await describeObjects(first), await describeObjects(here)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((object): ObjectDifference[] => {
    const [old, now] = [before.get(object), after.get(object)];
    if (old === now) return [];
    return [{ object, how: old === undefined ? 'only_here' : now === undefined ? 'missing_here' : 'other' }];
  });
}

const described = new WeakMap<Snapshot, Promise<ReadonlyMap<string, string>>>();

/** The structure of each object, by its name: written once for a snapshot, some hundred columns in each turn of the event loop. */
export function describeObjects(snapshot: Snapshot | null): Promise<ReadonlyMap<string, string>> {
  if (snapshot === null) return Promise.resolve(new Map());
  const known = described.get(snapshot) ?? describe(snapshot);
  described.set(snapshot, known);
  return known;
}

async function describe({ tables, routines }: Snapshot): Promise<ReadonlyMap<string, string>> {
  const objects = new Map(await doStepsInTurns(mapTables(tables, (table) => [table.name, tableStructureText(table)] as const), () => nextTurn()));
  for (const routine of routines ?? []) objects.set(`${routine.kind} ${routine.name}`, routine.createSql);
  return objects;
}

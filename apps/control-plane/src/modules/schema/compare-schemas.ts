import { tableStructureText } from '@rowhouse/ddl-plan';
import type { Snapshot } from '@rowhouse/schema-model';

export interface ObjectDifference {
  /** A table or view by its name, a routine as `procedure name`. */
  object: string;
  how: 'only_here' | 'missing_here' | 'other';
}

/** What `here` has otherwise than `first`, by name. */
export function compareSchemas(first: Snapshot | null, here: Snapshot | null): ObjectDifference[] {
  const [before, after] = [describeObjects(first), describeObjects(here)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((object): ObjectDifference[] => {
    const [old, now] = [before.get(object), after.get(object)];
    if (old === now) return [];
    return [{ object, how: old === undefined ? 'only_here' : now === undefined ? 'missing_here' : 'other' }];
  });
}

/** The structure of each object, by its name. */
export function describeObjects(snapshot: Snapshot | null): Map<string, string> {
  const tables = (snapshot?.tables ?? []).map((table): [string, string] => [table.name, tableStructureText(table)]);
  const routines = (snapshot?.routines ?? []).map((routine): [string, string] => [`${routine.kind} ${routine.name}`, routine.createSql]);
  return new Map([...tables, ...routines]);
}

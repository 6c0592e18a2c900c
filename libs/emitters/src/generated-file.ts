import {
  compileSnapshot,
  compileTablesSteps,
  type CompiledTable,
  type Rights,
  type Snapshot,
  type Steps,
} from '@rowhouse/schema-model';

/** A generated file. Its path is relative to the folder that the caller chooses, with slashes. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  /**
   * `generated` files are overwritten each time. `own` files are created once, and then belong to the user.
   */
  readonly owner: 'generated' | 'own';
}

/** The columns that generated code treats in a special way, as the data API does. */
export interface CodeColumns {
  /** The columns by table that the data API never returns. */
  readonly hiddenColumns: Rights['hiddenColumns'];
  /** The TINYINT(1) columns by table that the data API treats as numbers. */
  readonly numberColumns?: Rights['numberColumns'];
}

/** Compiles the tables as a key with all rights sees them. */
export function* compileForCode(
  snapshot: Snapshot,
  { hiddenColumns, numberColumns }: CodeColumns,
): Steps<readonly CompiledTable[]> {
  const rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns, numberColumns } as const;
  return yield* compileTablesSteps(compileSnapshot(snapshot, 0, rights));
}

import {
  compileSnapshot,
  compileTablesSteps,
  type CompiledTable,
  type Rights,
  type Snapshot,
  type Steps,
} from '@rowhouse/schema-model';

/** A generated file. Its path is relative to a folder that the caller chooses, and uses slashes. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
  /**
   * `generated` files are overwritten by each run. `own` files are created once, and then belong to the user.
   */
  readonly owner: 'generated' | 'own';
}

/** The columns that generated code treats in the same special way as the data API. */
export interface CodeColumns {
  /** The columns that the data API never returns, by table. */
  readonly hiddenColumns: Rights['hiddenColumns'];
  /** The TINYINT(1) columns that the data API treats as numbers instead of booleans, by table. */
  readonly numberColumns?: Rights['numberColumns'];
}

/** Compiles the tables of a snapshot for an API key with all rights. */
export function* compileForCode(
  snapshot: Snapshot,
  { hiddenColumns, numberColumns }: CodeColumns,
): Steps<readonly CompiledTable[]> {
  const rights = { tables: null, verbs: ['read', 'write', 'delete'], hiddenColumns, numberColumns } as const;
  return yield* compileTablesSteps(compileSnapshot(snapshot, 0, rights));
}

/** Characters that change the order of the text around them, so that code reads differently than it runs. */
const DIRECTION_MARKS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Escapes direction marks in a source file. They only occur in strings and comments, because names of
 * TypeScript and Python cannot contain them. Both languages read the escape in a string as the same character.
 */
export function escapeDirectionMarks(source: string): string {
  return source.replaceAll(
    DIRECTION_MARKS,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

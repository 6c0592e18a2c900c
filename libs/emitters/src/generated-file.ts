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

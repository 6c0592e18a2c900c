import type { Column, Table } from '@rowhouse/schema-model';
import type { ColumnRef, Condition, Draft } from '../types.js';
import type { Edge } from './table-graph.js';

/** A column of the rows of a mention, or of rows at the end of a path from there. */
export interface Bound {
  readonly mention: number;
  readonly path: readonly Edge[];
  /**
   * The index of the path step whose target table holds the column, when it is
   * a table between the parent and the mention. Null means the end of the path.
   */
  readonly via: number | null;
  readonly table: Table;
  readonly column: Column;
  /** The stored value, for a value without a column name. */
  readonly value: string | null;
}

/** One possible assignment of all names in a draft. */
export interface Assignment {
  readonly draft: Draft;
  readonly cost: number;
  readonly tables: readonly Table[];
  /** The path from the table of the parent to that of each mention. */
  readonly paths: readonly (readonly Edge[])[];
  readonly columns: ReadonlyMap<ColumnRef, Bound>;
  readonly values: ReadonlyMap<Condition, Bound>;
}

import type { Column, Table } from '@rowhouse/schema-model';
import type { ColumnRef, Condition, Draft } from '../types.js';
import type { Edge } from './table-graph.js';

/**
 * The column that was assigned to a name. `path` joins the rows of the mention with the rows that have the
 * column.
 */
export interface Bound {
  readonly mention: number;
  readonly path: readonly Edge[];
  /**
   * For a column in a table between the mention and its parent: the index of the join in `paths[mention]`
   * that leads to this table. `path` is then empty. Null for other columns.
   */
  readonly via: number | null;
  readonly table: Table;
  readonly column: Column;
  /** For a condition without a column name: its stored value. Null for other conditions. */
  readonly value: string | null;
}

/** One possible assignment of tables and columns to all names in a draft. */
export interface Assignment {
  readonly draft: Draft;
  readonly cost: number;
  readonly tables: readonly Table[];
  /** For each mention, the join path from its parent. */
  readonly paths: readonly (readonly Edge[])[];
  readonly columns: ReadonlyMap<ColumnRef, Bound>;
  readonly values: ReadonlyMap<Condition, Bound>;
}

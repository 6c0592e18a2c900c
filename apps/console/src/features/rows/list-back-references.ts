import type { TableView } from '../../data/schema/read-tables.js';

/** Rows of another table that point at a record of this one. */
export interface BackReference {
  readonly name: string;
  readonly table: string;
  /** The column there, and the column here that it points at. */
  readonly column: string;
  readonly target: string;
}

/** The tables whose foreign keys lead here, by one column each. */
export function listBackReferences(table: TableView, tables: readonly TableView[]): BackReference[] {
  return table.relationships.flatMap((relationship) => {
    const [column, ...more] = relationship.via;
    if (relationship.kind !== 'to_many' || column === undefined || more.length > 0) return [];
    const references = tables.find((far) => far.name === relationship.table)?.columns.find((candidate) => candidate.name === column)?.references;
    return references?.table === table.name ? [{ name: relationship.name, table: relationship.table, column, target: references.column }] : [];
  });
}

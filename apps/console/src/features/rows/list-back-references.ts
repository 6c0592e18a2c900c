import type { TableView } from '../../data/schema/read-tables.js';

/** Rows of another table that reference a record of this one. */
export interface BackReference {
  readonly name: string;
  readonly table: string;
  /** The referencing column, and the referenced column of this table. */
  readonly column: string;
  readonly target: string;
}

/** Lists the tables with a foreign key of one column to this table. */
export function listBackReferences(table: TableView, tables: readonly TableView[]): BackReference[] {
  return table.relationships.flatMap((relationship) => {
    const [column, ...more] = relationship.via;
    if (relationship.kind !== 'to_many' || column === undefined || more.length > 0) return [];
    const references = tables
      .find((target) => target.name === relationship.table)
      ?.columns.find((candidate) => candidate.name === column)?.references;
    return references?.table === table.name
      ? [{ name: relationship.name, table: relationship.table, column, target: references.column }]
      : [];
  });
}

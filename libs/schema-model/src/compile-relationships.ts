import type {
  CompiledColumn,
  CompiledLink,
  CompiledRelationship,
  CompiledTable,
} from './compiled-snapshot.js';
import type { Relationship, RelationshipLink } from './types.js';

/** Returns the relationships of `source` whose tables and columns are all visible under the rights. */
export function compileRelationships(source: CompiledTable): CompiledRelationship[] {
  const compiled: CompiledRelationship[] = [];
  for (const relationship of source.source.relationships) {
    const entry = compileRelationship(source, relationship);
    if (entry !== null) compiled.push(entry);
  }
  return compiled;
}

function compileRelationship(source: CompiledTable, relationship: Relationship): CompiledRelationship | null {
  const target = source.schema.findByName(relationship.table);
  if (target === null) return null;
  const sourceColumns = findColumns(source, relationship.nearColumns);
  const targetColumns = findColumns(target, relationship.farColumns);
  const link = relationship.link === null ? null : compileLink(source, relationship.link);
  if (sourceColumns === null || targetColumns === null || (relationship.link !== null && link === null))
    return null;
  return Object.freeze({
    name: relationship.name,
    kind: relationship.kind,
    near: source,
    far: target,
    nearColumns: sourceColumns,
    farColumns: targetColumns,
    link,
  });
}

function compileLink(source: CompiledTable, link: RelationshipLink): CompiledLink | null {
  const table = source.schema.findByName(link.table);
  if (table === null) return null;
  const sourceColumns = findColumns(table, link.nearColumns);
  const targetColumns = findColumns(table, link.farColumns);
  return sourceColumns === null || targetColumns === null
    ? null
    : Object.freeze({ table, nearColumns: sourceColumns, farColumns: targetColumns });
}

function findColumns(table: CompiledTable, names: readonly string[]): readonly CompiledColumn[] | null {
  const found: CompiledColumn[] = [];
  for (const name of names) {
    const column = table.findColumn(name);
    if (column === null) return null;
    found.push(column);
  }
  return Object.freeze(found);
}

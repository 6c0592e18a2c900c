import type { CompiledColumn, CompiledLink, CompiledRelationship, CompiledTable } from './compiled-snapshot.js';
import type { Relationship, RelationshipLink } from './types.js';

/** Returns the relationships of `near` whose tables and columns are all visible under the rights. */
export function compileRelationships(near: CompiledTable): CompiledRelationship[] {
  const compiled: CompiledRelationship[] = [];
  for (const relationship of near.source.relationships) {
    const entry = compileRelationship(near, relationship);
    if (entry !== null) compiled.push(entry);
  }
  return compiled;
}

function compileRelationship(near: CompiledTable, relationship: Relationship): CompiledRelationship | null {
  const far = near.schema.findByName(relationship.table);
  if (far === null) return null;
  const nearColumns = findColumns(near, relationship.nearColumns);
  const farColumns = findColumns(far, relationship.farColumns);
  const link = relationship.link === null ? null : compileLink(near, relationship.link);
  if (nearColumns === null || farColumns === null || (relationship.link !== null && link === null)) return null;
  return Object.freeze({ name: relationship.name, kind: relationship.kind, near, far, nearColumns, farColumns, link });
}

function compileLink(near: CompiledTable, link: RelationshipLink): CompiledLink | null {
  const table = near.schema.findByName(link.table);
  if (table === null) return null;
  const nearColumns = findColumns(table, link.nearColumns);
  const farColumns = findColumns(table, link.farColumns);
  return nearColumns === null || farColumns === null ? null : Object.freeze({ table, nearColumns, farColumns });
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

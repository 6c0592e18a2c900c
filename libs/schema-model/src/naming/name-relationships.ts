import type { NamelessRelationship } from './collect-relationships.js';
import type { Relationship } from '../types.js';

/**
 * Names the relationships of one table. The relationships in `published`, which are those of the previous
 * snapshot, keep their names. A new relationship gets the best of its names that no column or other
 * relationship has.
 */
export function nameRelationships(
  found: readonly NamelessRelationship[],
  columns: ReadonlySet<string>,
  published: readonly Relationship[],
): Relationship[] {
  const known = new Map(published.map((relationship) => [toIdentity(relationship), relationship.name]));
  const named: Relationship[] = [];
  const unnamed: NamelessRelationship[] = [];
  for (const entry of found) {
    const name = known.get(toIdentity(entry.relationship));
    if (name !== undefined) named.push({ name, ...entry.relationship });
    else if (entry.wanted.length > 0) unnamed.push(entry);
  }
  const taken = new Set([...columns, ...named.map((relationship) => relationship.name)]);
  return [...named, ...nameUnnamed(unnamed, taken)].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns a text that identifies a relationship. It does not contain the names of constraints, which may
 * change when a table is rebuilt.
 */
function toIdentity(relationship: Omit<Relationship, 'name'>): string {
  const { kind, table, nearColumns: sourceColumns, farColumns: targetColumns, link } = relationship;
  return JSON.stringify([
    kind,
    table,
    sourceColumns,
    targetColumns,
    link === null ? null : [link.table, link.nearColumns, link.farColumns],
  ]);
}

function nameUnnamed(unnamed: readonly NamelessRelationship[], taken: Set<string>): Relationship[] {
  const named: Relationship[] = [];
  let remaining = unnamed;
  const levelMax = Math.max(0, ...unnamed.map((entry) => entry.wanted.length));
  for (let level = 0; level < levelMax; level += 1) {
    const claims = countClaims(remaining, level);
    const rejected: NamelessRelationship[] = [];
    for (const entry of remaining) {
      const name = wantedAt(entry, level);
      if (name === '' || taken.has(name) || claims.get(name) !== 1) rejected.push(entry);
      else named.push({ name, ...entry.relationship });
    }
    for (const relationship of named) taken.add(relationship.name);
    remaining = rejected;
  }
  for (const entry of remaining) named.push({ name: numberedName(entry, taken), ...entry.relationship });
  return named;
}

function wantedAt(entry: NamelessRelationship, level: number): string {
  return entry.wanted[Math.min(level, entry.wanted.length - 1)] ?? '';
}

function countClaims(remaining: readonly NamelessRelationship[], level: number): Map<string, number> {
  const claims = new Map<string, number>();
  for (const entry of remaining)
    claims.set(wantedAt(entry, level), (claims.get(wantedAt(entry, level)) ?? 0) + 1);
  return claims;
}

/** Returns a name with a number, for relationships whose long names are equal. */
function numberedName(entry: NamelessRelationship, taken: Set<string>): string {
  const base = entry.wanted.at(-1) ?? entry.relationship.table;
  let number = 2;
  while (taken.has(`${base}_${number}`)) number += 1;
  taken.add(`${base}_${number}`);
  return `${base}_${number}`;
}

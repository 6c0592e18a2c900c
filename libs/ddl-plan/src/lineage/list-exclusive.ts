import type { ExclusiveDetails } from '../types.js';

/** Lists the tables that an exclusive step touches, under the names of before and of after. */
export function listExclusive({ keptTables, restoredTables, tables, alters, creates }: ExclusiveDetails): string[] {
  const moved = tables.flatMap((move) => [move.from, move.to]);
  return [...new Set([...moved, ...[...keptTables, ...restoredTables, ...alters, ...creates].map((entry) => entry.table)])];
}

/** Lists the tables whose rows or values an exclusive step keeps aside, under the names that they have before it. */
export function listLosing({ keptTables, tables, alters }: ExclusiveDetails): string[] {
  const before = new Map(tables.map((move) => [move.to, move.from]));
  return [...keptTables.map((entry) => entry.table), ...alters.filter((alter) => alter.kept.length > 0).map((alter) => before.get(alter.table) ?? alter.table)];
}

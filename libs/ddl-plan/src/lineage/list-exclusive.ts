import type { ExclusiveDetails } from '../types.js';

/** Lists the tables that an exclusive step touches, under their names before and after it. */
export function listExclusive({
  keptTables: softDeletedTables,
  restoredTables,
  tables,
  alters,
  creates,
}: ExclusiveDetails): string[] {
  const moved = tables.flatMap((move) => [move.from, move.to]);
  return [
    ...new Set([
      ...moved,
      ...[...softDeletedTables, ...restoredTables, ...alters, ...creates].map((entry) => entry.table),
    ]),
  ];
}

/** Lists the tables whose rows or values an exclusive step sets aside, under their names before the step. */
export function listLosing({ keptTables: softDeletedTables, tables, alters }: ExclusiveDetails): string[] {
  const before = new Map(tables.map((move) => [move.to, move.from]));
  return [
    ...softDeletedTables.map((entry) => entry.table),
    ...alters.filter((alter) => alter.kept.length > 0).map((alter) => before.get(alter.table) ?? alter.table),
  ];
}

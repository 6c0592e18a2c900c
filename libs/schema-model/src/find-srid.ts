import type { Column, EngineKind } from './types.js';

/**
 * Returns the spatial reference system of all values in a geometry column. Returns null when each
 * value has its own, and for other columns. MariaDB stores an SRID with each value but ignores it,
 * so all values count as SRID 0.
 */
export function findSrid(
  column: Pick<Column, 'valueKind' | 'definition'>,
  engine: EngineKind,
): number | null {
  if (column.valueKind !== 'geometry') return null;
  if (engine === 'mariadb') return 0;
  const digits = / SRID (\d+)\b/.exec(column.definition.replace(/'(?:[^'\\]|''|\\.)*'/g, ''))?.[1];
  return digits === undefined ? null : Number(digits);
}

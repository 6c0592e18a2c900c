import type { Column, EngineKind } from './types.js';

/**
 * The spatial reference system that a geometry column holds its values to; null where each value has its own, and for
 * other columns. MariaDB keeps the number with each value and looks at none of them: all values count as being of 0.
 */
export function findSrid(column: Pick<Column, 'valueKind' | 'definition'>, engine: EngineKind): number | null {
  if (column.valueKind !== 'geometry') return null;
  if (engine === 'mariadb') return 0;
  const digits = / SRID (\d+)\b/.exec(column.definition.replace(/'(?:[^'\\]|''|\\.)*'/g, ''))?.[1];
  return digits === undefined ? null : Number(digits);
}

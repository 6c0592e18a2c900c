import type { CompiledColumn } from '@rowhouse/schema-model';
import { isDayKind } from '../plan/values/coerce-temporal.js';

/**
 * On both engines, IS NULL also finds zero dates in a NOT NULL column. `<=> NULL` does not, and still finds
 * the NULLs of an outer join.
 */
export function isNullSql(column: CompiledColumn, name: string): string {
  return !column.nullable && isDayKind(column) ? `${name} <=> NULL` : `${name} IS NULL`;
}

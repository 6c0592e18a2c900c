import type { CompiledColumn } from '@rowhouse/schema-model';
import { isDayKind } from '../plan/values/coerce-temporal.js';

/** Both engines find a zero date in a NOT NULL column by IS NULL; `<=>` is right there, and behind an outer join. */
export function isNullSql(column: CompiledColumn, name: string): string {
  return !column.nullable && isDayKind(column) ? `${name} <=> NULL` : `${name} IS NULL`;
}

import type { Column } from '@rowhouse/schema-model';

/**
 * Returns an SQL expression for the value of `{c}` in the new type, for finding values that become equal by
 * rounding, truncation or another collation. Returns null when distinct values always stay distinct.
 */
export function convertedValue(from: Column, to: Column): string | null {
  if (from.valueKind === 'string' && to.valueKind === 'string') {
    return to.charset === null || to.collation === null || from.collation === to.collation
      ? null
      : `CONVERT({c} USING ${to.charset}) COLLATE ${to.collation}`;
  }
  const isNumeric = /^(integer|boolean|decimal|float|double|string)$/.test(from.valueKind);
  switch (to.valueKind) {
    case 'integer':
    case 'boolean':
      return isNumeric && from.valueKind !== 'integer' && from.valueKind !== 'boolean'
        ? 'CAST({c} AS DECIMAL(65))'
        : null;
    case 'decimal':
      return isNumeric && (from.valueKind !== 'decimal' || (to.scale ?? 0) < (from.scale ?? 0))
        ? `CAST({c} AS DECIMAL(${to.precision ?? 10},${to.scale ?? 0}))`
        : null;
    case 'date':
      return from.valueKind === 'date' ? null : 'CAST({c} AS DATE)';
    case 'datetime':
    case 'timestamp':
      return (to.fraction ?? 0) < (from.fraction ?? 0) || from.valueKind === 'string'
        ? `CAST({c} AS DATETIME(${to.fraction ?? 0}))`
        : null;
    case 'time':
      return from.valueKind === 'time' && (to.fraction ?? 0) >= (from.fraction ?? 0)
        ? null
        : `CAST({c} AS TIME(${to.fraction ?? 0}))`;
    default:
      return null;
  }
}

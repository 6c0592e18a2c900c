import type { Column } from '@rowhouse/schema-model';

/**
 * The value of `{c}` as the column's new type holds it, as far as other values may end up the same there: rounded, cut,
 * under another collation. Null: what differs before differs afterwards.
 */
export function convertedValue(from: Column, to: Column): string | null {
  if (from.valueKind === 'string' && to.valueKind === 'string') {
    return to.charset === null || to.collation === null || from.collation === to.collation ? null : `CONVERT({c} USING ${to.charset}) COLLATE ${to.collation}`;
  }
  const isNumeric = /^(integer|boolean|decimal|float|double|string)$/.test(from.valueKind);
  switch (to.valueKind) {
    case 'integer': case 'boolean': return isNumeric && from.valueKind !== 'integer' && from.valueKind !== 'boolean' ? 'CAST({c} AS DECIMAL(65))' : null;
    case 'decimal': return isNumeric && (from.valueKind !== 'decimal' || (to.scale ?? 0) < (from.scale ?? 0)) ? `CAST({c} AS DECIMAL(${to.precision ?? 10},${to.scale ?? 0}))` : null;
    case 'date': return from.valueKind === 'date' ? null : 'CAST({c} AS DATE)';
    case 'datetime': case 'timestamp': return (to.fraction ?? 0) < (from.fraction ?? 0) || from.valueKind === 'string' ? `CAST({c} AS DATETIME(${to.fraction ?? 0}))` : null;
    case 'time': return from.valueKind === 'time' && (to.fraction ?? 0) >= (from.fraction ?? 0) ? null : `CAST({c} AS TIME(${to.fraction ?? 0}))`;
    default: return null;
  }
}

import type { ValueKind } from '@rowhouse/schema-model';
import type { AggregateFunction, DatePart, OutputSource } from './aggregate-plan.js';

const SUMMABLE: ReadonlySet<ValueKind> = new Set(['integer', 'decimal', 'float', 'double', 'boolean', 'bit']);
/** Kinds without an order, or without a meaningful one. */
const UNORDERED: ReadonlySet<ValueKind> = new Set([
  'boolean',
  'enum',
  'set',
  'json',
  'geometry',
  'vector',
  'binary',
]);
const UNGROUPABLE: ReadonlySet<ValueKind> = new Set(['json', 'geometry', 'vector']);
const MOMENTS: ReadonlySet<ValueKind> = new Set(['datetime', 'timestamp']);

/**
 * Returns the kind of a function's result, which only depends on the column. Returns null if the function has
 * no meaning for it.
 */
export function aggregateKind(name: AggregateFunction, { column, jsonPath }: OutputSource): ValueKind | null {
  if (jsonPath !== undefined) return name === 'count' || name === 'count_distinct' ? 'integer' : 'decimal';
  const kind = column.valueKind;
  switch (name) {
    case 'count':
      return 'integer';
    case 'count_distinct':
      return UNGROUPABLE.has(kind) ? null : 'integer';
    case 'sum':
    case 'avg':
      return SUMMABLE.has(kind) ? (kind === 'float' || kind === 'double' ? 'double' : 'decimal') : null;
    case 'min':
    case 'max':
      return UNORDERED.has(kind) ? null : kind === 'bit' ? 'integer' : kind;
  }
}

/** Returns the kind of a group's value, or null if records cannot be grouped by it. */
export function groupKind({ column, jsonPath }: OutputSource, part: DatePart | null): ValueKind | null {
  if (jsonPath !== undefined) return part === null ? 'json' : null;
  const kind = column.valueKind;
  if (part === null) return UNGROUPABLE.has(kind) ? null : kind;
  if (part === 'hour' ? !MOMENTS.has(kind) : !MOMENTS.has(kind) && kind !== 'date') return null;
  return part === 'year' ? 'integer' : 'string';
}

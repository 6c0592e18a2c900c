import type { ValueIndexResponse } from '@rowhouse/contracts';
import { formatCount } from '../../ui/format-number.js';

/** Describes how many values of a database are indexed. */
export function describeIndex(index: ValueIndexResponse): string {
  if (index.checked_at === null) return 'No values yet. They’re collected with the first question.';
  if (index.values === 0) return 'No column has values that questions can use.';
  return `${count(index.values, 'value')} from ${count(index.columns, 'text column')} (${count(Math.ceil(index.bytes / 1024), 'KB')}).`;
}

function count(number: number, what: string): string {
  const plural = what === 'KB' || number === 1 ? what : `${what}s`;
  return `${formatCount(number)} ${plural}`;
}

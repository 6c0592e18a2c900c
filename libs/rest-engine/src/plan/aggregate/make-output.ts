import type { CompiledColumn, ValueKind } from '@rowhouse/schema-model';
import { PLAIN_COLUMN } from '../plain-column.js';
import type { Output, OutputSource, OutputTerm } from './aggregate-plan.js';

const EXACT: ReadonlySet<ValueKind> = new Set(['integer', 'decimal', 'bit']);

/** Creates a member of the response's rows. */
export function makeOutput(name: string, kind: ValueKind, term: OutputTerm): Output {
  const source = term.kind === 'count_records' ? null : term.source;
  const isOwn = source !== null && kind === source.column.valueKind;
  return {
    name,
    kind,
    term,
    fraction: (isOwn ? source.column.fraction : null) ?? 0,
    column: makeColumn(name, kind, isOwn ? source : null),
  };
}

/**
 * Returns the column that converts values in conditions on the member. All exact numbers are compared as
 * DECIMAL, because a count and a text would be compared as doubles.
 */
function makeColumn(name: string, kind: ValueKind, source: OutputSource | null): CompiledColumn {
  const own: CompiledColumn = { ...(source?.column ?? PLAIN_COLUMN), name, quoted: name, valueKind: kind };
  return EXACT.has(kind)
    ? { ...own, type: 'decimal', valueKind: 'decimal', precision: 65, scale: 0, unsigned: false }
    : own;
}

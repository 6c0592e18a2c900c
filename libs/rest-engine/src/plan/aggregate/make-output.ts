import type { CompiledColumn, ValueKind } from '@rowhouse/schema-model';
import type { Output, OutputSource, OutputTerm } from './aggregate-plan.js';

const EXACT: ReadonlySet<ValueKind> = new Set(['integer', 'decimal', 'bit']);

/** A member of the answer's rows. */
export function makeOutput(name: string, kind: ValueKind, term: OutputTerm): Output {
  const source = term.kind === 'count_records' ? null : term.source;
  const isOwn = source !== null && kind === source.column.valueKind;
  return { name, kind, term, fraction: (isOwn ? source.column.fraction : null) ?? 0, column: makeColumn(name, kind, isOwn ? source : null) };
}

/**
 * What conditions on the member are converted by. Exact numbers all go by DECIMAL: a count compared with a text would
 * be compared as a double.
 */
function makeColumn(name: string, kind: ValueKind, source: OutputSource | null): CompiledColumn {
  const own: CompiledColumn = { ...(source?.column ?? PLAIN), name, quoted: name, valueKind: kind };
  return EXACT.has(kind) ? { ...own, type: 'decimal', valueKind: 'decimal', precision: 65, scale: 0, unsigned: false } : own;
}

/** Everything that a column has, of one that no table has. */
const PLAIN: CompiledColumn = {
  name: '', type: '', sqlType: '', valueKind: 'string', nullable: true, default: { kind: 'null' }, autoIncrement: false, generated: null, invisible: false,
  unsigned: false, maxLength: null, precision: null, scale: null, fraction: null, charset: null, collation: null, labels: null, onUpdateNow: false, comment: '',
  format: null, definition: '', position: 0, quoted: '', hidden: false, srid: null, required: false,
};

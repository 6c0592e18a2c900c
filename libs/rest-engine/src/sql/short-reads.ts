import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { Condition, IncludeNode, ListPlan } from '../plan/plan.js';

/** Rows that one short read looks at. */
const ROWS_MAX = 100;
/** What they may come to if every text is as long as its column allows. */
const BYTES_MAX = 4 * 1024 * 1024;
/** Of a value that is no text and no bytes. */
const PLAIN_BYTES = 32;
const VECTOR_BYTES = 64 * 1024;
const TEXT_KINDS = new Set(['string', 'enum', 'set', 'binary']);
const ENDLESS_KINDS = new Set(['json', 'geometry']);

/**
 * Whether a page is read along the primary key alone, so that the engine looks at no more rows than it gives: then it may
 * stand among others on a lane. Anything that could make the engine look further is not short, however few rows come.
 */
export function isShortList(plan: ListPlan): boolean {
  const { table, window, sort, where } = plan;
  const key = primaryInteger(table);
  const [first] = sort;
  if (key === null || plan.isDistinct || sort.length !== 1 || first?.column !== key || first.path.length > 0) return false;
  const rows = window.offset + window.limit;
  return rows <= ROWS_MAX && areBounded(plan.select, rows) && where.every((condition) => isRangeOf(key, condition));
}

/** Whether it gives no more rows than a short list, however many the engine may have to look at for them. */
export function mayBeShortList({ window }: ListPlan): boolean {
  return window.limit <= ROWS_MAX;
}

/** The same of the records that few others lead to. */
export function mayBeShortInclude(parents: number): boolean {
  return parents <= ROWS_MAX;
}

/** The same of the records that others lead to one by one, looked up by their primary key. */
export function isShortInclude({ relationship, where, select }: IncludeNode, parents: number): boolean {
  const { kind, far, farColumns, link } = relationship;
  const key = primaryInteger(far);
  return kind === 'to_one' && link === null && key !== null && farColumns.length === 1 && farColumns[0] === key && where.length === 0 && parents <= ROWS_MAX && areBounded(select, parents);
}

/** Null where the primary key is another, or is not what `{id}` addresses. */
function primaryInteger(table: CompiledTable): CompiledColumn | null {
  const { primaryKey } = table.source;
  const [key, ...others] = table.rowKey ?? [];
  if (table.kind !== 'table' || key === undefined || others.length > 0 || key.valueKind !== 'integer') return null;
  return primaryKey?.length === 1 && primaryKey[0] === key.name ? key : null;
}

function isRangeOf(key: CompiledColumn, condition: Condition): boolean {
  if (condition.kind === 'compare') return condition.column === key && condition.operator !== '<>';
  return condition.kind === 'between' && condition.column === key && !condition.isNegated;
}

function areBounded(columns: readonly CompiledColumn[], rows: number): boolean {
  let bytes = 0;
  for (const column of columns) bytes += bytesOf(column);
  return bytes * rows <= BYTES_MAX;
}

function bytesOf({ valueKind, maxLength }: CompiledColumn): number {
  if (TEXT_KINDS.has(valueKind)) return maxLength ?? Number.POSITIVE_INFINITY;
  if (ENDLESS_KINDS.has(valueKind)) return Number.POSITIVE_INFINITY;
  return valueKind === 'vector' ? VECTOR_BYTES : PLAIN_BYTES;
}

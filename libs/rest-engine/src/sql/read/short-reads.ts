import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { Condition } from '../../plan/filter/condition.js';
import type { IncludeNode } from '../../plan/plan-parts.js';
import type { ListPlan } from '../../plan/plan.js';

/** The maximum number of rows that a short read examines. */
const ROWS_MAX = 100;
/**
 * The maximum size in bytes of the rows of a short read, if every text has the maximum length of its column.
 */
const BYTES_MAX = 4 * 1024 * 1024;
/** The assumed size in bytes of values that are neither text nor binary. */
const PLAIN_BYTES = 32;
const VECTOR_BYTES = 64 * 1024;
const TEXT_KINDS = new Set(['string', 'enum', 'set', 'binary']);
const ENDLESS_KINDS = new Set(['json', 'geometry']);

/**
 * Reports whether a page is read in the order of an integer primary key, with no filters except ranges of
 * this key. The server then examines no more rows than it returns, so the read may use a connection that
 * other requests share.
 */
export function isShortList(plan: ListPlan): boolean {
  const { table, window, sort, where } = plan;
  const key = primaryInteger(table);
  const [first] = sort;
  if (key === null || plan.isDistinct || sort.length !== 1 || first?.column !== key || first.path.length > 0)
    return false;
  const rows = window.offset + window.limit;
  return (
    rows <= ROWS_MAX && areBounded(plan.select, rows) && where.every((condition) => isRangeOf(key, condition))
  );
}

/**
 * Reports whether the list returns no more rows than a short list. The server may still examine many more.
 */
export function mayBeShortList({ window }: ListPlan): boolean {
  return window.limit <= ROWS_MAX;
}

/** Reports whether an include has at most as many parents as a short list has rows. */
export function mayBeShortInclude(parents: number): boolean {
  return parents <= ROWS_MAX;
}

/** Reports whether the related records of a few parents are found one by one by their primary key. */
export function isShortInclude({ relationship, where, select }: IncludeNode, parents: number): boolean {
  const { kind, target, targetColumns, link } = relationship;
  const key = primaryInteger(target);
  return (
    kind === 'to_one' &&
    link === null &&
    key !== null &&
    targetColumns.length === 1 &&
    targetColumns[0] === key &&
    where.length === 0 &&
    parents <= ROWS_MAX &&
    areBounded(select, parents)
  );
}

/**
 * Returns the primary key if it is a single integer column and `{id}` contains its value. Returns null
 * otherwise.
 */
function primaryInteger(table: CompiledTable): CompiledColumn | null {
  const { primaryKey } = table.source;
  const [key, ...others] = table.rowKey ?? [];
  if (table.kind !== 'table' || key === undefined || others.length > 0 || key.valueKind !== 'integer')
    return null;
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

import { type CompiledTable, type Index, leadingColumns, proposeIndex } from '@rowhouse/schema-model';
import type { Condition } from './filter/condition.js';
import type { SortKey } from './plan-parts.js';
import type { FilteredPlan, ListPlan, Plan } from './plan.js';

/**
 * Reports whether the server may read the whole table for a list or for a write by filter, because no index
 * finds the records or provides their order. The check is fast, because it compares only names. Returns false
 * for views, and for plans that find their records by key.
 */
export function mayScan(plan: Plan): plan is FilteredPlan {
  if (!isFiltered(plan) || plan.table.kind !== 'table') return false;
  const { table, where } = plan;
  // To sort by a count, the server counts the related records of every record before it returns the first
  // one.
  if (plan.kind === 'list' && plan.sort.some((key) => key.count !== null)) return true;
  for (const condition of where) if (isFound(table, condition)) return false;
  return (
    plan.kind !== 'list' || where.length > 0 || plan.isDistinct || plan.count === 'exact' || !isInOrder(plan)
  );
}

function isFiltered(plan: Plan): plan is FilteredPlan {
  return (
    plan.kind === 'list' ||
    plan.kind === 'aggregate' ||
    plan.kind === 'update_many' ||
    plan.kind === 'delete_many'
  );
}

function isFound(table: CompiledTable, condition: Condition): boolean {
  switch (condition.kind) {
    case 'match':
      return true;
    case 'group':
      return condition.operator === 'OR'
        ? condition.conditions.every((condition) => isFound(table, condition))
        : condition.conditions.some((condition) => isFound(table, condition));
    default:
      return (
        narrowingOf(condition) !== 'none' && 'column' in condition && isLeading(table, condition.column.name)
      );
  }
}

/**
 * Returns how an index that begins with the condition's column can find the matching records: by an equality,
 * as a range, or neither.
 */
export function narrowingOf(condition: Condition): 'equal' | 'range' | 'none' {
  switch (condition.kind) {
    case 'compare':
    case 'now':
      return condition.operator === '=' ? 'equal' : condition.operator === '<>' ? 'none' : 'range';
    case 'in':
      return condition.isNegated ? 'none' : 'equal';
    case 'null':
      return condition.isNull ? 'equal' : 'none';
    case 'between':
      return condition.isNegated ? 'none' : 'range';
    case 'like':
      return condition.isNegated || condition.mode === 'blind' || /^[%_]/.test(condition.pattern)
        ? 'none'
        : 'range';
    default:
      return 'none';
  }
}

const leading = new WeakMap<CompiledTable, ReadonlySet<string>>();

function isLeading(table: CompiledTable, column: string): boolean {
  let names = leading.get(table);
  if (names === undefined) leading.set(table, (names = new Set(leadingColumns(table.source))));
  return names.has(column);
}

/** Reports whether an index has the order of the sort keys, in either direction. */
function isInOrder({ table, sort, ties }: ListPlan): boolean {
  if (ties !== null) return false;
  const [first] = sort;
  if (first === undefined) return true;
  if (
    !sort.every(
      (key) =>
        key.path.length === 0 &&
        key.direction === first.direction &&
        !key.reversesNulls &&
        key.jsonPath === undefined,
    )
  )
    return false;
  const { primaryKey, indexes } = table.source;
  const key = primaryKey ?? [];
  return (
    holdsOrder(key, sort) ||
    indexes.some((index) => index.kind === 'btree' && holdsOrder([...namesOf(index), ...key], sort))
  );
}

function namesOf({ columns }: Index): (string | null)[] {
  return columns.map((column) => (column.prefixLength === null ? column.name : null));
}

/** An index implicitly contains the primary key after its own columns. */
function holdsOrder(columns: readonly (string | null)[], sort: readonly SortKey[]): boolean {
  const distinct = columns.filter((name, index) => columns.indexOf(name) === index);
  return sort.every((key, index) => distinct[index] === key.column.name);
}

/**
 * Returns a `CREATE INDEX …` statement for an index that finds the records or provides the order of a list.
 * Returns null if no index would help, or if such an index exists.
 */
export function proposeListIndex(plan: FilteredPlan): string | null {
  const conditions = plan.where.flatMap(flattenAnd);
  const equal = columnsOf(conditions, 'equal');
  const [range] = columnsOf(conditions, 'range');
  // An index provides no order after a range condition, and does not help if every record must be examined
  // anyway. It sorts NULLs at a fixed end, and contains no counts.
  const mayServeOrder =
    plan.kind === 'list' &&
    plan.ties === null &&
    range === undefined &&
    (equal.length > 0 || plan.where.length === 0) &&
    !plan.sort.some((key) => key.reversesNulls || key.count !== null || key.jsonPath !== undefined);
  const sort = mayServeOrder
    ? plan.sort.filter((key) => key.path.length === 0).map((key) => key.column.name)
    : [];
  const trimmed = sort.at(-1) === plan.table.source.primaryKey?.[0] ? sort.slice(0, -1) : sort;
  return proposeIndex(plan.table.source, range === undefined ? equal : [...equal, range], trimmed);
}

/** Returns the conditions joined by AND, including those in nested groups. */
function flattenAnd(condition: Condition): readonly Condition[] {
  return condition.kind === 'group' && condition.operator === 'AND'
    ? condition.conditions.flatMap(flattenAnd)
    : [condition];
}

function columnsOf(conditions: readonly Condition[], how: 'equal' | 'range'): string[] {
  return conditions.flatMap((condition) =>
    'column' in condition && narrowingOf(condition) === how ? [condition.column.name] : [],
  );
}

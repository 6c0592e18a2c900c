import { leadingColumns, type CompiledTable, type Index } from '@rowhouse/schema-model';
import type { Condition } from '../condition.js';
import type { FilteredPlan, ListPlan, Plan, SortKey } from '../plan.js';

/**
 * Reports whether the server may read the whole table for a list or a write by filter. That is the case if no
 * index finds its records or provides their order. The check only compares names, and is fast. Views are not
 * examined. Returns false for plans that find their records by key.
 */
export function mayScan(plan: Plan): plan is FilteredPlan {
  if (!isFiltered(plan) || plan.table.kind !== 'table') return false;
  const { table, where } = plan;
  // The related records of every record are counted before the first record is known.
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

/** Returns how an index that begins with the condition's column would find its records. */
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

/** Reports whether some index has the order of the sort keys, in either direction. */
function isInOrder({ table, sort, ties }: ListPlan): boolean {
  if (ties !== null) return false;
  const [first] = sort;
  if (first === undefined) return true;
  if (
    !sort.every(
      (key) =>
        key.path.length === 0 &&
        key.direction === first.direction &&
        !key.turnsNulls &&
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

/** An index has the primary key after its own columns. */
function holdsOrder(columns: readonly (string | null)[], sort: readonly SortKey[]): boolean {
  const distinct = columns.filter((name, index) => columns.indexOf(name) === index);
  return sort.every((key, index) => distinct[index] === key.column.name);
}

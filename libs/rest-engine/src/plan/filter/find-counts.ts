import type { CompiledTable } from '@rowhouse/schema-model';
import type { ConditionBudget } from './condition-budget.js';
import { countValues } from './condition-budget.js';
import { PLAIN_COLUMN } from '../list/plan-select.js';
import type { Condition } from './condition.js';
import type { IncludeNode, SortKey } from '../plan-parts.js';

/** The column or the count by which a sort key sorts. */
export type SortSource = Pick<SortKey, 'path' | 'column' | 'jsonPath' | 'count'>;

/** Returns the included counts by member name. As in responses, these names have precedence over columns. */
export function findCounts(include: readonly IncludeNode[]): ReadonlyMap<string, SortSource> {
  const counts = new Map<string, SortSource>();
  for (const node of include)
    if (node.isCount)
      counts.set(node.name, {
        path: [],
        column: { ...PLAIN_COLUMN, name: node.name, type: 'bigint', valueKind: 'integer', nullable: false },
        count: node,
      });
  return counts;
}

/**
 * Adds the cost of sorting by counts to the budget. Each count occurs in ORDER BY. With a cursor, it also
 * occurs in the conditions of its own sort key and of all later sort keys.
 */
export function chargeCounts(keys: readonly SortKey[], hasCursor: boolean, budget: ConditionBudget): void {
  for (const [index, { count }] of keys.entries()) {
    if (count === null) continue;
    budget.addSubquery();
    budget.addValues(sumValues(count.where) * (hasCursor ? keys.length - index + 1 : 1));
  }
}

/** Returns the number of values that conditions bind, including those in subqueries. */
function sumValues(where: readonly Condition[]): number {
  let values = 0;
  const left = [...where];
  for (let condition = left.pop(); condition !== undefined; condition = left.pop()) {
    if (condition.kind === 'group') left.push(...condition.conditions);
    else if (condition.kind === 'not') left.push(condition.condition);
    else {
      values += countValues(condition);
      if (condition.kind === 'related' || condition.kind === 'related_count') left.push(...condition.where);
    }
  }
  return values;
}

/**
 * Matches how other APIs refer to a count: `comments.count`, `count(comments)`, `count:comments`,
 * `comments_count` or `count_comments`. For sorting, `comments` alone is recognized too.
 */
const COUNTED =
  /^([\w-]+)(?:\.count\b|\(count\))|^([\w-]+)_count(?:[:._](?:asc|desc))?$|^count[_:(.]([\w-]+?)(?:\)|[:._](?:asc|desc))?$/i;

/** Returns a hint to include the count and then sort by its member name. */
export function hintCount(table: CompiledTable, text: string): string | null {
  const name = findCounted(table, text) ?? findToMany(table, text);
  return name === null ? null : toHint(name);
}

/**
 * Returns a hint to filter by a count in `_filter`. The member name of an included count cannot be used as a
 * filter.
 */
export function hintCountFilter(table: CompiledTable, text: string): string | null {
  const name = findCounted(table, text);
  return name === null
    ? null
    : `To filter by the number of related records, use _filter={"${name}":{"count__gte":1}}.`;
}

/** Returns a hint if `include` contains a count in the notation of another API, such as `comments_count`. */
export function hintCountInclude(table: CompiledTable, text: string, path: readonly string[]): string | null {
  const name = findCounted(table, text);
  return name === null ? null : `To count related records, use include=count:${[...path, name].join('.')}.`;
}

function findCounted(table: CompiledTable, text: string): string | null {
  const [, before, named, after] = COUNTED.exec(text) ?? [];
  return findToMany(table, before ?? named ?? after ?? '');
}

function findToMany(table: CompiledTable, name: string): string | null {
  const relationship = table.findRelationship(name);
  return relationship === null || relationship.kind === 'to_one' ? null : relationship.name;
}

export function toHint(name: string): string {
  return `To sort by the number of related records, use include=count:${name}&sort=-count_${name}.`;
}

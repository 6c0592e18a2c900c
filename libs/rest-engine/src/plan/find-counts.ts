import type { CompiledTable } from '@rowhouse/schema-model';
import type { ConditionBudget } from './condition-budget.js';
import { countValues } from './count-values.js';
import { PLAIN_COLUMN } from './plain-column.js';
import type { Condition, IncludeNode, SortKey } from './plan.js';

/** What a sort key names. */
export type SortSource = Pick<SortKey, 'path' | 'column' | 'jsonPath' | 'count'>;

/** How many there are of each kind of record that is counted in the list's own: by the members' names, which win over columns here as in the answer. */
export function findCounts(include: readonly IncludeNode[]): ReadonlyMap<string, SortSource> {
  const counts = new Map<string, SortSource>();
  for (const node of include) if (node.isCount) counts.set(node.name, { path: [], column: { ...PLAIN_COLUMN, name: node.name, type: 'bigint', valueKind: 'integer', nullable: false }, count: node });
  return counts;
}

/** A count is written for the order and, with a cursor, for every key from its own on. */
export function chargeCounts(keys: readonly SortKey[], hasCursor: boolean, budget: ConditionBudget): void {
  for (const [at, { count }] of keys.entries()) {
    if (count === null) continue;
    budget.addSubquery();
    budget.addValues(sumValues(count.where) * (hasCursor ? keys.length - at + 1 : 1));
  }
}

/** Those of sub-queries with them. */
function sumValues(where: readonly Condition[]): number {
  let values = 0;
  const left = [...where];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (one.kind === 'group') left.push(...one.conditions);
    else if (one.kind === 'not') left.push(one.condition);
    else {
      values += countValues(one);
      if (one.kind === 'related' || one.kind === 'related_count') left.push(...one.where);
    }
  }
  return values;
}

/** `comments.count`, `count(comments)`, `count:comments`, `comments_count`, or the name of a count that is not included; `comments` alone means them, too. */
const COUNTED = /^([\w-]+)(?:\.count\b|\(count\))|^([\w-]+)_count(?:[:._](?:asc|desc))?$|^count[_:(.]([\w-]+?)(?:\)|[:._](?:asc|desc))?$/i;

/** Records are sorted by how many there are under the name that this has in `include`. */
export function hintCount(table: CompiledTable, text: string): string | null {
  const name = findCounted(table, text) ?? findToMany(table, text);
  return name === null ? null : toHint(name);
}

/** Records are found by how many there are in a tree, where whoever included a count tries its name. */
export function hintCountFilter(table: CompiledTable, text: string): string | null {
  const name = findCounted(table, text);
  return name === null ? null : `How many there are is asked in a tree: _filter={"${name}":{"count__gte":1}}.`;
}

/** What others call a count where they ask for it: `comments_count`. */
export function hintCountInclude(table: CompiledTable, text: string, road: readonly string[]): string | null {
  const name = findCounted(table, text);
  return name === null ? null : `How many there are: include=count:${[...road, name].join('.')}.`;
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
  return `By how many there are: include=count:${name}&sort=-count_${name}.`;
}

import type { CompiledTable, Verb } from '@rowhouse/schema-model';
import type { Condition } from './condition.js';
import type { IncludeNode, SortKey, Touch } from './plan.js';

/**
 * Returns every table that a plan reads or changes: its own table, included tables, link tables, and tables
 * used by sort keys and conditions.
 */
export function collectTouches(
  table: CompiledTable,
  verb: Verb,
  include: readonly IncludeNode[],
  sort: readonly SortKey[],
  where: readonly Condition[] = [],
): readonly Touch[] {
  const touches: Touch[] = [{ table: table.name, verb }];
  if (include.length === 0 && where.length === 0 && sort.every((key) => key.path.length === 0))
    return touches;
  const read = new Set<string>();
  const visit = (nodes: readonly IncludeNode[]): void => {
    for (const node of nodes) {
      read.add(node.relationship.far.name);
      if (node.relationship.link !== null) read.add(node.relationship.link.table.name);
      addRelated(node.where, read);
      visit(node.children);
    }
  };
  visit(include);
  addRelated(where, read);
  for (const key of sort) for (const step of key.path) read.add(step.far.name);
  for (const name of read)
    if (verb !== 'read' || name !== table.name) touches.push({ table: name, verb: 'read' });
  return touches;
}

/** Adds the tables that subqueries of the conditions read. */
function addRelated(conditions: readonly Condition[], read: Set<string>): void {
  const left = [...conditions];
  for (let condition = left.pop(); condition !== undefined; condition = left.pop()) {
    if (condition.kind === 'group') left.push(...condition.conditions);
    else if (condition.kind === 'not') left.push(condition.condition);
    else if (condition.kind === 'related' || condition.kind === 'related_count') {
      const { far: target, link } = condition.relationship;
      read.add(target.name);
      if (link !== null) read.add(link.table.name);
      left.push(...condition.where);
    }
  }
}

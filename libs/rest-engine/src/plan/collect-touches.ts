import type { CompiledTable, Verb } from '@rowhouse/schema-model';
import type { IncludeNode, SortKey, Touch } from './plan.js';

/** Everything that a plan reads or changes: its table, included and linking tables, tables that sort keys lead to. */
export function collectTouches(table: CompiledTable, verb: Verb, include: readonly IncludeNode[], sort: readonly SortKey[]): readonly Touch[] {
  const touches: Touch[] = [{ table: table.name, verb }];
  if (include.length === 0 && sort.every((key) => key.path.length === 0)) return touches;
  const read = new Set<string>();
  const visit = (nodes: readonly IncludeNode[]): void => {
    for (const node of nodes) {
      read.add(node.relationship.far.name);
      if (node.relationship.link !== null) read.add(node.relationship.link.table.name);
      visit(node.children);
    }
  };
  visit(include);
  for (const key of sort) for (const step of key.path) read.add(step.far.name);
  for (const name of read) if (verb !== 'read' || name !== table.name) touches.push({ table: name, verb: 'read' });
  return touches;
}

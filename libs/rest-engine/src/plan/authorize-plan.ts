import type { CompiledTable, Verb } from '@rowhouse/schema-model';
import type { Condition } from './filter/condition.js';
import type { IncludeNode, SortKey, Touch } from './plan-parts.js';
import type { Authorized, Plan } from './plan.js';
import { AppError } from '@rowhouse/errors';
import { effectiveVerbs, type Rights } from '@rowhouse/schema-model';

/**
 * Returns every table that a plan reads or changes: its own table, included tables, link tables, and the
 * tables that sort keys and conditions use.
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
      read.add(node.relationship.target.name);
      if (node.relationship.link !== null) read.add(node.relationship.link.table.name);
      addRelated(node.where, read);
      visit(node.children);
    }
  };
  visit(include);
  addRelated(where, read);
  for (const key of sort) for (const step of key.path) read.add(step.target.name);
  for (const name of read)
    if (verb !== 'read' || name !== table.name) touches.push({ table: name, verb: 'read' });
  return touches;
}

/** Adds the tables that conditions read in subqueries. */
function addRelated(conditions: readonly Condition[], read: Set<string>): void {
  const left = [...conditions];
  for (let condition = left.pop(); condition !== undefined; condition = left.pop()) {
    if (condition.kind === 'group') left.push(...condition.conditions);
    else if (condition.kind === 'not') left.push(condition.condition);
    else if (condition.kind === 'related' || condition.kind === 'related_count') {
      const { target, link } = condition.relationship;
      read.add(target.name);
      if (link !== null) read.add(link.table.name);
      left.push(...condition.where);
    }
  }
}

/**
 * Returns the plan if the API key has all required rights. Tables on which the key has no right at all were
 * already reported as unknown. `scopes` contains the scopes of the key, of which only those without a table
 * are used here.
 *
 * @throws AppError 403 `auth.scope` with the missing scope and its table
 */
export function authorizePlan<P extends Plan>(
  plan: P,
  rights: Rights,
  scopes: readonly string[],
): Authorized<P> {
  if (plan.kind === 'explain' && !scopes.includes('query')) {
    throw new AppError('auth.scope', {
      detail: 'The key does not have the scope "query", which _explain requires.',
      extra: { scope: 'query' },
    });
  }
  for (const { table, verb } of plan.touches) {
    const verbs = effectiveVerbs(rights, table);
    if (verbs?.includes(verb) === true) continue;
    throw new AppError('auth.scope', {
      detail: `The key does not have the scope "${verb}" on ${table}.`,
      extra: { scope: verb, table },
    });
  }
  return plan as Authorized<P>;
}

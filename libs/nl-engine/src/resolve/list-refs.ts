import type { ColumnRef, Condition, Draft } from '../types.js';

/** Returns every column reference of a draft, without duplicates. */
export function listRefs(draft: Draft): ColumnRef[] {
  const found = new Set<ColumnRef>();
  const visit = (condition: Condition): void => {
    if (condition.kind === 'any' || condition.kind === 'all') condition.parts.forEach(visit);
    else if (condition.kind !== 'value' && condition.kind !== 'topCount') found.add(condition.column);
    if (condition.kind === 'toAggregate') condition.where.forEach(visit);
  };
  for (const target of draft.targets) if (target.kind === 'column') found.add(target.column);
  for (const group of draft.groups) if (group.kind === 'column') found.add(group.column);
  for (const order of draft.orders) if (order.key.kind === 'column') found.add(order.key.column);
  for (const mention of draft.mentions) mention.conditions.forEach(visit);
  return [...found];
}

export function listValueConditions(draft: Draft): (Condition & { readonly kind: 'value' })[] {
  const found: (Condition & { readonly kind: 'value' })[] = [];
  const visit = (condition: Condition): void => {
    if (condition.kind === 'any' || condition.kind === 'all') condition.parts.forEach(visit);
    else if (condition.kind === 'value') found.push(condition);
    else if (condition.kind === 'toAggregate') condition.where.forEach(visit);
  };
  for (const mention of draft.mentions) mention.conditions.forEach(visit);
  return found;
}

import { memoizeByObject } from '@rowhouse/schema-model';
import type { ColumnRef, Condition, Draft } from '../types.js';
import { EACH } from '../grammar/word-classes.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Assignment } from './assignment.js';

/** Returns the indexes of mentions whose rows are counted only to find the first row of their parent. */
export const listRankingMentions = memoizeByObject(
  (draft: Draft): ReadonlySet<number> =>
    new Set(
      draft.mentions.flatMap((mention) =>
        mention.conditions.flatMap((condition) => (condition.kind === 'topCount' ? [condition.mention] : [])),
      ),
    ),
);

/** Returns all column references in a draft, without duplicates. */
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

/** Returns all conditions on a stored value for which the question names no column. */
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

/** Reports whether the condition compares a column with a single value. */
export function pinsValue(condition: Condition): boolean {
  return (
    (condition.kind === 'value' && !condition.negated) ||
    (condition.kind === 'compare' && condition.op === '=' && condition.value.kind !== 'period')
  );
}

/**
 * Returns the conditions that AND and OR join, including nested ones. For any other condition, returns the
 * condition itself.
 */
export function listLeaves(condition: Condition): readonly Condition[] {
  return condition.kind === 'any' || condition.kind === 'all'
    ? condition.parts.flatMap(listLeaves)
    : [condition];
}

/**
 * Reports whether the question contains `each`, `every` or `per` outside the names of columns. The `per` in
 * `price per kilo` belongs to the column.
 */
export function saysEach({ tokens, lexicon }: LinkedQuestion, { columns }: Assignment): boolean {
  const isNamed = (word: string): boolean =>
    [...columns.values()].some((bound) => lexicon.columnWords.get(bound.column)?.includes(word) === true);
  return tokens.some(({ lower }) => EACH.has(lower) && !isNamed(lower));
}

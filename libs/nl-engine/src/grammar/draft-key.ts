import { memoizeByObject } from '@rowhouse/schema-model';
import type { ColumnRef, Condition, Draft, Mention } from '../types.js';
import { writtenDigits } from '../words/number-literal.js';

/**
 * Returns a key for the meaning of a draft.
 * Of two interpretations with the same key, only the cheaper one is continued.
 */
export function toDraftKey(draft: Draft): string {
  const targets = draft.targets.map((target) =>
    target.kind === 'column'
      ? `${target.fn ?? ''}${target.distinct ? 'd' : ''}${ref(target.column)}`
      : `${target.kind}${target.mention}${target.kind === 'size' ? target.fn : ''}`,
  );
  const mentions = draft.mentions.map(toMentionKey);
  const orders = draft.orders.map(
    (order) =>
      `${order.key.kind}${order.key.kind === 'column' ? `${order.key.fn ?? ''}${ref(order.key.column)}` : order.key.kind === 'count' ? order.key.mention : ''}${order.direction}`,
  );
  const groups = draft.groups.map((group) =>
    group.kind === 'column' ? `${ref(group.column)}${group.unit ?? ''}` : `r${group.mention}`,
  );
  return [
    targets.join(),
    mentions.join(),
    groups.join(),
    orders.join(),
    draft.limit ?? '',
    draft.distinct,
    draft.focus,
  ].join(';');
}

const toMentionKey = memoizeByObject((mention: Mention): string => {
  const { quantity, duplicateOf } = mention;
  return [
    mention.links.map((link) => link.table.name).join('/'),
    `<${mention.parent}`,
    mention.negated ? '!' : '',
    duplicateOf === undefined ? '' : `=${ref(duplicateOf)}`,
    mention.isAlternative ? '|' : '',
    quantity === null ? '' : `${quantity.op}${quantity.count}-${quantity.upTo ?? ''}`,
    `[${mention.conditions.map(cond).join('&')}]`,
    mention.tie.join('_'),
  ].join('');
});

function ref(column: ColumnRef): string {
  return `${column.position}@${column.owner ?? ''}:${column.links.length}`;
}

function cond(condition: Condition): string {
  switch (condition.kind) {
    case 'any':
    case 'all':
      return `${condition.kind}(${condition.parts.map(cond).join()})`;
    case 'value':
      return `v${condition.negated ? '!' : ''}${condition.links[0]?.value ?? ''}:${condition.links.length}@${condition.owner ?? ''}`;
    case 'compare':
      return `${ref(condition.column)}${condition.op}${JSON.stringify(condition.value)}`;
    case 'aggregate':
      return `${condition.fn}${ref(condition.column)}${condition.op}${writtenDigits(condition.value)}`;
    case 'top':
      return `${condition.direction}${ref(condition.column)}`;
    case 'topValue':
      return `${condition.direction}~${ref(condition.column)}`;
    case 'topCount':
      return `${condition.direction}#${condition.mention}`;
    case 'between':
      return `${ref(condition.column)}b${JSON.stringify([condition.low, condition.high])}`;
    case 'like':
      return `${ref(condition.column)}${condition.place}${condition.negated ? '!' : ''}${condition.text}`;
    case 'null':
      return `${ref(condition.column)}n${condition.negated ? '!' : ''}`;
    case 'toAggregate':
      return `${ref(condition.column)}${condition.op}${condition.fn}(${condition.where.map(cond).join('&')})`;
  }
}

import { memoizeByObject } from '@rowhouse/schema-model';
import type { ColumnRef, Condition, Draft, Mention } from '../types.js';
import { writtenDigits } from '../words/number-literal.js';

/**
 * Returns a text that identifies the meaning of a draft. If two interpretations have the same text, only the
 * one with the lower cost is continued.
 */
export function toDraftKey(draft: Draft): string {
  const targets = draft.targets.map((target) =>
    target.kind === 'column'
      ? `${target.fn ?? ''}${target.distinct ? 'd' : ''}${toColumnKey(target.column)}`
      : `${target.kind}${target.mention}${target.kind === 'size' ? target.fn : ''}`,
  );
  const mentions = draft.mentions.map(toMentionKey);
  const orders = draft.orders.map(
    (order) =>
      `${order.key.kind}${order.key.kind === 'column' ? `${order.key.fn ?? ''}${toColumnKey(order.key.column)}` : order.key.kind === 'count' ? order.key.mention : ''}${order.direction}`,
  );
  const groups = draft.groups.map((group) =>
    group.kind === 'column' ? `${toColumnKey(group.column)}${group.unit ?? ''}` : `r${group.mention}`,
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
    duplicateOf === undefined ? '' : `=${toColumnKey(duplicateOf)}`,
    mention.isAlternative ? '|' : '',
    quantity === null ? '' : `${quantity.op}${quantity.count}-${quantity.upTo ?? ''}`,
    `[${mention.conditions.map(toConditionKey).join('&')}]`,
    mention.tie.join('_'),
  ].join('');
});

function toColumnKey(column: ColumnRef): string {
  return `${column.position}@${column.owner ?? ''}:${column.links.length}`;
}

function toConditionKey(condition: Condition): string {
  switch (condition.kind) {
    case 'any':
    case 'all':
      return `${condition.kind}(${condition.parts.map(toConditionKey).join()})`;
    case 'value':
      return `v${condition.negated ? '!' : ''}${condition.links[0]?.value ?? ''}:${condition.links.length}@${condition.owner ?? ''}`;
    case 'compare':
      return `${toColumnKey(condition.column)}${condition.op}${JSON.stringify(condition.value)}`;
    case 'aggregate':
      return `${condition.fn}${toColumnKey(condition.column)}${condition.op}${writtenDigits(condition.value)}`;
    case 'top':
      return `${condition.direction}${toColumnKey(condition.column)}`;
    case 'topValue':
      return `${condition.direction}~${toColumnKey(condition.column)}`;
    case 'topCount':
      return `${condition.direction}#${condition.mention}`;
    case 'between':
      return `${toColumnKey(condition.column)}b${JSON.stringify([condition.low, condition.high])}`;
    case 'like':
      return `${toColumnKey(condition.column)}${condition.place}${condition.negated ? '!' : ''}${condition.text}`;
    case 'null':
      return `${toColumnKey(condition.column)}n${condition.negated ? '!' : ''}`;
    case 'toAggregate':
      return `${toColumnKey(condition.column)}${condition.op}${condition.fn}(${condition.where.map(toConditionKey).join('&')})`;
  }
}

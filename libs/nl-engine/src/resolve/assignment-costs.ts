import type { Assignment } from './assignment.js';
import { listRankingMentions } from './draft-references.js';

/** The reduction in cost for each further column or value on the same join path. */
export const SHARED_GAIN = 0.5;

/** Counts the columns and values that have the same join path as an earlier one. */
export function countShared({ columns, values, tables }: Assignment): number {
  if (columns.size + values.size < 2) return 0;
  const inOtherTables = [...columns].filter(
    ([ref]) => ref.isChildColumn !== true && !ref.links.some((link) => tables.includes(link.table)),
  );
  const pathKeys = [...inOtherTables.map(([, bound]) => bound), ...values.values()]
    .filter((bound) => bound.path.length > 0)
    .map(
      (bound) =>
        `${bound.mention}>${bound.path.map((edge) => `${edge.fromColumns.join()}:${edge.to.name}`).join('>')}`,
    );
  return pathKeys.length - new Set(pathKeys).size;
}

/**
 * The additional cost of returning the same column twice. `names of actors and names of their musicals` asks
 * for two columns.
 */
export const REPEATED_COST = 0.5;

/** Counts the returned columns that are the same as an earlier one. */
export function countRepeated({ draft, columns }: Assignment): number {
  if (draft.targets.length === 1) return 0;
  const returned = draft.targets.flatMap((target) =>
    target.kind === 'column' && target.fn === null ? [columns.get(target.column)] : [],
  );
  return returned.filter((bound, index) =>
    returned
      .slice(0, index)
      .some(
        (other) =>
          other !== undefined &&
          other.column === bound?.column &&
          other.mention === bound.mention &&
          other.path.length === bound.path.length,
      ),
  ).length;
}

/**
 * The additional cost of a mention without an effect, such as the customer of an order, which every order
 * has. Questions rarely use such a mention as a filter.
 */
export const EMPTY_COST = 0.5;

/** Counts the mentions that neither filter rows nor contribute to the result. */
export function countEmpty({ draft, paths, columns, values }: Assignment): number {
  if (draft.mentions.length === 1) return 0;
  const used = new Set([
    ...[...columns.values(), ...values.values()].map((bound) => bound.mention),
    ...listRankingMentions(draft),
  ]);
  for (const target of draft.targets) if (target.kind !== 'column') used.add(target.mention);
  for (const group of draft.groups) if (group.kind === 'rows') used.add(group.mention);
  for (const { key } of draft.orders) if (key.kind === 'count') used.add(key.mention);
  for (const mention of draft.mentions) used.add(mention.parent);
  return draft.mentions.filter(
    (mention, index) =>
      index > 0 &&
      !used.has(index) &&
      !mention.negated &&
      mention.quantity === null &&
      mention.conditions.length === 0 &&
      (paths[index] ?? []).every((edge) => edge.isToOne && edge.isDeclared),
  ).length;
}

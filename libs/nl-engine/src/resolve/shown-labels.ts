import type { Condition } from '../types.js';
import type { Assignment, Bound } from './assignment.js';
import { findLabel } from './find-label.js';
import { pinsValue } from './draft-references.js';

import type { Column, Table } from '@rowhouse/schema-model';
/**
 * Returns the columns in which all rows of the statement
 * have the same value, because the question specifies it.
 */
export function listFixed({ draft, columns, values }: Assignment): readonly Bound[] {
  const find = (condition: Condition): Bound | undefined => {
    if (!pinsValue(condition)) return undefined;
    return condition.kind === 'compare' ? columns.get(condition.column) : values.get(condition);
  };
  return draft.mentions.flatMap((mention) =>
    mention.negated ? [] : mention.conditions.flatMap((condition) => find(condition) ?? []),
  );
}

/** Returns whether the question already specifies the label of the rows, as in `users named ada`. */
export function isLabelFixed({ tables }: Assignment, mention: number, fixed: readonly Bound[]): boolean {
  const table = tables[mention];
  return (
    table !== undefined &&
    fixed.some(
      (bound) =>
        bound.mention === mention &&
        bound.path.length === 0 &&
        bound.via === null &&
        findLabel(table).includes(bound.column),
    )
  );
}

/** Shows all columns when the question already specifies the label, as in `users named ada`. */
export function showWhole(assignment: Assignment): Assignment {
  const { draft } = assignment;
  const [target, ...more] = draft.targets;
  if (
    target?.kind !== 'rows' ||
    more.length > 0 ||
    draft.groups.length > 0 ||
    draft.distinct ||
    !isLabelFixed(assignment, target.mention, listFixed(assignment))
  )
    return assignment;
  return { ...assignment, draft: { ...draft, targets: [{ kind: 'everything', mention: target.mention }] } };
}

/**
 * Returns whether a key that references the rows of a mention is shown. In
 * `the role codes and the number of employees in each role`, the codes already identify the roles. The same
 * applies to order ids in a table between orders and products.
 */
export function showsKeyOf({ draft, columns, tables }: Assignment, mention: number): boolean {
  const table = tables[mention];
  return (
    table !== undefined &&
    draft.targets.some((target) => {
      const bound = target.kind === 'column' && target.fn === null ? columns.get(target.column) : undefined;
      return (
        bound !== undefined &&
        bound.path.every((edge) => edge.isToOne) &&
        listKeyColumns(bound.table, table).includes(bound.column)
      );
    })
  );
}

/**
 * Returns whether the label of the grouped rows is shown.
 * It is not when one of their columns or their key is shown anyway.
 */
export function showsLabelOf(assignment: Assignment, mention: number): boolean {
  return !showsColumnOf(assignment, mention) && !showsKeyOf(assignment, mention);
}

/**
 * Returns whether a column of the rows is shown.
 * `for each customer, the email and the number of orders` does not ask for the label as well.
 */
function showsColumnOf({ draft, columns }: Assignment, mention: number): boolean {
  return draft.targets.some((target) => {
    const bound = target.kind === 'column' && target.fn === null ? columns.get(target.column) : undefined;
    return bound !== undefined && bound.mention === mention && bound.path.length === 0 && bound.via === null;
  });
}

/** Returns the columns that are single-column foreign keys to the other table. */
export function listKeyColumns(table: Table, to: Table): readonly Column[] {
  return table.foreignKeys
    .filter((key) => key.referencedTable === to.name && key.columns.length === 1)
    .flatMap((key) => table.columns.filter((column) => column.name === key.columns[0]));
}

import type { Condition } from '../types.js';
import type { Assignment, Bound } from './assignment.js';
import { findLabel } from './find-label.js';
import { pinsValue } from './draft-references.js';

import type { Column, Table } from '@rowhouse/schema-model';
/**
 * Returns the columns for which the question specifies a single accepted value, so that all returned rows
 * have this value.
 */
export function listFixedColumns({ draft, columns, values }: Assignment): readonly Bound[] {
  const find = (condition: Condition): Bound | undefined => {
    if (!pinsValue(condition)) return undefined;
    return condition.kind === 'compare' ? columns.get(condition.column) : values.get(condition);
  };
  return draft.mentions.flatMap((mention) =>
    mention.negated ? [] : mention.conditions.flatMap((condition) => find(condition) ?? []),
  );
}

/** Reports whether the question already contains the label of the rows, as in `users named ada`. */
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

/**
 * Returns all columns instead of the label if the question already contains the label, as in `users named
 * ada`.
 */
export function returnAllColumns(assignment: Assignment): Assignment {
  const { draft } = assignment;
  const [target, ...more] = draft.targets;
  if (
    target?.kind !== 'rows' ||
    more.length > 0 ||
    draft.groups.length > 0 ||
    draft.distinct ||
    !isLabelFixed(assignment, target.mention, listFixedColumns(assignment))
  )
    return assignment;
  return { ...assignment, draft: { ...draft, targets: [{ kind: 'everything', mention: target.mention }] } };
}

/**
 * Reports whether the statement returns a foreign key to the rows of a mention, which identifies them. In
 * `the role codes and the number of employees in each role`, the codes identify the roles.
 */
export function returnsKeyOf({ draft, columns, tables }: Assignment, mention: number): boolean {
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
 * Reports whether the statement returns the label of grouped rows. It does not if it returns one of their
 * columns, or a foreign key to them, anyway.
 */
export function returnsLabelOf(assignment: Assignment, mention: number): boolean {
  return !returnsColumnOf(assignment, mention) && !returnsKeyOf(assignment, mention);
}

/**
 * Reports whether the statement returns a column of the mention's rows. The label is then not needed, as in
 * `for each customer, the email and the number of orders`.
 */
function returnsColumnOf({ draft, columns }: Assignment, mention: number): boolean {
  return draft.targets.some((target) => {
    const bound = target.kind === 'column' && target.fn === null ? columns.get(target.column) : undefined;
    return bound !== undefined && bound.mention === mention && bound.path.length === 0 && bound.via === null;
  });
}

/** Returns the columns of `table` that by themselves are a foreign key to the table `to`. */
export function listKeyColumns(table: Table, to: Table): readonly Column[] {
  return table.foreignKeys
    .filter((key) => key.referencedTable === to.name && key.columns.length === 1)
    .flatMap((key) => table.columns.filter((column) => column.name === key.columns[0]));
}

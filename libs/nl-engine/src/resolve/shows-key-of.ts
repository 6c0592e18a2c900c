import type { Assignment } from './assignment.js';
import { listKeyColumns } from './list-key-columns.js';

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

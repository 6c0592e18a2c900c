import type { Assignment } from './assign.js';
import { listKeyColumns } from './list-key-columns.js';

/**
 * Is a key shown that refers to the rows of a mention, wherever it stands? `the role codes and the number of employees in each role` names the
 * roles already, and so do `the order ids` of what lies between orders and products.
 */
export function showsKeyOf({ draft, columns, tables }: Assignment, mention: number): boolean {
  const table = tables[mention];
  return table !== undefined && draft.targets.some((target) => {
    const bound = target.kind === 'column' && target.fn === null ? columns.get(target.column) : undefined;
    return bound !== undefined && bound.path.every((edge) => edge.isToOne) && listKeyColumns(bound.table, table).includes(bound.column);
  });
}

import type { DbValue, RowSink } from '../pool-types.js';

/** The rows of a statement as they come. */
export function keepRows(): RowSink<DbValue[][]> {
  const rows: DbValue[][] = [];
  return { columns: null, row: (cells) => void rows.push([...cells]), end: () => rows };
}

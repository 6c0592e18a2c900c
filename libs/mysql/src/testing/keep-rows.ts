import type { DbValue, RowSink } from '../types.js';

/** Returns a sink that collects rows unchanged. */
export function keepRows(): RowSink<DbValue[][]> {
  const rows: DbValue[][] = [];
  return { columns: null, row: (cells) => void rows.push([...cells]), end: () => rows };
}

import { AppError } from '@rowhouse/errors';
import type { DbValue, ResultColumn, RowSink } from './pool-types.js';

export interface CollectedRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly DbValue[])[];
}

export interface CollectBounds {
  /** More rows than this stop the statement; the result says that it was cut. */
  readonly rowsMax?: number;
  /** Of all values together; beyond it the answer is `limit.response_size`. */
  readonly bytesMax: number;
}

/** Keeps the rows as arrays, in the order of the columns. */
export function collectRows(bounds: CollectBounds): RowSink<CollectedRows> {
  const rowsMax = bounds.rowsMax ?? Number.POSITIVE_INFINITY;
  const rows: (readonly DbValue[])[] = [];
  let columns: readonly ResultColumn[] = [];
  let bytes = 0;
  return {
    columns(described) {
      columns = described;
    },
    row(values) {
      if (rows.length >= rowsMax) return false;
      bytes += measureRow(values);
      if (bytes > bounds.bytesMax) throw new AppError('limit.response_size');
      rows.push(values);
      return true;
    },
    end: () => ({ columns, rows }),
  };
}

/** Roughly what the row takes in an answer: texts by their length, everything else flat. */
function measureRow(values: readonly DbValue[]): number {
  let bytes = 0;
  for (const value of values) bytes += typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
  return bytes;
}

/** For statements without rows. */
export const ignoreRows: RowSink<null> = { columns: null, row: () => undefined, end: () => null };

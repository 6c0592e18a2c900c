import { AppError } from '@rowhouse/errors';
import type { DbValue, ResultColumn, RowSink } from './types.js';

export interface CollectedRows {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly DbValue[])[];
}

export interface CollectBounds {
  /**
   * The maximum number of rows. If there are more, the statement is stopped and the result is marked as cut.
   */
  readonly rowsMax?: number;
  /** The maximum size of all values, in bytes. A larger result fails with `limit.response_size`. */
  readonly bytesMax: number;
}

/** Collects rows as arrays in column order. */
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

/**
 * Estimates the size of a row in a response, in bytes. A text counts by its length, and any other value
 * counts as a fixed size.
 */
function measureRow(values: readonly DbValue[]): number {
  let bytes = 0;
  for (const value of values) bytes += typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 8;
  return bytes;
}

/** The sink for statements without rows. */
export const ignoreRows: RowSink<null> = { columns: null, row: () => undefined, end: () => null };

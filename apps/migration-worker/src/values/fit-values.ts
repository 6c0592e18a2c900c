import { VALUE_INDEX_LIMITS } from '@rowhouse/contracts';

/** The values of one column. `values` is empty unless the state is `indexed`. */
export interface IndexedColumn {
  readonly table: string;
  readonly column: string;
  /**
   * `many`: more values than a question could refer to; `prose`: values too long; `slow`: not read in time;
   * `full`: no space left in the index.
   */
  readonly state: ValueState;
  readonly values: readonly string[];
}

export type ValueState = 'indexed' | 'many' | 'prose' | 'slow' | 'full';

/**
 * Determines the state of a column from its distinct values. `found` contains at most one value more than
 * allowed.
 */
export function judgeValues(table: string, column: string, found: readonly string[]): IndexedColumn {
  const { valuesPerColumnMax, charactersMax } = VALUE_INDEX_LIMITS;
  if (found.some((value) => [...value].length > charactersMax))
    return { table, column, state: 'prose', values: [] };
  if (found.length > valuesPerColumnMax) return { table, column, state: 'many', values: [] };
  return {
    table,
    column,
    state: 'indexed',
    values: found.filter((value) => /[^\s\p{C}]/u.test(value)).sort(),
  };
}

/**
 * Omits columns beyond the limits of a whole index. Columns with few values come first, because questions
 * usually filter by them, and most columns then fit.
 */
export function fitValues(columns: readonly IndexedColumn[]): IndexedColumn[] {
  const { columnsMax, valuesMax, bytesMax } = VALUE_INDEX_LIMITS;
  const byCount = columns
    .filter((column) => column.state === 'indexed')
    .sort((a, b) => a.values.length - b.values.length);
  const retained = new Set<IndexedColumn>();
  let values = 0;
  let bytes = 0;
  for (const column of byCount) {
    const size = sizeOf([column]);
    if (retained.size >= columnsMax || values + size.values > valuesMax || bytes + size.bytes > bytesMax)
      continue;
    retained.add(column);
    values += size.values;
    bytes += size.bytes;
  }
  return columns.map((column) =>
    column.state !== 'indexed' || retained.has(column) ? column : { ...column, state: 'full', values: [] },
  );
}

export function sizeOf(columns: readonly IndexedColumn[]): {
  readonly columns: number;
  readonly values: number;
  readonly bytes: number;
} {
  const indexed = columns.filter((column) => column.state === 'indexed');
  const values = indexed.reduce((sum, column) => sum + column.values.length, 0);
  const bytes = indexed.reduce(
    (sum, column) => sum + column.values.reduce((inner, value) => inner + Buffer.byteLength(value), 0),
    0,
  );
  return { columns: indexed.length, values, bytes };
}

import { VALUE_INDEX_LIMITS } from '@rowhouse/contracts';

/** What is known of one column's values. `values` is empty unless it is indexed. */
export interface IndexedColumn {
  readonly table: string;
  readonly column: string;
  /** `many`: more than a question can mean one of; `prose`: too long; `slow`: could not be read in time; `full`: there was no room. */
  readonly state: ValueState;
  readonly values: readonly string[];
}

export type ValueState = 'indexed' | 'many' | 'prose' | 'slow' | 'full';

/** What a column's distinct values, at most one more than may be, come to. */
export function judgeValues(table: string, column: string, found: readonly string[]): IndexedColumn {
  const { valuesPerColumnMax, charactersMax } = VALUE_INDEX_LIMITS;
  if (found.some((value) => [...value].length > charactersMax)) return { table, column, state: 'prose', values: [] };
  if (found.length > valuesPerColumnMax) return { table, column, state: 'many', values: [] };
  return { table, column, state: 'indexed', values: found.filter((value) => /[^\s\p{C}]/u.test(value)).sort() };
}

/**
 * Leaves out what goes beyond the limits of a whole index. Columns with few values come first: what has few is what a
 * question sorts by, and most columns have room.
 */
export function fitValues(columns: readonly IndexedColumn[]): IndexedColumn[] {
  const { columnsMax, valuesMax, bytesMax } = VALUE_INDEX_LIMITS;
  const byCount = columns.filter((column) => column.state === 'indexed').sort((a, b) => a.values.length - b.values.length);
  const kept = new Set<IndexedColumn>();
  let values = 0;
  let bytes = 0;
  for (const column of byCount) {
    const size = sizeOf([column]);
    if (kept.size >= columnsMax || values + size.values > valuesMax || bytes + size.bytes > bytesMax) continue;
    kept.add(column);
    values += size.values;
    bytes += size.bytes;
  }
  return columns.map((column) => (column.state !== 'indexed' || kept.has(column) ? column : { ...column, state: 'full', values: [] }));
}

export function sizeOf(columns: readonly IndexedColumn[]): { readonly columns: number; readonly values: number; readonly bytes: number } {
  const indexed = columns.filter((column) => column.state === 'indexed');
  const values = indexed.reduce((sum, column) => sum + column.values.length, 0);
  const bytes = indexed.reduce((sum, column) => sum + column.values.reduce((inner, value) => inner + Buffer.byteLength(value), 0), 0);
  return { columns: indexed.length, values, bytes };
}

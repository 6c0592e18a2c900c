import type { Column, EngineKind, Routine, Table } from './types.js';

/** A column as the engine describes it. `nameSnapshot` adds its value kind and format. */
export type RawColumn = Omit<Column, 'valueKind' | 'format'>;

/**
 * A table as the engine describes it. `nameSnapshot` adds value kinds, formats, the row key, the path and the
 * relationships.
 */
export type RawTable = Omit<Table, 'path' | 'rowKey' | 'relationships' | 'columns'> & {
  readonly columns: readonly RawColumn[];
};

export interface RawSchema {
  readonly engine: EngineKind;
  readonly tables: readonly RawTable[];
  readonly routines?: readonly Routine[];
}

import type { Column, EngineKind, Routine, Table } from './types.js';

/** A column as an engine describes it: what the wire carries for it is decided by `nameSnapshot`. */
export type RawColumn = Omit<Column, 'valueKind' | 'format'>;

/** A table as an engine describes it, before value kinds, formats, row key, path and relationships are given. */
export type RawTable = Omit<Table, 'path' | 'rowKey' | 'relationships' | 'columns'> & { readonly columns: readonly RawColumn[] };

export interface RawSchema {
  readonly engine: EngineKind;
  readonly tables: readonly RawTable[];
  readonly routines?: readonly Routine[];
}

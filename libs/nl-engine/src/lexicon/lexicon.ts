import type { Column, Snapshot, Table } from '@rowhouse/schema-model';
import type { TableGraph } from '../resolve/table-graph.js';
import type { ColumnLink, TableLink, ValueLink } from '../types.js';

/** The distinct values of a text column, as collected by the worker. */
export interface ColumnValues {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
}

/** A user-defined synonym of a table or column. */
export interface Synonym {
  readonly phrase: string;
  readonly table: string;
  readonly column: string | null;
}

export interface LexiconInput {
  readonly snapshot: Snapshot;
  readonly values: readonly ColumnValues[];
  readonly synonyms: readonly Synonym[];
}

/** The lookup tables for linking words to a schema. A lexicon is built once per snapshot and value index. */
export interface Lexicon {
  readonly snapshot: Snapshot;
  readonly graph: TableGraph;
  readonly columns: ReadonlyMap<string, readonly ColumnLink[]>;
  readonly tables: ReadonlyMap<string, readonly TableLink[]>;
  readonly values: ReadonlyMap<string, readonly ValueLink[]>;
  /** Full names of people, such as `Ann Lee`, by their first word in lower case. */
  readonly firstNames: ReadonlyMap<string, readonly ValueLink[]>;
  /** The lookup keys of all values of each indexed column. */
  readonly valuesOf: ReadonlyMap<Column, ReadonlySet<string>>;
  /** The words of each table's name. */
  readonly tableWords: ReadonlyMap<Table, readonly string[]>;
  readonly columnWords: ReadonlyMap<Column, readonly string[]>;
  /** Tables with a single-word name by the root of that word, so that `commented` finds `comments`. */
  readonly tablesByVerbRoot: ReadonlyMap<string, readonly TableLink[]>;
  /** Tables whose rows are people. */
  readonly people: readonly TableLink[];
  /** Columns that a year or date without a column name may refer to. */
  readonly dateColumns: readonly ColumnLink[];
  /** Columns with the creation time of rows, which words such as `newest` refer to. */
  readonly creationTimes: readonly ColumnLink[];
  /** The amount columns by table, for tables of amounts such as `stock`. */
  readonly amounts: ReadonlyMap<Table, Column>;
  /** Short forms in names, such as `qty`, and their long forms. */
  readonly shortForms: ReadonlyMap<string, string>;
  /**
   * A cache of corrections by unknown word. An empty string means that the word has no correction.
   */
  readonly corrections: Map<string, string>;
  /** All words that occur in names of tables and columns. */
  readonly words: ReadonlySet<string>;
}

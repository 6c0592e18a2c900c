import type { Column, Snapshot, Table } from '@rowhouse/schema-model';
import type { TableGraph } from '../resolve/table-graph.js';
import type { ColumnLink, TableLink, ValueLink } from '../types.js';

/** The distinct values of a text column, which the worker has collected. */
export interface ColumnValues {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
}

/** A synonym that a user has defined for a table or a column. */
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

/**
 * The lookup tables that link words to names in a schema. A lexicon is built once for each snapshot and value
 * index.
 */
export interface Lexicon {
  readonly snapshot: Snapshot;
  readonly graph: TableGraph;
  readonly columns: ReadonlyMap<string, readonly ColumnLink[]>;
  readonly tables: ReadonlyMap<string, readonly TableLink[]>;
  readonly values: ReadonlyMap<string, readonly ValueLink[]>;
  /** The full names of people, such as `Ann Lee`, by their first word in lower case. */
  readonly firstNames: ReadonlyMap<string, readonly ValueLink[]>;
  /** The values of each column in the value index, as normalized keys to look them up by. */
  readonly valuesOf: ReadonlyMap<Column, ReadonlySet<string>>;
  /** The words in the name of each table. */
  readonly tableWords: ReadonlyMap<Table, readonly string[]>;
  readonly columnWords: ReadonlyMap<Column, readonly string[]>;
  /**
   * Tables whose name is a single word, by the root of this word. With it, `commented` refers to `comments`.
   */
  readonly tablesByVerbRoot: ReadonlyMap<string, readonly TableLink[]>;
  /** The tables whose rows are people. */
  readonly people: readonly TableLink[];
  /** The columns to which a year or date in a question may refer if no column is named. */
  readonly dateColumns: readonly ColumnLink[];
  /** The columns with the creation time of rows. Words such as `newest` refer to them. */
  readonly creationTimes: readonly ColumnLink[];
  /** The columns with amounts, for tables that contain amounts, such as `stock`. */
  readonly amounts: ReadonlyMap<Table, Column>;
  /** The abbreviations in names, such as `qty`, with their long forms. */
  readonly shortForms: ReadonlyMap<string, string>;
  /** A cache of corrections for unknown words. An empty text means that the word has no correction. */
  readonly corrections: Map<string, string>;
  /** All words that occur in the names of tables and columns. */
  readonly words: ReadonlySet<string>;
}

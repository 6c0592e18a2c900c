import type { CompiledColumn, CompiledRelationship, CompiledTable, ValueKind } from '@rowhouse/schema-model';
import type { Preferences, RequestAddress, ResponseFormat } from '../../request/api-request.js';
import type { Condition } from '../filter/condition.js';
import type { ListWindow, Touch } from '../plan-parts.js';

/** The plan of a list with groups of a table's records as rows, and with values computed for each group. */
export interface AggregatePlan {
  readonly kind: 'aggregate';
  /**
   * The format of the response. Every format except `json` is a stream, whose number of rows may be
   * unlimited.
   */
  readonly format: ResponseFormat;
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
  /**
   * The members of each row, in order: the groups first, then the aggregates. Without groups, all records
   * together form one row.
   */
  readonly outputs: readonly Output[];
  /** The conditions that records must match. */
  readonly where: readonly Condition[];
  /** The condition that groups must match. It refers to an output by the `column` of that output. */
  readonly having: Condition | null;
  readonly sort: readonly OutputSort[];
  /**
   * The groups that have no exact order. After the sort keys, rows are sorted by a digest of these values.
   */
  readonly ties: readonly Output[];
  readonly window: ListWindow;
  /** Whether the response reports the total number of groups. */
  readonly isCounted: boolean;
  /** Whether a condition contains a regular expression. */
  readonly hasRegex: boolean;
}

export interface OutputSort {
  readonly output: Output;
  readonly direction: 'ASC' | 'DESC';
  /** Whether NULLs are moved from the server's default position (see `SortKey`). */
  readonly reversesNulls: boolean;
}

/** One member of each row: a group or an aggregate. */
export interface Output {
  readonly name: string;
  /** The kind of the value in responses. */
  readonly kind: ValueKind;
  /** The number of fractional digits of a date and time. */
  readonly fraction: number;
  readonly term: OutputTerm;
  /**
   * A column that represents this member in `having`. It has the member's name, and the kind by which the
   * values are compared.
   */
  readonly column: CompiledColumn;
}

export type OutputTerm =
  | { readonly kind: 'group'; readonly source: OutputSource; readonly part: DatePart | null }
  | { readonly kind: 'count_records' }
  | { readonly kind: 'aggregate'; readonly function: AggregateFunction; readonly source: OutputSource };

/** A column at the end of a path of to-one relationships. */
export interface OutputSource {
  readonly path: readonly CompiledRelationship[];
  readonly column: CompiledColumn;
  /** The path of the value inside a JSON column. Absent if the value is the column itself. */
  readonly jsonPath?: string;
}

export type AggregateFunction = 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';

/** The part of a date by which records can be grouped. */
export type DatePart = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour';

import type { CompiledColumn, CompiledRelationship, CompiledTable, ValueKind } from '@rowhouse/schema-model';
import type { Preferences, RequestAddress, ResponseFormat } from '../../request/api-request.js';
import type { Condition } from '../filter/condition.js';
import type { ListWindow, Touch } from '../plan-parts.js';

/** Groups of a table's records, and the values computed for each group. */
export interface AggregatePlan {
  readonly kind: 'aggregate';
  /** Every format except `json` is streamed. The window of a stream may have no end. */
  readonly format: ResponseFormat;
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
  /**
   * The members of each row in order: groups, followed by aggregates. Without groups, all records form one
   * row.
   */
  readonly outputs: readonly Output[];
  /** The conditions that records must match. */
  readonly where: readonly Condition[];
  /**
   * The condition that groups must match. The condition refers to an output by the `column` of the output.
   */
  readonly having: Condition | null;
  readonly sort: readonly OutputSort[];
  /**
   * The grouped values that have no exact order. A digest of these values is sorted by after the sort keys.
   */
  readonly ties: readonly Output[];
  readonly window: ListWindow;
  /** Whether the response contains the number of groups. */
  readonly isCounted: boolean;
  /** Whether some condition is a regular expression. */
  readonly hasRegex: boolean;
}

export interface OutputSort {
  readonly output: Output;
  readonly direction: 'ASC' | 'DESC';
  /** See `SortKey`. */
  readonly reversesNulls: boolean;
}

/** One member of a row. */
export interface Output {
  readonly name: string;
  /** The kind of the value in the response. */
  readonly kind: ValueKind;
  /** The number of fractional digits of a temporal value. */
  readonly fraction: number;
  readonly term: OutputTerm;
  /** Represents the member in `having`, with its name and the kind by which values are compared. */
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
  /** The path of the value inside a JSON column. The path is absent if the value is the column itself. */
  readonly jsonPath?: string;
}

export type AggregateFunction = 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';

/** A calendar period. */
export type DatePart = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour';

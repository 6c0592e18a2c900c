import type { CompiledColumn, CompiledRelationship, CompiledTable, ValueKind } from '@rowhouse/schema-model';
import type { Preferences, RequestAddress } from '../../request/api-request.js';
import type { AnswerFormat } from '../../request/negotiate-format.js';
import type { Condition, ListWindow, Touch } from '../plan.js';

/** Groups of a table's records, and what is computed of each. */
export interface AggregatePlan {
  readonly kind: 'aggregate';
  /** Anything but `json`: a stream, whose window may be without end. */
  readonly format: AnswerFormat;
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
  /** Members of each row in their order: groups, then aggregates. Without a group all records are one. */
  readonly outputs: readonly Output[];
  /** Which records are looked at. */
  readonly where: readonly Condition[];
  /** Which groups are answered; its columns are `column` of outputs. */
  readonly having: Condition | null;
  readonly sort: readonly OutputSort[];
  /** Groups by values whose order is not exact: a digest of them comes after the sort keys. */
  readonly ties: readonly Output[];
  readonly window: ListWindow;
  /** Whether the groups are counted too. */
  readonly isCounted: boolean;
  /** Some condition is a regular expression. */
  readonly hasRegex: boolean;
}

export interface OutputSort {
  readonly output: Output;
  readonly direction: 'ASC' | 'DESC';
  /** As of a list's key. */
  readonly turnsNulls: boolean;
}

/** One member of a row. */
export interface Output {
  readonly name: string;
  /** What the answer carries. */
  readonly kind: ValueKind;
  /** Fractional digits of a temporal value. */
  readonly fraction: number;
  readonly term: OutputTerm;
  /** Stands for the member in `having`: its name, and the kind that values are compared as. */
  readonly column: CompiledColumn;
}

export type OutputTerm =
  | { readonly kind: 'group'; readonly source: OutputSource; readonly part: DatePart | null }
  | { readonly kind: 'count_records' }
  | { readonly kind: 'aggregate'; readonly function: AggregateFunction; readonly source: OutputSource };

/** A column, over to-one relationships before it. */
export interface OutputSource {
  readonly path: readonly CompiledRelationship[];
  readonly column: CompiledColumn;
  /** Where the value is inside a JSON column; left out: the column itself. */
  readonly jsonPath?: string;
}

export type AggregateFunction = 'count' | 'count_distinct' | 'sum' | 'avg' | 'min' | 'max';

/** A stretch of the calendar that a moment falls into. */
export type DatePart = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour';

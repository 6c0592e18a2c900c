import type { CompiledColumn, CompiledTable, ValueKind } from '@rowhouse/schema-model';
import type { Cast, RowValues } from '../plan/plan.js';
import type { ResultSet } from '../response/result-set.js';

/** What is bound to a `?`. Text for everything exact; numbers only for FLOAT, DOUBLE and booleans. */
export type BoundValue = string | number | Uint8Array | null;

/** One prepared statement. Its text depends on the shape of the request alone, never on values. */
export interface Statement {
  readonly role: StatementRole;
  readonly sql: string;
  readonly params: readonly BoundValue[];
  /** Null: no rows are expected (INSERT, UPDATE, DELETE without RETURNING). */
  readonly shape: ResultShape | null;
  /** What a refusal is about where that is not the request's own table. */
  readonly table?: CompiledTable;
  /** Of an INSERT of several rows: what it holds, so that a refusal can name one of them. */
  readonly inserts?: InsertedRows;
  /** Of the records that a nested write makes of the body: where each of `inserts`, or its only record, stands there. */
  readonly locs?: readonly (readonly (string | number)[])[];
  /** A read outside transactions of few rows by their key, surely short: fit for a lane, where others wait behind it. */
  readonly isShort?: boolean;
  /** A read outside transactions that gives few rows, for which the engine may have to look at many: fit for a lane where it is known to be quick. */
  readonly mayBeShort?: boolean;
  /** Records of this table are counted, all that belong to the parents: however few rows come, the engine looks at each. */
  readonly counted?: CompiledTable;
  /** Of a read of one record by a key of one integer: how several are read at once. */
  readonly point?: PointRead | null;
}

/** `from`: the place of the first among all rows of its kind. */
export interface InsertedRows {
  readonly table: CompiledTable;
  readonly rows: readonly RowValues[];
  readonly from: number;
}

export interface PointRead {
  /** Where the key stands among the columns of the shape. */
  readonly at: number;
  /** The same statement for `count` keys. */
  readonly sqlOf: (count: number) => string;
}

export type StatementRole =
  /** Records of the request itself. */
  | { readonly kind: 'records' }
  /** Rows that were just written, for the statements after it. */
  | { readonly kind: 'written' }
  /**
   * Related records; `path` is the include as written in the plan: `comments.user`. Parents are asked for in chunks.
   * More rows than `rowsMax`: the result is not whole, and another of the same chunk follows.
   */
  | { readonly kind: 'include'; readonly path: string; readonly chunk: number; readonly rowsMax: number | null }
  | { readonly kind: 'count' }
  /** How the engine would run another statement. */
  | { readonly kind: 'explain'; readonly of: Statement }
  /** Rows that the write after it is about, held until the transaction ends. */
  | { readonly kind: 'lock' }
  /** Key defaults evaluated before an INSERT; `row` of the body. */
  | { readonly kind: 'defaults'; readonly row: number }
  /** A write that gives no rows back; `row` is the first row of the body that it holds. */
  | { readonly kind: 'write'; readonly row: number };

/** The columns of a result in their order. Its identity is the cache key of the writer compiled for it. */
export interface ResultShape {
  readonly columns: readonly ShapeColumn[];
  /** Cells that are kept beside the JSON, by position, for `ResultSet.keyCell`. */
  readonly keys: readonly number[];
}

export interface ShapeColumn {
  /** Member of the record. */
  readonly name: string;
  readonly kind: ValueKind;
  /** False: fetched as a key only. */
  readonly isOutput: boolean;
  /** Null for computed cells (counts). Executors compare it with the definitions that a result carries. */
  readonly column: CompiledColumn | null;
  /** Fractional digits of a temporal cell without a column. */
  readonly fraction?: number;
  /** What its values are turned into where they are written. */
  readonly cast?: Cast;
  /** Of an integer without a column: doubles do not hold all of its values. */
  readonly isWide?: boolean;
}

/** Statements that may be sent together. */
export interface StatementRound {
  readonly statements: readonly Statement[];
  /** True: one connection, in this order, each only when those before it succeeded. */
  readonly isOrdered: boolean;
}

/**
 * What a plan asks of the database. Run `first`; then call `next` with the results of all rounds so far, in order,
 * until it gives null. In a transaction all rounds use one connection, and the last is followed by COMMIT or ROLLBACK.
 */
export interface StatementProgram {
  readonly transaction: 'none' | 'commit' | 'rollback';
  readonly first: StatementRound;
  next(results: readonly ResultSet[]): StatementRound | null;
}

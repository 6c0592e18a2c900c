import type { CompiledColumn, CompiledRelationship, CompiledTable, Verb } from '@rowhouse/schema-model';
import type { Preferences, RequestAddress } from '../request/api-request.js';
import type { BoundValue, Cell } from '../values/cell.js';
import type { ReferenceSource } from './references.js';
import type { Condition } from './filter/condition.js';

/**
 * The order of records that are equal in all sort keys, so that pages neither skip nor repeat a record.
 * Records that are equal in this order too have the same visible values, so their order does not matter.
 */
export interface TieBreak {
  /** The columns to sort by, in order. */
  readonly columns: readonly CompiledColumn[];
  /**
   * The columns that have no exact order. Rows are sorted by a digest of all their bytes after the other
   * columns.
   */
  readonly digested: readonly CompiledColumn[];
}

/** A table that a plan reads or changes, with the right that this requires. */
export interface Touch {
  readonly table: string;
  readonly verb: Verb;
}

export interface PlanBase {
  /**
   * An object that all plans created from the same template share. These plans differ only in their values.
   */
  readonly shape?: object;
  /**
   * Whether a condition contains a regular expression. The gateway limits the execution time of such
   * statements, and the servers may stop them without an error.
   */
  readonly hasRegex?: boolean;
  /**
   * Whether a value is a date with a month or day of zero. The server accepts it only with a changed SQL
   * mode.
   */
  readonly hasZeroDate?: boolean;
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
}

/**
 * The `If-Match` and `If-None-Match` conditions of a write to one record, of which at least one is set. They
 * are compared with the locked record.
 */
export interface RecordConditions {
  readonly ifMatch: RecordCondition | null;
  /** The condition that the record must not match. */
  readonly ifNoneMatch: RecordCondition | null;
}

/** A condition on the stored record: it exists (`any`), or it has one of the given versions. */
export type RecordCondition =
  | { readonly kind: 'any' }
  | {
      readonly kind: 'versions';
      readonly versions: readonly { readonly columns: readonly CompiledColumn[]; readonly digest: string }[];
    };

export interface KeyPart {
  readonly column: CompiledColumn;
  readonly value: BoundValue;
}

/** The values of columns that one record of a body names. Other columns get their default values. */
export type RowValues = readonly { readonly column: CompiledColumn; readonly value: BoundValue }[];

export type Assignment =
  | { readonly kind: 'set'; readonly column: CompiledColumn; readonly value: BoundValue }
  | { readonly kind: 'add'; readonly column: CompiledColumn; readonly value: BoundValue };

/** A column of a response: a column of the table, or a projection of it. */
export interface SelectedColumn extends CompiledColumn {
  readonly projection?: Projection;
}

/**
 * How a member of a response is computed from a column. The name of the `SelectedColumn` is the name of this
 * member.
 */
export interface Projection {
  readonly source: CompiledColumn;
  /** The path of the value inside a JSON column. Null for the column itself. */
  readonly jsonPath: string | null;
  readonly cast: Cast | null;
}

/** The type to which a value is cast before the response is written. */
export type Cast = 'string' | 'number' | 'boolean' | 'date';

export interface SortKey {
  /** The to-one relationships that lead from the request's table to the table of the column. */
  readonly path: readonly CompiledRelationship[];
  readonly column: CompiledColumn;
  /** The path of the value inside a JSON column. Absent for the column itself. */
  readonly jsonPath?: string;
  readonly direction: 'ASC' | 'DESC';
  /**
   * Whether NULLs are moved from the server's default position: last in ascending order, first in descending
   * order. No index has such an order.
   */
  readonly reversesNulls: boolean;
  /**
   * The related records whose number is the sort key. Null if the sort key is a column. For a count, `column`
   * does not belong to a table.
   */
  readonly count: IncludeNode | null;
}

export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
  /**
   * The paging parameters of the request, which the `Link` header repeats. `all` means that the request has
   * neither a page nor a limit.
   */
  readonly style: 'all' | 'page' | 'offset' | 'cursor';
  /** The number of the page, counted from 1. */
  readonly page: number;
}

export interface CursorPlan {
  /**
   * The direction in which the page is read. With `prev`, it is towards the start of the list, but the
   * response still has the list's order.
   */
  readonly direction: 'next' | 'prev';
  /** The sort key values of the record after which the page begins. Null for the first page. */
  readonly after: readonly BoundValue[] | null;
  /** Returns the cursor of a record. `cells` contains the values of its sort keys. */
  make(cells: readonly Cell[], direction: 'next' | 'prev'): string;
}

export interface IncludeNode {
  readonly relationship: CompiledRelationship;
  /** The name of the member in responses: the published name of the relationship, or the name of a count. */
  readonly name: string;
  /** The names of the members from the top level, joined with dots, such as `comments.user`. */
  readonly path: string;
  /** For a to-many relationship: whether responses contain the number of records instead of the records. */
  readonly isCount: boolean;
  readonly select: readonly SelectedColumn[];
  readonly hasEtag: boolean;
  /** The conditions that the related records must match. */
  readonly where: readonly Condition[];
  /** The sort keys before the row key. They are columns of the target table, not of further relationships. */
  readonly sort: readonly SortKey[];
  /** For a to-many relationship: the maximum number of related records for each parent. */
  readonly perParentMax: number;
  readonly children: readonly IncludeNode[];
}

export interface PlanOptions {
  readonly unknownFields: 'reject' | 'ignore';
  readonly requireLimit: boolean;
  readonly regexEnabled: boolean;
  /**
   * Returns the names of columns that the request's table stored in an earlier snapshot, in order. Returns
   * null if they are unknown.
   */
  storedColumnsAt(snapshot: number): readonly string[] | null;
  /** Returns a keyed hash of a text as base64url. The secret key differs for each database. */
  sealText(text: string): string;
  /** Returns a new random UUID as text, for a `uuid` column that the body omits. */
  makeUuid(): string;
  /** The tables whose records can only be changed and deleted with `If-Match`. */
  readonly requireIfMatch?: readonly string[];
  /** Called for each date with a month or day of zero. Without this function, such dates are rejected. */
  readonly noteZeroDate?: () => void;
  /** Returns the current time in milliseconds since 1970. Relative dates are computed from it. */
  readonly now?: () => number;
  /** Resolves references such as `{"$ref": "0.id"}`. Absent for requests that are not part of a batch. */
  readonly references?: ReferenceSource;
}

import type { CompiledColumn, CompiledRelationship, CompiledTable, Verb } from '@rowhouse/schema-model';
import type { Preferences, RequestAddress } from '../request/api-request.js';
import type { BoundValue, Cell } from '../values/cell.js';
import type { ReferenceSource } from './references.js';
import type { Condition } from './filter/condition.js';

/**
 * Orders records that are equal in all sort keys, so that pages neither skip nor repeat one. If two records
 * are equal here too, all their visible columns are equal, so their order does not matter.
 */
export interface TieBreak {
  /** Columns to sort by, in order. */
  readonly columns: readonly CompiledColumn[];
  /** Columns without an exact order. A digest of all their bytes comes last. */
  readonly digested: readonly CompiledColumn[];
}

/** A table that a plan reads or changes, with the required right. */
export interface Touch {
  readonly table: string;
  readonly verb: Verb;
}

export interface PlanBase {
  /**
   * An object that is shared by all plans created from one template. Such plans only differ in their values.
   */
  readonly shape?: object;
  /**
   * Whether some condition is a regular expression. The servers limit the execution of such statements and
   * may stop them without an error.
   */
  readonly hasRegex?: boolean;
  /** Whether a value has a day or month of zero, which the server only accepts with a changed SQL mode. */
  readonly hasZeroDate?: boolean;
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
}

/**
 * The preconditions of a write on one record, of which at least one is set. They are compared with the locked
 * record.
 */
export interface RecordConditions {
  readonly ifMatch: RecordCondition | null;
  /** The write only happens if the record does not match this condition. */
  readonly ifNoneMatch: RecordCondition | null;
}

/** The required state of the stored record: it exists, or it has one of these versions. */
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

/** The columns that one record of the body names. Other columns take their defaults. */
export type RowValues = readonly { readonly column: CompiledColumn; readonly value: BoundValue }[];

export type Assignment =
  | { readonly kind: 'set'; readonly column: CompiledColumn; readonly value: BoundValue }
  | { readonly kind: 'add'; readonly column: CompiledColumn; readonly value: BoundValue };

/** A column of a response, which is a column of the table or a projection of one. */
export interface SelectedColumn extends CompiledColumn {
  readonly projection?: Projection;
}

/**
 * How a member of a response is derived from a column. The name of the selected column is that of the member.
 */
export interface Projection {
  readonly source: CompiledColumn;
  /** The path of the value inside a JSON column, or null for the column itself. */
  readonly jsonPath: string | null;
  readonly cast: Cast | null;
}

/** The type to which a value is cast when it is written. */
export type Cast = 'string' | 'number' | 'boolean' | 'date';

export interface SortKey {
  /** To-one relationships from the table to that of the column. */
  readonly path: readonly CompiledRelationship[];
  readonly column: CompiledColumn;
  /** The path of the value inside a JSON column. Absent for the column itself. */
  readonly jsonPath?: string;
  readonly direction: 'ASC' | 'DESC';
  /**
   * Whether NULLs are moved from the server's default position: last in ascending order, or first in
   * descending order. No index has this order.
   */
  readonly reversesNulls: boolean;
  /**
   * The related records whose number is the sort key, or null. If records are counted, `column` does not
   * belong to a table.
   */
  readonly count: IncludeNode | null;
}

export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
  /** The paging parameters of the request, which Link repeats. `all` means neither page nor limit. */
  readonly style: 'all' | 'page' | 'offset' | 'cursor';
  /** Counted from 1. */
  readonly page: number;
}

export interface CursorPlan {
  /** `prev` leads towards the start. The response still has the order of the list. */
  readonly direction: 'next' | 'prev';
  /** The sort key values of the record before the page, or null at the start. */
  readonly after: readonly BoundValue[] | null;
  /** Returns the cursor of a record from the cells of its sort keys. */
  make(cells: readonly Cell[], direction: 'next' | 'prev'): string;
}

export interface IncludeNode {
  readonly relationship: CompiledRelationship;
  /** The name of the member: the relationship's published name, or the name of a count. */
  readonly name: string;
  /** The names of the members joined with dots: `comments.user`. */
  readonly path: string;
  /** For to-many relationships: whether the number of records is returned instead of the records. */
  readonly isCount: boolean;
  readonly select: readonly SelectedColumn[];
  readonly hasEtag: boolean;
  /** The conditions on the related records. */
  readonly where: readonly Condition[];
  /** The sort keys before the row key. They are columns of the target table only. */
  readonly sort: readonly SortKey[];
  /** For to-many relationships: the maximum number of records per parent. */
  readonly perParentMax: number;
  readonly children: readonly IncludeNode[];
}

export interface PlanOptions {
  readonly unknownFields: 'reject' | 'ignore';
  readonly requireLimit: boolean;
  readonly regexEnabled: boolean;
  /**
   * Returns the stored columns of the request's table in an earlier snapshot, in order. Returns null if they
   * are not known.
   */
  storedColumnsAt(snapshot: number): readonly string[] | null;
  /** Returns a keyed hash of a text as base64url. The key is bound to the database. */
  sealText(text: string): string;
  /** Returns a new random UUID as text, for omitted `uuid` columns. */
  makeUuid(): string;
  /** Tables whose records may only be changed and deleted with `If-Match`. */
  readonly requireIfMatch?: readonly string[];
  /**
   * Called for a value with a day or month of zero. If `noteZeroDate` is absent, such values are rejected.
   */
  readonly noteZeroDate?: () => void;
  /** Returns the current time in milliseconds since 1970, from which relative dates are computed. */
  readonly now?: () => number;
  /** The source of references such as `{"$ref": "0.id"}`. Only operations of a batch have a source. */
  readonly references?: ReferenceSource;
}

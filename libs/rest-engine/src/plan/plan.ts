import type { FieldFault } from '@rowhouse/errors';
import type { CompiledColumn, CompiledRelationship, CompiledTable, Verb } from '@rowhouse/schema-model';
import type { Preferences, RequestAddress } from '../request/api-request.js';
import type { ResponseFormat } from '../request/negotiate-format.js';
import type { Cell } from '../response/result-set.js';
import type { BoundValue } from '../sql/statement.js';
import type { AggregatePlan } from './aggregate/aggregate-plan.js';
import type { Claim } from './claims.js';
import type { ExplainPlan } from './explain/explain-plan.js';
import type { NestedCreatePlan, NestedUpdatePlan } from './nested/nested-plan.js';
import type { TieBreak } from './order/tie-break.js';
import type { ReferenceSource } from './references.js';
import type { Condition } from './condition.js';

/**
 * The planned request, checked against the schema and with all values converted. It is immutable, and only
 * consists of names of the snapshot and bound values.
 */
export type Plan =
  | ListPlan
  | AggregatePlan
  | ExplainPlan
  | ReadPlan
  | CreatePlan
  | NestedCreatePlan
  | UpdatePlan
  | NestedUpdatePlan
  | DeletePlan
  | UpsertPlan
  | UpdateManyPlan
  | DeleteManyPlan;

/** Plans that select their records by conditions. */
export type FilteredPlan = ListPlan | AggregatePlan | UpdateManyPlan | DeleteManyPlan;

/** A table that a plan reads or changes, with the required right. */
export interface Touch {
  readonly table: string;
  readonly verb: Verb;
}

export interface PlanBase {
  /** Plans created from one template share this object. They only differ in their values. */
  readonly shape?: object;
  /**
   * Whether some condition is a regular expression. The servers limit the execution of such statements and
   * may stop them without an error.
   */
  readonly hasRegex?: boolean;
  /** Whether a value has a day or month of zero, which the server only accepts with a changed SQL mode. */
  readonly hasOddDays?: boolean;
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
}

export interface ListPlan extends PlanBase {
  readonly kind: 'list';
  /** Every format except `json` is a stream, whose window may have no end. */
  readonly format: ResponseFormat;
  readonly select: readonly SelectedColumn[];
  readonly where: readonly Condition[];
  readonly sort: readonly SortKey[];
  /** Follows the sort keys. Null if no two records are equal in these, or if no other page follows. */
  readonly ties: TieBreak | null;
  /** Whether all records are read without a sort, in the order in which the table stores them. */
  readonly isStoredOrder: boolean;
  /** Whether each record has its version among its members. */
  readonly hasEtag: boolean;
  /** Whether equal rows of the selected columns are combined. */
  readonly isDistinct: boolean;
  readonly window: ListWindow;
  /** Null for lists with pages or offsets. */
  readonly cursor: CursorPlan | null;
  readonly count: 'none' | 'exact' | 'estimated';
  readonly include: readonly IncludeNode[];
}

export interface ReadPlan extends PlanBase {
  readonly kind: 'read';
  readonly select: readonly SelectedColumn[];
  readonly hasEtag: boolean;
  readonly key: readonly KeyPart[];
  readonly include: readonly IncludeNode[];
}

export interface CreatePlan extends PlanBase {
  readonly kind: 'create';
  /** Whether the body was an array and not a single object. */
  readonly isBulk: boolean;
  readonly rows: readonly RowValues[];
  /** The claims of each row, if the body names generated columns. */
  readonly claims?: ReadonlyMap<number, readonly Claim[]>;
  /** The columns of the returned records. Null returns keys only, or a count for a table without a key. */
  readonly answer: readonly CompiledColumn[] | null;
}

export interface UpdatePlan extends PlanBase {
  readonly kind: 'update';
  readonly key: readonly KeyPart[];
  readonly conditions: RecordConditions | null;
  /** Empty if nothing changes. The unchanged record is returned then. */
  readonly changes: readonly Assignment[];
  /**
   * If not empty, the change requires that each claim is true of the stored record. For generated columns, it
   * may become true by the change.
   */
  readonly claims?: readonly Claim[];
  /** Null for a 204 response without a body. */
  readonly answer: readonly CompiledColumn[] | null;
}

export interface DeletePlan extends PlanBase {
  readonly kind: 'delete';
  readonly key: readonly KeyPart[];
  readonly conditions: RecordConditions | null;
}

/** Creates each record, or changes the one with the same values in `target`. */
export interface UpsertPlan extends PlanBase {
  readonly kind: 'upsert';
  readonly isBulk: boolean;
  /** All columns of the unique key `constraint`. */
  readonly target: readonly CompiledColumn[];
  readonly constraint: string;
  readonly resolution: 'merge' | 'ignore';
  readonly rows: readonly UpsertRow[];
  readonly answer: readonly CompiledColumn[];
}

export interface UpsertRow {
  readonly insert: RowValues;
  readonly key: readonly KeyPart[];
  /** The changes of an existing record. */
  readonly changes: readonly Assignment[];
  /** The reasons why no record can be created from these values, although an existing one may be changed. */
  readonly ifNew: readonly FieldFault[];
  readonly claims?: readonly Claim[];
}

/** Writes every record that matches `where`, unless there are more than `maxAffected`. */
export interface ChangeManyPlan extends PlanBase {
  readonly kind: 'update_many' | 'delete_many';
  /** Never empty. */
  readonly where: readonly Condition[];
  readonly maxAffected: number;
  /** Null returns counts only. */
  readonly answer: readonly CompiledColumn[] | null;
}

export interface UpdateManyPlan extends ChangeManyPlan {
  readonly kind: 'update_many';
  readonly changes: readonly Assignment[];
}

export interface DeleteManyPlan extends ChangeManyPlan {
  readonly kind: 'delete_many';
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
  readonly turnsNulls: boolean;
  /** Sorts by the number of these related records. In that case `column` does not belong to a table. */
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
  /** Called for a value with a day or month of zero. Such values are rejected if it is absent. */
  readonly noteOddDay?: () => void;
  /** Returns the current time in milliseconds since 1970, from which relative dates are computed. */
  readonly now?: () => number;
  /** Set for an operation of a batch. */
  readonly references?: ReferenceSource;
}

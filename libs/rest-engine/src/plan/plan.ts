import type { FieldFault } from '@rowhouse/errors';
import type { CompiledColumn, CompiledTable } from '@rowhouse/schema-model';
import type { ResponseFormat, Preferences, RequestAddress } from '../request/api-request.js';
import type { AggregatePlan } from './aggregate/aggregate-plan.js';
import type { Claim } from './write/claims.js';
import type { NestedCreatePlan, NestedUpdatePlan } from './write/nested/nested-plan.js';
import type {
  TieBreak,
  PlanBase,
  RecordConditions,
  KeyPart,
  RowValues,
  Assignment,
  SelectedColumn,
  SortKey,
  ListWindow,
  CursorPlan,
  IncludeNode,
  Touch,
} from './plan-parts.js';
import type { Condition } from './filter/condition.js';

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

declare const AUTHORIZED: unique symbol;

/** A plan that `authorizePlan` has accepted. Only authorized plans can be converted to SQL. */
export type Authorized<P extends Plan> = P & { readonly [AUTHORIZED]: true };

/** Plans that select their records by conditions. */
export type FilteredPlan = ListPlan | AggregatePlan | UpdateManyPlan | DeleteManyPlan;

export interface ListPlan extends PlanBase {
  readonly kind: 'list';
  /** Every format except `json` is a stream, whose window may have no end. */
  readonly format: ResponseFormat;
  readonly select: readonly SelectedColumn[];
  readonly where: readonly Condition[];
  readonly sort: readonly SortKey[];
  /**
   * The order of records that are equal in all sort keys. Null if no two records are equal in all sort keys,
   * or if no other page follows.
   */
  readonly ties: TieBreak | null;
  /** Whether all records are read without a sort, in the order in which the table stores them. */
  readonly isStoredOrder: boolean;
  /** Whether each record has its version among its members. */
  readonly hasEtag: boolean;
  /** Whether equal rows of the selected columns are combined. */
  readonly isDistinct: boolean;
  readonly window: ListWindow;
  /** The cursor of the list. Lists with pages or offsets have none. */
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
  readonly returned: readonly CompiledColumn[] | null;
}

export interface UpdatePlan extends PlanBase {
  readonly kind: 'update';
  readonly key: readonly KeyPart[];
  readonly conditions: RecordConditions | null;
  /** The columns to change. If the list is empty, the response contains the unchanged record. */
  readonly changes: readonly Assignment[];
  /**
   * If not empty, the change requires that each claim is true of the stored record. For generated columns, it
   * may become true by the change.
   */
  readonly claims?: readonly Claim[];
  /** Null for a 204 response without a body. */
  readonly returned: readonly CompiledColumn[] | null;
}

export interface DeletePlan extends PlanBase {
  readonly kind: 'delete';
  readonly key: readonly KeyPart[];
  readonly conditions: RecordConditions | null;
}

/**
 * Creates each record, or changes the existing record that has the same values in the columns of `target`.
 */
export interface UpsertPlan extends PlanBase {
  readonly kind: 'upsert';
  readonly isBulk: boolean;
  /** All columns of the unique key `constraint`. */
  readonly target: readonly CompiledColumn[];
  readonly constraint: string;
  readonly resolution: 'merge' | 'ignore';
  readonly rows: readonly UpsertRow[];
  readonly returned: readonly CompiledColumn[];
}

export interface UpsertRow {
  readonly insert: RowValues;
  readonly key: readonly KeyPart[];
  /** The changes of an existing record. */
  readonly changes: readonly Assignment[];
  /** The faults that prevent creating a record from these values. An existing record may still be changed. */
  readonly insertFaults: readonly FieldFault[];
  readonly claims?: readonly Claim[];
}

/** Writes every record that matches `where`, unless there are more than `maxAffected`. */
export interface ChangeManyPlan extends PlanBase {
  readonly kind: 'update_many' | 'delete_many';
  /** Never empty. */
  readonly where: readonly Condition[];
  readonly maxAffected: number;
  /** The columns of the returned records. If null, only counts are returned. */
  readonly returned: readonly CompiledColumn[] | null;
}

export interface UpdateManyPlan extends ChangeManyPlan {
  readonly kind: 'update_many';
  readonly changes: readonly Assignment[];
}

export interface DeleteManyPlan extends ChangeManyPlan {
  readonly kind: 'delete_many';
}

/**
 * Describes how a list is read, instead of returning it. This requires the scope `query` in addition to the
 * rights of the list.
 */
export interface ExplainPlan {
  readonly kind: 'explain';
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
  readonly hasRegex: boolean;
  /** The plan that would run. */
  readonly explained: ListPlan | AggregatePlan;
}

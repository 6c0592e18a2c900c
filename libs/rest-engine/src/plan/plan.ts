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
 * A planned request. Its names are checked against the schema, and its values are converted. A plan is
 * immutable, and contains only names from the schema snapshot and bound values.
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

/** A plan that `authorizePlan` has accepted. Only such plans can be converted to SQL. */
export type Authorized<P extends Plan> = P & { readonly [AUTHORIZED]: true };

/** Plans that select their records by conditions. */
export type FilteredPlan = ListPlan | AggregatePlan | UpdateManyPlan | DeleteManyPlan;

export interface ListPlan extends PlanBase {
  readonly kind: 'list';
  /**
   * The format of the response. Every format except `json` is a stream, whose number of records may be
   * unlimited.
   */
  readonly format: ResponseFormat;
  readonly select: readonly SelectedColumn[];
  readonly where: readonly Condition[];
  readonly sort: readonly SortKey[];
  /**
   * The order of records that are equal in all sort keys. Null if no records are equal in all sort keys, or
   * if there is no other page.
   */
  readonly ties: TieBreak | null;
  /** Whether all records are read without sorting, in the order in which the table stores them. */
  readonly isStoredOrder: boolean;
  /** Whether each record has its version as a member. */
  readonly hasEtag: boolean;
  /** Whether records that are equal in all selected columns are combined into one. */
  readonly isDistinct: boolean;
  readonly window: ListWindow;
  /** The cursor of the list. Null for a list with pages or offsets. */
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
  /** Whether the body was an array instead of a single object. */
  readonly isBulk: boolean;
  readonly rows: readonly RowValues[];
  /** For each row whose body names generated columns: the claims about their values. */
  readonly claims?: ReadonlyMap<number, readonly Claim[]>;
  /**
   * The columns of the returned records. If null, the response contains only the keys, or a count if the
   * table has no key.
   */
  readonly returned: readonly CompiledColumn[] | null;
}

export interface UpdatePlan extends PlanBase {
  readonly kind: 'update';
  readonly key: readonly KeyPart[];
  readonly conditions: RecordConditions | null;
  /** The columns to change. If the list is empty, the response contains the unchanged record. */
  readonly changes: readonly Assignment[];
  /**
   * Claims that must be true for the stored record. A claim about a generated column may also become true by
   * the change. If the list is empty, the change needs no check.
   */
  readonly claims?: readonly Claim[];
  /** The columns of the returned record. If null, the response is a 204 without a body. */
  readonly returned: readonly CompiledColumn[] | null;
}

export interface DeletePlan extends PlanBase {
  readonly kind: 'delete';
  readonly key: readonly KeyPart[];
  readonly conditions: RecordConditions | null;
}

/** Creates each record, or changes the existing record with the same values in the columns of `target`. */
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
  /** The changes to make in an existing record. */
  readonly changes: readonly Assignment[];
  /**
   * The faults that prevent the creation of a record from these values. An existing record can still be
   * changed.
   */
  readonly insertFaults: readonly FieldFault[];
  readonly claims?: readonly Claim[];
}

/** Changes or deletes every record that matches `where`, unless there are more than `maxAffected`. */
export interface ChangeManyPlan extends PlanBase {
  readonly kind: 'update_many' | 'delete_many';
  /** The conditions that select the records. The list is never empty. */
  readonly where: readonly Condition[];
  readonly maxAffected: number;
  /** The columns of the returned records. If null, the response contains only the number of records. */
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
 * Returns how the server would read a list, instead of the list itself. In addition to the rights that the
 * list requires, the API key needs the scope `query`.
 */
export interface ExplainPlan {
  readonly kind: 'explain';
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
  readonly hasRegex: boolean;
  /** The plan whose statements are explained. */
  readonly explained: ListPlan | AggregatePlan;
}

import type { FieldFault } from '@rowhouse/errors';
import type { CompiledColumn, CompiledRelationship, CompiledTable, Verb } from '@rowhouse/schema-model';
import type { Preferences, RequestAddress } from '../request/api-request.js';
import type { AnswerFormat } from '../request/negotiate-format.js';
import type { Cell } from '../response/result-set.js';
import type { BoundValue } from '../sql/statement.js';
import type { AggregatePlan } from './aggregate/aggregate-plan.js';
import type { Claim } from './claims.js';
import type { ExplainPlan } from './explain/explain-plan.js';
import type { NestedCreatePlan, NestedUpdatePlan } from './nested/nested-plan.js';
import type { TieBreak } from './order/tie-break.js';
import type { Containment } from './plan-containment.js';
import type { ReferenceSource } from './references.js';
import type { ExactNumber } from './values/exact-number.js';

/** What is to be done, checked against the schema, every value converted. Nobody changes it. Made of nothing but names of the snapshot and bound values. */
export type Plan = ListPlan | AggregatePlan | ExplainPlan | ReadPlan | CreatePlan | NestedCreatePlan | UpdatePlan | NestedUpdatePlan | DeletePlan | UpsertPlan | UpdateManyPlan | DeleteManyPlan;

/** Plans that look for their records by conditions. */
export type FilteredPlan = ListPlan | AggregatePlan | UpdateManyPlan | DeleteManyPlan;

/** A table that a plan reads or changes, and how. */
export interface Touch {
  readonly table: string;
  readonly verb: Verb;
}

export interface PlanBase {
  /** The same object for all plans that differ in nothing but their values, where they were made so. */
  readonly shape?: object;
  /** Some condition is a regular expression: its statements are bounded, and may give up in silence. */
  readonly hasRegex?: boolean;
  /** A value has a day or month of zero: the engine needs a word to take it. */
  readonly hasOddDays?: boolean;
  readonly table: CompiledTable;
  readonly touches: readonly Touch[];
  readonly address: RequestAddress;
  readonly preferences: Preferences;
}

export interface ListPlan extends PlanBase {
  readonly kind: 'list';
  /** Anything but `json`: a stream, whose window may be without end. */
  readonly format: AnswerFormat;
  readonly select: readonly SelectedColumn[];
  readonly where: readonly Condition[];
  readonly sort: readonly SortKey[];
  /** Comes after the sort keys; null where no two records are equal in these, or no page follows. */
  readonly ties: TieBreak | null;
  /** All records without a sort: read in the order in which the table stores them. */
  readonly isStoredOrder: boolean;
  /** Each record has its version among its members. */
  readonly hasEtag: boolean;
  /** Equal rows of the selected columns are one. */
  readonly isDistinct: boolean;
  readonly window: ListWindow;
  /** Null: by page or offset. */
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
  /** False: the body was one object, not an array. */
  readonly isBulk: boolean;
  readonly rows: readonly RowValues[];
  /** By row, where a body names generated columns. */
  readonly claims?: ReadonlyMap<number, readonly Claim[]>;
  /** Columns of the answer's records; null: keys only, or counts where the table has no key. */
  readonly answer: readonly CompiledColumn[] | null;
}

export interface UpdatePlan extends PlanBase {
  readonly kind: 'update';
  readonly key: readonly KeyPart[];
  readonly conditions: RecordConditions | null;
  /** Empty: nothing changes, the record is answered as it is. */
  readonly changes: readonly Assignment[];
  /** Not empty: nothing changes unless each holds for the stored record, or for generated columns after the change. */
  readonly claims?: readonly Claim[];
  /** Null: 204 without a body. */
  readonly answer: readonly CompiledColumn[] | null;
}

export interface DeletePlan extends PlanBase {
  readonly kind: 'delete';
  readonly key: readonly KeyPart[];
  readonly conditions: RecordConditions | null;
}

/** Each record is created, or the one with the same values in `target` is changed. */
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
  /** Of a record that is there already. */
  readonly changes: readonly Assignment[];
  /** Why no record can be created from these values, although one that is there may be changed. */
  readonly ifNew: readonly FieldFault[];
  readonly claims?: readonly Claim[];
}

/** A write of every record that `where` finds, unless these are more than `maxAffected`. */
export interface ChangeManyPlan extends PlanBase {
  readonly kind: 'update_many' | 'delete_many';
  /** Never empty. */
  readonly where: readonly Condition[];
  readonly maxAffected: number;
  /** Null: counts only. */
  readonly answer: readonly CompiledColumn[] | null;
}

export interface UpdateManyPlan extends ChangeManyPlan {
  readonly kind: 'update_many';
  readonly changes: readonly Assignment[];
}

export interface DeleteManyPlan extends ChangeManyPlan {
  readonly kind: 'delete_many';
}

/** Preconditions of a write on one record, of which one is set at least. They are compared with the locked record. */
export interface RecordConditions {
  readonly ifMatch: RecordCondition | null;
  /** The write happens only when the record is not this. */
  readonly ifNoneMatch: RecordCondition | null;
}

/** What the stored record must be for the write to happen: there at all, or of one of these versions. */
export type RecordCondition =
  | { readonly kind: 'any' }
  | { readonly kind: 'versions'; readonly versions: readonly { readonly columns: readonly CompiledColumn[]; readonly digest: string }[] };

export interface KeyPart {
  readonly column: CompiledColumn;
  readonly value: BoundValue;
}

/** The columns that one record of the body names; the others take their defaults. */
export type RowValues = readonly { readonly column: CompiledColumn; readonly value: BoundValue }[];

export type Assignment =
  | { readonly kind: 'set'; readonly column: CompiledColumn; readonly value: BoundValue }
  | { readonly kind: 'add'; readonly column: CompiledColumn; readonly value: BoundValue };

export type Condition =
  | ColumnCondition
  | JsonCondition
  /** The columns are those of one FULLTEXT index. */
  | { readonly kind: 'match'; readonly columns: readonly CompiledColumn[]; readonly text: string }
  /** Never empty. */
  | { readonly kind: 'group'; readonly operator: 'AND' | 'OR'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition }
  /** Some, no or every related record is as `where` says, all of it on one record. */
  | { readonly kind: 'related'; readonly relationship: CompiledRelationship; readonly quantifier: 'some' | 'none' | 'every'; readonly where: readonly Condition[] }
  /** How many related records are as `where` says. */
  | { readonly kind: 'related_count'; readonly relationship: CompiledRelationship; readonly where: readonly Condition[]; readonly operator: ComparisonSign; readonly value: string };

/** About what is inside a JSON column. */
export type JsonCondition =
  /** `path` null: the whole column. */
  | { readonly kind: 'json_null'; readonly column: CompiledColumn; readonly path: string | null; readonly isNull: boolean }
  | { readonly kind: 'json_compare'; readonly column: CompiledColumn; readonly path: string; readonly as: 'text' | 'boolean'; readonly operator: ComparisonSign; readonly value: string }
  | { readonly kind: 'json_compare'; readonly column: CompiledColumn; readonly path: string; readonly as: 'number'; readonly operator: ComparisonSign; readonly value: ExactNumber }
  | { readonly kind: 'json_like'; readonly column: CompiledColumn; readonly path: string; readonly isNegated: boolean; readonly mode: 'collation' | 'blind'; readonly pattern: string }
  | { readonly kind: 'json_regex'; readonly column: CompiledColumn; readonly path: string; readonly pattern: string }
  /** `exact`: what the engine's own comparison of numbers leaves open; `never`: the engine cannot store such numbers. */
  | { readonly kind: 'json_contains'; readonly column: CompiledColumn; readonly path: string | null; readonly value: string; readonly exact: Containment | 'never' | null }
  | { readonly kind: 'json_has_key'; readonly column: CompiledColumn; readonly path: string };

export type ComparisonSign = '=' | '<>' | '>' | '>=' | '<' | '<=';

export type ColumnCondition =
  | { readonly kind: 'compare'; readonly column: CompiledColumn; readonly operator: ComparisonSign; readonly value: BoundValue }
  | { readonly kind: 'in'; readonly column: CompiledColumn; readonly isNegated: boolean; readonly values: readonly BoundValue[] }
  | { readonly kind: 'between'; readonly column: CompiledColumn; readonly isNegated: boolean; readonly low: BoundValue; readonly high: BoundValue }
  | { readonly kind: 'null'; readonly column: CompiledColumn; readonly isNull: boolean }
  /** `<> 0` or `= 0`. */
  | { readonly kind: 'truth'; readonly column: CompiledColumn; readonly value: boolean }
  /** `pattern` is in LIKE's language; `mode`: `collation` follows the column, `blind` ignores case. */
  | { readonly kind: 'like'; readonly column: CompiledColumn; readonly isNegated: boolean; readonly mode: 'collation' | 'blind'; readonly pattern: string }
  | { readonly kind: 'regex'; readonly column: CompiledColumn; readonly pattern: string }
  /** Inside a polygon, as GeoJSON. */
  | { readonly kind: 'within'; readonly column: CompiledColumn; readonly area: string }
  /** Compared with another column of the same record; `truth`: each is true where it is not 0. */
  | { readonly kind: 'columns'; readonly column: CompiledColumn; readonly operator: ComparisonSign; readonly other: CompiledColumn; readonly as: 'plain' | 'number' | 'truth' }
  /** Compared with the present moment. */
  | { readonly kind: 'now'; readonly column: CompiledColumn; readonly operator: ComparisonSign }
  | { readonly kind: 'part'; readonly column: CompiledColumn; readonly part: 'YEAR' | 'MONTH' | 'DAY'; readonly value: number };

/** A column of an answer: one of the table, or what a projection makes of one. */
export interface SelectedColumn extends CompiledColumn {
  readonly projection?: Projection;
}

/** How a member of an answer follows from a column; its own name is the member's. */
export interface Projection {
  readonly source: CompiledColumn;
  /** Where the value is inside a JSON column; null: the column itself. */
  readonly jsonPath: string | null;
  readonly cast: Cast | null;
}

/** What a value is turned into where it is written. */
export type Cast = 'string' | 'number' | 'boolean' | 'date';

export interface SortKey {
  /** To-one relationships from the table to where the column is. */
  readonly path: readonly CompiledRelationship[];
  readonly column: CompiledColumn;
  /** Where the value is inside a JSON column; left out: the column itself. */
  readonly jsonPath?: string;
  readonly direction: 'ASC' | 'DESC';
  /** NULL stands at the other end than the engine has it: last upwards, first downwards. No index holds that order. */
  readonly turnsNulls: boolean;
  /** How many of these each record has, instead of a column: `column` is of no table then. */
  readonly count: IncludeNode | null;
}

export interface ListWindow {
  readonly limit: number;
  readonly offset: number;
  /** How the client asked, which is how Link goes on. `all`: neither page nor limit. */
  readonly style: 'all' | 'page' | 'offset' | 'cursor';
  /** From 1. */
  readonly page: number;
}

export interface CursorPlan {
  /** `prev`: towards the start; records are answered in the order of the list all the same. */
  readonly direction: 'next' | 'prev';
  /** What the record before has for each sort key; null: from the start. */
  readonly after: readonly BoundValue[] | null;
  /** The cursor of a record, from the cells of its sort keys. */
  make(cells: readonly Cell[], direction: 'next' | 'prev'): string;
}

export interface IncludeNode {
  readonly relationship: CompiledRelationship;
  /** The member that it is: the relationship's published name, or what a count is called. */
  readonly name: string;
  /** Dotted, by the names of members: `comments.user`. */
  readonly path: string;
  /** Of a to-many: how many records there are stands in their place. */
  readonly isCount: boolean;
  readonly select: readonly SelectedColumn[];
  readonly hasEtag: boolean;
  /** Which of the related records. */
  readonly where: readonly Condition[];
  /** Before the row key; columns of the far table only. */
  readonly sort: readonly SortKey[];
  /** Of a to-many: the most that one parent gets. */
  readonly perParentMax: number;
  readonly children: readonly IncludeNode[];
}

export interface PlanOptions {
  readonly unknownFields: 'reject' | 'ignore';
  readonly requireLimit: boolean;
  readonly regexEnabled: boolean;
  /** The stored columns of the request's table in another snapshot than the live one, in their order; null: not known. */
  storedColumnsAt(snapshot: number): readonly string[] | null;
  /** A keyed hash of a text, bound to the database: in the alphabet of base64url. */
  sealText(text: string): string;
  /** Gives a new random UUID in its text form: for `uuid` columns that are left out. */
  makeUuid(): string;
  /** Tables whose records are changed and deleted with `If-Match` only. */
  readonly requireIfMatch?: readonly string[];
  /** A value that was read has a day or month of zero; left out: these are refused. */
  readonly noteOddDay?: () => void;
  /** The present moment, in milliseconds since 1970: what relative dates are counted from. */
  readonly now?: () => number;
  /** Of an operation of a batch. */
  readonly references?: ReferenceSource;
}

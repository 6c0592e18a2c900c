/**
 * The types of a migration plan's steps. The planner creates the steps, a migration row stores them, people
 * review them, and the runner executes them. They are plain JSON. A stored plan never changes, and the
 * results of a run are recorded in the journal.
 *
 * A step has two forms. A `PlannedStep` is derived from two snapshots alone. The worker then tries it on an
 * empty copy of the schema and counts rows, and `chooseStrategy` converts it to a `MigrationStep`. The
 * migration row stores this form, which the runner executes.
 */

/**
 * How the statements of a step are ordered relative to publishing the new snapshot N+1.
 *
 * - `widen`: the DDL runs, then N+1 is published. Requests that were planned on N keep working.
 * - `add_required`: `beforePublish` adds a NOT NULL column with a temporary default. N+1 is published. When
 *   all
 *   gateways have acknowledged N+1, `afterPublish` drops the default.
 * - `drop`: `beforePublish` gives a required column a default (null when none is needed). N+1 is published.
 *   When all gateways have acknowledged N+1, `afterPublish` drops the object.
 * - `tighten`: rows are checked and N+1 is published. When all gateways have acknowledged N+1, the DDL in
 *   `afterPublish` runs, and rows are checked again.
 * - `rename`, `retype`: gateways receive N+1 as `prepared`. The DDL in `beforePublish` runs, then N+1 is
 *   published. On error 1054, 1146 or 1412, a gateway plans its request again on the other snapshot.
 * - `exclusive`: a name passes from one object to another. The requests of the database are paused while the
 *   step
 *   runs and N+1 is published.
 */
export type StepClass = 'widen' | 'add_required' | 'drop' | 'tighten' | 'rename' | 'retype' | 'exclusive';

export type StepKind =
  | 'create_table'
  | 'drop_table'
  | 'rename_table'
  | 'alter_table'
  | 'alter_family'
  | 'create_view'
  | 'drop_view'
  | 'create_trigger'
  | 'drop_trigger'
  | 'create_routine'
  | 'drop_routine'
  | 'restore_table'
  | 'restore_columns'
  | 'exclusive';

/** The members that every step has. */
export interface StepHead {
  readonly kind: StepKind;
  /**
   * The name that the table, view or routine has when the step runs. For several tables joined by foreign
   * keys, it is the table to which the others refer.
   */
  readonly table: string;
  /**
   * The change as shown to people. It is usually one statement. A group of joined tables, or a trigger, has
   * several statements, each followed by `;` and a line break. It never contains ALGORITHM or LOCK, which the
   * runner adds.
   */
  readonly sql: string;
  readonly class: StepClass;
  /** Whether `planRevert` can undo the step and preserve the rows that exist now. */
  readonly reversible: boolean;
  /** Descriptions of the rows, columns or values that users would lose. Empty if nothing is lost. */
  readonly loss: readonly string[];
  /** The statement that runs before the new snapshot is published. Null if no statement runs then. */
  readonly beforePublish: string | null;
  /**
   * The statement that runs when all live gateways have stopped using the old snapshot. Null if no statement
   * runs then.
   */
  readonly afterPublish: string | null;
  readonly rowChecks: readonly RowCheck[];
}

/**
 * A query that finds rows which the change cannot preserve. `sql` returns at most five of them, and `problem`
 * describes the reason. The query selects the columns in `shows`, which are the row's key and the affected
 * columns, so that the error can name the rows.
 *
 * If a check names a table or column that does not exist yet (errors 1054 and 1146), it passes.
 */
export interface RowCheck {
  /** The table whose values are shown, if it is not the table of the step. */
  readonly table?: string;
  readonly problem: string;
  readonly sql: string;
  readonly shows: readonly string[];
}

/** A step that is derived from two snapshots alone. `intent` describes the kind of change. */
export type PlannedStep = StepHead & { readonly intent: StepIntent };

/**
 * The kind of change that a step makes, independent of what a server can do.
 *
 * - `plain`: CREATE TABLE, or CREATE or DROP of a view, trigger or routine. The statement is sent unchanged.
 * - `alter`: the algorithm fallback chooses an algorithm. `rebuild` is the online rebuild for when every
 *   algorithm
 *   is rejected. It is null when no key identifies the rows, which leaves only a locked copy.
 * - `add_foreign_key`, `add_check`: like `alter` when the server can add the constraint only by a copy. Both
 *   engines do so for checks.
 */
export type StepIntent =
  | { readonly kind: 'plain' }
  | { readonly kind: 'alter'; readonly rebuild: RebuildTable | null }
  | { readonly kind: 'family'; readonly details: FamilyDetails }
  | { readonly kind: 'rename' }
  | { readonly kind: 'replace'; readonly details: ReplaceDetails }
  | { readonly kind: 'add_foreign_key' | 'add_check'; readonly rebuild: RebuildTable | null }
  | { readonly kind: 'keep_table'; readonly details: KeepTableDetails }
  | { readonly kind: 'keep_columns'; readonly details: KeepColumnsDetails }
  | { readonly kind: 'restore_table'; readonly details: RestoreTableDetails }
  | { readonly kind: 'restore_columns'; readonly details: RestoreColumnsDetails }
  | { readonly kind: 'exclusive'; readonly details: ExclusiveDetails };

/**
 * The way a step runs on this server, with everything that the runner needs.
 *
 * - `create`, `drop`: the statement unchanged. `drop` loses data immediately. It is used for views, triggers
 *   and routines, for empty tables and columns, and where `keep_…` is not supported.
 * - `replace`: a trigger replaces another one of its name where the server has no statement for that
 *   (`ReplaceDetails`).
 * - `instant`, `nocopy`, `inplace`: the algorithm that an empty copy accepted. The runner repeats the
 *   algorithm fallback and may end with another one.
 * - `copy_small`: every algorithm was rejected and the table is small: ALGORITHM=COPY.
 * - `rename`: a table or columns get other names. Uses the algorithm fallback too, but under `prepared`.
 * - `add_foreign_key`, `add_check`: check rows, add the constraint with checks off (the ALTER reads and
 *   rewrites no row), check rows again, and drop it if offending rows were added. If the server can add it
 *   only by a copy, the step is `copy_small` or `rebuild` instead and keeps its row checks.
 * - `rebuild`: every algorithm was rejected, or an in-place build would take long. The table is rebuilt
 *   online.
 * - `rebuild_family`: a key column and the columns that reference it change their type together.
 * - `locked_copy`: the table lacks a unique not-null key to copy by, so ALGORITHM=COPY runs with writes
 *   blocked. It runs only when the deploy confirmed the plan's hash (`MigrationPlan.confirm` names it).
 * - `keep_table`, `keep_columns`: a drop that can be reverted for 24 h.
 * - `restore_table`, `restore_columns`: undo such a drop.
 * - `exclusive`: runs while the requests of the database are paused (`ExclusiveDetails`).
 *
 * The strategy applies to the statement on `side`. A statement on the other side is an ordinary ALTER with
 * the algorithm fallback.
 */
export type MigrationStep = StepHead & {
  /** A description of the lock, such as `none` or `writes blocked while 1200 rows are copied`. */
  readonly lock: string;
  readonly rowsToRewrite: number;
  readonly side: 'beforePublish' | 'afterPublish';
} & StrategyDetails;

export type StrategyDetails =
  | {
      readonly strategy:
        | 'create'
        | 'drop'
        | 'instant'
        | 'nocopy'
        | 'inplace'
        | 'copy_small'
        | 'rename'
        | 'add_foreign_key'
        | 'add_check';
      readonly details: null;
    }
  | { readonly strategy: 'locked_copy'; readonly details: LockedCopyDetails }
  | { readonly strategy: 'rebuild'; readonly details: RebuildTable }
  | { readonly strategy: 'rebuild_family'; readonly details: FamilyDetails }
  | { readonly strategy: 'replace'; readonly details: ReplaceDetails }
  | { readonly strategy: 'keep_table'; readonly details: KeepTableDetails }
  | { readonly strategy: 'keep_columns'; readonly details: KeepColumnsDetails }
  | { readonly strategy: 'restore_table'; readonly details: RestoreTableDetails }
  | { readonly strategy: 'restore_columns'; readonly details: RestoreColumnsDetails }
  | { readonly strategy: 'exclusive'; readonly details: ExclusiveDetails };

export type StepStrategy = StrategyDetails['strategy'];

/**
 * One table of an online rebuild. The shadow table is created by `CREATE TABLE <shadow> LIKE <table>` and
 * `ALTER TABLE <shadow> <specs>`, without foreign keys. Foreign keys in both directions, triggers and
 * AUTO_INCREMENT must be read from the live table. They are also part of the run's `base` and `target`.
 */
export interface RebuildTable {
  readonly table: string;
  /** The clauses after `ALTER TABLE <table> `, separated by commas and without foreign keys. */
  readonly specs: string;
  /**
   * The smallest unique NOT NULL key of the current table. Its columns divide the copy into chunks and
   * identify rows.
   */
  readonly key: readonly string[];
  /** The columns of `key` by their names in the shadow table, where an index begins with them. */
  readonly shadowKey: readonly string[];
  /**
   * The columns whose values are copied to the shadow table, and kept up to date there. Generated, added and
   * dropped columns are omitted.
   */
  readonly columns: readonly { readonly from: string; readonly to: string }[];
}

export interface FamilyDetails {
  /** The tables of the group. A table to which another refers comes first. */
  readonly tables: readonly RebuildTable[];
  /**
   * All foreign keys that belong to the tables of the group or refer to them, as they are written before and
   * after the step.
   */
  readonly foreignKeys: readonly FamilyKey[];
  /**
   * The statements that change the tables if they are empty: they drop the foreign keys, change the columns
   * and add the foreign keys again.
   */
  readonly script: readonly string[];
  /**
   * The tables that have no key which identifies rows. If there are any, all tables of the group are copied
   * with writes blocked.
   */
  readonly keyless: readonly string[];
}

export interface FamilyKey {
  readonly table: string;
  readonly name: string;
  /** The clause `CONSTRAINT … FOREIGN KEY … REFERENCES …`. */
  readonly definition: string;
  /**
   * Whether `table` itself is rebuilt. If not, the foreign key is dropped from the existing table and added
   * again at the cut-over.
   */
  readonly isMember: boolean;
}

/**
 * The statements that replace a trigger. MariaDB supports CREATE OR REPLACE. MySQL does not support it for
 * triggers, so the trigger is dropped and created again under a table lock.
 */
export interface ReplaceDetails {
  readonly name: string;
  readonly drop: string;
  readonly create: string;
}

export interface LockedCopyDetails {
  readonly reason: string;
  /**
   * The statements to send while the tables are locked. Each ALTER has ALGORITHM=COPY. Only a group of joined
   * tables has more than one.
   */
  readonly script: readonly string[];
}

/**
 * Moves a table to the platform's side schema under its `retainedName`. Its triggers (error 1435) and its own
 * foreign keys (error 1451) would prevent this, so they are dropped first and recorded in the `definition` of
 * the retained object. Earlier steps of the same plan have dropped the foreign keys that refer to the table.
 */
export interface KeepTableDetails {
  readonly triggers: readonly string[];
  /**
   * The table's own foreign keys. `isStanding` is false if an earlier step of the plan has dropped the key.
   * The key is recorded in both cases.
   */
  readonly foreignKeys: readonly {
    readonly name: string;
    readonly definition: string;
    readonly isStanding: boolean;
  }[];
}

/**
 * Runs `ALTER TABLE t CHANGE COLUMN <name> <keptName> <definition>`. With this definition, the column is
 * invisible and, if it is NOT NULL, has a default.
 */
export interface KeepColumnsDetails {
  readonly columns: readonly { readonly name: string; readonly definition: string }[];
  /**
   * The clauses of the same ALTER that drop columns without retaining them, because they are generated. Empty
   * if no such column is dropped.
   */
  readonly dropSpecs: readonly string[];
}

/**
 * Moves the table back from the side schema. Later steps of the plan add its foreign keys and triggers. When
 * the plan is tried on the empty copy, `sql` creates an empty table instead.
 */
export interface RestoreTableDetails {
  readonly keptId: string;
  readonly keptName: string;
}

/**
 * Runs `ALTER TABLE t CHANGE COLUMN <keptName> <name> <definition>`. The definition ends with the column's
 * position. Rows written since the drop contain the default of the retained column. When the plan is tried on
 * the empty copy, `sql` adds new columns instead.
 */
export interface RestoreColumnsDetails {
  readonly columns: readonly {
    readonly keptId: string;
    readonly keptName: string;
    readonly name: string;
    readonly definition: string;
  }[];
}

/**
 * All renames of a migration in which a name passes from one object to another. Tables are renamed first,
 * then the columns of each table in one ALTER. An object whose name is used again is retained for 24 h, as in
 * other drops.
 */
export interface ExclusiveDetails {
  readonly keptTables: readonly ({ readonly table: string } & KeepTableDetails)[];
  readonly restoredTables: readonly ({ readonly table: string } & RestoreTableDetails)[];
  /** The renames of tables. They run all at once, so that tables can exchange their names. */
  readonly tables: readonly { readonly from: string; readonly to: string }[];
  readonly alters: readonly ExclusiveAlter[];
  readonly creates: readonly { readonly table: string; readonly sql: string }[];
  /**
   * The statements that make the change in a copy of the schema without rows. They can be sent one after the
   * other.
   */
  readonly script: readonly string[];
}

/**
 * The parts of an `ALTER TABLE <table> …`. In all of them, a name refers to the column that has it before the
 * statement.
 */
export interface ExclusiveAlter {
  /** The name of the table after the renames of tables. */
  readonly table: string;
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  readonly kept: KeepColumnsDetails['columns'];
  readonly restored: RestoreColumnsDetails['columns'];
  /** The clauses for columns and a primary key that are added or dropped in the same statement. */
  readonly specs: readonly string[];
}

/**
 * An object that was dropped but is still retained: a row of the table `kept_object`. The runner writes the
 * row, the revert plan reads it, and the maintenance job purges the object.
 */
export interface SoftDeletedObject {
  readonly id: string;
  readonly kind: 'table' | 'column';
  /** The migration that dropped the object. `step` is the index of the step in its plan. */
  readonly migrationId: string;
  readonly step: number;
  readonly table: string;
  /** The column. Null if the object is a table. */
  readonly column: string | null;
  readonly keptName: string;
  readonly definition: SoftDeletedDefinition;
}

export interface SoftDeletedDefinition {
  /** The definition that the column had, or the CREATE TABLE statement of the table. */
  readonly sql: string;
  readonly triggers: readonly string[];
  readonly foreignKeys: readonly { readonly name: string; readonly definition: string }[];
}

export interface ApiImpact {
  /** Routes and fields in the form `GET /posts`, `posts.subtitle` or `posts?include=tags`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /**
   * The API keys that used removed or changed entries in the last 30 days. Empty if usage was not requested.
   */
  readonly usedBy: readonly ImpactUse[];
}

export interface ImpactUse {
  /** The entry of `removed` or `changed` that the keys used. */
  readonly what: string;
  readonly keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly lastUsedAt: string;
    readonly requests: number;
  }[];
}

export interface SnapshotDiff {
  readonly steps: readonly PlannedStep[];
  /** The renames that the steps make, in order. */
  readonly hints: readonly RenameHint[];
  /** Renames that were not requested, but that a drop and an addition may be meant to be. */
  readonly possibleRenames: readonly RenameHint[];
  readonly loss: readonly string[];
  readonly impact: ApiImpact;
}

/**
 * A rename that the author requested. The names are those before this rename. Renames are applied in order.
 */
export type RenameHint =
  | { readonly kind: 'table'; readonly from: string; readonly to: string }
  | { readonly kind: 'column'; readonly table: string; readonly from: string; readonly to: string };

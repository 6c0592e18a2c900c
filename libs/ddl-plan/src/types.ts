/**
 * The typed steps of a plan: what the planner writes, what a migration row stores, what the runner runs, what people see.
 * Plain JSON. A stored plan is never changed; what a run finds out goes into the journal.
 *
 * A step passes through three hands: `PlannedStep` (from two snapshots alone) -> tried on an empty copy and counted by
 * the worker, `chooseStrategy` -> `MigrationStep` (frozen in the migration row, run as it says).
 */

/**
 * How a step must be ordered against publishing the new snapshot N+1.
 *
 * - `widen`: nothing that ran on N breaks. DDL, publish.
 * - `add_required`: NOT NULL without a default comes. `beforePublish` adds it with a temporary default, publish,
 *   acknowledgements, `afterPublish` drops the default.
 * - `drop`: `beforePublish` gives a required column a default (null when none is needed), publish, acknowledgements,
 *   `afterPublish` drops.
 * - `tighten`: check rows, publish, acknowledgements, DDL (`afterPublish`), check rows again.
 * - `rename`, `retype`: N+1 is sent ahead as `prepared`, DDL (`beforePublish`), publish. On 1054, 1146, 1412 a gateway
 *   plans its request once more on the other of the pair.
 * - `exclusive`: names pass from one object to another. No request of the database runs while the step is made and the
 *   schema that it leads to is published.
 */
export type StepClass = 'widen' | 'add_required' | 'drop' | 'tighten' | 'rename' | 'retype' | 'exclusive';

export type StepKind =
  | 'create_table' | 'drop_table' | 'rename_table' | 'alter_table' | 'alter_family'
  | 'create_view' | 'drop_view' | 'create_trigger' | 'drop_trigger' | 'create_routine' | 'drop_routine'
  | 'restore_table' | 'restore_columns' | 'exclusive';

/** What every step says, whatever it does. */
export interface StepHead {
  readonly kind: StepKind;
  /** The table, view or routine as it is called when the step runs; of a family its parent. */
  readonly table: string;
  /**
   * The change for people, in one statement (several of a family or a trigger, each ended by `;` and a line break).
   * Never holds ALGORITHM or LOCK: the runner adds the rung of the ladder.
   */
  readonly sql: string;
  readonly class: StepClass;
  /** Whether `planRevert` can lead back with the rows that there are now. */
  readonly reversible: boolean;
  /** What rows, columns or values would be gone for users, in words; empty when nothing is lost. */
  readonly loss: readonly string[];
  /** Sent ahead of publishing the new snapshot; null: nothing. */
  readonly beforePublish: string | null;
  /** Sent once every live gateway has left the old snapshot behind; null: nothing. */
  readonly afterPublish: string | null;
  readonly rowChecks: readonly RowCheck[];
}

/**
 * `sql` finds rows that the change cannot keep, five of them at most; `problem` says so in words. It selects
 * the columns `shows` (the row's key and the offending columns), so that the refusal names the rows. A check that names
 * something which does not exist yet (1054, 1146) holds.
 */
export interface RowCheck {
  /** The table whose values it shows, when it is not the step's own. */
  readonly table?: string;
  readonly problem: string;
  readonly sql: string;
  readonly shows: readonly string[];
}

/** From the two snapshots alone. `wish` is how the change must be made if it is not an ordinary ALTER. */
export type PlannedStep = StepHead & { readonly wish: Wish };

/**
 * What kind of change a step is, apart from what a server makes of it.
 *
 * - `plain`: CREATE or DROP of a view, trigger or routine, CREATE TABLE: sent as it is.
 * - `alter`: the ladder decides. `rebuild` says how to rebuild the table online when the ladder ends (null: it has no
 *   key to tell rows apart by, so only a locked copy is left).
 * - `add_foreign_key`, `add_check`: as `alter` where the server takes the addition only by a copy (both do so for checks).
 */
export type Wish =
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
 * How a step is made on this server, with what the runner needs to know for it.
 *
 * `create`, `drop`: the statement as it is. `drop` loses at once: used for views, triggers, routines, for tables and
 * columns that hold nothing, and where `keep_…` is not served.
 * `replace`: a trigger takes the place of one of its name where the server has no statement for that (`ReplaceDetails`).
 * `instant`, `nocopy`, `inplace`: the ladder; the name is the rung that an empty copy took. The runner climbs it anew and
 * may end on another rung.
 * `copy_small`: the ladder ended, the table is small: ALGORITHM=COPY.
 * `rename`: a table or columns change their name: the ladder too, but under `prepared`.
 * `add_foreign_key`, `add_check`: look for offending rows, add with checks off (no row is read or rewritten by the ALTER), look
 * again, drop it when rows slipped in.
 * Where the server takes that only by a copy, the step is `copy_small` or `rebuild` instead; its row checks stay.
 * `rebuild`: the ladder ended (or an in-place build would take long): online rebuild of one table.
 * `rebuild_family`: a key column and the columns that reference it change their type together.
 * `locked_copy`: there is no unique not-null key to copy by: ALGORITHM=COPY with writes blocked. Runs only when the
 * deploy confirmed the plan's hash (`MigrationPlan.confirm` names it).
 * `keep_table`, `keep_columns`: a drop that can be reverted for 24 h.
 * `restore_table`, `restore_columns`: the way back from a kept drop.
 * `exclusive`: while the requests of the database are paused (`ExclusiveDetails`).
 *
 * The strategy is for the statement that stands on `side`; a statement on the other side is an ordinary ladder ALTER.
 */
export type MigrationStep = StepHead & {
  /** In words: `none`, `writes blocked while 1200 rows are copied`. */
  readonly lock: string;
  readonly rowsToRewrite: number;
  readonly side: 'beforePublish' | 'afterPublish';
} & StrategyDetails;

export type StrategyDetails =
  | { readonly strategy: 'create' | 'drop' | 'instant' | 'nocopy' | 'inplace' | 'copy_small' | 'rename' | 'add_foreign_key' | 'add_check'; readonly details: null }
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
 * One table of an online rebuild. `ALTER TABLE <shadow> <specs>` on an empty `CREATE TABLE <shadow> LIKE <table>` gives
 * the shadow, short of foreign keys. What else hangs on the table (outgoing and incoming foreign keys, triggers,
 * AUTO_INCREMENT) is to be read from the live table: `base` and `target` of the run hold it too.
 */
export interface RebuildTable {
  readonly table: string;
  /** What stands behind `ALTER TABLE <table> `, comma separated; without foreign keys. */
  readonly specs: string;
  /** A unique not-null key of the table as it stands, smallest first; its columns chunk the copy and tell rows apart. */
  readonly key: readonly string[];
  /** The same columns under the names that they have in the shadow; they lead an index there. */
  readonly shadowKey: readonly string[];
  /** Columns that copy and capture carry over; generated columns and those that come or go are left out. */
  readonly columns: readonly { readonly from: string; readonly to: string }[];
}

export interface FamilyDetails {
  /** Parents before children. */
  readonly tables: readonly RebuildTable[];
  /** All foreign keys on members and onto members, as they read before and afterwards. */
  readonly foreignKeys: readonly FamilyKey[];
  /** The change of empty tables, statement by statement: keys off, changes, keys on. */
  readonly script: readonly string[];
  /** Members without a key to tell rows apart by: with one of them the whole family takes a locked copy. */
  readonly keyless: readonly string[];
}

export interface FamilyKey {
  readonly table: string;
  readonly name: string;
  /** `CONSTRAINT … FOREIGN KEY … REFERENCES …` */
  readonly definition: string;
  /** Whether `table` itself is rebuilt (else the key is dropped and added on the standing table at cut-over). */
  readonly isMember: boolean;
}

/** MariaDB takes CREATE OR REPLACE for all; MySQL has none for triggers: drop and create under a lock of the table. */
export interface ReplaceDetails {
  readonly name: string;
  readonly drop: string;
  readonly create: string;
}

export interface LockedCopyDetails {
  readonly reason: string;
  /** What to send, with the tables locked; each ALTER with ALGORITHM=COPY. One statement unless it is a family. */
  readonly script: readonly string[];
}

/**
 * A table moves to the side schema under `keptName`. Its triggers (1435) and outgoing foreign keys (1451) go first; both
 * are written to the kept object's `definition` as they stood. Keys of other tables onto it have been dropped by earlier
 * steps of the same plan.
 */
export interface KeepTableDetails {
  readonly triggers: readonly string[];
  /** `isStanding` is false when an earlier step of the plan has dropped the key: it is written down all the same. */
  readonly foreignKeys: readonly { readonly name: string; readonly definition: string; readonly isStanding: boolean }[];
}

/** `ALTER TABLE t CHANGE COLUMN <name> <keptName> <definition>`: invisible, and with a default if it takes no NULL. */
export interface KeepColumnsDetails {
  readonly columns: readonly { readonly name: string; readonly definition: string }[];
  /** Specs for what goes without being kept (generated columns), to be sent in the same ALTER; empty for none. */
  readonly dropSpecs: readonly string[];
}

/** The table moves back. Its foreign keys and triggers come as later steps of the plan. `sql` makes an empty one, for trying. */
export interface RestoreTableDetails {
  readonly keptId: string;
  readonly keptName: string;
}

/**
 * `ALTER TABLE t CHANGE COLUMN <keptName> <name> <definition>`; the definition ends with the column's place. `sql` adds
 * new ones, for trying. Rows written meanwhile hold the kept default.
 */
export interface RestoreColumnsDetails {
  readonly columns: readonly { readonly keptId: string; readonly keptName: string; readonly name: string; readonly definition: string }[];
}

/**
 * All names of a plan that pass from one object to another, and all other renames with them. Tables get their names
 * first, then each table its columns by one ALTER. What is kept or restored is kept for 24 h as other drops are.
 */
export interface ExclusiveDetails {
  readonly keptTables: readonly ({ readonly table: string } & KeepTableDetails)[];
  readonly restoredTables: readonly ({ readonly table: string } & RestoreTableDetails)[];
  /** Made all at once: a name may be given up by one table and taken by another. */
  readonly tables: readonly { readonly from: string; readonly to: string }[];
  readonly alters: readonly ExclusiveAlter[];
  readonly creates: readonly { readonly table: string; readonly sql: string }[];
  /** The same on a copy without rows, in statements that can be sent one after the other. */
  readonly script: readonly string[];
}

/** `ALTER TABLE <table> …`; in all parts each name stands for the column that has it before the statement. */
export interface ExclusiveAlter {
  /** As it is called once the tables have their names. */
  readonly table: string;
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  readonly kept: KeepColumnsDetails['columns'];
  readonly restored: RestoreColumnsDetails['columns'];
  /** Columns and a primary key that come or go in the same statement. */
  readonly specs: readonly string[];
}

/** What a drop has kept: a row of `kept_object`. The runner writes it, the revert plan reads it, the sweep purges it. */
export interface KeptObject {
  readonly id: string;
  readonly kind: 'table' | 'column';
  /** The migration and the index of the step in its plan. */
  readonly migrationId: string;
  readonly step: number;
  readonly table: string;
  /** Null for a table. */
  readonly column: string | null;
  readonly keptName: string;
  readonly definition: KeptDefinition;
}

export interface KeptDefinition {
  /** Of a column: how it read before; of a table: its CREATE TABLE. */
  readonly sql: string;
  readonly triggers: readonly string[];
  readonly foreignKeys: readonly { readonly name: string; readonly definition: string }[];
}

export interface ApiImpact {
  /** `GET /posts`, `posts.subtitle`, `posts?include=tags` */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Keys that used what goes or changes in the last 30 days; empty when usage was not asked for. */
  readonly usedBy: readonly ImpactUse[];
}

export interface ImpactUse {
  /** One of `removed` or `changed`. */
  readonly what: string;
  readonly keys: readonly { readonly id: string; readonly name: string; readonly lastUsedAt: string; readonly requests: number }[];
}

export interface SnapshotDiff {
  readonly steps: readonly PlannedStep[];
  /** The renames among the hints that the steps make, in their order. */
  readonly hints: readonly RenameHint[];
  /** Renames that nobody asked for and that may be meant by a drop and an addition. */
  readonly possibleRenames: readonly RenameHint[];
  readonly loss: readonly string[];
  readonly impact: ApiImpact;
}

/** A rename that its author asked for. Names are those before the rename; hints are applied in order. */
export type RenameHint =
  | { readonly kind: 'table'; readonly from: string; readonly to: string }
  | { readonly kind: 'column'; readonly table: string; readonly from: string; readonly to: string };

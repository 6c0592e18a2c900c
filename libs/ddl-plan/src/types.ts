/** How a step must be ordered against publishing; the same words as in a stored migration plan. */
export type StepClass = 'widen' | 'add_required' | 'drop' | 'tighten' | 'rename' | 'retype';
export type StepKind = 'create_table' | 'drop_table' | 'rename_table' | 'alter_table' | 'create_view' | 'drop_view';

/** A step without what only a server can tell: strategy, lock, rows. */
export interface PlannedStep {
  readonly kind: StepKind;
  /** The table or view as it is called when the step runs. */
  readonly table: string;
  /** The change in one statement, for people. */
  readonly sql: string;
  readonly class: StepClass;
  readonly reversible: boolean;
  readonly loss: readonly string[];
  readonly beforePublish: string | null;
  readonly afterPublish: string | null;
  readonly rowChecks: readonly RowCheck[];
}

/** `sql` finds rows that the change cannot keep; `problem` says so in words. */
export interface RowCheck {
  readonly problem: string;
  readonly sql: string;
}

export interface Impact {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

export interface SnapshotDiff {
  readonly steps: readonly PlannedStep[];
  readonly loss: readonly string[];
  readonly impact: Impact;
}

/** A rename that its author asked for. Names are those before the rename; hints are applied in order. */
export type RenameHint =
  | { readonly kind: 'table'; readonly from: string; readonly to: string }
  | { readonly kind: 'column'; readonly table: string; readonly from: string; readonly to: string };

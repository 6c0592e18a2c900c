import type { TaskError } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { readJson } from '../sql-values.js';
import { LeaseLostError } from './lease-lost-error.js';
import type { ClaimedMigration } from './migration-journal.js';

export type StepState = 'pending' | 'running' | 'done' | 'undone' | 'failed';

/**
 * One step of a migration: a DDL statement, the grants, the publication or a wait.
 * Steps are ordered by `ordinal`.
 */
export interface JournalStep {
  readonly ordinal: number;
  readonly kind: string;
  readonly table: string;
  readonly statement: string;
  readonly state: StepState;
  readonly strategy: string;
  readonly attempt: number;
  readonly checkpoint: Readonly<Record<string, unknown>> | null;
  readonly fingerprintBefore: string | null;
  readonly fingerprintAfter: string | null;
}

export type NewStep = Pick<
  JournalStep,
  'ordinal' | 'kind' | 'table' | 'statement' | 'strategy' | 'checkpoint'
>;

export interface StepJournal {
  /** Writes the steps once. A second call for the same migration leaves the existing steps unchanged. */
  ensureSteps(migration: ClaimedMigration, steps: readonly NewStep[]): Promise<JournalStep[]>;
  start(migration: ClaimedMigration, ordinal: number, fingerprintBefore: string | null): Promise<void>;
  /** Starts all of the steps in one statement. */
  startAll(migration: ClaimedMigration, steps: readonly StepStart[]): Promise<void>;
  checkpoint(
    migration: ClaimedMigration,
    ordinal: number,
    checkpoint: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  finish(migration: ClaimedMigration, ordinal: number, state: StepState, outcome: StepOutcome): Promise<void>;
  /** Marks all of the steps as done by `strategy` in one statement. */
  finishAll(migration: ClaimedMigration, ordinals: readonly number[], strategy: string): Promise<void>;
}

export interface StepStart {
  readonly ordinal: number;
  readonly fingerprintBefore: string;
}

export interface StepOutcome {
  readonly strategy?: string;
  readonly fingerprintAfter?: string | null;
  readonly error?: TaskError;
}

interface StepRow {
  ordinal: number;
  kind: string;
  table_name: string;
  statement: string;
  state: string;
  strategy: string;
  attempt: number;
  checkpoint: unknown;
  fingerprint_before: string | null;
  fingerprint_after: string | null;
}

/** The maximum number of rows per INSERT, since each row holds a statement text that may be long. */
const ROWS_PER_INSERT = 50;

/** Only the holder of the migration's fencing token may write its steps. */
const HELD = `EXISTS (SELECT 1 FROM migration m WHERE m.id = migration_step.migration_id AND m.lease_owner = ? AND m.fencing_token = ?)`;

export function createStepJournal(
  pool: AdminPool,
  options: { readonly cellId: string; readonly owner: string },
): StepJournal {
  async function update(
    migration: ClaimedMigration,
    ordinal: number,
    assignments: string,
    values: readonly (string | number | null)[],
  ): Promise<void> {
    await updateAll(migration, [ordinal], assignments, values);
  }

  async function updateAll(
    migration: ClaimedMigration,
    ordinals: readonly number[],
    assignments: string,
    values: readonly (string | number | null)[],
  ): Promise<void> {
    if (ordinals.length === 0) return;
    const { affectedRows } = await pool.run(
      `UPDATE migration_step SET ${assignments} WHERE migration_id = ? AND ordinal IN (${ordinals.map(() => '?').join(', ')}) AND ${HELD}`,
      [...values, migration.id, ...ordinals, options.owner, migration.fencingToken],
    );
    if (affectedRows === 0) throw new LeaseLostError(migration.id);
  }

  return {
    async ensureSteps(migration, steps) {
      for (let index = 0; index < steps.length; index += ROWS_PER_INSERT) {
        const part = steps.slice(index, index + ROWS_PER_INSERT);
        await pool.run(
          `INSERT IGNORE INTO migration_step (migration_id, ordinal, cell_id, kind, table_name, statement, strategy, checkpoint)
           VALUES ${part.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
          part.flatMap((step) => [
            migration.id,
            step.ordinal,
            options.cellId,
            step.kind,
            step.table,
            step.statement,
            step.strategy,
            step.checkpoint === null ? null : JSON.stringify(step.checkpoint),
          ]),
        );
      }
      const rows = await pool.rows<StepRow>(
        'SELECT * FROM migration_step WHERE migration_id = ? ORDER BY ordinal',
        [migration.id],
      );
      return rows.map(toJournalStep);
    },
    start: (migration, ordinal, fingerprintBefore) =>
      update(
        migration,
        ordinal,
        `state = 'running', attempt = attempt + 1, fingerprint_before = COALESCE(fingerprint_before, ?), started_at = COALESCE(started_at, UTC_TIMESTAMP(3))`,
        [fingerprintBefore],
      ),
    startAll: (migration, steps) =>
      updateAll(
        migration,
        steps.map((step) => step.ordinal),
        `state = 'running', attempt = attempt + 1, started_at = COALESCE(started_at, UTC_TIMESTAMP(3)),
         fingerprint_before = COALESCE(fingerprint_before, CASE ordinal ${steps.map(() => 'WHEN ? THEN ?').join(' ')} END)`,
        steps.flatMap((step) => [step.ordinal, step.fingerprintBefore]),
      ),
    finishAll: (migration, ordinals, strategy) =>
      updateAll(migration, ordinals, `state = 'done', strategy = ?, finished_at = UTC_TIMESTAMP(3)`, [
        strategy,
      ]),
    checkpoint: (migration, ordinal, checkpoint) =>
      update(migration, ordinal, 'checkpoint = ?', [JSON.stringify(checkpoint)]),
    finish: (migration, ordinal, state, outcome) =>
      update(
        migration,
        ordinal,
        `state = ?, strategy = IF(? = '', strategy, ?), fingerprint_after = ?, error = ?, finished_at = UTC_TIMESTAMP(3)`,
        [
          state,
          outcome.strategy ?? '',
          outcome.strategy ?? '',
          outcome.fingerprintAfter ?? null,
          outcome.error === undefined ? null : JSON.stringify(outcome.error),
        ],
      ),
  };
}

function toJournalStep(row: StepRow): JournalStep {
  return {
    ordinal: row.ordinal,
    kind: row.kind,
    table: row.table_name,
    statement: row.statement,
    state: row.state as StepState,
    strategy: row.strategy,
    attempt: row.attempt,
    checkpoint: readJson(row.checkpoint),
    fingerprintBefore: row.fingerprint_before,
    fingerprintAfter: row.fingerprint_after,
  };
}

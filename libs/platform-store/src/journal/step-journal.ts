import type { TaskError } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { assertToken } from '../publish/snapshot-publisher.js';
import { toMarks, toRowMarks } from '../sql-values.js';
import { LeaseLostError } from './lease-lost-error.js';
import type { ClaimedMigration } from './migration-journal.js';
import { formatCheckpoint, parseStepAction, type DdlCheckpoint, type StepAction } from './step-checkpoint.js';

export type StepState = 'pending' | 'running' | 'done' | 'undone' | 'failed';

interface StepFields {
  /** The position of the step in its migration, counted from 1. */
  readonly ordinal: number;
  readonly table: string;
  readonly statement: string;
  readonly state: StepState;
  readonly strategy: string;
  readonly attempt: number;
  /** The fingerprint of the table before the step was started. Null if it was not started. */
  readonly fingerprintBefore: string | null;
  readonly fingerprintAfter: string | null;
}

/** One step of a migration: a DDL statement, the grants, the publication or a wait. */
export type JournalStep = StepFields & StepAction;

/** A step that sends a statement of the plan. */
export type DdlStep = Extract<JournalStep, { readonly kind: 'ddl' }>;

export type NewStep = Pick<StepFields, 'ordinal' | 'table' | 'statement' | 'strategy'> & StepAction;

export interface StepJournal {
  /**
   * Writes the steps and returns them as they are stored. If steps of the migration already exist, they are
   * not changed.
   *
   * @throws {@link LeaseLostError} if another worker has taken over the migration
   * @throws {@link UnreadableStepError} for a step that another version wrote
   */
  ensureSteps(migration: ClaimedMigration, steps: readonly NewStep[]): Promise<JournalStep[]>;
  start(migration: ClaimedMigration, ordinal: number, fingerprintBefore: string | null): Promise<void>;
  /** Marks all of these steps as started, in one statement. */
  startAll(migration: ClaimedMigration, steps: readonly StepStart[]): Promise<void>;
  checkpoint(migration: ClaimedMigration, ordinal: number, checkpoint: DdlCheckpoint): Promise<void>;
  finish(migration: ClaimedMigration, ordinal: number, state: StepState, outcome: StepOutcome): Promise<void>;
  /** Marks all of these steps as done with `strategy`, in one statement. */
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

/**
 * The maximum number of rows in one INSERT, because each row contains the text of a statement, which may be
 * long.
 */
const ROWS_PER_INSERT = 50;

/** An SQL condition that this worker still has the lease on the migration. */
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
      await pool.transaction(async (session) => {
        await assertToken(session, { ...migration, owner: options.owner });
        for (let index = 0; index < steps.length; index += ROWS_PER_INSERT) {
          const part = steps.slice(index, index + ROWS_PER_INSERT);
          // INSERT IGNORE is not used. For a statement that is too long, it would truncate the text instead
          // of failing.
          await session.run(
            `INSERT INTO migration_step (migration_id, ordinal, cell_id, kind, table_name, statement, strategy, checkpoint)
             VALUES ${toRowMarks(part, toMarks(8))} ON DUPLICATE KEY UPDATE ordinal = migration_step.ordinal`,
            part.flatMap((step) => [
              migration.id,
              step.ordinal,
              options.cellId,
              step.kind,
              step.table,
              step.statement,
              step.strategy,
              formatCheckpoint(step.checkpoint),
            ]),
          );
        }
      });
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
      update(migration, ordinal, 'checkpoint = ?', [formatCheckpoint(checkpoint)]),
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
    ...parseStepAction(row.kind, row.checkpoint),
    ordinal: row.ordinal,
    table: row.table_name,
    statement: row.statement,
    state: row.state as StepState,
    strategy: row.strategy,
    attempt: row.attempt,
    fingerprintBefore: row.fingerprint_before,
    fingerprintAfter: row.fingerprint_after,
  };
}

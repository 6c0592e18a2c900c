import type { JournalStep } from '@rowhouse/platform-store';
import { fingerprintTable } from '../../snapshots/fingerprints.js';
import { emptySnapshot } from '../../snapshots/read-deployed.js';
import { readReferredTables } from '../locks/send-ddl.js';
import { assertMayContinue, type Run } from '../run-state.js';
import { toStepError } from './run-create-step.js';

/** The number of tables that are created before the lease and the cancellation are checked again. */
const TABLES_MAX = 25;

export interface StepGroup {
  readonly steps: readonly JournalStep[];
  /** Whether all steps create tables that reference only new tables. */
  readonly areTables: boolean;
}

/**
 * Divides the steps of a run into groups that run one after the other. Steps that create new tables are
 * grouped. No session can hold a lock on a new table, so these steps need neither short locks nor a check of
 * each table.
 */
export function groupSteps(run: Run, steps: readonly JournalStep[]): StepGroup[] {
  const existing = new Set(run.base.tables.map((table) => table.name.toLowerCase()));
  const isNewTable = (step: JournalStep): boolean => {
    if (step.kind !== 'ddl' || step.state === 'done') return false;
    const planned = run.migration.plan.steps[step.checkpoint.step];
    return (
      planned?.kind === 'create_table' &&
      planned.strategy === 'create' &&
      !readReferredTables(step.statement).some((table) => existing.has(table.toLowerCase()))
    );
  };
  const groups: { steps: JournalStep[]; areTables: boolean }[] = [];
  for (const step of steps) {
    const areTables = isNewTable(step);
    const last = groups.at(-1);
    if (areTables && last?.areTables === true && last.steps.length < TABLES_MAX) last.steps.push(step);
    else groups.push({ steps: [step], areTables });
  }
  return groups;
}

/**
 * Creates new tables, with one journal entry before and one after all of them. CREATE TABLE is atomic on both
 * engines. A table that exists although its step has only begun was therefore created by an earlier worker.
 */
export async function createTables(run: Run, steps: readonly JournalStep[]): Promise<void> {
  const { ctx, migration } = run;
  // A change that an earlier worker started is completed before the migration can be cancelled.
  run.state.mayCancel = steps.every((step) => step.state !== 'running');
  await assertMayContinue(run).finally(() => {
    run.state.mayCancel = true;
  });
  const existing = await listExisting(run, steps);
  const left = steps.filter((step) => step.state !== 'running' || !existing.has(step.table));
  await ctx.steps.startAll(
    migration,
    left.map(({ ordinal, table }) => ({
      ordinal,
      fingerprintBefore: fingerprintTable(emptySnapshot(run.server.engine), table),
    })),
  );
  const done = new Set(steps.filter((step) => !left.includes(step)));
  for (const step of left) {
    run.lease.assertHeld();
    ctx.failPoint(`before-ddl-${step.ordinal}`);
    ctx.failPoint('before-ddl');
    try {
      await run.connection.run(step.statement);
      done.add(step);
    } catch (error) {
      await ctx.steps.finishAll(
        migration,
        [...done].map(({ ordinal }) => ordinal),
        'create',
      );
      throw toStepError(run, step.table, step.statement, error);
    }
    ctx.failPoint(`after-ddl-${step.ordinal}`);
    ctx.failPoint('after-ddl');
  }
  await ctx.steps.finishAll(
    migration,
    steps.map((step) => step.ordinal),
    'create',
  );
}

async function listExisting(
  { connection, database }: Run,
  steps: readonly JournalStep[],
): Promise<ReadonlySet<string>> {
  if (steps.every((step) => step.state !== 'running')) return new Set();
  const rows = await connection.rows<{ name: string }>(
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ?',
    [database.schemaName],
  );
  return new Set(rows.map((row) => row.name));
}

import {
  NameTracker,
  orderMoves,
  UnknownNameError,
  type ExclusiveDetails,
  type NameChange,
  type NameState,
} from '@rowhouse/ddl-plan';
import type { BrokenRun, ExclusivePosition, WorkerServer } from '@rowhouse/platform-store';
import { readPosition } from '../online-ddl/exclusive/run-exclusive.js';
import { readNameChanges } from '../scratch/read-name-changes.js';
import type { Followed } from './follow-revisions.js';

/**
 * Applies the completed steps of interrupted runs to the names of a revision, so that the next plan does not
 * repeat their renames and drops. Objects that these steps have added are found by name.
 */
export async function followBrokenRuns(
  state: NameState,
  runs: readonly BrokenRun[],
  { ids, graveyard: dropped }: Pick<Followed, 'ids' | 'graveyard'>,
  server: Pick<WorkerServer, 'engine' | 'engineVersion'>,
): Promise<NameState> {
  const tracker = new NameTracker(state, ids, 'apply', dropped);
  for (const change of await listDone(runs, server)) {
    try {
      tracker.apply(change);
    } catch (error) {
      // A step of the same run added the name after the revision.
      if (!(error instanceof UnknownNameError)) throw error;
    }
  }
  return tracker.names();
}

async function listDone(
  runs: readonly BrokenRun[],
  server: Pick<WorkerServer, 'engine' | 'engineVersion'>,
): Promise<NameChange[]> {
  const changes: NameChange[] = [];
  for (const { plan, steps } of runs) {
    for (const { isDone, statement, checkpoint } of steps) {
      const planned = plan.steps[checkpoint.step];
      if (planned?.strategy === 'exclusive')
        changes.push(...exclusiveChanges(planned.details, isDone ? null : readPosition(checkpoint)));
      else if (isDone) changes.push(...(await readNameChanges(statement, server)).flatMap(withoutAdditions));
    }
  }
  return changes;
}

function withoutAdditions(change: NameChange): NameChange[] {
  if (change.kind === 'create_table' || change.kind === 'create_view') return [];
  return change.kind === 'alter_table'
    ? [{ ...change, columns: change.columns.filter((column) => column.kind !== 'add') }]
    : [change];
}

/**
 * Returns the name changes that an exclusive step has made so far.
 *
 * @param position the step's progress; null once the step is done
 */
function exclusiveChanges(
  { keptTables: softDeletedTables, tables, alters }: ExclusiveDetails,
  position: ExclusivePosition | null,
): NameChange[] {
  if (position?.areTablesRenamed === false) return [];
  const renamed: NameChange[] = [
    { kind: 'drop', names: softDeletedTables.map((entry) => entry.table), ifExists: true },
    ...orderMoves(tables).map((move): NameChange => ({ kind: 'rename_table', ...move, ifExists: true })),
  ];
  const altered = alters
    .slice(0, position?.altered ?? alters.length)
    .map(({ table, renames, kept: retained }): NameChange => ({
      kind: 'alter_table',
      table,
      ifExists: true,
      renameTo: null,
      columns: [
        ...retained.map((column) => ({ kind: 'drop', name: column.name, ifExists: true }) as const),
        ...renames.map((move) => ({ kind: 'rename', ...move, ifExists: true }) as const),
      ],
    }));
  return [...renamed, ...altered];
}

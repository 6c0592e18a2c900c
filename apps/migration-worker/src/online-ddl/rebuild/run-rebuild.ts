import { setTimeout as pause } from 'node:timers/promises';
import { AppError, DEADLOCK, LOCK_WAIT_TIMEOUT, QUERY_INTERRUPTED } from '@rowhouse/errors';
import { quoteName, readServerFault } from '@rowhouse/mysql';
import { withChecksOff } from '../../scratch/try-steps.js';
import { assertMayContinue, fingerprintNow, type Run, withoutCancelling } from '../run-state.js';
import { sendDdl, pauseBetweenLocks } from '../locks/send-ddl.js';
import { copyRows } from './copy-rows.js';
import { makeCaptures } from './triggers/capture-triggers.js';
import { repairSwap } from './repair-swap.js';
import { attachInnerKeys, nameKeys, repointChildren, returnChildren } from './point-keys.js';
import { dropShadows, prepareShadows } from './prepare-shadows.js';
import type { RebuildOrder } from './read-rebuild-details.js';
import type { RebuildDetails } from '@rowhouse/platform-store';
import { repairOrphans } from './repair-orphans.js';
import { proveTriggers } from './triggers/prove-triggers.js';
import { REBUILD_PHASES, type RebuildCheckpoint, type RebuildPhase } from '@rowhouse/platform-store';
import { createRebuildNotes, type RebuildNotes, FIRST_CHECKPOINT } from './rebuild-notes.js';
import { listPairs, type SwapPair } from './rebuild-names.js';
import { readAllTriggers, swapTables } from './triggers/move-triggers.js';
import { tryTriggers } from './triggers/try-triggers.js';
import { verifyRows } from './verify-rows.js';
import type { DdlStep } from '@rowhouse/platform-store';
import { toStepError } from '../steps/run-create-step.js';
import { isInterruption } from '../../jobs/job-faults.js';

const SWAP_ATTEMPTS_MAX = 20;
const SWAP_PAUSE_MS = 100;
/** The errors after which the swap is tried again: lock wait timeout, deadlock, and interrupted statement. */
const RETRIED_NUMBERS = new Set([LOCK_WAIT_TIMEOUT, DEADLOCK, QUERY_INTERRUPTED]);

/**
 * Rebuilds tables online, starting from the state that an earlier run left. The phases are: create shadow
 * tables, create capture triggers, copy rows, add keys, compare rows, swap tables. `save` writes the
 * checkpoint to the journal. Until the swap, `undoRebuild` can undo everything.
 */
export async function runRebuild(
  run: Run,
  order: RebuildOrder,
  from: RebuildCheckpoint,
  save: (checkpoint: RebuildCheckpoint) => Promise<void>,
): Promise<void> {
  const notes = createRebuildNotes(run, from, save);
  for (const phase of REBUILD_PHASES.slice(REBUILD_PHASES.indexOf(from.phase))) {
    if (phase !== notes.current().phase) await notes.enter(phase);
    run.ctx.failPoint(`before-rebuild-${phase}`);
    if (!isPastSwap(phase)) await assertMayContinue(run);
    await runPhase(run, order, phase, notes);
    run.ctx.failPoint(`after-rebuild-${phase}`);
  }
}

/** Returns whether the tables are already swapped. From then on, the rebuild cannot be cancelled. */
export function isPastSwap(phase: RebuildPhase): boolean {
  return phase === 'finish';
}

async function runPhase(
  run: Run,
  order: RebuildOrder,
  phase: RebuildPhase,
  notes: RebuildNotes,
): Promise<void> {
  if (phase === 'prepare') {
    const details = await prepareShadows(run, order);
    await tryTriggers(run, order);
    return notes.found(details);
  }
  const { details: knownDetails, position } = notes.current();
  if (knownDetails === null)
    throw new Error(
      `a rebuild of ${run.migration.id} is in the phase ${phase}, but its tables are not recorded`,
    );
  switch (phase) {
    case 'capture':
      return makeCaptures(run, order, knownDetails);
    case 'copy':
      return copyRows({ run, step: order.step, details: knownDetails, from: position, note: notes.moved });
    case 'attach':
      return attachInnerKeys(run, order, knownDetails, 'early');
    case 'verify':
      return verifyRows({ run, step: order.step, details: knownDetails, from: position, note: notes.moved });
    case 'repoint': {
      await repointChildren(run, order, knownDetails);
      return attachInnerKeys(run, order, knownDetails, 'late');
    }
    case 'swap':
      return swap(run, order, knownDetails, notes);
    case 'finish':
      return finish(run, order, knownDetails);
  }
}

async function swap(
  run: Run,
  order: RebuildOrder,
  details: RebuildDetails,
  notes: RebuildNotes,
): Promise<void> {
  const pairs = listPairs(run, order.step, details);
  if (await repairSwap(run, pairs, notes.current().triggers)) return;
  const triggers = await readAllTriggers(run, pairs);
  // The database's owner may have changed the triggers since the rebuild was prepared.
  await proveTriggers(run, triggers);
  if (triggers.length > 0) await notes.foundTriggers(triggers);
  run.state.current = 'cutting_over';
  await run.ctx.migrations.setState(run.migration, 'cutting_over');
  const children = [...new Set(details.childKeys.map((key) => key.table))];
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await swapTables(run, pairs, triggers, children);
    } catch (error) {
      // If the swap failed halfway, it is completed or reverted before anything else happens.
      if (run.connection.isLost()) throw error;
      if (await repairSwap(run, pairs, triggers)) return;
      if (!maySwapLater(error) || attempts === SWAP_ATTEMPTS_MAX) throw error;
      await pause(SWAP_PAUSE_MS);
    }
  }
}

/**
 * Returns whether the swap may succeed at a later attempt. It may if a lock was not available, or if the
 * session that moves triggers was lost while this session is still open.
 */
function maySwapLater(error: unknown): boolean {
  return (
    RETRIED_NUMBERS.has(readServerFault(error)?.errno ?? 0) ||
    (error instanceof AppError && error.code === 'db.unavailable')
  );
}

async function finish(run: Run, order: RebuildOrder, details: RebuildDetails): Promise<void> {
  await repairOrphans(run, details);
  await dropOld(run, listPairs(run, order.step, details), details);
  await nameKeys(run, details);
}

async function dropOld(run: Run, pairs: readonly SwapPair[], details: RebuildDetails): Promise<void> {
  const parents = details.members.flatMap((member) => member.outKeys.map((key) => key.referencedTable));
  await withChecksOff(run.connection, run.capabilities, true, async () => {
    for (const { old } of [...pairs].reverse()) {
      await pauseBetweenLocks();
      await sendDdl(run, `DROP TABLE IF EXISTS ${quoteName(old)}`, [old, ...parents]);
    }
  });
}

/** Reverts a rebuild and removes all objects that it created. Throws if the tables are already swapped. */
export async function undoRebuild(
  run: Run,
  order: RebuildOrder,
  checkpoint: RebuildCheckpoint,
): Promise<void> {
  if (checkpoint.details !== null) {
    if (await repairSwap(run, listPairs(run, order.step, checkpoint.details), checkpoint.triggers)) {
      throw new AppError('internal.defect', { internal: 'a rebuild was to be undone behind its swap' });
    }
    await returnChildren(run, checkpoint.details);
  }
  await dropShadows(run, order);
}

/**
 * Runs a rebuild as a step of the journal. If the rebuild fails before the swap, all of its objects are
 * removed, unless the run itself was interrupted.
 */
export async function runRebuildStep(run: Run, step: DdlStep, order: RebuildOrder): Promise<void> {
  const { ctx, migration } = run;
  let latest = (step.state === 'running' ? step.checkpoint.rebuild : undefined) ?? FIRST_CHECKPOINT;
  const save = async (checkpoint: RebuildCheckpoint): Promise<void> => {
    latest = checkpoint;
    run.state.mayCancel = !isPastSwap(checkpoint.phase);
    await ctx.steps.checkpoint(migration, step.ordinal, { ...step.checkpoint, rebuild: checkpoint });
  };
  await ctx.steps.start(migration, step.ordinal, await fingerprintNow(run, step.table));
  run.state.mayCancel = !isPastSwap(latest.phase);
  try {
    await runRebuild(run, order, latest, save);
  } catch (error) {
    if (isInterruption(error) || isPastSwap(latest.phase)) throw error;
    await withoutCancelling(run, () => undoRebuild(run, order, latest));
    throw toStepError(run, step.table, step.statement, error);
  } finally {
    run.state.mayCancel = true;
  }
  await ctx.steps.finish(migration, step.ordinal, 'done', {
    strategy: order.keys === null ? 'rebuild' : 'rebuild_family',
    fingerprintAfter: await fingerprintNow(run, step.table),
  });
}

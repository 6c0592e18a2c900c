import type {
  RebuildCheckpoint,
  RebuildDetails,
  RebuildPhase,
  RebuildPosition,
  UserTrigger,
} from '@rowhouse/platform-store';
import { assertMayContinue, type Run } from '../run-state.js';

/**
 * Records the position of a copy. It is called after each chunk, and throws an error if the copy must stop.
 */
export type NotePosition = (position: RebuildPosition) => Promise<void>;

/** The copy or verification of all rows of a rebuild, starting at a position. */
export interface RowWork {
  readonly run: Run;
  readonly step: number;
  readonly details: RebuildDetails;
  readonly from: RebuildPosition;
  readonly note: NotePosition;
}

const FIRST_POSITION: RebuildPosition = { at: 0, after: null, rowsDone: 0 };

export const FIRST_CHECKPOINT: RebuildCheckpoint = {
  phase: 'prepare',
  details: null,
  position: FIRST_POSITION,
  triggers: [],
};

/** The checkpoint of a running rebuild and its updates. */
export interface RebuildNotes {
  current(): RebuildCheckpoint;
  enter(phase: RebuildPhase): Promise<void>;
  found(details: RebuildDetails): Promise<void>;
  foundTriggers(triggers: readonly UserTrigger[]): Promise<void>;
  /**
   * Called after each chunk. From time to time, it stores the position and checks whether the run may
   * continue.
   */
  readonly moved: NotePosition;
}

const WRITE_INTERVAL_MS = 500;
/**
 * The time that comparing rows takes, as a share of the time for copying them. Copying takes longer, because
 * it also writes.
 */
const VERIFY_SHARE = 0.3;

export function createRebuildNotes(
  run: Run,
  from: RebuildCheckpoint,
  save: (checkpoint: RebuildCheckpoint) => Promise<void>,
): RebuildNotes {
  let checkpoint = from;
  let writtenAt = performance.now();
  const pace = { startedAt: performance.now(), rowsAtStart: from.position.rowsDone };

  async function write(next: RebuildCheckpoint): Promise<void> {
    checkpoint = next;
    writtenAt = performance.now();
    await save(next);
  }

  return {
    current: () => checkpoint,
    async enter(phase) {
      pace.startedAt = performance.now();
      pace.rowsAtStart = 0;
      run.ctx.logger.info({ migration: run.migration.id, phase }, 'a rebuild goes on');
      await write({ ...checkpoint, phase, position: FIRST_POSITION });
    },
    found: (details) => write({ ...checkpoint, details }),
    foundTriggers: (triggers) => write({ ...checkpoint, triggers }),
    async moved(position) {
      checkpoint = { ...checkpoint, position };
      if (performance.now() - writtenAt < WRITE_INTERVAL_MS) return;
      await assertMayContinue(run);
      await write(checkpoint);
      await run.ctx.migrations.setProgress(run.migration, estimate(checkpoint, pace));
    },
  };
}

interface Progress {
  readonly rowsDone: number;
  readonly rowsTotal: number;
  readonly etaSeconds: number | null;
}

/**
 * Returns the number of copied rows and an estimate of the remaining time. The estimate is based on the speed
 * of the current phase and on `VERIFY_SHARE`.
 */
function estimate(
  checkpoint: RebuildCheckpoint,
  pace: { readonly startedAt: number; readonly rowsAtStart: number },
): Progress {
  const { phase, position, details } = checkpoint;
  const rowsTotal = Math.max(
    position.rowsDone,
    (details?.members ?? []).reduce((sum, member) => sum + member.rows, 0),
  );
  const seconds = (performance.now() - pace.startedAt) / 1_000;
  const perSecond = seconds < 1 ? 0 : (position.rowsDone - pace.rowsAtStart) / seconds;
  const remaining =
    (rowsTotal - position.rowsDone) * (phase === 'copy' ? 1 + VERIFY_SHARE : 1) +
    (phase === 'copy' ? position.rowsDone * VERIFY_SHARE : 0);
  return {
    rowsDone: phase === 'copy' ? position.rowsDone : rowsTotal,
    rowsTotal,
    etaSeconds: perSecond <= 0 ? null : Math.ceil(remaining / perSecond),
  };
}

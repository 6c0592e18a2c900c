import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import type { ClaimedMove, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { HeldLease, WorkerContext } from '../worker-context.js';
import type { MoveDetails } from './move-details.js';

/**
 * The progress of a copy or comparison: the table, and the key after which it
 * continues (null: its beginning).
 */
export interface MovePosition {
  readonly at: number;
  readonly after: readonly string[] | null;
  readonly rowsDone: number;
}

export const FIRST_POSITION: MovePosition = { at: 0, after: null, rowsDone: 0 };

/** The progress of a move as plain JSON, as stored in the journal. */
export interface MoveCheckpoint {
  /** Null until the tables are created on the new server. */
  readonly facts: MoveDetails | null;
  readonly position: MovePosition;
  /** The number of rows that a comparison found to differ and copied again. */
  readonly mended: number;
  readonly passes: number;
  /**
   * The accounts on the old server, recorded at the switch.
   * Their rows may be deleted before the accounts are dropped.
   */
  readonly userNames: readonly string[];
}

export const FIRST_CHECKPOINT: MoveCheckpoint = {
  facts: null,
  position: FIRST_POSITION,
  mended: 0,
  passes: 0,
  userNames: [],
};

/** The database that is moved, its two servers, and the lease of the move. */
export interface MoveContext {
  readonly ctx: WorkerContext;
  readonly move: ClaimedMove;
  readonly lease: HeldLease;
  readonly database: WorkerDatabase;
  readonly from: WorkerServer;
  readonly to: WorkerServer;
}

/**
 * Everything that one run of a move uses.
 * No session reconnects, so that a run which lost one can send no further statement.
 */
export interface MoveRun extends MoveContext {
  /** The migrator's sessions, with the database as their default schema. */
  readonly source: AdminConnection;
  readonly target: AdminConnection;
}

/** Thrown when a user cancelled the move, or when the database is deleted. */
export class MoveCancelled extends Error {}

/** Thrown when the tables have changed since the copy began. */
export class SchemaMoved extends Error {}

/** Thrown when the switch is not possible at the moment but may be soon. */
export class RetryLaterError extends Error {}

/** A run in which nothing exists on the new server yet, so that `target` may be absent. */
export type SourceRun = Omit<MoveRun, 'target'> & { readonly target?: AdminConnection };

/**
 * Checks, before a statement is sent, that the lease and both sessions are held
 * and the move is not cancelled.
 */
export async function assertMayMove(run: SourceRun): Promise<void> {
  run.lease.assertHeld();
  if (run.source.isLost() || run.target?.isLost() === true)
    throw new AppError('db.unavailable', { internal: 'the move lost a session' });
  await run.ctx.moves.assertHeld(run.move);
  if (await run.ctx.moves.isCancelRequested(run.move)) throw new MoveCancelled();
}

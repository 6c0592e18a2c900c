import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import type { ClaimedMove, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { HeldLease, WorkerContext } from '../worker-context.js';
import type { MoveFacts } from './move-facts.js';

/** How far a copy or a comparison is: the table, and the key behind which it goes on (null: its beginning). */
export interface MovePosition {
  readonly at: number;
  readonly after: readonly string[] | null;
  readonly rowsDone: number;
}

export const FIRST_POSITION: MovePosition = { at: 0, after: null, rowsDone: 0 };

/** Plain JSON, as it lies in the journal. */
export interface MoveCheckpoint {
  /** Null until the tables are made at the new place. */
  readonly facts: MoveFacts | null;
  readonly position: MovePosition;
  /** Rows that a comparison has found to differ, and copied anew. */
  readonly mended: number;
  readonly passes: number;
  /** Accounts at the old place, noted with the change of place: the rows that name them may be gone by the time when they are dropped. */
  readonly userNames: readonly string[];
}

export const FIRST_CHECKPOINT: MoveCheckpoint = { facts: null, position: FIRST_POSITION, mended: 0, passes: 0, userNames: [] };

/** What is moved, from where and to where, and by whose leave. */
export interface MovePlaces {
  readonly ctx: WorkerContext;
  readonly move: ClaimedMove;
  readonly lease: HeldLease;
  readonly database: WorkerDatabase;
  readonly from: WorkerServer;
  readonly to: WorkerServer;
}

/** Everything that one run of a move holds. Neither session is ever reconnected: who has lost one can send nothing more. */
export interface MoveRun extends MovePlaces {
  /** The migrator's sessions, with the database as their schema. */
  readonly source: AdminConnection;
  readonly target: AdminConnection;
}

/** The move ends because somebody asked for it, or because the database is gone. */
export class MoveCancelled extends Error {}

/** The tables are no longer those that the copy was begun with. */
export class SchemaMoved extends Error {}

/** It cannot change over at this moment; a moment later it may. */
export class NotNow extends Error {}

/** Before there is anything at the new place. */
export type SourceRun = Omit<MoveRun, 'target'> & { readonly target?: AdminConnection };

/** Before anything is sent: the lease and both sessions are held, nobody has cancelled. */
export async function assertMayMove(run: SourceRun): Promise<void> {
  run.lease.assertHeld();
  if (run.source.isLost() || run.target?.isLost() === true) throw new AppError('db.unavailable', { internal: 'the move lost a session' });
  await run.ctx.moves.assertHeld(run.move);
  if (await run.ctx.moves.isCancelRequested(run.move)) throw new MoveCancelled();
}

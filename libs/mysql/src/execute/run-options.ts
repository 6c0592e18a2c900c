import type { PoolSession } from '../session/pool-session.js';
import type {
  BindValue,
  PairedStatement,
  PoolAccount,
  PoolServer,
  RowSink,
  SessionNeed,
  StatementResult,
} from '../types.js';

/** Lends sessions to callers by account. Each session must be returned exactly once. */
export interface SessionSource {
  /**
   * Returns a session that is logged in as the account. Rejects with `limit.busy` if no session becomes free
   * within `waitMs`, and with `db.unavailable` if the server is unreachable. `need` defaults to `long`; short
   * writes may use more sessions than other statements.
   */
  acquire(server: PoolServer, account: PoolAccount, waitMs: number, need?: SessionNeed): Promise<PoolSession>;
  release(session: PoolSession): void;
}

/**
 * How statements run:
 *
 * - `read`: statements without a transaction, which may be repeated.
 * - `read_only`: one READ ONLY transaction for user SQL. The session is reset afterwards.
 * - `write`: one autocommitted statement, followed by reads.
 * - `transaction`: all statements or none.
 * - `dry_run`: a transaction that ends with ROLLBACK.
 */
export type RunMode = 'read' | 'read_only' | 'write' | 'transaction' | 'dry_run';

export interface RunTarget {
  readonly server: PoolServer;
  readonly account: PoolAccount;
}

export interface RunOptions {
  readonly mode: RunMode;
  /** How long to wait for a session. */
  readonly waitMs: number;
  /** Defaults to `long`. */
  readonly need?: SessionNeed;
  /** The time limit of each statement. Defaults to the limit of the pool. */
  readonly statementMsMax?: number;
  /** The SQL was written by a user, so the session is reset before its next use. Implied by `read_only`. */
  readonly isUserText?: boolean;
  /**
   * Called when a caller stops waiting for a statement that still runs on the server. The promise resolves
   * when the server has finished with the statement.
   */
  readonly onLeft?: (disconnected: Promise<void>) => void;
}

/** Runs one prepared statement of the job. `statementMsMax` applies to this statement only. */
export type RunStatement = <R>(
  sql: string,
  values: readonly BindValue[],
  sink: RowSink<R>,
  statementMsMax?: number,
) => Promise<StatementResult<R>>;

/**
 * Runs a write and a read that does not depend on its result. Both are sent in one round trip if possible. If
 * the write is rejected, the read's result is ignored.
 */
export type RunPair = <A, B>(
  write: PairedStatement<A>,
  read: PairedStatement<B>,
) => Promise<readonly [StatementResult<A>, StatementResult<B>]>;

import { toRunError } from './retry.js';
import type { RunStatement, RunTarget, SessionSource } from './run-options.js';
import { rollBack } from './run-statements.js';
import { toStatementLimit } from '../session/session-settings.js';
import type { PoolSession } from '../session/pool-session.js';
import type { PoolAccount } from '../types.js';

export interface StreamOptions {
  /** How long to wait for a session. */
  readonly waitMs: number;
  /** The maximum number of connections that streams of this account may use at once. */
  readonly connectionsMax: number;
  /** The time limit of the statement, on the server and here. */
  readonly statementMsMax: number;
  /**
   * The kinds of streams:
   *
   * - `short`: within the pool's statement limit. The session is reused.
   * - `long`: with a limit of its own. The session is reset before reuse.
   * - `read_only`: long, in a READ ONLY transaction, for user SQL.
   */
  readonly kind: 'short' | 'long' | 'read_only';
  /** See `RunOptions`. */
  readonly onLeft?: (disconnected: Promise<void>) => void;
}

/**
 * Runs a SELECT on one of the account's connections for streams. Its rows go directly to the sink. `callback`
 * is never repeated, because some rows may already have been sent. Throws like `runStatements`.
 */
export async function runStream<T>(
  sessions: SessionSource,
  target: RunTarget,
  options: StreamOptions,
  callback: (run: RunStatement) => Promise<T>,
): Promise<T> {
  const account: PoolAccount = {
    ...target.account,
    purpose: 'stream',
    connectionsMax: options.connectionsMax,
  };
  try {
    const session = await sessions.acquire(target.server, account, options.waitMs);
    const run: RunStatement = (sql, values, sink, statementMsMax = options.statementMsMax) =>
      session.run(sql, values, sink, statementMsMax, true);
    try {
      return await (options.kind === 'short'
        ? callback(run)
        : runLong(session, options, () => callback(run)));
    } finally {
      if (session.orphanEnded !== null) options.onLeft?.(session.orphanEnded);
      sessions.release(session);
    }
  } catch (error) {
    throw toRunError(error);
  }
}

/**
 * The run time in milliseconds after which a worker may lower the priority of a statement's thread. The
 * thread keeps that priority for the next statements of its session.
 */
const LOWERED_AFTER_MS = 10_000;

/**
 * Runs a long read, in a transaction if the kind is `read_only`. The transaction is rolled back at once,
 * because an idle session must not hold a read view until it is reset.
 */
async function runLong<T>(
  session: PoolSession,
  options: StreamOptions,
  callback: () => Promise<T>,
): Promise<T> {
  session.raiseFate('reset', 'a stream ran');
  const startedAt = performance.now();
  try {
    return await runInLimit(session, options, callback);
  } finally {
    if (performance.now() - startedAt >= LOWERED_AFTER_MS)
      session.raiseFate('close', 'its thread may have a low priority');
  }
}

async function runInLimit<T>(
  session: PoolSession,
  options: StreamOptions,
  callback: () => Promise<T>,
): Promise<T> {
  await session.command(toStatementLimit(session.server.engine, options.statementMsMax));
  if (options.kind === 'long') return callback();
  await session.command('START TRANSACTION READ ONLY');
  try {
    return await callback();
  } finally {
    await rollBack(session);
  }
}

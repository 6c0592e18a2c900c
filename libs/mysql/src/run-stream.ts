import { rollBack, toRunError, type RunStatement, type RunTarget } from './run-statements.js';
import { toStatementLimit } from './pool-session-settings.js';
import type { PoolSession } from './pool-session.js';
import type { TenantPools } from './pool.js';
import type { PoolAccount } from './pool-types.js';

export interface StreamOptions {
  /** How long to wait for a session. */
  readonly waitMs: number;
  /** The connections of this account that streams may hold at once. */
  readonly connectionsMax: number;
  /** Of the statement, on the server and here. */
  readonly statementMsMax: number;
  /**
   * - `short`: within the pool's own limit of a statement; the session is used again.
   * - `long`: with a limit of its own; the session is cleaned before it is used again.
   * - `read_only`: long, and in a READ ONLY transaction, for text that a user wrote.
   */
  readonly kind: 'short' | 'long' | 'read_only';
  /** As of `RunOptions`. */
  readonly onLeft?: (gone: Promise<void>) => void;
}

/**
 * Runs a SELECT whose rows go straight into the sink, on the account's connections for streams. `work` is never run
 * twice, for rows may be on their way to somebody already. Throws as `runStatements` does.
 */
export async function runStream<T>(pools: TenantPools, target: RunTarget, options: StreamOptions, work: (run: RunStatement) => Promise<T>): Promise<T> {
  const account: PoolAccount = { ...target.account, lane: 'stream', connectionsMax: options.connectionsMax };
  try {
    const session = await pools.acquire(target.server, account, options.waitMs);
    const run: RunStatement = (sql, values, sink, statementMsMax = options.statementMsMax) => session.run(sql, values, sink, statementMsMax, true);
    try {
      return await (options.kind === 'short' ? work(run) : runLong(session, options, () => work(run)));
    } finally {
      if (session.gone !== null) options.onLeft?.(session.gone);
      pools.release(session);
    }
  } catch (error) {
    throw toRunError(error);
  }
}

/** The change of user that cleans the session would end its transaction too, but an idle session must not hold a read view. */
async function runLong<T>(session: PoolSession, options: StreamOptions, work: () => Promise<T>): Promise<T> {
  session.isTainted = true;
  await session.command(toStatementLimit(session.server.engine, options.statementMsMax));
  if (options.kind === 'long') return work();
  await session.command('START TRANSACTION READ ONLY');
  try {
    return await work();
  } finally {
    await rollBack(session);
  }
}

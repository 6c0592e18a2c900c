import { ConnectionLostError, DatabaseFault, isStaleHandle } from '../faults.js';
import { toStatementLimit, runsTenantCode } from '../session/session-settings.js';
import type {
  KeyedStatement,
  PoolAccount,
  PoolServer,
  RowSink,
  ShortWrite,
  StatementResult,
} from '../types.js';
import { UnreadableColumnsError } from '../wire/execute-response.js';
import {
  createPipelinedConnection,
  NotPipelinableError,
  type PipelinedConnection,
} from '../wire/pipelined-connection.js';
import type { Written } from '../wire/write-pipeline.js';
import type { Executor, WriteOptions, WriteResult } from './executor.js';
import { createGroupedWrites } from './grouped-writes.js';
import { createLatencyHistory, FAST_MS_MAX, isStopped } from './latency-history.js';
import { createPipelinedConnections, DRAIN_MS, type PipelineOptions } from './pipelined-connections.js';
import { createPlainExecutor } from './plain-executor.js';
import { isRetryable, outcomeUnknown, toRunError } from './retry.js';
import type { RunTarget, SessionSource } from './run-options.js';
import { hasFailed, unwrap } from './session-job.js';
import { runStatements } from './run-statements.js';

export interface PipelinedExecutorOptions {
  /** Whether no other account was recently active on the server, see `PipelineOptions`. */
  readonly isAlone: PipelineOptions<PipelinedConnection>['isAlone'];
  /** The time limit of each statement on the server. */
  readonly statementMsMax: number;
  /** How long a statement may exceed its limit before its session is given up. */
  readonly graceMs: number;
  /** Whether concurrent writes of single records share a transaction, where the engine allows it. */
  readonly writesTogether: boolean;
}

/** An executor whose shared connections can be used and observed directly. */
export interface PipelinedExecutor extends Executor {
  /**
   * Reads a row by its key on a connection shared with other reads of the account, without falling back to a
   * separate session. Rejects like `acquire` and `PoolSession.run`, and with NotPipelinableError when the
   * read needs a session of its own.
   */
  readShared<R>(
    target: RunTarget,
    waitMs: number,
    statement: KeyedStatement,
    sink: RowSink<R>,
  ): Promise<StatementResult<R>>;
  /** Returns whether the read was fast in all earlier runs, so that `readFew` lets it share a connection. */
  isFast(account: PoolAccount, sql: string): boolean;
}

/**
 * The error for a statement that may change its session. Such a statement must not share its session with
 * others.
 */
const TENANT_CODE = new NotPipelinableError('it may change its session');
const KEYED_DEPTH_MAX = 64;
/**
 * The maximum number of fast reads in flight on one connection. It is lower than for reads by key, because
 * each read takes more server time, and a second connection uses a second processor.
 */
const FAST_DEPTH_MAX = 16;

/**
 * Lets concurrent short statements of an account share connections, and groups its writes. Statements that
 * cannot share a connection run as with the plain executor.
 */
export function createPipelinedExecutor(
  sessions: SessionSource,
  options: PipelinedExecutorOptions,
): PipelinedExecutor {
  const plain = createPlainExecutor(sessions);
  const shared = {
    ...sessions,
    isAlone: options.isAlone,
    statementMsMax: options.statementMsMax + options.graceMs,
  };
  const pipelines = createPipelinedConnections<PipelinedConnection>({
    ...shared,
    depthMax: KEYED_DEPTH_MAX,
    open: (session, _account, onIdle) => session.openPipeline(createPipelinedConnection, onIdle),
  });
  const latencyHistory = createLatencyHistory();
  const fastPipelines = createPipelinedConnections<PipelinedConnection>({
    ...shared,
    depthMax: FAST_DEPTH_MAX,
    settings: {
      begin: ({ engine }) => toStatementLimit(engine, FAST_MS_MAX),
      end: ({ engine }) => toStatementLimit(engine, options.statementMsMax),
    },
    open: (session, account, onIdle) =>
      session.openPipeline(
        (host) =>
          createPipelinedConnection({
            ...host,
            drainMs: DRAIN_MS,
            onHeld: (sql, heldMs, bytes) => latencyHistory.held(account, sql, heldMs, bytes),
          }),
        onIdle,
      ),
  });
  const writes = options.writesTogether
    ? createGroupedWrites({
        ...shared,
        acquire: (server, account, waitMs) => sessions.acquire(server, account, waitMs, 'short'),
        usualMs: options.statementMsMax,
      })
    : null;

  const isFast = (account: PoolAccount, sql: string): boolean =>
    latencyHistory.isFast(account, sql) && !runsTenantCode(account, sql);

  function readShared<R>(
    { server, account }: RunTarget,
    waitMs: number,
    statement: KeyedStatement,
    sink: RowSink<R>,
  ): Promise<StatementResult<R>> {
    if (runsTenantCode(account, statement.sql)) return Promise.reject(TENANT_CODE);
    return pipelines.use(server, account, waitMs, (pipeline) => pipeline.run(statement, sink));
  }

  /**
   * Runs a read that has been fast so far on a shared connection. Rejects with NotPipelinableError when it
   * was slow this time and the server stopped it.
   */
  function readFast<R>(
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
    statement: KeyedStatement,
    sink: RowSink<R>,
  ): Promise<StatementResult<R>> {
    return fastPipelines
      .use(server, account, waitMs, (pipeline) => pipeline.run(statement, sink))
      .catch((error: unknown) => {
        if (!isStopped(error)) throw error;
        latencyHistory.stopped(account, statement.sql);
        throw new NotPipelinableError('it was not fast this time');
      });
  }

  return {
    isFast,
    readShared,
    async readByKey(target, waitMs, statement, makeSink) {
      try {
        return await readShared(target, waitMs, statement, makeSink());
      } catch (error) {
        if (!maySeparate(error)) throw toRunError(error);
        return plain.readByKey(target, waitMs, statement, makeSink);
      }
    },
    async readFew(target, waitMs, statement, makeSink) {
      const { server, account } = target;
      if (isFast(account, statement.sql)) {
        try {
          return await readFast(server, account, waitMs, statement, makeSink());
        } catch (error) {
          if (!maySeparate(error)) throw toRunError(error);
        }
      }
      const result = await plain.readFew(target, waitMs, statement, makeSink);
      latencyHistory.ran(account, statement.sql, result.elapsedMs);
      return result;
    },
    async writeRecord(target, options, write) {
      const { server, account } = target;
      if (writes === null) return plain.writeRecord(target, options, write);
      const grouped =
        options.statementMsMax === undefined
          ? writes.runGrouped(server, account, options.waitMs, write)
          : null;
      if (grouped !== null) {
        try {
          return await readBack(sessions, target, options, write, await grouped);
        } catch (error) {
          if (!(error instanceof NotPipelinableError))
            throw toRunError(error instanceof ConnectionLostError ? outcomeUnknown(error) : error);
        }
      }
      writes.separateStarted(account);
      try {
        return await plain.writeRecord(target, options, write);
      } finally {
        writes.separateEnded(account);
      }
    },
    sweep(nowMs) {
      pipelines.sweep(nowMs);
      fastPipelines.sweep(nowMs);
      writes?.sweep(nowMs);
    },
  };
}

/** Returns whether a read that failed on a shared connection may run again on a separate session. */
function maySeparate(error: unknown): boolean {
  return error instanceof NotPipelinableError || isRetryable(error, 'read');
}

/**
 * Reads a row back after its write was committed, on a separate session, because the read could not run on
 * the shared connection.
 */
async function readBack<A, B>(
  sessions: SessionSource,
  target: RunTarget,
  { waitMs }: WriteOptions,
  { read }: ShortWrite<A, B>,
  { written, read: settled }: Written<A, B>,
): Promise<WriteResult<A, B>> {
  if (read === null || settled === null) return [written, null];
  const mayReadAgain = hasFailed(
    settled,
    (error) => isStaleHandle(error) || isStopped(error) || error instanceof UnreadableColumnsError,
  );
  try {
    if (mayReadAgain)
      return [
        written,
        await runStatements(sessions, target, { mode: 'read', waitMs }, (run) =>
          run(read.sql, read.values, read.makeSink()),
        ),
      ];
    return [written, unwrap(settled, { statements: 1, opening: null })];
  } catch (error) {
    if (error instanceof DatabaseFault) error.isBehindWrite = true;
    throw error;
  }
}

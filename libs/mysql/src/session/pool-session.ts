import mysql, { type Connection } from 'mysql2';
import { GALERA_STATE_SQL, readGaleraState } from '../admin/galera-state.js';
import {
  ConnectionLostError,
  isNodeUnavailable,
  isLockWaitTimeout,
  NodeUnavailableError,
  toPoolFault,
} from '../faults.js';
import { collectRows } from '../row-sinks.js';
import type {
  BindValue,
  PoolAccount,
  PoolServer,
  RowSink,
  StatementFlow,
  StatementResult,
} from '../types.js';
import { wireOf } from '../wire/driver-wire.js';
import type { PipelineHost, PipelinedConnectionBase } from '../wire/pipelined-connection.js';
import { toConnectionOptions, dropConnection, killStatement } from './driver-connection.js';
import { OrphanedStatements, type Begin } from './orphaned-statements.js';
import { createRowFeed } from './row-feed.js';
import { toSessionSettings, runsTenantCode } from './session-settings.js';
import { StatementSender, type PairStatement, type SettledPair } from './statement-sender.js';
import { createWatchdog, type Watchdog } from './watchdog.js';

export interface SessionLimits {
  readonly connectTimeoutMs: number;
  /** The time limit of each statement on the server. */
  readonly statementMsMax: number;
  /** How long a statement may exceed its limit before the session is given up. */
  readonly graceMs: number;
  /** The maximum number of prepared statements. It may become lower while the session is open. */
  readonly statementsPerSessionMax: number;
  /**
   * `wire`: the platform reads the packets itself. `driver`: the driver reads all responses, which may be
   * necessary after a change of the protocol.
   */
  readonly answersReadBy: 'wire' | 'driver';
  /**
   * Returns a function that receives the number of response bytes as they arrive, and may pause the flow. It
   * is called once for each statement. Without it, responses are read without pauses.
   */
  readonly paceResponse?: (schema: string, openFlow: () => StatementFlow) => (bytes: number) => void;
}

/** The maximum number of prepared statements of a session. Must stay below the driver's own limit. */
export const STATEMENTS_PER_SESSION_MAX = 60;
/** The time that is added to the server's limit of a statement before the session's timer stops it. */
const WATCHDOG_SLACK_MS = 50;

/**
 * Decides what happens to a session when it is returned, from the mildest to the strictest. `reset`: it may
 * have state of its last user. `close`: its node may have left the cluster, and the next session checks that.
 * `destroy`: a KILL QUERY was sent and may stop the next statement, so the session must not be used again.
 */
export type SessionFate = 'reuse' | 'reset' | 'close' | 'destroy';

const FATES: readonly SessionFate[] = ['reuse', 'reset', 'close', 'destroy'];

/** One session on a tenant's server. It runs one statement at a time. */
export class PoolSession {
  readonly server: PoolServer;
  /** The server, with the address of the node that this session uses. */
  readonly endpoint: PoolServer;
  account: PoolAccount;
  isLost = false;
  /** Whether the node of this session has left its cluster, so that no other session may be opened there. */
  hasNodeLeft = false;
  /** The purpose for which the session is lent. Null while it is free. */
  lentFor: 'short' | 'long' | null = null;
  idleSinceMs = 0;
  /** Called once when the session ends unexpectedly. */
  onLost: () => void = () => undefined;
  readonly #connection: Connection;
  readonly #limits: SessionLimits;
  readonly #sender: StatementSender;
  readonly #watchdog: Watchdog;
  /** How long the caller of the running statement waits after the time limit for the statement to end. */
  #graceMs: number;
  readonly #orphanedStatements = new OrphanedStatements({
    onLost: (error) => void (this.isLost || this.#lose(error)),
    onSettled: () => this.#watchdog.lift(),
    onOverdue: () => this.destroy('a stopped statement did not end'),
  });
  #pipeline: PipelinedConnectionBase | null = null;
  #fate: SessionFate = 'reuse';
  #fateReason = '';

  private constructor(
    connection: Connection,
    server: PoolServer,
    endpoint: PoolServer,
    account: PoolAccount,
    limits: SessionLimits,
  ) {
    this.#connection = connection;
    this.server = server;
    this.endpoint = endpoint;
    this.account = account;
    this.#limits = limits;
    this.#sender = new StatementSender(connection, limits, {
      isStopped: () => this.#fate === 'destroy',
      toFault: (error) => this.#toFault(error),
      onDisorder: (error) => this.#lose(error),
    });
    this.#graceMs = limits.graceMs;
    this.#watchdog = createWatchdog(() => this.#stop(true, this.#graceMs));
    connection.on('error', (error: Error) => this.#lose(error));
    connection.on('end', () => this.#lose(new Error('the server closed the connection')));
  }

  /** @param endpoint the server with one of its addresses */
  static async open(
    server: PoolServer,
    account: PoolAccount,
    limits: SessionLimits,
    endpoint = server,
  ): Promise<PoolSession> {
    const connection = mysql.createConnection(
      toConnectionOptions(endpoint, account, limits.connectTimeoutMs),
    );
    await new Promise<void>((resolve, reject) => {
      connection.once('connect', () => resolve());
      connection.once('error', reject);
    }).catch((error: unknown) => {
      dropConnection(connection);
      throw error;
    });
    const session = new PoolSession(connection, server, endpoint, account, limits);
    await session.#applySettings();
    return session;
  }

  /** Resolves when the server has finished with the orphaned statement. Null without such a statement. */
  get orphanEnded(): Promise<void> | null {
    return this.#orphanedStatements.orphanEnded;
  }

  get fate(): SessionFate {
    return this.#fate;
  }

  /** Sets the fate if it is stricter than the current one. */
  raiseFate(fate: SessionFate, reason: string): void {
    if (FATES.indexOf(fate) <= FATES.indexOf(this.#fate)) return;
    this.#fate = fate;
    this.#fateReason = reason;
  }

  /** Ends the session: at once if its fate is `destroy`, and otherwise with a quit command. */
  finish(): void {
    if (this.#fate === 'destroy') this.destroy(this.#fateReason);
    else if (!this.isLost) this.end();
  }

  /** The server's id of this session, as KILL expects it. */
  get threadId(): number {
    return this.#connection.threadId;
  }

  /** Logs in as another account, which drops all state. If this fails, the session is destroyed. */
  async become(account: PoolAccount): Promise<void> {
    const timer = setTimeout(() => this.destroy('change of user timed out'), this.#limits.connectTimeoutMs);
    try {
      this.#sender.clear();
      await this.#guarded<void>((resolve, reject) => {
        this.#connection.changeUser(
          {
            user: account.user,
            password: account.password(),
            database: account.schema,
            charset: 'utf8mb4_unicode_ci',
          },
          (error: Error | null) => (error ? reject(toPoolFault(error)) : resolve()),
        );
      });
      this.account = account;
      await this.#applySettings();
      if (this.#fate === 'reset') this.#fate = 'reuse';
    } catch (error) {
      this.destroy('change of user failed');
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs a platform statement without values and rows, such as transaction control. */
  async command(sql: string): Promise<void> {
    const timer = setTimeout(
      () => this.destroy('a transaction command timed out'),
      this.#limits.statementMsMax + this.#limits.graceMs,
    );
    try {
      await this.#guarded<void>((resolve, reject) => {
        this.#connection.query(sql, (error: Error | null) =>
          error ? reject(this.#toFault(error)) : resolve(),
        );
      });
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Runs one prepared statement. Rejects with DatabaseFault if the server rejects it, and with
   * ConnectionLostError if the session ends. A timer enforces `timeoutMs` in addition to the server's limit.
   * With `changesNothing`, the caller gets the error at the timeout, without waiting for the end of the
   * statement.
   */
  run<R>(
    sql: string,
    values: readonly BindValue[],
    sink: RowSink<R>,
    timeoutMs = this.#limits.statementMsMax,
    changesNothing = false,
  ): Promise<StatementResult<R>> {
    if (runsTenantCode(this.account, sql)) this.raiseFate('reset', 'tenant code ran');
    return this.#guarded<StatementResult<R>>((resolve, reject, { ended, onLeave }) => {
      const startedMs = performance.now();
      const finish = (): void => feed.finish(performance.now() - startedMs, resolve, reject);
      // All wanted rows have arrived. The session is dropped without waiting for the end of the statement.
      const stop = (): void => {
        this.#stop(false, this.#limits.graceMs);
        finish();
      };
      const feed = createRowFeed(sink, stop);
      onLeave(() => feed.abandon());
      const { paceResponse } = this.#limits;
      sink.onFlow?.(this.#makeFlow(stop));
      const onBytes =
        sink.onFlow === undefined
          ? paceResponse?.(this.account.schema, () => this.#makeFlow(stop))
          : undefined;
      this.#graceMs = changesNothing ? 0 : this.#limits.graceMs;
      this.#watchdog.watch(startedMs, timeoutMs + WATCHDOG_SLACK_MS);
      const onEnd = (): void => {
        ended();
        finish();
      };
      this.#sender.send({
        sql,
        values,
        feed,
        finish: onEnd,
        reject,
        isOwn: this.#sender.readsPackets(sql, sink),
        mayRetry: true,
        onBytes,
      });
    });
  }

  /**
   * Sends a write and a read together. The read does not depend on the result of the write. Each of them runs
   * even if the other fails, or if `ahead` fails, a command that is sent before them. Returns null and sends
   * nothing if they cannot be combined. Rejects only with ConnectionLostError.
   */
  runPair<A, B>(
    write: PairStatement<A>,
    read: PairStatement<B>,
    timeoutMs = this.#limits.statementMsMax,
    ahead: string | null = null,
  ): Promise<SettledPair<A, B> | null> {
    if (this.#limits.answersReadBy !== 'wire') return Promise.resolve(null);
    if (runsTenantCode(this.account, write.sql) || runsTenantCode(this.account, read.sql))
      this.raiseFate('reset', 'tenant code ran');
    return this.#guarded((resolve, reject, { onLeave }) => {
      this.#graceMs = this.#limits.graceMs;
      const watch = (): void => this.#watchdog.watch(performance.now(), timeoutMs + WATCHDOG_SLACK_MS);
      watch();
      this.#sender.sendPair(write, read, { resolve, reject, onFirst: watch, onLeave }, ahead);
    });
  }

  /** Lets the server parse a statement and resolve its names without running it. Rejects like `run`. */
  check(sql: string): Promise<void> {
    return this.#guarded<void>((resolve, reject) => {
      this.#graceMs = this.#limits.graceMs;
      this.#watchdog.watch(performance.now(), this.#limits.statementMsMax + WATCHDOG_SLACK_MS);
      this.#sender.prepare(sql, () => resolve(), reject);
    });
  }

  /** Uses the session for pipelining until `onIdle` reports that no response is outstanding. */
  openPipeline<L extends PipelinedConnectionBase>(create: (host: PipelineHost) => L, onIdle: () => void): L {
    const pipeline = create({
      wire: wireOf(this.#connection),
      prepare: (sql, onReady, onFault) => this.#sender.prepare(sql, onReady, onFault),
      forget: (sql) => this.#sender.forget(sql),
      onIdle: () => {
        this.#pipeline = null;
        onIdle();
      },
      onLost: (error) => this.#lose(error),
    });
    this.#pipeline = pipeline;
    return pipeline;
  }

  /** Returns a value that identifies the response that the session waits for, or null. */
  outstandingResponse(): unknown {
    if (this.#orphanedStatements.pending !== null) return this.#orphanedStatements.pending;
    const sinceMs = this.#pipeline?.oldestMs() ?? Number.POSITIVE_INFINITY;
    return Number.isFinite(sinceMs) ? sinceMs : null;
  }

  #makeFlow(stop: () => void): StatementFlow {
    const statement = this.#orphanedStatements.pending;
    const whileRunning = (callback: () => void) => (): void => {
      if (this.#orphanedStatements.pending === statement && !this.isLost) callback();
    };
    return {
      pause: whileRunning(() => this.#connection.pause()),
      resume: whileRunning(() => this.#connection.resume()),
      stop: whileRunning(stop),
    };
  }

  /** Ends the session at once. The caller of a running statement gets ConnectionLostError. */
  destroy(reason: string, isTimeout = false): void {
    this.isLost = true;
    dropConnection(this.#connection);
    this.#orphanedStatements.cancel(new ConnectionLostError(reason, isTimeout));
    this.#pipeline?.fail(new Error(reason), isTimeout);
  }

  /** Closes the session with a quit command. */
  end(): void {
    this.isLost = true;
    this.#connection.end(() => undefined);
  }

  /** Sends KILL QUERY from a second session. A statement that does not end within `graceMs` is abandoned. */
  #stop(isTimeout: boolean, graceMs: number): void {
    this.raiseFate('destroy', 'its statement was stopped');
    const { pending } = this.#orphanedStatements;
    killStatement(this.endpoint, this.account, this.threadId, this.#limits.connectTimeoutMs).catch(
      () => undefined,
    );
    if (pending === null) return;
    const leave = (): void => {
      if (pending !== this.#orphanedStatements.pending) return;
      // The consumer of the rows may have paused the connection. It is resumed, because the end of the
      // statement could not be read otherwise.
      this.#connection.resume();
      this.#orphanedStatements.leave(pending, isTimeout);
    };
    if (graceMs === 0) leave();
    else setTimeout(leave, graceMs).unref();
  }

  /** @throws NodeUnavailableError when the cluster node does not serve */
  async assertServing(mayBeDonor: boolean): Promise<void> {
    const { rows } = await this.run(GALERA_STATE_SQL, [], collectRows({ bytesMax: 1_000 }));
    const { kind } = readGaleraState(rows.rows.map(([name, value]) => [String(name), String(value)]));
    if (kind === 'synced' || (kind === 'donor' && mayBeDonor)) return;
    throw new NodeUnavailableError(kind === 'donor');
  }

  #toFault(error: unknown): Error {
    const fault = toPoolFault(error);
    if (isNodeUnavailable(fault)) this.hasNodeLeft = true;
    if (this.server.isGalera === true && isLockWaitTimeout(fault))
      this.raiseFate('close', 'its node may have left the cluster');
    return fault;
  }

  async #applySettings(): Promise<void> {
    try {
      await this.command(
        toSessionSettings(this.server.engine, this.#limits.statementMsMax, this.server.isGalera),
      );
    } catch (error) {
      this.destroy('session settings were refused');
      throw error;
    }
  }

  #guarded<T>(start: Begin<T>): Promise<T> {
    return this.isLost
      ? Promise.reject(new ConnectionLostError('the session has ended'))
      : this.#orphanedStatements.begin(start);
  }

  #lose(error: Error): void {
    const wasLost = this.isLost;
    this.isLost = true;
    this.#orphanedStatements.cancel(new ConnectionLostError(error.message, false, error));
    this.#pipeline?.fail(error, false);
    if (wasLost) return;
    dropConnection(this.#connection);
    this.onLost();
  }
}

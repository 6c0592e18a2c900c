import { AppError } from '@rowhouse/errors';
import { isLockFault } from '../faults.js';
import { isStopped } from './latency-history.js';
import { createPipelinedConnections, DRAIN_MS, type PipelineOptions } from './pipelined-connections.js';
import { toPlainSettings, toGroupedSettings, runsTenantCode } from '../session/session-settings.js';
import type { PoolAccount, PoolServer, ShortWrite } from '../types.js';
import { NotPipelinableError } from '../wire/pipelined-connection.js';
import { createWritePipeline, type WritePipeline, type Written } from '../wire/write-pipeline.js';

export interface WriteOptions extends Pick<
  PipelineOptions<WritePipeline>,
  'acquire' | 'release' | 'isAlone' | 'statementMsMax'
> {
  /** The time limit of statements on a session that is not pipelined. */
  readonly usualMs: number;
}

/** Groups concurrent writes of single records by account, so that they share a commit. */
export interface GroupedWrites {
  /**
   * Runs the write in a group. Returns null when it must run on a separate session instead, between
   * `separateStarted` and `separateEnded`. Rejects like `WritePipeline.run` and like `acquire`.
   */
  runGrouped<A, B>(
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
    write: ShortWrite<A, B>,
  ): Promise<Written<A, B>> | null;
  separateStarted(account: PoolAccount): void;
  separateEnded(account: PoolAccount): void;
  /** Ends sessions whose write has run too long. Call it periodically. */
  sweep(nowMs: number): void;
}

/** The number of an account's writes that run on separate sessions at once. Further writes are grouped. */
const SEPARATE_MAX = 2;
const DEPTH_MAX = 64;
/**
 * The time limit of a grouped write. The server stops a slower one, which then runs on a separate session.
 * Writes that follow in the same group wait at most this long for it.
 */
const WRITE_MS_MAX = 200;
/** A text runs separately for a while when more than this share of its grouped runs met a locked row. */
const LOCKED_SHARE_MAX = 0.3;
/** How long a text runs separately after its rows were often locked. */
const LOCKED_PAUSE_MS = 500;
/** How long a text runs separately after the server stopped it at its time limit. */
const STOPPED_PAUSE_MS = 30_000;
/** The weight of the newest run in the share of runs that met a locked row. */
const NEWEST = 0.1;
/** The maximum number of recorded texts per account. The oldest one is forgotten. */
const TEXTS_MAX = 128;

interface State {
  /** The number of writes that run on separate sessions now. */
  separate: number;
  /** The texts that recently met a locked row or were stopped. */
  readonly failedTexts: Map<string, { lockedShare: number; separateUntilMs: number }>;
}

export function createGroupedWrites(
  options: WriteOptions,
  nowMs: () => number = () => performance.now(),
): GroupedWrites {
  const states = new WeakMap<PoolAccount, State>();
  const pipelines = createPipelinedConnections<WritePipeline>({
    ...options,
    depthMax: DEPTH_MAX,
    settings: { begin: () => toGroupedSettings(WRITE_MS_MAX), end: () => toPlainSettings(options.usualMs) },
    open: (session, account, onIdle) =>
      session.openPipeline(
        (host) =>
          createWritePipeline({
            ...host,
            drainMs: DRAIN_MS,
            isPaused: () => account.isPaused?.() === true,
            onResponse: (sql, fault) => recordOutcome(account, sql, fault),
          }),
        onIdle,
      ),
  });

  function stateOf(account: PoolAccount): State {
    let state = states.get(account);
    if (state === undefined) states.set(account, (state = { separate: 0, failedTexts: new Map() }));
    return state;
  }

  /** Records the outcome of a grouped write. */
  function recordOutcome(account: PoolAccount, sql: string, fault: Error | null): void {
    const { failedTexts } = stateOf(account);
    if (fault === null && failedTexts.size === 0) return;
    const isLocked = isLockFault(fault);
    const text = failedTexts.get(sql) ?? { lockedShare: 0, separateUntilMs: 0 };
    text.lockedShare += NEWEST * ((isLocked ? 1 : 0) - text.lockedShare);
    if (isLocked || isStopped(fault)) failedTexts.set(sql, text);
    if (failedTexts.size > TEXTS_MAX) failedTexts.delete(failedTexts.keys().next().value ?? '');
    if (isStopped(fault)) text.separateUntilMs = nowMs() + STOPPED_PAUSE_MS;
    else if (text.lockedShare > LOCKED_SHARE_MAX)
      Object.assign(text, { lockedShare: 0, separateUntilMs: nowMs() + LOCKED_PAUSE_MS });
  }

  function mustRunSeparately({ failedTexts }: State, sql: string): boolean {
    const text = failedTexts.size === 0 ? undefined : failedTexts.get(sql);
    return text !== undefined && text.separateUntilMs > nowMs();
  }

  return {
    runGrouped(server, account, waitMs, write) {
      // MySQL cannot disable lock waits. On Galera, a conflict with another node would reject the group.
      if (server.engine !== 'mariadb' || server.isGalera === true) return null;
      if (runsTenantCode(account, write.write.sql) || runsTenantCode(account, write.read?.sql ?? ''))
        return null;
      const state = stateOf(account);
      if (
        (state.separate < SEPARATE_MAX && !pipelines.isOpen(account)) ||
        mustRunSeparately(state, write.write.sql)
      )
        return null;
      let isPipelined = false;
      const written = pipelines.use(server, account, waitMs, (writePipeline) => {
        isPipelined = true;
        return writePipeline.run(write);
      });
      return written.catch((error: unknown) => {
        // The session was lost before pipelining began, so nothing was sent.
        throw isPipelined || error instanceof AppError
          ? error
          : new NotPipelinableError('no session could be pipelined', { cause: error });
      });
    },
    separateStarted: (account) => void (stateOf(account).separate += 1),
    separateEnded: (account) => void (stateOf(account).separate -= 1),
    sweep: (now) => pipelines.sweep(now),
  };
}

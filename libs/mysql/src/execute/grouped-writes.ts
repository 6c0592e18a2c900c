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
  /** The time limit of a statement on a session that is not pipelined. */
  readonly usualMs: number;
}

/** Groups an account's concurrent writes of single records, so that one COMMIT covers several writes. */
export interface GroupedWrites {
  /**
   * Runs the write in a group. Returns null if the write must run on a separate session instead; the caller
   * then reports its start and end with `separateStarted` and `separateEnded`. Rejects like
   * `WritePipeline.run` and like `acquire`.
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

/**
 * The number of an account's writes that may run on separate sessions at the same time. Further writes are
 * grouped.
 */
const SEPARATE_MAX = 2;
const DEPTH_MAX = 64;
/**
 * The time limit of a grouped write. The server stops a slower write, which then runs on a separate session.
 * The writes after it in the group wait at most this long for it.
 */
const WRITE_MS_MAX = 200;
/**
 * If more than this share of a statement's grouped runs met a locked row, the statement runs on separate
 * sessions for a while.
 */
const LOCKED_SHARE_MAX = 0.3;
/** How long a statement runs on separate sessions after it often met locked rows. */
const LOCKED_PAUSE_MS = 500;
/** How long a statement runs on separate sessions after the server stopped it at the time limit. */
const STOPPED_PAUSE_MS = 30_000;
/** The weight of the newest run in the share of runs that met a locked row. */
const NEWEST = 0.1;
/** The maximum number of SQL texts that are recorded for an account. The oldest one is forgotten first. */
const TEXTS_MAX = 128;

interface State {
  /** The number of writes that run on separate sessions now. */
  separate: number;
  /** The SQL texts of statements that recently met a locked row, or that the server stopped. */
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

import { AppError } from '@rowhouse/errors';
import { isLockFault } from '../faults.js';
import { isStopped } from './latency-history.js';
import { createPipelinedConnections, DRAIN_MS, type PipelineOptions } from './pipelined-connections.js';
import { toAloneSettings, toTogetherSettings, runsTenantCode } from '../session/session-settings.js';
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
   * Returns null when the write should run separately, between `began` and `ended`. Rejects like
   * `WritePipeline.run` and like `acquire`.
   */
  together<A, B>(
    server: PoolServer,
    account: PoolAccount,
    waitMs: number,
    write: ShortWrite<A, B>,
  ): Promise<Written<A, B>> | null;
  began(account: PoolAccount): void;
  ended(account: PoolAccount): void;
  sweep(nowMs: number): void;
}

/** The number of writes that run separately at once. Further ones are grouped. */
const ALONE_MAX = 2;
const DEPTH_MAX = 64;
/**
 * The time limit of a grouped write. The server stops it, and it runs again separately. This is also the
 * longest wait for the writes after it.
 */
const WRITE_MS_MAX = 200;
/** How long a text runs separately after its rows were often locked by others, and after it was stopped. */
const LOCKED_SHARE_MAX = 0.3;
const LOCKED_BAR_MS = 500;
const STOPPED_BAR_MS = 30_000;
/** The weight of the newest value in that share. */
const NEWEST = 0.1;
/** The maximum number of rejected texts per account. The oldest one is forgotten. */
const TEXTS_MAX = 128;

interface State {
  alone: number;
  /** Recently rejected texts. */
  readonly refused: Map<string, { lockedShare: number; blockedUntilMs: number }>;
}

export function createGroupedWrites(
  options: WriteOptions,
  nowMs: () => number = () => performance.now(),
): GroupedWrites {
  const states = new WeakMap<PoolAccount, State>();
  const pipelines = createPipelinedConnections<WritePipeline>({
    ...options,
    depthMax: DEPTH_MAX,
    settings: { begin: () => toTogetherSettings(WRITE_MS_MAX), end: () => toAloneSettings(options.usualMs) },
    open: (session, account, onIdle) =>
      session.openPipeline(
        (host) =>
          createWritePipeline({
            ...host,
            drainMs: DRAIN_MS,
            isClosed: () => account.isPaused?.() === true,
            onAnswered: (sql, fault) => note(account, sql, fault),
          }),
        onIdle,
      ),
  });

  function stateOf(account: PoolAccount): State {
    let state = states.get(account);
    if (state === undefined) states.set(account, (state = { alone: 0, refused: new Map() }));
    return state;
  }

  function note(account: PoolAccount, sql: string, fault: Error | null): void {
    const { refused: rejected } = stateOf(account);
    if (fault === null && rejected.size === 0) return;
    const isLocked = isLockFault(fault);
    const text = rejected.get(sql) ?? { lockedShare: 0, blockedUntilMs: 0 };
    text.lockedShare += NEWEST * ((isLocked ? 1 : 0) - text.lockedShare);
    if (isLocked || isStopped(fault)) rejected.set(sql, text);
    if (rejected.size > TEXTS_MAX) rejected.delete(rejected.keys().next().value ?? '');
    if (isStopped(fault)) text.blockedUntilMs = nowMs() + STOPPED_BAR_MS;
    else if (text.lockedShare > LOCKED_SHARE_MAX)
      Object.assign(text, { lockedShare: 0, blockedUntilMs: nowMs() + LOCKED_BAR_MS });
  }

  function isBlocked({ refused: rejected }: State, sql: string): boolean {
    const text = rejected.size === 0 ? undefined : rejected.get(sql);
    return text !== undefined && text.blockedUntilMs > nowMs();
  }

  return {
    together(server, account, waitMs, write) {
      // On other servers, lock waits cannot be disabled, or a transaction may be rejected because of other
      // nodes.
      if (server.engine !== 'mariadb' || server.isGalera === true) return null;
      if (runsTenantCode(account, write.write.sql) || runsTenantCode(account, write.read?.sql ?? ''))
        return null;
      const state = stateOf(account);
      if ((state.alone < ALONE_MAX && !pipelines.isOpen(account)) || isBlocked(state, write.write.sql))
        return null;
      let isCarried = false;
      const carried = pipelines.use(server, account, waitMs, (writePipeline) => {
        isCarried = true;
        return writePipeline.run(write);
      });
      return carried.catch((error: unknown) => {
        // The session was lost before pipelining began, so nothing was sent.
        throw isCarried || error instanceof AppError
          ? error
          : new NotPipelinableError('no session could be pipelined', { cause: error });
      });
    },
    began: (account) => void (stateOf(account).alone += 1),
    ended: (account) => void (stateOf(account).alone -= 1),
    sweep: (now) => pipelines.sweep(now),
  };
}

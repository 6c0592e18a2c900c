import { DatabaseFault } from '../faults.js';
import { PoolSession } from '../session/pool-session.js';
import type { DbValue, PoolAccount } from '../types.js';
import {
  findRemains,
  poisonSession,
  readSessionState,
  readSessionVariables,
  type PoisonRights,
} from './poison-session.js';

export interface TakeoverCounts {
  /** The number of sessions that passed from one account to another. */
  readonly takeovers: number;
  /** The number of takeovers whose session was poisoned before and checked afterwards. */
  readonly poisoned: number;
  /** The number of takeovers after which all variables were compared with those of a new session. */
  readonly compared: number;
  /** The first findings of state that a previous account left in a session. */
  readonly remains: readonly string[];
  /**
   * The reasons why sessions could not be poisoned completely. For example, another session of the account
   * may hold a lock.
   */
  readonly refusals: readonly string[];
}

export interface TakeoverWatchOptions {
  /**
   * Returns the rights that the session's previous account has when state is left in the session for the
   * test. With null, the session passes to the next account without such state.
   */
  readonly rightsOf: (predecessor: PoolAccount, iteration: number) => PoisonRights | null;
  /** At each n-th takeover, all variables of the session are compared. */
  readonly compareEvery: number;
}

/** Variables that naturally differ between two sessions or two moments. */
const OWN_VARIABLES = new Set([
  'pseudo_thread_id',
  'timestamp',
  'rand_seed1',
  'rand_seed2',
  'last_insert_id',
  'identity',
  'insert_id',
  'error_count',
  'warning_count',
  'gtid_current_pos',
  'gtid_binlog_pos',
  'statement_id',
  'last_gtid',
  'proxy_user',
  'external_user',
]);
const REMAINS_MAX = 50;

/**
 * Leaves as much state as possible in each session of this process before it passes to another account, and
 * checks the session before the new account's first statement. Pass the session class of the tested pools.
 * `stop` restores the class.
 */
export function watchTakeovers(options: TakeoverWatchOptions): { counts(): TakeoverCounts; stop(): void } {
  const { become } = PoolSession.prototype;
  let [takeovers, poisoned, compared] = [0, 0, 0];
  const remains: string[] = [];
  const rejections: string[] = [];
  let fresh: Promise<{ state: readonly DbValue[]; variables: ReadonlyMap<string, string> }> | null = null;

  /** Reads the state of a new session, which is opened here as the previous account. */
  function readFresh(session: PoolSession): NonNullable<typeof fresh> {
    fresh ??= PoolSession.open(session.server, session.account, {
      connectTimeoutMs: 5_000,
      statementMsMax: 10_000,
      graceMs: 500,
      statementsPerSessionMax: 8,
      answersReadBy: 'wire',
    }).then(async (own) => {
      const found = { state: await readSessionState(own), variables: await readSessionVariables(own) };
      own.end();
      return found;
    });
    return fresh;
  }

  async function look(session: PoolSession, predecessor: PoolAccount, iteration: number): Promise<void> {
    const { state, variables } = await readFresh(session);
    const found = await findRemains(session, predecessor, state);
    if (iteration % options.compareEvery === 0) {
      compared += 1;
      const now = await readSessionVariables(session);
      for (const [name, value] of variables)
        if (!OWN_VARIABLES.has(name) && now.get(name) !== value)
          found.push(`${name} is ${String(now.get(name))} and not ${value}`);
    }
    if (remains.length < REMAINS_MAX)
      remains.push(...found.map((item) => `${session.account.user} after ${predecessor.user}: ${item}`));
  }

  PoolSession.prototype.become = async function becomeWatched(
    this: PoolSession,
    account: PoolAccount,
  ): Promise<void> {
    const predecessor = this.account;
    const iteration = (takeovers += 1);
    const rights = options.rightsOf(predecessor, iteration);
    if (rights !== null) {
      await poisonSession(this, rights).then(
        () => void (poisoned += 1),
        (error: unknown) =>
          void (
            rejections.length < REMAINS_MAX &&
            rejections.push(
              `${predecessor.user}: ${error instanceof DatabaseFault ? error.sqlMessage : String(error)}`,
            )
          ),
      );
    }
    await become.call(this, account);
    if (rights !== null) await look(this, predecessor, iteration);
  };
  return {
    counts: () => ({ takeovers, poisoned, compared, remains, refusals: rejections }),
    stop() {
      PoolSession.prototype.become = become;
    },
  };
}

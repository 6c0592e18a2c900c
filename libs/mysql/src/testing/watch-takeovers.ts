import { DatabaseFault } from '../pool-fault.js';
import { PoolSession } from '../pool-session.js';
import type { DbValue, PoolAccount } from '../pool-types.js';
import { findRemains, poisonSession, readSessionState, readSessionVariables, type PoisonRights } from './poison-session.js';

export interface TakeoverCounts {
  /** Sessions that changed hands. */
  readonly takeovers: number;
  /** Of them, those that were poisoned before and looked at after. */
  readonly poisoned: number;
  /** Of them, those whose every variable was compared with a new session's. */
  readonly compared: number;
  /** What was left of a predecessor, the first of them. */
  readonly remains: readonly string[];
  /** Why sessions could not be poisoned whole: another of the account may hold what is wanted. */
  readonly refusals: readonly string[];
}

export interface TakeoverWatchOptions {
  /** What the predecessor may be made to do; null: the session is taken over as it is. */
  readonly rightsOf: (predecessor: PoolAccount, turn: number) => PoisonRights | null;
  /** All variables of each such turn are compared. */
  readonly compareEvery: number;
}

/** Of one session or one moment by nature. */
const OWN_VARIABLES = new Set(['pseudo_thread_id', 'timestamp', 'rand_seed1', 'rand_seed2', 'last_insert_id', 'identity', 'insert_id', 'error_count', 'warning_count', 'gtid_current_pos', 'gtid_binlog_pos', 'statement_id', 'last_gtid', 'proxy_user', 'external_user']);
const REMAINS_MAX = 50;

/**
 * Poisons each session of this process before it changes hands, and looks at it after, ahead of its new owner's first
 * statement. Give it the class that the pools under test use; undone by what it gives back.
 */
export function watchTakeovers(options: TakeoverWatchOptions): { counts(): TakeoverCounts; stop(): void } {
  const { become } = PoolSession.prototype;
  let [takeovers, poisoned, compared] = [0, 0, 0];
  const remains: string[] = [];
  const refusals: string[] = [];
  let fresh: Promise<{ state: readonly DbValue[]; variables: ReadonlyMap<string, string> }> | null = null;

  /** Of a session that the watch opens for itself, as the predecessor: the statement below it is its first. */
  function readFresh(session: PoolSession): NonNullable<typeof fresh> {
    fresh ??= PoolSession.open(session.server, session.account, { connectTimeoutMs: 5_000, statementMsMax: 10_000, graceMs: 500, statementsPerSessionMax: 8, answersReadBy: 'wire' }).then(async (own) => {
      const found = { state: await readSessionState(own), variables: await readSessionVariables(own) };
      own.end();
      return found;
    });
    return fresh;
  }

  async function look(session: PoolSession, predecessor: PoolAccount, turn: number): Promise<void> {
    const { state, variables } = await readFresh(session);
    const found = await findRemains(session, predecessor, state);
    if (turn % options.compareEvery === 0) {
      compared += 1;
      const now = await readSessionVariables(session);
      for (const [name, value] of variables) if (!OWN_VARIABLES.has(name) && now.get(name) !== value) found.push(`${name} is ${String(now.get(name))} and not ${value}`);
    }
    if (remains.length < REMAINS_MAX) remains.push(...found.map((one) => `${session.account.user} after ${predecessor.user}: ${one}`));
  }

  PoolSession.prototype.become = async function becomeWatched(this: PoolSession, account: PoolAccount): Promise<void> {
    const predecessor = this.account;
    const turn = (takeovers += 1);
    const rights = options.rightsOf(predecessor, turn);
    if (rights !== null) {
      await poisonSession(this, rights).then(
        () => void (poisoned += 1),
        (error: unknown) => void (refusals.length < REMAINS_MAX && refusals.push(`${predecessor.user}: ${error instanceof DatabaseFault ? error.sqlMessage : String(error)}`)),
      );
    }
    await become.call(this, account);
    if (rights !== null) await look(this, predecessor, turn);
  };
  return {
    counts: () => ({ takeovers, poisoned, compared, remains, refusals }),
    stop() {
      PoolSession.prototype.become = become;
    },
  };
}

import { TIMEOUT_NUMBERS } from '@rowhouse/errors';
import { DatabaseFault } from '../faults.js';
import type { PoolAccount } from '../types.js';

/**
 * Records the latency of reads by their SQL text. A read that has always been fast may share a pipelined
 * connection.
 */
export interface LatencyHistory {
  /** Returns whether the read may use the connection for fast reads. False for a read without history. */
  isFast(account: PoolAccount, sql: string): boolean;
  /** Records a run of the read on a separate session. */
  ran(account: PoolAccount, sql: string, elapsedMs: number): void;
  /**
   * Records a run of the read on the shared connection.
   * @param heldMs how long statements sent after it waited for it
   * @param bytes the size of its response
   */
  held(account: PoolAccount, sql: string, heldMs: number, bytes: number): void;
  /** Records that the server stopped the read on the shared connection, because it was slow. */
  stopped(account: PoolAccount, sql: string): void;
}

/**
 * The time limit of a read on the shared connection. The server stops a slower read, which then runs on a
 * separate session. The statements sent after it wait at most this long for it.
 */
export const FAST_MS_MAX = 50;

/**
 * A read counts as fast after this number of consecutive runs on separate sessions, none of which was slow.
 */
const RUNS_MIN = 16;
/** A run on a separate session is slow if it takes longer than this. It starts the count of runs again. */
const SLOW_RUN_MS = 30;
/**
 * A read is fast only if its fastest run on a separate session took at most this long. Its other runs may
 * take longer, because this process may have been busy.
 */
const FASTEST_RUN_MS = 3;
/** The maximum average time that later statements wait for a fast read. */
const HELD_MS_MAX = 6;
/** Caps a single wait before it is averaged, so that one stall of the process or server does not matter. */
const ONE_WAIT_MS_MAX = 20;
/** The maximum average response size of a fast read. */
const BYTES_MAX = 64 * 1024;
/** The weight of the newest run in the averages of wait and response size. */
const NEWEST = 0.05;
/** How long a read runs on separate sessions after later statements waited too long for it. */
const SLOW_PAUSE_MS = 30_000;
/** How long a read runs on separate sessions after the server stopped it on the shared connection. */
const STOPPED_PAUSE_MS = 60_000;
/**
 * The maximum number of SQL texts that are recorded for an account. The least recently used one is forgotten
 * first.
 */
const TEXTS_MAX = 128;

interface LatencyRecord {
  runs: number;
  fastestMs: number;
  heldMs: number;
  bytes: number;
  separateUntilMs: number;
}

/** The state of a read without history. */
const NO_HISTORY = { runs: 0, fastestMs: Number.POSITIVE_INFINITY, heldMs: 0, bytes: 0 };

/** Returns whether the server stopped a statement at its time limit. */
export function isStopped(error: unknown): error is DatabaseFault {
  return error instanceof DatabaseFault && TIMEOUT_NUMBERS.has(error.errno);
}

export function createLatencyHistory(nowMs: () => number = () => performance.now()): LatencyHistory {
  const byAccount = new WeakMap<PoolAccount, Map<string, LatencyRecord>>();

  function recordOf(account: PoolAccount, sql: string): LatencyRecord {
    let records = byAccount.get(account);
    if (records === undefined) byAccount.set(account, (records = new Map()));
    let record = records.get(sql);
    if (record === undefined) record = { ...NO_HISTORY, separateUntilMs: 0 };
    else if (records.size === TEXTS_MAX) records.delete(sql);
    records.set(sql, record);
    if (records.size > TEXTS_MAX) records.delete(records.keys().next().value ?? '');
    return record;
  }

  function runSeparately(record: LatencyRecord, forMs: number): void {
    Object.assign(record, NO_HISTORY, { separateUntilMs: nowMs() + forMs });
  }

  return {
    isFast(account, sql) {
      const record = byAccount.get(account)?.get(sql);
      return (
        record !== undefined &&
        record.runs >= RUNS_MIN &&
        record.fastestMs <= FASTEST_RUN_MS &&
        record.separateUntilMs <= nowMs()
      );
    },
    ran(account, sql, elapsedMs) {
      const record = recordOf(account, sql);
      if (elapsedMs > SLOW_RUN_MS) return runSeparately(record, 0);
      record.runs += 1;
      record.fastestMs = Math.min(record.fastestMs, elapsedMs);
    },
    held(account, sql, heldMs, bytes) {
      const record = recordOf(account, sql);
      record.heldMs += NEWEST * (Math.min(heldMs, ONE_WAIT_MS_MAX) - record.heldMs);
      record.bytes += NEWEST * (bytes - record.bytes);
      if (record.heldMs > HELD_MS_MAX || record.bytes > BYTES_MAX) runSeparately(record, SLOW_PAUSE_MS);
    },
    stopped: (account, sql) => runSeparately(recordOf(account, sql), STOPPED_PAUSE_MS),
  };
}

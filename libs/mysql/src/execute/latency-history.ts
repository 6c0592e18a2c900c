import { numbersOfKind } from '@rowhouse/errors';
import { DatabaseFault } from '../faults.js';
import type { PoolAccount } from '../types.js';

/**
 * The latency history of reads by their text. A read that has always been fast may share a pipelined
 * connection.
 */
export interface LatencyHistory {
  /** Returns whether the read may use the connection for fast reads. False for a read without history. */
  isFast(account: PoolAccount, sql: string): boolean;
  /** Records a run on a session of its own. */
  ran(account: PoolAccount, sql: string, elapsedMs: number): void;
  /**
   * Records a run on the shared connection: how long later statements waited for it, and the size of its
   * response.
   */
  held(account: PoolAccount, sql: string, heldMs: number, bytes: number): void;
  /** Records that the read was slow and was stopped on the shared connection. */
  stopped(account: PoolAccount, sql: string): void;
}

/**
 * The time limit of a read on the shared connection. The server stops it, and it runs again on a session of
 * its own. This is also the longest wait for the statements after it.
 */
export const FAST_MS_MAX = 50;

/** The number of separate runs required, without a slow one in between. */
const RUNS_MIN = 16;
const SLOW_RUN_MS = 30;
/** At least one of these runs must be this fast. A busy process slows down the others. */
const FASTEST_RUN_MS = 3;
/** The maximum average wait of later statements, and the maximum average response size. */
const HELD_MS_MAX = 6;
/**
 * The maximum that a single wait counts, however long this process or the server was stalled. Only repeated
 * waits matter.
 */
const ONE_WAIT_MS_MAX = 20;
const BYTES_MAX = 64 * 1024;
/** The weight of the newest value in these averages. */
const NEWEST = 0.05;
/**
 * How long a read runs separately after it was slow on the shared connection, and after it was stopped there.
 */
const SLOW_BAR_MS = 30_000;
const STOPPED_BAR_MS = 60_000;
/** The maximum number of texts per account. The least recently used one is forgotten. */
const TEXTS_MAX = 128;

interface LatencyRecord {
  runs: number;
  fastestMs: number;
  heldMs: number;
  bytes: number;
  blockedUntilMs: number;
}

/** The initial state of a text without history. */
const UNKNOWN = { runs: 0, fastestMs: Number.POSITIVE_INFINITY, heldMs: 0, bytes: 0 };

const TIMEOUT_NUMBERS = numbersOfKind('timeout');

/** Returns whether the server stopped a statement at its time limit. */
export function isStopped(error: unknown): error is DatabaseFault {
  return error instanceof DatabaseFault && TIMEOUT_NUMBERS.has(error.errno);
}

export function createLatencyHistory(nowMs: () => number = () => performance.now()): LatencyHistory {
  const byAccount = new WeakMap<PoolAccount, Map<string, LatencyRecord>>();

  function latencyRecordOf(account: PoolAccount, sql: string): LatencyRecord {
    let latencyHistory = byAccount.get(account);
    if (latencyHistory === undefined) byAccount.set(account, (latencyHistory = new Map()));
    let latencyRecord = latencyHistory.get(sql);
    if (latencyRecord === undefined) latencyRecord = { ...UNKNOWN, blockedUntilMs: 0 };
    else if (latencyHistory.size === TEXTS_MAX) latencyHistory.delete(sql);
    latencyHistory.set(sql, latencyRecord);
    if (latencyHistory.size > TEXTS_MAX) latencyHistory.delete(latencyHistory.keys().next().value ?? '');
    return latencyRecord;
  }

  function bar(latencyRecord: LatencyRecord, forMs: number): void {
    Object.assign(latencyRecord, UNKNOWN, { blockedUntilMs: nowMs() + forMs });
  }

  return {
    isFast(account, sql) {
      const latencyRecord = byAccount.get(account)?.get(sql);
      return (
        latencyRecord !== undefined &&
        latencyRecord.runs >= RUNS_MIN &&
        latencyRecord.fastestMs <= FASTEST_RUN_MS &&
        latencyRecord.blockedUntilMs <= nowMs()
      );
    },
    ran(account, sql, elapsedMs) {
      const latencyRecord = latencyRecordOf(account, sql);
      if (elapsedMs > SLOW_RUN_MS) return bar(latencyRecord, 0);
      latencyRecord.runs += 1;
      latencyRecord.fastestMs = Math.min(latencyRecord.fastestMs, elapsedMs);
    },
    held(account, sql, heldMs, bytes) {
      const latencyRecord = latencyRecordOf(account, sql);
      latencyRecord.heldMs += NEWEST * (Math.min(heldMs, ONE_WAIT_MS_MAX) - latencyRecord.heldMs);
      latencyRecord.bytes += NEWEST * (bytes - latencyRecord.bytes);
      if (latencyRecord.heldMs > HELD_MS_MAX || latencyRecord.bytes > BYTES_MAX)
        bar(latencyRecord, SLOW_BAR_MS);
    },
    stopped: (account, sql) => bar(latencyRecordOf(account, sql), STOPPED_BAR_MS),
  };
}

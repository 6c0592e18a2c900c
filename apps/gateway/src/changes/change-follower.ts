import {
  CHANGE_POLL_INTERVAL_MS,
  LOG_SILENCE_MAX_MS,
  OFFLINE_KEYS_MAX_MS,
  SHARED_CACHE_TTL_SECONDS,
  type ChangeEntry,
} from '@rowhouse/contracts';
import type { GatewayChanges } from '@rowhouse/platform-store';
import { createChangeTracker, type ChangeTracker } from './change-tracker.js';

/**
 * Follows the change log of the cell. Messages deliver entries fast, but may be lost. The follower therefore
 * also reads the log once a second.
 */
export interface ChangeFollower {
  readonly changeTracker: ChangeTracker;
  /** Applies an entry from the message channel. */
  receive(entry: ChangeEntry): void;
  /** Starts to read the log, and returns immediately. Call it after the message channel was disconnected. */
  catchUp(): void;
  /** Reads the whole log that exists at the time of the call. Rejects when the log cannot be read. */
  readNow(): Promise<void>;
  /** Returns whether the log could not be read for 2 s, so that known schemas may be out of date. */
  isChangeLogStale(): boolean;
  /** Returns whether the log could not be read for 10 minutes, so that not even known keys are trusted. */
  isChangeLogLost(): boolean;
  stop(): void;
}

export interface ChangeFollowerOptions {
  readonly changes: GatewayChanges;
  /** Applies an entry to this process. It may be called twice for one entry. */
  readonly apply: (entry: ChangeEntry) => void;
  /** Called after the applied sequence number has advanced. */
  readonly onApplied: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * How far back the log is read at the start, in seconds. This is longer than records stay in Redis, so no
 * record there is older than the first entry.
 */
const RECENT_SECONDS = SHARED_CACHE_TTL_SECONDS + 60;
const BATCH_ROWS_MAX = 1_000;
/**
 * The maximum difference between the sequence number of a message and the last one applied. A larger number
 * may be forged.
 */
const AHEAD_MAX = 10_000;

/** Reads the head of the log and its recent entries. Rejects when the platform database is unavailable. */
export async function startChangeFollower(options: ChangeFollowerOptions): Promise<ChangeFollower> {
  const head = await options.changes.readHead();
  const recent = await options.changes.readRecent(RECENT_SECONDS);
  const changeTracker = createChangeTracker((recent[0]?.seq ?? head + 1) - 1);
  for (const entry of recent) changeTracker.note(entry);
  changeTracker.advanceTo(Math.max(head, recent.at(-1)?.seq ?? 0));
  return followChanges(options, changeTracker);
}

function followChanges(options: ChangeFollowerOptions, changeTracker: ChangeTracker): ChangeFollower {
  /**
   * The sequence numbers of entries that were applied from messages while earlier entries are still missing.
   */
  const ahead = new Set<number>();
  let readAtMs = performance.now();
  let polling: Promise<void> | null = null;
  let isPollRequested = false;

  function applyOnce(entry: ChangeEntry): void {
    if (entry.seq <= changeTracker.appliedSeq() || ahead.has(entry.seq)) return;
    changeTracker.note(entry);
    options.apply(entry);
  }

  function receive(entry: ChangeEntry): void {
    // A number this far ahead may be forged. Until the log itself contains it, it must not be used as the
    // date of a record.
    if (entry.seq > changeTracker.appliedSeq() + AHEAD_MAX) return catchUp();
    applyOnce(entry);
    if (entry.seq <= changeTracker.appliedSeq()) return;
    ahead.add(entry.seq);
    if (!advanceThroughAhead()) catchUp();
  }

  /** Advances past consecutive entries. Returns true if no entry is missing any more. */
  function advanceThroughAhead(): boolean {
    let next = changeTracker.appliedSeq() + 1;
    const before = next;
    while (ahead.delete(next)) next += 1;
    if (next > before) {
      changeTracker.advanceTo(next - 1);
      options.onApplied();
    }
    return ahead.size === 0;
  }

  async function readLog(): Promise<void> {
    for (;;) {
      const entries = await options.changes.readSince(changeTracker.appliedSeq(), BATCH_ROWS_MAX);
      for (const entry of entries) {
        applyOnce(entry);
        ahead.delete(entry.seq);
        changeTracker.advanceTo(entry.seq);
      }
      readAtMs = performance.now();
      if (entries.length > 0) options.onApplied();
      if (entries.length < BATCH_ROWS_MAX) break;
    }
    advanceThroughAhead();
    changeTracker.prune(performance.now() - RECENT_SECONDS * 1_000);
  }

  function catchUp(): void {
    isPollRequested = true;
    polling ??= pollWhileRequested().finally(() => {
      polling = null;
    });
  }

  async function pollWhileRequested(): Promise<void> {
    while (isPollRequested) {
      isPollRequested = false;
      await readLog().catch(options.onFault);
    }
  }

  const timer = setInterval(catchUp, CHANGE_POLL_INTERVAL_MS);
  const silentMs = (): number => performance.now() - readAtMs;
  return {
    changeTracker,
    receive,
    catchUp,
    async readNow() {
      // The read that is running may have started before this call, so another read follows.
      await polling;
      await readLog();
    },
    isChangeLogStale: () => silentMs() > LOG_SILENCE_MAX_MS,
    isChangeLogLost: () => silentMs() > OFFLINE_KEYS_MAX_MS,
    stop: () => clearInterval(timer),
  };
}

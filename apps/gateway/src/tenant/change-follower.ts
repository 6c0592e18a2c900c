import { CHANGE_POLL_INTERVAL_MS, LOG_SILENCE_MAX_MS, OFFLINE_KEYS_MAX_MS, SHARED_CACHE_TTL_SECONDS, type ChangeEntry } from '@rowhouse/contracts';
import type { GatewayChanges } from '@rowhouse/platform-store';
import { createChangeMemory, type ChangeMemory } from './change-memory.js';

/**
 * Follows the cell's change log: by message, which is fast and may be lost, and by reading `seq > last` once a second.
 */
export interface ChangeFollower {
  readonly memory: ChangeMemory;
  /** From the message channel. */
  hear(entry: ChangeEntry): void;
  /** Reads the log now: after the channel was away. */
  catchUp(): void;
  /** Reads the log from now on; throws when it cannot be read. */
  readNow(): Promise<void>;
  /** Nothing was heard of the log for 2 s: what this process knows of schemas may be out of date. */
  isFenced(): boolean;
  /** Nothing was heard of the log for 10 minutes: not even known keys are believed any longer. */
  isBlind(): boolean;
  stop(): void;
}

export interface ChangeFollowerOptions {
  readonly changes: GatewayChanges;
  /** An entry's effect on this process; may be called twice for one entry. */
  readonly apply: (entry: ChangeEntry) => void;
  /** The applied sequence has moved. */
  readonly onApplied: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Longer than any shared record lives, so that none older than the first entry read is left in Redis. */
const RECENT_SECONDS = SHARED_CACHE_TTL_SECONDS + 60;
const BATCH_ROWS_MAX = 1_000;
/** Entries by which a message may be ahead of what was read. */
const AHEAD_MAX = 10_000;

/** Reads where the log stands and what happened lately; throws when the platform database is away. */
export async function startChangeFollower(options: ChangeFollowerOptions): Promise<ChangeFollower> {
  const head = await options.changes.readHead();
  const recent = await options.changes.readRecent(RECENT_SECONDS);
  const memory = createChangeMemory((recent[0]?.seq ?? head + 1) - 1);
  for (const entry of recent) memory.note(entry);
  memory.advanceTo(Math.max(head, recent.at(-1)?.seq ?? 0));
  return followChanges(options, memory);
}

function followChanges(options: ChangeFollowerOptions, memory: ChangeMemory): ChangeFollower {
  /** Applied by message before their turn in the log. */
  const ahead = new Set<number>();
  let heardAtMs = performance.now();
  let polling: Promise<void> | null = null;
  let isPollWanted = false;

  function applyOnce(entry: ChangeEntry): void {
    if (entry.seq <= memory.appliedSeq() || ahead.has(entry.seq)) return;
    memory.note(entry);
    options.apply(entry);
  }

  function hear(entry: ChangeEntry): void {
    // So far ahead that the log itself has to say so: nothing may be dated by it.
    if (entry.seq > memory.appliedSeq() + AHEAD_MAX) return catchUp();
    applyOnce(entry);
    if (entry.seq <= memory.appliedSeq()) return;
    ahead.add(entry.seq);
    if (!advanceThroughAhead()) catchUp();
  }

  /** Whether everything that was heard is now in order. */
  function advanceThroughAhead(): boolean {
    let next = memory.appliedSeq() + 1;
    const before = next;
    while (ahead.delete(next)) next += 1;
    if (next > before) {
      memory.advanceTo(next - 1);
      options.onApplied();
    }
    return ahead.size === 0;
  }

  async function readLog(): Promise<void> {
    for (;;) {
      const entries = await options.changes.readSince(memory.appliedSeq(), BATCH_ROWS_MAX);
      for (const entry of entries) {
        applyOnce(entry);
        ahead.delete(entry.seq);
        memory.advanceTo(entry.seq);
      }
      heardAtMs = performance.now();
      if (entries.length > 0) options.onApplied();
      if (entries.length < BATCH_ROWS_MAX) break;
    }
    advanceThroughAhead();
    memory.prune(performance.now() - RECENT_SECONDS * 1_000);
  }

  function catchUp(): void {
    isPollWanted = true;
    polling ??= pollWhileWanted().finally(() => {
      polling = null;
    });
  }

  async function pollWhileWanted(): Promise<void> {
    while (isPollWanted) {
      isPollWanted = false;
      await readLog().catch(options.onFault);
    }
  }

  const timer = setInterval(catchUp, CHANGE_POLL_INTERVAL_MS);
  const silentMs = (): number => performance.now() - heardAtMs;
  return {
    memory,
    hear,
    catchUp,
    async readNow() {
      // What was asked for earlier may have been answered earlier.
      await polling;
      await readLog();
    },
    isFenced: () => silentMs() > LOG_SILENCE_MAX_MS,
    isBlind: () => silentMs() > OFFLINE_KEYS_MAX_MS,
    stop: () => clearInterval(timer),
  };
}

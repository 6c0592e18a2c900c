import { QUESTION_KINDS, type ChangeEntry } from '@rowhouse/contracts';

/**
 * What this process knows of the change log: how far it has followed, and the last entry of each database.
 * It decides whether something that was read `asOfSeq` may still be believed.
 */
export interface ChangeMemory {
  /** Every entry up to here has been applied. */
  appliedSeq(): number;
  /**
   * The highest entry seen, in order or not. The log is written under one lock, so whatever is read from the platform
   * database from now on holds every entry up to here.
   */
  observedSeq(): number;
  /** From the log itself, in order. */
  advanceTo(seq: number): void;
  note(entry: ChangeEntry): void;
  /** Whether no entry of the database after `asOfSeq` is known. */
  isFresh(databaseId: string, asOfSeq: number): boolean;
  /** As `isFresh`, for what snapshots do not touch: keys and where a database lies. */
  isRecordFresh(databaseId: string, asOfSeq: number): boolean;
  /** Whether an entry of the database was noted at or after `sinceMs` (monotonic). */
  hasChangedSince(databaseId: string, sinceMs: number): boolean;
  /** Forgets entries noted before `olderThanMs` (monotonic); records older than they are then no longer believed. */
  prune(olderThanMs: number): void;
}

interface LastChange {
  seq: number;
  recordSeq: number;
  notedMs: number;
}

/** `startSeq`: everything up to it happened before the entries that are noted at start. */
export function createChangeMemory(startSeq: number): ChangeMemory {
  const last = new Map<string, LastChange>();
  let applied = startSeq;
  let observed = startSeq;
  let forgottenThrough = startSeq;
  return {
    appliedSeq: () => applied,
    observedSeq: () => observed,
    advanceTo(seq) {
      applied = Math.max(applied, seq);
      observed = Math.max(observed, applied);
    },
    note(entry) {
      observed = Math.max(observed, entry.seq);
      const known = last.get(entry.database_id) ?? { seq: 0, recordSeq: 0, notedMs: 0 };
      last.delete(entry.database_id);
      known.seq = Math.max(known.seq, entry.seq);
      if (entry.kind !== 'snapshot' && entry.kind !== 'prepared' && entry.kind !== 'pause' && !QUESTION_KINDS.has(entry.kind)) known.recordSeq = Math.max(known.recordSeq, entry.seq);
      known.notedMs = performance.now();
      last.set(entry.database_id, known);
    },
    isFresh: (databaseId, asOfSeq) => asOfSeq >= (last.get(databaseId)?.seq ?? forgottenThrough),
    isRecordFresh(databaseId, asOfSeq) {
      const known = last.get(databaseId);
      return asOfSeq >= (known === undefined ? forgottenThrough : known.recordSeq);
    },
    hasChangedSince: (databaseId, sinceMs) => (last.get(databaseId)?.notedMs ?? Number.NEGATIVE_INFINITY) >= sinceMs,
    prune(olderThanMs) {
      for (const [databaseId, known] of last) {
        if (known.notedMs >= olderThanMs) return;
        last.delete(databaseId);
        forgottenThrough = Math.max(forgottenThrough, known.seq);
      }
    },
  };
}

import { QUESTION_KINDS, type ChangeEntry } from '@rowhouse/contracts';

/**
 * Tracks which entries of the change log are applied, and the last entry of each database. It decides whether
 * a record that was current up to the sequence number `asOfSeq` is still valid.
 */
export interface ChangeTracker {
  /** Returns the sequence number up to which every entry has been applied. */
  appliedSeq(): number;
  /**
   * Returns the highest sequence number seen, in order or not. The log is written under one lock, so a later
   * read of the platform database includes all entries up to this number.
   */
  observedSeq(): number;
  /** Advances the applied sequence number, in the order of the log. */
  advanceTo(seq: number): void;
  note(entry: ChangeEntry): void;
  /** Returns whether no entry of the database after `asOfSeq` is known. */
  isFresh(databaseId: string, asOfSeq: number): boolean;
  /**
   * Returns the same as `isFresh`, but ignores entries that only change snapshots. Use it for keys and for
   * the location of a database.
   */
  isRecordFresh(databaseId: string, asOfSeq: number): boolean;
  /** Returns whether an entry of the database was noted at or after `sinceMs` (monotonic). */
  hasChangedSince(databaseId: string, sinceMs: number): boolean;
  /**
   * Removes entries noted before `olderThanMs` (monotonic). Records older than these entries become invalid.
   */
  prune(olderThanMs: number): void;
}

interface LastChange {
  seq: number;
  recordSeq: number;
  notedMs: number;
}

/** Creates the tracker. Entries up to `startSeq` are not noted one by one. */
export function createChangeTracker(startSeq: number): ChangeTracker {
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
      if (
        entry.kind !== 'snapshot' &&
        entry.kind !== 'prepared' &&
        entry.kind !== 'pause' &&
        !QUESTION_KINDS.has(entry.kind)
      )
        known.recordSeq = Math.max(known.recordSeq, entry.seq);
      known.notedMs = performance.now();
      last.set(entry.database_id, known);
    },
    isFresh: (databaseId, asOfSeq) => asOfSeq >= (last.get(databaseId)?.seq ?? forgottenThrough),
    isRecordFresh(databaseId, asOfSeq) {
      const known = last.get(databaseId);
      return asOfSeq >= (known === undefined ? forgottenThrough : known.recordSeq);
    },
    hasChangedSince: (databaseId, sinceMs) =>
      (last.get(databaseId)?.notedMs ?? Number.NEGATIVE_INFINITY) >= sinceMs,
    prune(olderThanMs) {
      for (const [databaseId, known] of last) {
        if (known.notedMs >= olderThanMs) return;
        last.delete(databaseId);
        forgottenThrough = Math.max(forgottenThrough, known.seq);
      }
    },
  };
}

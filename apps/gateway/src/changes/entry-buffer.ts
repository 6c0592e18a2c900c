import type { ChangeEntry } from '@rowhouse/contracts';

/**
 * Passes entries of the change log to a receiver. Entries that arrive before there is a receiver are stored
 * for it.
 */
export interface EntryBuffer {
  apply(entry: ChangeEntry): void;
  /** Passes the waiting entries to `receiver` in order, and each later entry immediately. */
  connect(receiver: (entry: ChangeEntry) => void): void;
}

export function createEntryBuffer(): EntryBuffer {
  const waiting: ChangeEntry[] = [];
  let receive: (entry: ChangeEntry) => void = (entry) => waiting.push(entry);
  return {
    apply: (entry) => receive(entry),
    connect(receiver) {
      receive = receiver;
      for (const entry of waiting.splice(0)) receiver(entry);
    },
  };
}

import {
  changeChannel,
  detectChannel,
  repairChannel,
  valuesChannel,
  type ChangeEntry,
} from '@rowhouse/contracts';
import {
  createSignedListener,
  createSignedPublisher,
  isCount,
  type ChannelOptions,
  type IgnoredReason,
  type Message,
} from './signed-channel.js';

export interface ChangePublisher {
  /**
   * Announces a committed entry of the change log. First, it deletes the cached copies that the entry makes
   * invalid. Never throws.
   */
  announce(entry: ChangeEntry, staleKeys?: readonly string[]): Promise<void>;
  /** Asks a worker to check a database for direct schema changes. Never throws. */
  requestDetection(databaseId: string): Promise<void>;
  /** Asks a worker to repair the accounts of a database. Never throws. */
  requestRepair(databaseId: string): Promise<void>;
  /** Asks a worker to compare the value index of a database with its rows. Never throws. */
  requestValues(databaseId: string): Promise<void>;
  close(): Promise<void>;
}

/** Creates the publisher for the change channel of a cell. */
export function createChangePublisher(options: ChannelOptions): ChangePublisher {
  const publisher = createSignedPublisher(options, 'change-publisher');
  return {
    async announce(entry, staleKeys = []) {
      await publisher.forget(staleKeys);
      await publisher.publish(changeChannel(options.cellId), entry);
    },
    requestDetection: (databaseId) =>
      publisher.publish(detectChannel(options.cellId), { database_id: databaseId }),
    requestRepair: (databaseId) =>
      publisher.publish(repairChannel(options.cellId), { database_id: databaseId }),
    requestValues: (databaseId) =>
      publisher.publish(valuesChannel(options.cellId), { database_id: databaseId }),
    async close() {
      publisher.close();
    },
  };
}

export interface ChangeSubscriber {
  close(): Promise<void>;
}

export interface ChangeSubscriberOptions extends ChannelOptions {
  readonly onEntry: (entry: ChangeEntry) => void;
  readonly onDetect?: (databaseId: string) => void;
  readonly onRepair?: (databaseId: string) => void;
  readonly onValues?: (databaseId: string) => void;
  readonly onGap: () => void;
  /** Called for each message that is ignored, to count it in a metric. Normally, no message is ignored. */
  readonly onIgnored: (reason: IgnoredReason) => void;
}

/**
 * Creates the subscriber for the change channel of a cell. Messages may be lost while the connection is down.
 * Therefore, `onGap` is called after each connect and reconnect, so that the caller reads the change log
 * itself.
 */
export function createChangeSubscriber(options: ChangeSubscriberOptions): ChangeSubscriber {
  const { cellId, onEntry } = options;
  const handlers = new Map([
    [changeChannel(cellId), (message: Message) => isChangeEntry(message) && receive(() => onEntry(message))],
  ]);
  for (const [channel, onRequest] of [
    [detectChannel(cellId), options.onDetect],
    [repairChannel(cellId), options.onRepair],
    [valuesChannel(cellId), options.onValues],
  ] as const) {
    if (onRequest !== undefined)
      handlers.set(
        channel,
        ({ database_id: databaseId }) =>
          typeof databaseId === 'string' && receive(() => onRequest(databaseId)),
      );
  }
  const listener = createSignedListener({
    ...options,
    name: 'change-subscriber',
    handlers,
    onReady: options.onGap,
  });
  return {
    async close() {
      listener.close();
    },
  };
}

function receive(handle: () => void): true {
  handle();
  return true;
}

/**
 * Reports whether a message has the structure of an entry. Callers rely on the numbers in it, so even a
 * signed message is rejected if it is malformed.
 */
function isChangeEntry(message: object): message is ChangeEntry {
  const {
    seq,
    database_id: databaseId,
    kind,
    version,
  } = message as Partial<Record<keyof ChangeEntry, unknown>>;
  return (
    isCount(seq) && seq > 0 && typeof databaseId === 'string' && typeof kind === 'string' && isCount(version)
  );
}

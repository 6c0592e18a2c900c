import { changeChannel, detectChannel, type ChangeEntry } from '@rowhouse/contracts';
import { connectRedis } from './redis.js';

export interface ChangePublisher {
  /** Announces a committed entry of the change log, after deleting the shared copies it makes stale. Never throws. */
  announce(entry: ChangeEntry, staleKeys?: readonly string[]): Promise<void>;
  /** Asks the worker's detector to look at a database. Never throws. */
  requestDetection(databaseId: string): Promise<void>;
  close(): Promise<void>;
}

/** The speaking end of a cell's change channel. */
export function createChangePublisher(options: { readonly redisUrl: string; readonly cellId: string }): ChangePublisher {
  const redis = connectRedis(options.redisUrl, `change-publisher-${options.cellId}`);
  const ignore = (): undefined => undefined;
  return {
    async announce(entry, staleKeys = []) {
      const deleting = staleKeys.length > 0 ? redis.del(...staleKeys) : Promise.resolve(0);
      await deleting.catch(ignore);
      await redis.publish(changeChannel(options.cellId), JSON.stringify(entry)).catch(ignore);
    },
    async requestDetection(databaseId) {
      await redis.publish(detectChannel(options.cellId), JSON.stringify({ database_id: databaseId })).catch(ignore);
    },
    async close() {
      redis.disconnect();
    },
  };
}

export interface ChangeSubscriber {
  close(): Promise<void>;
}

/**
 * The hearing end. Messages can be lost while the connection is away, so `onGap` is called at every (re)connect:
 * the caller then reads the log itself.
 */
export function createChangeSubscriber(options: {
  readonly redisUrl: string;
  readonly cellId: string;
  readonly onEntry: (entry: ChangeEntry) => void;
  readonly onDetect?: (databaseId: string) => void;
  readonly onGap: () => void;
}): ChangeSubscriber {
  const redis = connectRedis(options.redisUrl, `change-subscriber-${options.cellId}`);
  const detect = detectChannel(options.cellId);
  const channels = [changeChannel(options.cellId), ...(options.onDetect ? [detect] : [])];
  redis.on('ready', () => {
    redis.subscribe(...channels).then(options.onGap, () => undefined);
  });
  redis.on('message', (channel: string, text: string) => {
    const message = parseMessage(text);
    if (message === null) return;
    if (channel === detect) options.onDetect?.(String(message['database_id']));
    else if (isChangeEntry(message)) options.onEntry(message);
  });
  return {
    async close() {
      redis.disconnect();
    },
  };
}

/** Anyone who reaches Redis can speak here: what is no entry must not reach those who count by it. */
function isChangeEntry(message: object): message is ChangeEntry {
  const { seq, database_id: databaseId, kind, version } = message as Partial<Record<keyof ChangeEntry, unknown>>;
  return isCount(seq) && seq > 0 && typeof databaseId === 'string' && typeof kind === 'string' && isCount(version);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function parseMessage(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

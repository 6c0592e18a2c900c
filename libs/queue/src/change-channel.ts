import { changeChannel, detectChannel, type ChangeEntry } from '@rowhouse/contracts';
import { connectRedis } from './redis.js';

/** Why a message was not believed: no signature of the form, one of a key not at hand, a wrong one, or signed and yet no message. */
export type IgnoredReason = 'unsigned' | 'unknown_key' | 'forged' | 'malformed';

/** Anyone who reaches Redis can speak on a channel; what counts is signed with a key that Redis never sees. */
export interface ChannelSigner {
  sign(channel: string, text: string): string;
  open(channel: string, message: string): { readonly kind: 'signed'; readonly text: string } | { readonly kind: Exclude<IgnoredReason, 'malformed'> };
}

interface ChannelOptions {
  readonly redisUrl: string;
  readonly cellId: string;
  readonly signer: ChannelSigner;
}

export interface ChangePublisher {
  /** Announces a committed entry of the change log, after deleting the shared copies it makes stale. Never throws. */
  announce(entry: ChangeEntry, staleKeys?: readonly string[]): Promise<void>;
  /** Asks the worker's detector to look at a database. Never throws. */
  requestDetection(databaseId: string): Promise<void>;
  close(): Promise<void>;
}

/** The speaking end of a cell's change channel. */
export function createChangePublisher(options: ChannelOptions): ChangePublisher {
  const redis = connectRedis(options.redisUrl, `change-publisher-${options.cellId}`);
  const ignore = (): undefined => undefined;
  const speak = async (channel: string, message: object): Promise<void> => {
    await redis.publish(channel, options.signer.sign(channel, JSON.stringify(message))).catch(ignore);
  };
  return {
    async announce(entry, staleKeys = []) {
      const deleting = staleKeys.length > 0 ? redis.del(...staleKeys) : Promise.resolve(0);
      await deleting.catch(ignore);
      await speak(changeChannel(options.cellId), entry);
    },
    requestDetection: (databaseId) => speak(detectChannel(options.cellId), { database_id: databaseId }),
    async close() {
      redis.disconnect();
    },
  };
}

export interface ChangeSubscriber {
  close(): Promise<void>;
}

export interface ChangeSubscriberOptions extends ChannelOptions {
  readonly onEntry: (entry: ChangeEntry) => void;
  readonly onDetect?: (databaseId: string) => void;
  readonly onGap: () => void;
  /** A message was passed over. To be counted: in a healthy cell there is none. */
  readonly onIgnored: (reason: IgnoredReason) => void;
}

/**
 * The hearing end. Messages can be lost while the connection is away, so `onGap` is called at every (re)connect:
 * the caller then reads the log itself.
 */
export function createChangeSubscriber(options: ChangeSubscriberOptions): ChangeSubscriber {
  const redis = connectRedis(options.redisUrl, `change-subscriber-${options.cellId}`);
  const detect = detectChannel(options.cellId);
  const channels = [changeChannel(options.cellId), ...(options.onDetect ? [detect] : [])];
  redis.on('ready', () => {
    redis.subscribe(...channels).then(options.onGap, () => undefined);
  });
  redis.on('message', (channel: string, text: string) => {
    const opened = options.signer.open(channel, text);
    if (opened.kind !== 'signed') return options.onIgnored(opened.kind);
    const message = parseMessage(opened.text);
    if (channel === detect && typeof message?.['database_id'] === 'string') options.onDetect?.(message['database_id']);
    else if (channel !== detect && message !== null && isChangeEntry(message)) options.onEntry(message);
    else options.onIgnored('malformed');
  });
  return {
    async close() {
      redis.disconnect();
    },
  };
}

/** What is no entry must not reach those who count by it, whoever signed it. */
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

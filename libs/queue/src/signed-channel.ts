import { connectRedis } from './redis.js';
import { Counter, type Registry } from '@rowhouse/runtime';

const REASONS: readonly IgnoredReason[] = ['unsigned', 'unknown_key', 'forged', 'malformed'];

/**
 * The reason why a message was ignored: it has no signature in the known form, an unknown key or a wrong
 * signature, or it is signed but malformed.
 */
export type IgnoredReason = 'unsigned' | 'unknown_key' | 'forged' | 'malformed';

/**
 * Signs and verifies messages. Any client of Redis can publish on a channel. Therefore, a message is only
 * accepted if it is signed with a key that Redis never receives.
 */
export interface ChannelSigner {
  sign(channel: string, text: string): string;
  open(
    channel: string,
    message: string,
  ):
    | { readonly kind: 'signed'; readonly text: string }
    | { readonly kind: Exclude<IgnoredReason, 'malformed'> };
}

export interface ChannelOptions {
  readonly redisUrl: string;
  readonly cellId: string;
  readonly signer: ChannelSigner;
}

export type Message = Readonly<Record<string, unknown>>;

export interface SignedPublisher {
  /** Publishes a message. Never throws. The message is lost while Redis is not available. */
  publish(channel: string, message: object): Promise<void>;
  /** Deletes keys. Never throws. */
  forget(keys: readonly string[]): Promise<void>;
  close(): void;
}

export function createSignedPublisher(options: ChannelOptions, name: string): SignedPublisher {
  const redis = connectRedis(options.redisUrl, `${name}-${options.cellId}`);
  const ignore = (): undefined => undefined;
  return {
    async publish(channel, message) {
      await redis.publish(channel, options.signer.sign(channel, JSON.stringify(message))).catch(ignore);
    },
    async forget(keys) {
      if (keys.length > 0) await redis.del(...keys).catch(ignore);
    },
    close: () => redis.disconnect(),
  };
}

export interface SignedListenerOptions extends ChannelOptions {
  /** The name of the connection. */
  readonly name: string;
  /** The handlers by channel. A handler returns false for a malformed message. */
  readonly handlers: ReadonlyMap<string, (message: Message) => boolean>;
  /** Called after each connect and reconnect. Messages before that may have been lost. */
  readonly onReady: () => void;
  readonly onIgnored: (reason: IgnoredReason) => void;
}

const SUBSCRIBE_AGAIN_MS = 250;

/** Passes messages to their handler if they are signed for their channel. All other messages are counted. */
export function createSignedListener(options: SignedListenerOptions): { close(): void } {
  const redis = connectRedis(options.redisUrl, `${options.name}-${options.cellId}`);
  // If a subscription was rejected or took too long, the connection would stay open without receiving
  // anything. No other event would show this state.
  const subscribe = (): void => {
    redis.subscribe(...options.handlers.keys()).then(options.onReady, () => {
      setTimeout(() => {
        if (redis.status === 'ready') subscribe();
      }, SUBSCRIBE_AGAIN_MS).unref();
    });
  };
  redis.on('ready', subscribe);
  redis.on('message', (channel: string, text: string) => {
    const opened = options.signer.open(channel, text);
    if (opened.kind !== 'signed') return options.onIgnored(opened.kind);
    const message = parseMessage(opened.text);
    if (message === null || options.handlers.get(channel)?.(message) !== true) options.onIgnored('malformed');
  });
  return { close: () => redis.disconnect() };
}

function parseMessage(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Message) : null;
  } catch {
    return null;
  }
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * Counts ignored messages in the metric `change_messages_ignored_total{reason}`. A value above 0 means that
 * another program publishes messages in Redis, or that processes have different master keys.
 */
export function countIgnored(registry: Registry): (reason: IgnoredReason) => void {
  const ignored = new Counter({
    name: 'change_messages_ignored_total',
    help: 'Messages of the change channel that were ignored',
    labelNames: ['reason'],
    registers: [registry],
  });
  for (const reason of REASONS) ignored.labels(reason).inc(0);
  return (reason) => ignored.labels(reason).inc();
}

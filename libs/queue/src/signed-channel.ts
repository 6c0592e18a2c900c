import { connectRedis } from './redis.js';

/** Why a message was not believed: no signature of the form, one of a key not at hand, a wrong one, or signed and yet no message. */
export type IgnoredReason = 'unsigned' | 'unknown_key' | 'forged' | 'malformed';

/** Anyone who reaches Redis can speak on a channel; what counts is signed with a key that Redis never sees. */
export interface ChannelSigner {
  sign(channel: string, text: string): string;
  open(channel: string, message: string): { readonly kind: 'signed'; readonly text: string } | { readonly kind: Exclude<IgnoredReason, 'malformed'> };
}

export interface ChannelOptions {
  readonly redisUrl: string;
  readonly cellId: string;
  readonly signer: ChannelSigner;
}

export type Message = Readonly<Record<string, unknown>>;

export interface SignedSpeaker {
  /** Never throws; a message is lost while Redis is away. */
  speak(channel: string, message: object): Promise<void>;
  /** Deletes keys. Never throws. */
  forget(keys: readonly string[]): Promise<void>;
  close(): void;
}

export function createSignedSpeaker(options: ChannelOptions, name: string): SignedSpeaker {
  const redis = connectRedis(options.redisUrl, `${name}-${options.cellId}`);
  const ignore = (): undefined => undefined;
  return {
    async speak(channel, message) {
      await redis.publish(channel, options.signer.sign(channel, JSON.stringify(message))).catch(ignore);
    },
    async forget(keys) {
      if (keys.length > 0) await redis.del(...keys).catch(ignore);
    },
    close: () => redis.disconnect(),
  };
}

export interface SignedListenerOptions extends ChannelOptions {
  /** Of the connection. */
  readonly name: string;
  /** By channel: takes a message, or says by false that it is none. */
  readonly handlers: ReadonlyMap<string, (message: Message) => boolean>;
  /** At every (re)connect: what was said before is lost. */
  readonly onReady: () => void;
  readonly onIgnored: (reason: IgnoredReason) => void;
}

const SUBSCRIBE_AGAIN_MS = 250;

/** Hears what is signed for its channel, and counts the rest. */
export function createSignedListener(options: SignedListenerOptions): { close(): void } {
  const redis = connectRedis(options.redisUrl, `${options.name}-${options.cellId}`);
  // A refused or late subscription leaves a connection that lives and hears nothing: nobody would ever notice.
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

import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import { fingerprintKey } from './secret-box.js';

/** A message whose signature is valid, or the reason why it is rejected. */
export type OpenedMessage =
  | { readonly kind: 'signed'; readonly text: string }
  /**
   * `unsigned`: the message is malformed. `unknown_key`: it is signed with a key that is not configured.
   * `forged`: its HMAC is wrong.
   */
  | { readonly kind: 'unsigned' | 'unknown_key' | 'forged' };

/**
 * Signs the messages that the processes of a cell exchange over Redis, because anyone with network access to
 * Redis can publish messages.
 */
export interface MessageSigner {
  /**
   * Returns the text with the key id and the HMAC before it. The HMAC includes the channel, so a message that
   * is repeated on another channel is rejected.
   */
  sign(channel: string, text: string): string;
  open(channel: string, message: string): OpenedMessage;
}

/** Matches a signed message, which consists of a version, the key id, the HMAC-SHA-256 and the text. */
const FORM = /^1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{43})\.(.*)$/s;

/**
 * Creates a signer.
 *
 * @param masterKeys the first key signs, and all of them verify, so that processes can change keys one by one
 */
export function createMessageSigner(masterKeys: readonly [Buffer, ...Buffer[]]): MessageSigner {
  const keys = new Map(
    masterKeys.map((masterKey) => [fingerprintKey(masterKey), deriveMessageKey(masterKey)]),
  );
  const keyId = fingerprintKey(masterKeys[0]);
  const key = deriveMessageKey(masterKeys[0]);
  return {
    sign: (channel, text) => `1.${keyId}.${computeMac(key, channel, text).toString('base64url')}.${text}`,
    open(channel, message) {
      const [, id = '', mac = '', text = ''] = FORM.exec(message) ?? [];
      if (id === '') return { kind: 'unsigned' };
      const known = keys.get(id);
      if (known === undefined) return { kind: 'unknown_key' };
      const isOurs = timingSafeEqual(Buffer.from(mac, 'base64url'), computeMac(known, channel, text));
      return isOurs ? { kind: 'signed', text } : { kind: 'forged' };
    },
  };
}

function deriveMessageKey(masterKey: Buffer): KeyObject {
  return createSecretKey(
    Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse messages', 32)),
  );
}

function computeMac(key: KeyObject, channel: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${channel}\0`).update(text).digest();
}

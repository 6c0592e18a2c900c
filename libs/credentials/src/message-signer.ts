import { createHmac, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto';
import { fingerprintKey } from './secret-box.js';

/** A message that was signed for its channel, or why it is none of ours. */
export type OpenedMessage =
  | { readonly kind: 'signed'; readonly text: string }
  /** `unsigned`: not of the form; `unknown_key`: of a key that is not at hand; `forged`: the HMAC does not fit. */
  | { readonly kind: 'unsigned' | 'unknown_key' | 'forged' };

/** Signs what processes of a cell tell each other over Redis, where anybody who reaches it can speak. */
export interface MessageSigner {
  /** `text` with the key's id and the HMAC in front. The channel is under the HMAC: on another one the message is forged. */
  sign(channel: string, text: string): string;
  open(channel: string, message: string): OpenedMessage;
}

/** Version, id of the key, HMAC-SHA-256, text. */
const FORM = /^1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{43})\.(.*)$/s;

/** `masterKeys`: the first signs, all of them open, so that processes change over one by one. */
export function createMessageSigner(masterKeys: readonly [Buffer, ...Buffer[]]): MessageSigner {
  const keys = new Map(masterKeys.map((masterKey) => [fingerprintKey(masterKey), deriveMessageKey(masterKey)]));
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
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'rowhouse messages', 32)));
}

function computeMac(key: KeyObject, channel: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${channel}\0`).update(text).digest();
}

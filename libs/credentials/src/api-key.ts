import { createHmac, randomBytes, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_FORM = /^rh_[a-z][a-z0-9-]{0,30}_[0-9A-Za-z]{32}([0-9A-Za-z]{6})$/;
/** The number of routing slots. Slots 0 to 65,535 fit in three base62 characters (238,328 values). */
export const SLOT_COUNT = 65_536;

/**
 * Generates an API key: `rh_<label>_`, 32 base62 characters, and 6 base62 characters with the CRC-32 of the
 * preceding text. The first three of the 32 characters are the routing slot of the database.
 *
 * @param environment `production` becomes the label `prod`, `development` becomes `dev`
 */
export function generateApiKey(environment: string, slot: number): string {
  const label = environment === 'production' ? 'prod' : environment === 'development' ? 'dev' : environment;
  const body = `rh_${label}_${formatSlot(slot)}${randomBase62(29)}`;
  return body + toBase62(crc32(body), 6);
}

/**
 * Returns whether a text has the form of an API key with a valid checksum. Malformed keys are rejected
 * without a lookup.
 */
export function isApiKeyForm(text: string): boolean {
  if (text.length > 80) return false;
  const match = KEY_FORM.exec(text);
  return match !== null && toBase62(crc32(text.slice(0, -6)), 6) === match[1];
}

/**
 * Returns a routing slot as three base62 characters, as in keys. Balancers use it as a hint. Correctness does
 * not depend on it.
 */
export function formatSlot(slot: number): string {
  return toBase62(slot, 3);
}

/**
 * Returns the HMAC-SHA-256 (32 bytes) of a token under the deployment's pepper. Only this hash is stored and
 * looked up. On hot paths, pass a KeyObject: hashing takes 2 µs, and 12 µs if Node 24 must create the
 * KeyObject from bytes.
 */
export function hashToken(pepper: Buffer | KeyObject, token: string): Buffer {
  return createHmac('sha256', pepper).update(token).digest();
}

/**
 * Generates another kind of token, such as a session or a personal access token: the prefix and 40 base62
 * characters.
 */
export function generateToken(prefix: string): string {
  return `${prefix}_${randomBase62(40)}`;
}

/**
 * Generates a password of 32 base62 characters (190 bits). It needs no escaping in a URL, a shell or a MySQL
 * client.
 */
export function generatePassword(): string {
  return randomBase62(32);
}

function toBase62(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let index = 0; index < length; index += 1) {
    text = (BASE62[rest % 62] ?? '') + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Bytes from 248 on are discarded, so that all characters are equally likely. */
function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62];
    }
  }
  return text;
}

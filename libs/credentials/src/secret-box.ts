import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts values with AES-256-GCM and the master key. The purpose, such as `account:db_…:rows`, is
 * authenticated, so a value can be decrypted only for the purpose for which it was encrypted.
 */
export interface SecretBox {
  seal(plain: string, purpose: string): Buffer;
  /** @throws if the value was encrypted with another key or for another purpose */
  open(sealed: Buffer, purpose: string): string;
  /**
   * Reports whether a value was encrypted with the newest key. When a key rotation is complete, this is true
   * for all values.
   */
  isOfNewest(sealed: Buffer): boolean;
  /**
   * Identifies the key by eight hexadecimal characters without revealing it. The platform database stores
   * them.
   */
  readonly keyId: string;
}

/**
 * Creates a secret box. An encrypted value consists of version, key id, nonce, tag and cipher text.
 *
 * @param keys the keys, 32 bytes each; the first encrypts, and all of them decrypt
 */
export function createSecretBox(keys: readonly [Buffer, ...Buffer[]]): SecretBox {
  const byId = new Map<string, KeyObject>();
  for (const key of keys) {
    if (key.length !== 32) throw new Error('a master key has 32 bytes');
    byId.set(fingerprintKey(key), createSecretKey(key));
  }
  const keyId = fingerprintKey(keys[0]);
  const sealingKey = createSecretKey(keys[0]);
  return {
    keyId,
    isOfNewest: (sealed) => readKeyId(sealed) === keyId,
    seal(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce).setAAD(Buffer.from(purpose));
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([
        Buffer.from([VERSION]),
        Buffer.from(keyId, 'hex'),
        nonce,
        cipher.getAuthTag(),
        body,
      ]);
    },
    open(sealed, purpose) {
      const key = byId.get(readKeyId(sealed));
      if (sealed[0] !== VERSION || key === undefined)
        throw new Error('encrypted with a master key that is not available');
      const nonceAt = 1 + KEY_ID_BYTES;
      const tagAt = nonceAt + NONCE_BYTES;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(nonceAt, tagAt), {
        authTagLength: TAG_BYTES,
      }).setAAD(Buffer.from(purpose));
      decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(tagAt + TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    },
  };
}

function readKeyId(sealed: Buffer): string {
  return sealed.subarray(1, 1 + KEY_ID_BYTES).toString('hex');
}

/** Returns the first 4 bytes of the SHA-256 of a label and the key, in hexadecimal. */
export function fingerprintKey(key: Buffer): string {
  return createHash('sha256')
    .update('rowhouse key id\0')
    .update(key)
    .digest()
    .subarray(0, KEY_ID_BYTES)
    .toString('hex');
}

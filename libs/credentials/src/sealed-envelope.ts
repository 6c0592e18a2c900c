import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

const PUBLIC_DER_BYTES = 44;
const TAG_BYTES = 16;

/** Generates an X25519 key pair for server credentials. Both keys are DER, encoded as base64url. */
export function generateEnvelopeKeys(): { publicKey: string; privateKey: string } {
  const pair = generateKeyPairSync('x25519');
  return {
    publicKey: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    privateKey: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
  };
}

/**
 * Encrypts a text so that only the holder of the private key can read it. Uses an ephemeral X25519 key,
 * HKDF-SHA-256 and AES-256-GCM.
 */
export function sealToPublicKey(publicKeyBase64url: string, plain: string): Buffer {
  const recipient = createPublicKey({
    key: Buffer.from(publicKeyBase64url, 'base64url'),
    format: 'der',
    type: 'spki',
  });
  const ephemeral = generateKeyPairSync('x25519');
  const ephemeralDer = ephemeral.publicKey.export({ format: 'der', type: 'spki' });
  const { key, nonce } = deriveKey(ephemeral.privateKey, recipient, ephemeralDer);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([ephemeralDer, cipher.getAuthTag(), body]);
}

/**
 * Decrypts a value that was encrypted with `sealToPublicKey`.
 *
 * @throws if the value was changed or encrypted for another key
 */
export function openWithPrivateKey(privateKeyBase64url: string, sealed: Buffer): string {
  const own = createPrivateKey({
    key: Buffer.from(privateKeyBase64url, 'base64url'),
    format: 'der',
    type: 'pkcs8',
  });
  const ephemeralDer = sealed.subarray(0, PUBLIC_DER_BYTES);
  const ephemeral = createPublicKey({ key: ephemeralDer, format: 'der', type: 'spki' });
  const { key, nonce } = deriveKey(own, ephemeral, ephemeralDer);
  // The length of the authentication tag is fixed, because a shorter tag would be easier to forge.
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(PUBLIC_DER_BYTES, PUBLIC_DER_BYTES + TAG_BYTES));
  return Buffer.concat([
    decipher.update(sealed.subarray(PUBLIC_DER_BYTES + TAG_BYTES)),
    decipher.final(),
  ]).toString('utf8');
}

/** The nonce is derived together with the key. This is safe, because each ephemeral key is used only once. */
function deriveKey(
  privateKey: KeyObject,
  publicKey: KeyObject,
  ephemeralDer: Buffer,
): { key: Buffer; nonce: Buffer } {
  const shared = diffieHellman({ privateKey, publicKey });
  const bytes = Buffer.from(hkdfSync('sha256', shared, ephemeralDer, 'rowhouse server credentials', 44));
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32, 44) };
}

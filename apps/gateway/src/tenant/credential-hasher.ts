import { hash, randomBytes, type KeyObject } from 'node:crypto';
import { hashToken, isApiKeyForm } from '@rowhouse/credentials';

/** From an API key to the hex HMAC that it is looked up by; null: the text is no key. */
export type CredentialHasher = (key: string) => string | null;

const KEYS_MAX = 20_000;

/**
 * Remembers the HMACs of keys that came before, under a plain hash salted by this process: no key stays in memory, and
 * a fifth of the CPU of checksum and HMAC. An HMAC never changes, so nothing has to be dropped; whether the key is
 * still good is decided elsewhere, each time. The oldest half goes when the bound is reached.
 */
export function createCredentialHasher(pepper: KeyObject): CredentialHasher {
  const salt = randomBytes(32).toString('base64url');
  let young = new Map<string, string>();
  let old = new Map<string, string>();

  function keep(name: string, keyHash: string): void {
    if (young.size >= KEYS_MAX / 2) {
      old = young;
      young = new Map();
    }
    young.set(name, keyHash);
  }

  return (key) => {
    if (key.length > 80) return null;
    const name = hash('sha256', salt + key, 'base64url');
    const found = young.get(name);
    if (found !== undefined) return found;
    if (!isApiKeyForm(key)) return null;
    const keyHash = old.get(name) ?? hashToken(pepper, key).toString('hex');
    keep(name, keyHash);
    return keyHash;
  };
}

import { createSecretKey, randomBytes } from 'node:crypto';
import { generateApiKey, hashToken } from '@rowhouse/credentials';
import { describe, expect, it } from 'vitest';
import { createCredentialHasher } from './credential-hasher.js';

const pepper = createSecretKey(randomBytes(32));

describe('the credential hasher', () => {
  it('the credential hasher returns the same HMAC for a key, cached or not', () => {
    const hasher = createCredentialHasher(pepper);
    const keys = Array.from({ length: 5 }, (_, slot) => generateApiKey('production', slot));
    const expected = keys.map((key) => hashToken(pepper, key).toString('hex'));
    for (let iteration = 0; iteration < 2; iteration += 1) expect(keys.map(hasher)).toEqual(expected);
    for (let count = 0; count < 21_000; count += 1) hasher(generateApiKey('production', 9));
    expect(keys.map(hasher)).toEqual(expected);
  });

  it('the credential hasher rejects a malformed key each time', () => {
    const hasher = createCredentialHasher(pepper);
    const key = generateApiKey('production', 1);
    hasher(key);
    for (const text of ['', key.slice(0, -1), `${key}a`, key.padEnd(5_000, 'a'), ` ${key}`]) {
      expect(hasher(text)).toBeNull();
      expect(hasher(text)).toBeNull();
    }
  });
});

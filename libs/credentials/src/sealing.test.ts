import { describe, expect, it } from 'vitest';
import { hashReadRights } from './rights-hash.js';
import { generateEnvelopeKeys, openWithPrivateKey, sealToPublicKey } from './sealed-envelope.js';
import { createSecretBox, fingerprintKey } from './secret-box.js';
import { deriveRecordKey, signRecord, verifyRecord } from './signed-record.js';

const first = Buffer.alloc(32, 1);
const second = Buffer.alloc(32, 2);

/** Yields copies of `bytes`. In each copy, one bit is flipped. */
function* flipBits(bytes: Buffer): Generator<Buffer> {
  for (let index = 0; index < bytes.length; index += 1) {
    const copy = Buffer.from(bytes);
    copy[index] = (copy[index] ?? 0) ^ 1;
    yield copy;
  }
}

describe('createSecretBox', () => {
  const box = createSecretBox([first]);
  it('an encrypted value can be decrypted only for its own purpose', () => {
    const sealed = box.seal('pässword', 'account:db_1:rows');
    expect(box.open(sealed, 'account:db_1:rows')).toBe('pässword');
    expect(() => box.open(sealed, 'account:db_2:rows')).toThrow();
  });
  it('encrypting the same value twice gives different results', () => {
    expect(box.seal('same', 'p')).not.toEqual(box.seal('same', 'p'));
  });
  it('an encrypted value with a changed or missing byte is rejected', () => {
    const sealed = box.seal('secret', 'p');
    for (const changed of flipBits(sealed)) expect(() => box.open(changed, 'p')).toThrow();
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => box.open(sealed.subarray(0, length), 'p')).toThrow();
  });
  it('after a key rotation, old values can be decrypted and new values use the new key', () => {
    const rotated = createSecretBox([second, first]);
    expect(rotated.open(box.seal('old', 'p'), 'p')).toBe('old');
    expect(() => box.open(rotated.seal('new', 'p'), 'p')).toThrow(/not available/);
  });
  it('an encryption key of another length is rejected', () => {
    expect(() => createSecretBox([Buffer.alloc(16)])).toThrow(/32 bytes/);
  });
  it('the id of an encryption key identifies the key without revealing it', () => {
    expect(box.keyId).toBe(fingerprintKey(first));
    expect(box.keyId).toMatch(/^[0-9a-f]{8}$/);
    expect(fingerprintKey(second)).not.toBe(box.keyId);
  });
});

describe('sealToPublicKey', () => {
  const keys = generateEnvelopeKeys();
  it('a value encrypted for a public key can be decrypted only with its private key', () => {
    const sealed = sealToPublicKey(keys.publicKey, '{"user":"ü"}');
    expect(openWithPrivateKey(keys.privateKey, sealed)).toBe('{"user":"ü"}');
    expect(() => openWithPrivateKey(generateEnvelopeKeys().privateKey, sealed)).toThrow();
  });
  it('a value encrypted for a public key is rejected if a byte is changed or missing', () => {
    const sealed = sealToPublicKey(keys.publicKey, 'secret');
    for (const changed of flipBits(sealed))
      expect(() => openWithPrivateKey(keys.privateKey, changed)).toThrow();
    for (const length of [0, 10, 44, 50, sealed.length - 1])
      expect(() => openWithPrivateKey(keys.privateKey, sealed.subarray(0, length))).toThrow();
  });
});

describe('signRecord', () => {
  const recordKey = deriveRecordKey(first);
  const label = { kind: 'key', id: 'abc' } as const;
  const stored = signRecord(recordKey, label, 42, Buffer.from('{"a":1}'));
  it('verifying a signed record returns its body and sequence number', () => {
    expect(verifyRecord(recordKey, label, stored)).toEqual({ asOfSeq: 42, body: Buffer.from('{"a":1}') });
  });
  it('a signed record of another kind, id or key is rejected', () => {
    expect(verifyRecord(recordKey, { kind: 'database', id: 'abc' }, stored)).toBeNull();
    expect(verifyRecord(recordKey, { kind: 'key', id: 'abd' }, stored)).toBeNull();
    expect(verifyRecord(deriveRecordKey(second), label, stored)).toBeNull();
  });
  it('a signed record with a changed or missing byte is rejected', () => {
    for (const changed of flipBits(stored)) expect(verifyRecord(recordKey, label, changed)).toBeNull();
    expect(verifyRecord(recordKey, label, stored.subarray(0, 39))).toBeNull();
    expect(verifyRecord(recordKey, label, stored.subarray(0, -1))).toBeNull();
  });
  it('records are signed with a derived key instead of the master key', () => {
    expect(recordKey.export()).not.toEqual(first);
  });
});

describe('hashReadRights', () => {
  it('hashReadRights returns an empty hash for all tables', () => {
    expect(hashReadRights(null)).toBe('');
  });
  it('hashReadRights depends only on the set of readable tables', () => {
    const item = hashReadRights({ posts: ['read'], users: ['read', 'write'] });
    expect(item).toMatch(/^[0-9a-f]{64}$/);
    expect(hashReadRights({ users: ['read'], posts: ['delete', 'read'] })).toBe(item);
    expect(hashReadRights({ users: ['read'], posts: ['read'], tags: ['write'] })).toBe(item);
    expect(hashReadRights({ posts: ['read'] })).not.toBe(item);
  });
  it('hashReadRights returns a separate hash for rights without readable tables', () => {
    expect(hashReadRights({})).toBe(hashReadRights({ posts: ['write'] }));
    expect(hashReadRights({})).not.toBe('');
  });
  it('names that form the same text when joined have different rights hashes', () => {
    expect(hashReadRights({ 'a","b': ['read'] })).not.toBe(hashReadRights({ a: ['read'], b: ['read'] }));
  });
});

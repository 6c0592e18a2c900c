import { describe, expect, it } from 'vitest';
import { hashReadRights, hashWriteRights, toWriteRights } from './rights-hash.js';

describe('hashes of table rights', () => {
  it('the hash of read rights depends only on the readable tables', () => {
    expect(hashReadRights(null)).toBe('');
    expect(hashReadRights({ a: ['read'], b: ['write'] })).toBe(
      hashReadRights({ b: ['delete'], a: ['read', 'write'] }),
    );
    expect(hashReadRights({ a: ['read'] })).not.toBe(hashReadRights({ b: ['read'] }));
  });

  it('the hash of SQL write rights depends on scopes and tables', () => {
    expect(toWriteRights(['read', 'write', 'query:write'], null)).toEqual({ '': ['read', 'write'] });
    expect(toWriteRights(['read', 'write', 'query:write'], { a: ['read', 'delete'], b: ['delete'] })).toEqual(
      { a: ['read'], b: [] },
    );
  });

  it('equal sets of rights have equal hashes, and different sets have different hashes', () => {
    const hash = hashWriteRights(['read', 'write', 'query:write'], { a: ['read', 'write'], b: ['delete'] });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashWriteRights(['write', 'read', 'query'], { a: ['write', 'read', 'delete'] })).toBe(hash);
    for (const other of [
      hashWriteRights(['read', 'query:write'], { a: ['read', 'write'] }),
      hashWriteRights(['read', 'write'], null),
      hashWriteRights(['read', 'write'], { b: ['read', 'write'] }),
    ])
      expect(other).not.toBe(hash);
  });
});

import { describe, expect, it } from 'vitest';
import { hashReadRights, hashWriteRights, toWriteRights } from './rights-hash.js';

describe('the names of sets of rights', () => {
  it('tell what may be read, whatever else may be done', () => {
    expect(hashReadRights(null)).toBe('');
    expect(hashReadRights({ a: ['read'], b: ['write'] })).toBe(hashReadRights({ b: ['delete'], a: ['read', 'write'] }));
    expect(hashReadRights({ a: ['read'] })).not.toBe(hashReadRights({ b: ['read'] }));
  });

  it('tell what SQL may write: what the scopes and the tables both allow', () => {
    expect(toWriteRights(['read', 'write', 'query:write'], null)).toEqual({ '': ['read', 'write'] });
    expect(toWriteRights(['read', 'write', 'query:write'], { a: ['read', 'delete'], b: ['delete'] })).toEqual({ a: ['read'], b: [] });
  });

  it('are equal for equal sets alone', () => {
    const hash = hashWriteRights(['read', 'write', 'query:write'], { a: ['read', 'write'], b: ['delete'] });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashWriteRights(['write', 'read', 'query'], { a: ['write', 'read', 'delete'] })).toBe(hash);
    for (const other of [hashWriteRights(['read', 'query:write'], { a: ['read', 'write'] }), hashWriteRights(['read', 'write'], null), hashWriteRights(['read', 'write'], { b: ['read', 'write'] })]) expect(other).not.toBe(hash);
  });
});

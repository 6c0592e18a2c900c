import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createDigest } from './record-digest.js';

const digest = createDigest(createSecretKey(Buffer.alloc(32, 1)));

describe('the digest in ETags', () => {
  it('createDigest returns 22 characters that depend on the key', () => {
    expect(digest(['a', 1, null])).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(digest(['a', 1, null])).toBe(digest(['a', 1, null]));
    expect(createDigest(createSecretKey(Buffer.alloc(32, 2)))(['a', 1, null])).not.toBe(
      digest(['a', 1, null]),
    );
  });

  it('rows with similar values, such as 1 and "1", have different digests', () => {
    const rows = [
      ['1'],
      [1],
      [null],
      ['null'],
      [''],
      ['', ''],
      ['a;t1:b'],
      ['a', 'b'],
      ['ab'],
      [Buffer.from('a')],
      ['a'],
      [0],
      [-0],
      ['n;'],
      [null, null],
    ];
    expect(new Set(rows.map(digest)).size).toBe(rows.length);
  });
});

import { describe, expect, it } from 'vitest';
import { lendBytes, returnBytes } from './shared-bytes.js';

describe('shared bytes', () => {
  it('are used again when they were given back, by whoever needs as much', () => {
    const first = lendBytes(40_000);
    expect(first.length).toBe(65_536);
    returnBytes(first.subarray(10, 20));
    expect(lendBytes(65_536).buffer).toBe(first.buffer);
  });

  it('are never lent twice at once, even when they are given back twice', () => {
    const first = lendBytes(100_000);
    returnBytes(first);
    returnBytes(first);
    expect(lendBytes(100_000).buffer).toBe(first.buffer);
    expect(lendBytes(100_000).buffer).not.toBe(first.buffer);
  });

  it('are not kept of what was not lent, nor of small and of very large ones', () => {
    const strange = Buffer.allocUnsafeSlow(32_768);
    returnBytes(strange);
    expect(lendBytes(32_768).buffer).not.toBe(strange.buffer);
    for (const size of [100, 5 * 1024 * 1024]) {
      const lent = lendBytes(size);
      expect(lent.length).toBe(size);
      returnBytes(lent);
      expect(lendBytes(size).buffer === lent.buffer && lendBytes(size).byteOffset === lent.byteOffset).toBe(false);
    }
  });

  it('wait for use up to 16 MiB, no more', () => {
    const lent = Array.from({ length: 6 }, () => lendBytes(4 * 1024 * 1024));
    lent.forEach((one) => returnBytes(one));
    const again = Array.from({ length: 6 }, () => lendBytes(4 * 1024 * 1024).buffer);
    expect(again.filter((one) => lent.some(({ buffer }) => buffer === one)).length).toBeLessThanOrEqual(4);
    expect(again.filter((one) => lent.some(({ buffer }) => buffer === one)).length).toBeGreaterThan(0);
  });

  it('of a size that is not asked for any more make room for those of another', () => {
    const others = Array.from({ length: 4 }, () => lendBytes(4 * 1024 * 1024));
    others.forEach((one) => returnBytes(one));
    const wanted = Array.from({ length: 8 }, () => lendBytes(2 * 1024 * 1024));
    wanted.forEach((one) => returnBytes(one));
    const again = Array.from({ length: 8 }, () => lendBytes(2 * 1024 * 1024).buffer);
    expect(again.filter((one) => wanted.some(({ buffer }) => buffer === one))).toHaveLength(8);
  });
});

import { describe, expect, it } from 'vitest';
import { lendBytes, returnBytes } from './byte-buffer.js';

describe('shared buffers', () => {
  it('a returned byte buffer is reused for the same size', () => {
    const first = lendBytes(40_000);
    expect(first.length).toBe(65_536);
    returnBytes(first.subarray(10, 20));
    expect(lendBytes(65_536).buffer).toBe(first.buffer);
  });

  it('a byte buffer is never lent twice at once, even if it is returned twice', () => {
    const first = lendBytes(100_000);
    returnBytes(first);
    returnBytes(first);
    expect(lendBytes(100_000).buffer).toBe(first.buffer);
    expect(lendBytes(100_000).buffer).not.toBe(first.buffer);
  });

  it('returnBytes ignores foreign, small and very large buffers', () => {
    const strange = Buffer.allocUnsafeSlow(32_768);
    returnBytes(strange);
    expect(lendBytes(32_768).buffer).not.toBe(strange.buffer);
    for (const size of [100, 5 * 1024 * 1024]) {
      const lent = lendBytes(size);
      expect(lent.length).toBe(size);
      returnBytes(lent);
      expect(lendBytes(size).buffer === lent.buffer && lendBytes(size).byteOffset === lent.byteOffset).toBe(
        false,
      );
    }
  });

  it('returnBytes stores at most 16 MiB of buffers', () => {
    const lent = Array.from({ length: 6 }, () => lendBytes(4 * 1024 * 1024));
    lent.forEach((item) => returnBytes(item));
    const again = Array.from({ length: 6 }, () => lendBytes(4 * 1024 * 1024).buffer);
    expect(again.filter((item) => lent.some(({ buffer }) => buffer === item)).length).toBeLessThanOrEqual(4);
    expect(again.filter((item) => lent.some(({ buffer }) => buffer === item)).length).toBeGreaterThan(0);
  });

  it('buffers of an unused size are replaced by buffers of another size', () => {
    const others = Array.from({ length: 4 }, () => lendBytes(4 * 1024 * 1024));
    others.forEach((item) => returnBytes(item));
    const expected = Array.from({ length: 8 }, () => lendBytes(2 * 1024 * 1024));
    expected.forEach((item) => returnBytes(item));
    const again = Array.from({ length: 8 }, () => lendBytes(2 * 1024 * 1024).buffer);
    expect(again.filter((item) => expected.some(({ buffer }) => buffer === item))).toHaveLength(8);
  });
});

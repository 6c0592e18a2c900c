import { describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './base64.js';

const bytesOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 151 + length) & 0xff);

describe('base64', () => {
  it.each([0, 1, 2, 3, 4, 5, 255, 6_143, 6_144, 6_145, 20_000])(
    'encodeBase64 and decodeBase64 agree with Node.js for %i bytes',
    (length) => {
      const bytes = bytesOf(length);
      const text = encodeBase64(bytes);
      expect(text).toBe(Buffer.from(bytes).toString('base64'));
      expect(decodeBase64(text)).toEqual(bytes);
      expect(decodeBase64(text.replace(/=+$/, ''))).toEqual(bytes);
    },
  );

  it.each(['A', 'AA=', 'AAA==', 'A===', 'AB==', 'AAB=', 'AA-_', 'AAA\u0100', 'AA A', '=', 'AAAA=', 'AAAAé'])(
    'decodeBase64 rejects %j',
    (text) => {
      expect(decodeBase64(text)).toBeNull();
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { written } from '../testing/written.js';
import { writeInteger, writeInteger64 } from './write-digits.js';
import { writeDay, writeMoment } from './write-datetime.js';
import { writeString } from './write-string.js';

/** Encodes a timestamp as in the protocol: length, year, month, day, time, microseconds. */
function toMoment(
  year: number,
  [month = 0, day = 0, ...time]: readonly number[],
  micros: number | null,
): Buffer {
  const bytes = Buffer.alloc(12);
  bytes[0] = micros === null ? (time.length > 0 ? 7 : 4) : 11;
  bytes.writeUInt16LE(year, 1);
  bytes.set([month, day, ...time], 3);
  bytes.writeUInt32LE(micros ?? 0, 8);
  return bytes;
}

describe('JSON from wire values', () => {
  it('integers have the same JSON as from String()', () => {
    const edges = [
      0,
      9,
      10,
      99,
      100,
      999_999_999,
      1_000_000_000,
      4_294_967_295,
      4_294_967_296,
      Number.MAX_SAFE_INTEGER,
    ];
    for (const edge of edges)
      for (const value of [edge, -edge])
        expect(written((to) => writeInteger(to, value))).toBe(String(value === 0 ? 0 : value));
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => written((to) => writeInteger(to, value)) === String(value)),
    );
  });

  it('eight-byte integers have the same JSON as from BigInt', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
        const bytes = Buffer.alloc(8);
        if (value < 0n) bytes.writeBigInt64LE(value);
        else bytes.writeBigUInt64LE(value);
        return written((to) => writeInteger64(to, bytes, 0, value >= 0n)) === String(value);
      }),
      { examples: [[2n ** 53n], [2n ** 53n - 1n], [-1n], [-(2n ** 63n)], [2n ** 64n - 1n], [0n]] },
    );
  });

  it('texts of any length have the same JSON as from JSON.stringify', () => {
    const every = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code)).join('');
    const texts = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.constantFrom('"', '\\', '\n', '\u0000', '\u2028', '😀', 'x'.repeat(70), every),
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const bytes = Buffer.from(`..${text}..`, 'utf8');
        return written((to) => writeString(to, bytes, 2, bytes.length - 2)) === JSON.stringify(text);
      }),
      { examples: [[''], [every], [`${'x'.repeat(80)}"`]], numRuns: 40 },
    );
  });

  it('dates and timestamps have as many fractional digits as their column', () => {
    expect(written((to) => writeDay(to, toMoment(2026, [1, 31], null), 0))).toBe('"2026-01-31"');
    expect(written((to) => writeDay(to, Buffer.from([0]), 0))).toBe('"0000-00-00"');
    const form = { fraction: 0, decimals: 0, isUtc: false };
    expect(written((to) => writeMoment(to, Buffer.from([0]), 0, form))).toBe('"0000-00-00T00:00:00"');
    expect(
      written((to) =>
        writeMoment(to, toMoment(1000, [1, 2], null), 0, { ...form, fraction: 3, isUtc: true }),
      ),
    ).toBe('"1000-01-02T00:00:00.000Z"');
    const moment = toMoment(2026, [12, 31, 23, 59, 8], 500_009);
    expect(written((to) => writeMoment(to, moment, 0, form))).toBe('"2026-12-31T23:59:08"');
    expect(written((to) => writeMoment(to, moment, 0, { ...form, fraction: 6, decimals: 6 }))).toBe(
      '"2026-12-31T23:59:08.500009"',
    );
    expect(written((to) => writeMoment(to, moment, 0, { ...form, fraction: 6, decimals: 2 }))).toBe(
      '"2026-12-31T23:59:08.500000"',
    );
  });
});

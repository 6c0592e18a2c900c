import { describe, expect, it } from 'vitest';
import type { BindValue } from '../types.js';
import { encodeExecute, EXECUTE_BYTES_MAX } from './encode-execute.js';

/** Returns how a single value is sent: its type, its flag and its bytes. */
function sentAs(value: BindValue): readonly [number, number, string] {
  const bytes = encodeExecute(7, [value]) as Buffer;
  expect([bytes.readUIntLE(0, 3), bytes[3]]).toEqual([bytes.length - 4, 0]);
  expect(bytes.subarray(4, 14).toString('hex')).toBe('17070000000001000000');
  expect([bytes[14], bytes[15]]).toEqual([value === null ? 1 : 0, 1]);
  return [bytes[16] as number, bytes[17] as number, bytes.subarray(18).toString('hex')];
}

describe('encodeExecute', () => {
  it('encodeExecute sends each value with its exact type', () => {
    expect(sentAs(null)).toEqual([6, 0, '']);
    expect([sentAs(true), sentAs(false)]).toEqual([
      [1, 0, '01'],
      [1, 0, '00'],
    ]);
    expect([sentAs(0), sentAs(-1), sentAs(2 ** 53 - 1)]).toEqual([
      [8, 0, '0000000000000000'],
      [8, 0, 'ffffffffffffffff'],
      [8, 0, 'ffffffffffff1f00'],
    ]);
    expect([sentAs(1.5), sentAs(-0)]).toEqual([
      [5, 0, '000000000000f83f'],
      [5, 0, '0000000000000080'],
    ]);
    expect([sentAs(2n ** 64n - 1n), sentAs(-2n)]).toEqual([
      [8, 128, 'ffffffffffffffff'],
      [8, 0, 'feffffffffffffff'],
    ]);
    expect(sentAs(new Uint8Array([0, 255]))).toEqual([252, 0, '0200ff']);
    expect(sentAs({ digits: '-1.50' })).toEqual([246, 0, '052d312e3530']);
  });

  it('encodeExecute sends texts of every length as UTF-8', () => {
    const texts = [
      '',
      'a',
      'ä',
      '😀',
      '\ud800',
      'x'.repeat(24),
      `${'x'.repeat(23)}é`,
      'x'.repeat(25),
      'x'.repeat(250),
      'x'.repeat(251),
      'ü'.repeat(126),
      'x'.repeat(65_535),
      'x'.repeat(65_536),
    ];
    for (const text of texts) {
      const bytes = Buffer.from(text, 'utf8');
      const head =
        bytes.length < 251
          ? Buffer.from([bytes.length])
          : bytes.length < 65_536
            ? Buffer.from([0xfc, bytes.length & 255, bytes.length >> 8])
            : Buffer.from([0xfd, bytes.length & 255, (bytes.length >> 8) & 255, bytes.length >> 16]);
      expect(sentAs(text), `${text.length} units`).toEqual([
        253,
        0,
        Buffer.concat([head, bytes]).toString('hex'),
      ]);
    }
  });

  it('encodeExecute sends NULL as a bit without a value', () => {
    const values = Array.from({ length: 11 }, (_, index) => (index % 3 === 0 ? null : String(index)));
    const bytes = encodeExecute(1, values) as Buffer;
    expect([bytes[14], bytes[15]]).toEqual([0b0100_1001, 0b10]);
    expect(bytes.subarray(17 + 22).toString('latin1')).toBe(
      '\u00011\u00012\u00014\u00015\u00017\u00018\u000210',
    );
    expect((encodeExecute(1, []) as Buffer).length).toBe(14);
  });

  it('encodeExecute encodes each of several values like a single one', () => {
    const texts = [
      '',
      'a',
      '12345',
      'ä',
      'x'.repeat(24),
      'ü'.repeat(24),
      'x'.repeat(80),
      'ü'.repeat(84),
      'ü'.repeat(125),
      '😀'.repeat(63),
      '\ud800'.repeat(84),
      'ü'.repeat(32_768),
      'é'.repeat(20_000),
    ];
    const values: readonly BindValue[] = [...texts, null, true, 7, -1.5, 2n ** 63n, new Uint8Array(300)];
    for (let count = 1; count <= 60; count += 1) {
      const chosen = Array.from(
        { length: count },
        (_, offset) => values[(offset * offset + count * 7) % values.length] as BindValue,
      );
      const bytes = encodeExecute(7, chosen) as Buffer;
      const alone = chosen.map(sentAs);
      const bitmap = Buffer.alloc((count + 7) >> 3);
      for (const [offset, value] of chosen.entries())
        if (value === null) bitmap[offset >> 3] = (bitmap[offset >> 3] as number) | (1 << (offset & 7));
      expect(bytes.readUIntLE(0, 3)).toBe(bytes.length - 4);
      expect(bytes.subarray(14).toString('hex')).toBe(
        `${bitmap.toString('hex')}01${Buffer.from(alone.flatMap(([type, flag]) => [type, flag])).toString('hex')}${alone.map(([, , value]) => value).join('')}`,
      );
    }
  });

  it('encodeExecute returns null above the size limit', () => {
    const most = 'x'.repeat(EXECUTE_BYTES_MAX - 10 - 1 - 1 - 2 - 4);
    expect(encodeExecute(1, [most])?.length).toBe(EXECUTE_BYTES_MAX + 4);
    expect(encodeExecute(1, [`${most}x`])).toBeNull();
    // Tests a text that is too long only as UTF-8, and texts that are too long only together.
    expect(encodeExecute(1, ['ü'.repeat(EXECUTE_BYTES_MAX / 2)])).toBeNull();
    expect(encodeExecute(1, [`${most.slice(0, -4)}ü`])?.length).toBe(EXECUTE_BYTES_MAX + 2);
    expect(
      encodeExecute(
        1,
        Array.from({ length: 12 }, () => 'x'.repeat(100_000)),
      ),
    ).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { written } from '../testing/written.js';
import { ByteBuffer } from './byte-buffer.js';
import { dropQuotes, writePlainField } from './write-field.js';

describe('CSV fields from wire values', () => {
  /** Returns the field, or null if `writePlainField` cannot write it. */
  const field = (text: string, mayBeFormula = true): string | null => {
    const bytes = Buffer.from(`..${text}..`, 'utf8');
    let isWritten = false;
    const found = written(
      (to) => void (isWritten = writePlainField(to, bytes, 2, bytes.length - 2, mayBeFormula)),
    );
    return isWritten ? found : null;
  };

  it('the CSV writer copies only texts without special characters unchanged', () => {
    const chunks = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '"',
        ',',
        '\r',
        '\n',
        ' ',
        '\u00a0',
        '\ufeff',
        'é',
        '😀',
        '=',
        '-',
        '@',
        'plain text',
        'x'.repeat(80),
      ),
    );
    fc.assert(
      fc.property(
        fc.array(chunks).map((parts) => parts.join('')),
        (text) => {
          const [retained, harmless] = [field(text), field(text, false)];
          const hasMeaning = text === '' || /[",\r\n]|^\s|\s$/.test(text);
          if (retained !== null) expect([retained, hasMeaning]).toEqual([text, false]);
          if (harmless !== null) expect([harmless, /^[=+\-@\t\r]/.test(text)]).toEqual([text, false]);
        },
      ),
    );
    for (const text of ['a', 'plain text', "it's -1 = x", 'naïve text', '-1.5', '=1+1'])
      expect(field(text)).toBe(text);
    for (const text of ['-1.5', '=1+1', '@x', '+x']) expect(field(text, false)).toBeNull();
    for (const text of ['', ' a', 'a ', 'a,b', 'a"b', 'a\nb', 'a\r', 'é', '\u00a0'])
      expect(field(text)).toBeNull();
  });

  it('the CSV writer returns which bytes it has not checked', () => {
    const copy = (text: string): boolean => {
      const to = new ByteBuffer(1);
      writePlainField(to, Buffer.from(text, 'utf8'), 0, Buffer.byteLength(text), true);
      return to.hasUnchecked;
    };
    expect([copy('plain'), copy('naïve')]).toEqual([false, true]);
  });

  it('a CSV field is written without quotes unless it is an empty text', () => {
    const unqualified = (text: string): string =>
      written((to) => {
        to.writeText(`before${text}`);
        dropQuotes(to, 'before'.length);
      });
    expect([unqualified('"2026-01-31"'), unqualified('"/wA="'), unqualified('""')]).toEqual([
      'before2026-01-31',
      'before/wA=',
      'before""',
    ]);
  });
});

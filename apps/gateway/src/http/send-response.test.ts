import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cacheDocument } from '../documents/cached-document.js';
import { toHeaderText } from './error-response.js';
import { chooseEncoding } from './send-response.js';

describe('chooseEncoding', () => {
  it.each([
    [undefined, null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', null],
    ['GZIP', 'gzip'],
  ])('the header %s selects the encoding %s', (accepted, expected) =>
    expect(chooseEncoding(accepted)).toBe(expected),
  );
});

describe('toHeaderText', () => {
  it('plain text is unchanged, and other text is encoded so that it can be decoded again', () => {
    expect(toHeaderText('SELECT 1')).toBe('SELECT 1');
    expect(decodeURI(toHeaderText("SELECT 'ä%\u0007'"))).toBe("SELECT 'ä%\u0007'");
  });
});

describe('keepDocument', () => {
  it('a text is compressed once per encoding', async () => {
    const text = 'döcument '.repeat(1_000);
    const { bytes, pack } = await cacheDocument([text.slice(0, 100), text.slice(100)], () =>
      Promise.resolve(),
    );
    const [first, again, other] = await Promise.all([pack('gzip'), pack('gzip'), pack('br')]);
    expect([bytes.toString(), gunzipSync(first).toString(), again === first, other.length < 1_000]).toEqual([
      text,
      text,
      true,
      true,
    ]);
  });
});

import { expect, it } from 'vitest';
import { toDumpCharset, toSqlValue } from './dump-bytes.js';

const toSql = (bytes: number[], charset: string): string =>
  toSqlValue({ kind: 'text', quoted: Buffer.from(bytes).toString('latin1'), introducer: '' }, charset);

it('a multi-byte character that ends with a backslash or quote byte does not end the literal', () => {
  // 0xB0 0x5C is one character in GBK. A server that reads the bytes as GB2312 would see an invalid byte
  // before an escaped quote.
  expect(toSql([0x27, 0xb0, 0x5c, 0x27, 0x20, 0x53, 0x27], 'gb2312')).toMatch(
    /^(?:'(?:[^'\\]|\\.)*'|x'[0-9a-f]*')$/u,
  );
  expect(toSql([0x27, 0xc4, 0x5c, 0x27, 0x27], 'cp1251')).toBe("'Д\\''");
});

it('dump texts in readable character sets become UTF-8, and other texts are rejected', () => {
  expect([
    toSql([0x27, 0xfc, 0x27], 'latin1'),
    toSql([0x27, 0xcf, 0x27], 'koi8r'),
    toSql([0x27, 0xc3, 0xbc, 0x27], 'utf8'),
  ]).toEqual(["'ü'", "'о'", "'ü'"]);
  expect(['big5', 'ucs2', 'utf8mb4', 'LATIN1', 'GBK', 'sjis'].map(toDumpCharset)).toEqual([
    undefined,
    undefined,
    'utf8',
    'latin1',
    'gbk',
    'sjis',
  ]);
});

import { expect, it } from 'vitest';
import { toDumpCharset, toSqlValue } from './dump-bytes.js';

const toSql = (bytes: number[], charset: string): string => toSqlValue({ kind: 'text', quoted: Buffer.from(bytes).toString('latin1'), introducer: '' }, charset);

it('a character that ends with the byte of a backslash or quote does not end the literal', () => {
  // 0xB0 0x5C is one character of GBK, and a stray byte before an escaped quote to a server that reads GB2312.
  expect(toSql([0x27, 0xb0, 0x5c, 0x27, 0x20, 0x53, 0x27], 'gb2312')).toMatch(/^(?:'(?:[^'\\]|\\.)*'|x'[0-9a-f]*')$/u);
  expect(toSql([0x27, 0xc4, 0x5c, 0x27, 0x27], 'cp1251')).toBe("'Д\\''");
});

it('reads texts of the character sets in which a backslash is always one, and refuses others', () => {
  expect([toSql([0x27, 0xfc, 0x27], 'latin1'), toSql([0x27, 0xcf, 0x27], 'koi8r'), toSql([0x27, 0xc3, 0xbc, 0x27], 'utf8')]).toEqual(["'ü'", "'о'", "'ü'"]);
  expect(['gbk', 'big5', 'sjis', 'utf8mb4', 'LATIN1'].map(toDumpCharset)).toEqual([undefined, undefined, undefined, 'utf8', 'latin1']);
});

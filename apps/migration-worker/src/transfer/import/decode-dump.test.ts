import { describe, expect, it } from 'vitest';
import { decodeUpload, DumpChunks, type DumpPart } from './decode-dump.js';
import { toByteText } from './wide-charsets.js';

async function decode(bytes: readonly number[], size = bytes.length): Promise<DumpPart[]> {
  const cut = async function* (): AsyncGenerator<Buffer> {
    for (let index = 0; index < bytes.length; index += size)
      yield Buffer.from(bytes.slice(index, index + size));
  };
  const parts: DumpPart[] = [];
  for await (const part of decodeUpload(cut())) parts.push(part);
  return parts;
}

const utf16 = (text: string): number[] => [...Buffer.from(text, 'utf16le')];
const swap = (bytes: readonly number[]): number[] => bytes.map((_byte, index) => bytes[index ^ 1] ?? 0);
const bytesOf = (...parts: readonly (string | readonly number[])[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('latin1'))).join('');

describe('decodeUpload', () => {
  it.each([
    ['UTF-16LE with a mark', utf16("\ufeffSELECT 'ü😀';")],
    ['UTF-16BE with a mark', swap(utf16("\ufeffSELECT 'ü😀';"))],
    ['UTF-16LE without a mark', utf16("SELECT 'ü😀';")],
  ])('a dump in %s is decoded, whatever the size of its parts', async (_name, bytes) => {
    for (const size of [1, 3, bytes.length]) {
      const parts = await decode(bytes, size);
      expect(
        parts
          .map(({ text }) => text)
          .join('')
          .replace(toByteText('\ufeff'), ''),
      ).toBe(toByteText("SELECT 'ü😀';"));
      expect(parts.every(({ isUnicode }) => isUnicode)).toBe(true);
    }
  });

  it('a dump in another encoding is read byte by byte, and UTF-32 is rejected', async () => {
    expect(await decode([0x27, 0xbf, 0x5c, 0x27])).toEqual([
      { text: bytesOf([0x27, 0xbf, 0x5c, 0x27]), isUnicode: false },
    ]);
    expect(await decode([0x3b])).toEqual([{ text: ';', isUnicode: false }]);
    await expect(decode([0xff, 0xfe, 0, 0, 0x3b, 0, 0, 0])).rejects.toMatchObject({
      code: 'transfer.unreadable',
      hint: expect.stringContaining('UTF-8') as unknown,
    });
  });
});

describe('DumpPieces', () => {
  function read(parts: readonly string[]): string {
    let text = '';
    const chunks = new DumpChunks(() => [...text.matchAll(/SET NAMES (\w+);/g)].at(-1)?.[1] ?? 'utf8');
    for (const part of parts) for (const chunk of chunks.push(part)) text += chunk;
    for (const chunk of chunks.end()) text += chunk;
    return text;
  }

  it('a line of a dump is decoded in the character set that previous lines have set', () => {
    // 縗 in GBK and 表 in Shift JIS end with the byte of a backslash.
    const dump = bytesOf(
      "SET NAMES gbk; SELECT '",
      [0xbf, 0x5c],
      "';\nSET NAMES sjis;\n'",
      [0x95, 0x5c, 0xb1],
      "'\nSET NAMES utf8;\n'",
      [0xc3, 0xbc],
      "'",
    );
    const expected = bytesOf(
      toByteText("SET NAMES gbk; SELECT '縗';\nSET NAMES sjis;\n'表ｱ'\nSET NAMES utf8;\n'ü'"),
    );
    expect(read([dump])).toBe(expected);
    expect(read([...dump])).toBe(expected);
  });

  it('control characters and incomplete characters of a dump keep their positions', () => {
    expect(read(['SET NAMES cp932;\n\x1a\x1c\x7f\\~'])).toBe('SET NAMES cp932;\n\x1a\x1c\x7f\\~');
    expect(read([bytesOf("SET NAMES gbk;\n'", [0xbf], "'")])).toBe(toByteText("SET NAMES gbk;\n'\ufffd'"));
    expect(read([bytesOf("SET NAMES big5;\n'", [0xa5, 0x5c], "'")])).toBe(
      toByteText("SET NAMES big5;\n'\ufffd'"),
    );
  });
});

import { AppError } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { parseCsvRecord } from './csv-record.js';
import { createRecordSplitter, type RawRecord } from './record-splitter.js';
import type { RowsFormat } from '../request/api-request.js';

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));

/** Splits a body that arrives in chunks of at most `part` bytes. */
function split(text: string | Uint8Array, format: RowsFormat, part = 1_000, bytesMax = 1_000): RawRecord[] {
  const bytes = typeof text === 'string' ? bytesOf(text) : text;
  const splitter = createRecordSplitter(format, bytesMax, (chunk) => Buffer.from(chunk).toString('utf8'));
  const records: RawRecord[] = [];
  for (let index = 0; index < bytes.length; index += part)
    records.push(...splitter.push(bytes.subarray(index, index + part)));
  return [...records, ...splitter.end()];
}

const show = (records: readonly RawRecord[]): unknown[] =>
  records.map((record) => [record.line, record.lastLine, record.fault?.type ?? record.text]);

/** Creates a decoder in the same way as the gateway. */
const openUtf8 = (): ((chunk: Uint8Array, isLast: boolean) => string | null) => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  return (chunk, isLast) => {
    try {
      return decoder.decode(chunk, { stream: !isLast });
    } catch {
      return null;
    }
  };
};

describe('the records of a body', () => {
  it.each(['x', 'ä😀'])('the record splitter decodes a long record of %j chunk by chunk', (unit) => {
    const long = unit.repeat(600_000);
    const decoded: number[] = [];
    const decode = openUtf8();
    const splitter = createRecordSplitter(
      'ndjson',
      10_000_000,
      (bytes) => Buffer.from(bytes).toString('utf8'),
      () => (chunk, isLast) => {
        decoded.push(chunk.length);
        return decode(chunk, isLast);
      },
    );
    const bytes = bytesOf(`"short"\n"${long}"\r\n"end"`);
    const records: RawRecord[] = [];
    for (let index = 0; index < bytes.length; index += 65_537)
      records.push(...splitter.push(bytes.subarray(index, index + 65_537)));
    records.push(...splitter.end());
    expect(records.map(({ text }) => text)).toEqual(['"short"', `"${long}"`, '"end"']);
    expect(Math.max(...decoded)).toBeLessThanOrEqual(65_537 * 5);
    expect(decoded.length).toBeGreaterThan(4);
  });

  it('the record splitter reports a long record with invalid UTF-8', () => {
    const splitter = createRecordSplitter('ndjson', 10_000_000, () => null, openUtf8);
    const bytes = Buffer.concat([Buffer.alloc(400_000, 'x'), Buffer.of(0xff), Buffer.alloc(400_000, 'x')]);
    expect([...splitter.push(bytes), ...splitter.end()].map(({ text }) => text)).toEqual([null]);
  });

  it.each([1, 2, 3, 7, 1_000])('the record splitter finds the same records in chunks of %i bytes', (part) => {
    expect(show(split('{"a":1}\r\n\n{"ä":"€"}\n{"last":true}', 'ndjson', part))).toEqual([
      [1, 1, '{"a":1}'],
      [3, 3, '{"ä":"€"}'],
      [4, 4, '{"last":true}'],
    ]);
    expect(show(split('id,text\r\n1,"two\nlines, ""x"""\n2,"\n"\n3,x', 'csv', part))).toEqual([
      [1, 1, 'id,text'],
      [2, 3, '1,"two\nlines, ""x"""'],
      [4, 5, '2,"\n"'],
      [6, 6, '3,x'],
    ]);
    expect(show(split('\ufeffid\n1\n', 'csv', part))).toEqual([
      [1, 1, 'id'],
      [2, 2, '1'],
    ]);
    expect(show(split('\ufeff', 'csv', part))).toEqual([]);
    expect(show(split('a', 'ndjson', part))).toEqual([[1, 1, 'a']]);
  });

  it('the record splitter reads a quote only at the start of a field', () => {
    expect(show(split('a,b\n5" pipe,x\ny,"z"\n', 'csv'))).toEqual([
      [1, 1, 'a,b'],
      [2, 2, '5" pipe,x'],
      [3, 3, 'y,"z"'],
    ]);
  });

  it.each([1, 5, 1_000])(
    'the record splitter reports and skips a record that is too long, in chunks of %i bytes',
    (part) => {
      const long = 'x'.repeat(60);
      expect(show(split(`a\n${long}\nb\n`, 'ndjson', part, 50))).toEqual([
        [1, 1, 'a'],
        [2, 2, 'record_too_long'],
        [3, 3, 'b'],
      ]);
      expect(show(split(`a\n${long}`, 'ndjson', part, 50))).toEqual([
        [1, 1, 'a'],
        [2, 2, 'record_too_long'],
      ]);
      expect(show(split(`a\n"open\n${long}\nb\nc\n`, 'csv', part, 50)).slice(-1)).toEqual([[5, 5, 'c']]);
    },
  );

  it('the record splitter reports an unclosed quote with the line where it opens', () => {
    expect(show(split('a\nb\n"c\nd\n', 'csv'))).toEqual([
      [1, 1, 'a'],
      [2, 2, 'b'],
      [3, 5, 'csv_quote'],
    ]);
  });

  it('the record splitter rejects a body in UTF-16', () => {
    for (const mark of [
      [0xff, 0xfe],
      [0xfe, 0xff],
    ])
      expect(() => split(Uint8Array.from([...mark, 0x61, 0]), 'csv')).toThrow(AppError);
  });
});

describe('CSV fields', () => {
  const read = (text: string): unknown => {
    const parsed = parseCsvRecord(text);
    return 'fields' in parsed ? parsed.fields : parsed.fault.msg;
  };

  it('CSV fields distinguish NULL from an empty text', () => {
    expect(read('')).toEqual([null]);
    expect(read('""')).toEqual(['']);
    expect(read(',"",x,')).toEqual([null, '', 'x', null]);
    expect(read('"a,b","say ""x""","two\r\nlines", padded ')).toEqual([
      'a,b',
      'say "x"',
      'two\r\nlines',
      ' padded ',
    ]);
  });

  it.each(['a"b', '"a"b', '"a', 'x,"a""', 'a\rb'])('parseCsvRecord rejects the field %j', (text) => {
    expect(read(text)).toMatch(/^Field \d/);
  });
});

import { describe, expect, it } from 'vitest';
import { firstStatement } from '../../test/blog.js';
import { createLineWriter, type LineOptions, type StreamFormat } from './line-writer.js';
import type { Cell } from '../values/cell.js';

function lines(
  select: string,
  cells: readonly Cell[],
  format: StreamFormat,
  options: Partial<LineOptions> = {},
): string {
  const { shape } = firstStatement(`GET /types?_select=${select}`);
  if (shape === null) throw new Error('no shape');
  const writer = createLineWriter(shape, format, { numbers: 'json', formulas: 'keep', ...options });
  return writer.head + writer.line(cells);
}

describe('versions', () => {
  const tagOf = (cells: readonly Cell[]): string => `"1.${String(cells[0])}"`;
  const tags = { ofCells: tagOf, ofKeys: tagOf };

  it('the record version is the last member of a line in every stream format', () => {
    expect(lines('id,name', ['7', 'a'], 'ndjson', { tags })).toBe(
      '{"id":7,"name":"a","_etag":"\\"1.7\\""}\n',
    );
    expect(lines('id', ['7'], 'ndjson', { tags, isArray: true })).toBe('[7,"\\"1.7\\""]\n');
    expect(lines('id', ['7'], 'csv', { tags })).toBe('id,_etag\r\n7,"""1.7"""\r\n');
    expect(lines('name', [null], 'csv', { tags })).toBe('name,_etag\r\n,"""1.null"""\r\n');
    expect(lines('id', ['7'], 'csv', { tags: null })).toBe('id\r\n7\r\n');
  });
});

it('an executor that writes lines itself adds the record version', () => {
  const { shape } = firstStatement('GET /types?_select=id,name');
  if (shape === null) throw new Error('no shape');
  const tags = { ofCells: () => '', ofKeys: (keys: readonly Cell[]): string => `"1.${keys.join()}"` };
  const tailOf = (format: StreamFormat, isArray = false): unknown[] => {
    const writer = createLineWriter(shape, format, { numbers: 'json', formulas: 'keep', isArray, tags });
    return [writer.format?.frame.close, writer.tail?.(['7', 'a'])];
  };
  expect([tailOf('ndjson'), tailOf('ndjson', true), tailOf('csv')]).toEqual([
    ['', ',"_etag":"\\"1.7,a\\""}\n'],
    ['', ',"\\"1.7,a\\""]\n'],
    ['', ',"""1.7,a"""\r\n'],
  ]);
});

describe('lines of NDJSON', () => {
  it('an NDJSON line contains one record, even if its JSON contains line breaks', () => {
    expect(lines('id,name,data', ['1', 'a\nb', '{\r\n  "x": "y\\n"\n}'], 'ndjson')).toBe(
      '{"id":1,"name":"a\\nb","data":{    "x": "y\\n" }}\n',
    );
    expect(lines('id,name', ['1', null], 'ndjson', { isArray: true })).toBe('[1,null]\n');
    expect(lines('id', ['18446744073709551615'], 'ndjson', { numbers: 'string' })).toBe(
      '{"id":"18446744073709551615"}\n',
    );
  });
});

describe('lines of CSV', () => {
  const field = (name: string, cell: Cell, options: Partial<LineOptions> = {}): string =>
    lines(name, [cell], 'csv', options).split('\r\n').slice(1).join('\r\n').slice(0, -2);

  it('a CSV stream has a header and distinguishes NULL from an empty text', () => {
    expect(lines('id,name,code', ['1', null, ''], 'csv')).toBe('id,name,code\r\n1,,""\r\n');
  });

  it.each<[string, Cell, string]>([
    ['name', 'a,b', '"a,b"'],
    ['name', 'say "x"', '"say ""x"""'],
    ['name', 'two\r\nlines', '"two\r\nlines"'],
    ['name', ' padded ', '" padded "'],
    ['name', 'plain', 'plain'],
    ['name', '=1+1', '=1+1'],
    ['name', 'null', 'null'],
    ['id', '18446744073709551615', '18446744073709551615'],
    ['price', '-10.50', '-10.50'],
    ['ratio', Math.fround(1.1), '1.1'],
    ['bits', new Uint8Array([1, 255]), '511'],
    ['year', 2026, '2026'],
    ['flag', new Uint8Array([1]), 'true'],
    ['state', 'new', 'new'],
    ['marks', 'a,c', '"a,c"'],
    ['marks', '', '""'],
    ['day', '0000-00-00', '0000-00-00'],
    ['at', '2026-01-31 10:00:00.5', '2026-01-31T10:00:00.500'],
    ['stamp', '2026-01-31 10:00:00', '2026-01-31T10:00:00Z'],
    ['span', '-838:59:59', '-838:59:59'],
    ['data', '{"a": "b"}', '"{""a"": ""b""}"'],
    ['data', '5', '5'],
    ['raw', new Uint8Array([255, 0]), '/wA='],
    ['raw', new Uint8Array([]), '""'],
    ['guid', '123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
    ['place', '{"type":"Point"}', '"{""type"":""Point""}"'],
  ])('createLineWriter writes the CSV field of %s as %s', (name, cell, expected) => {
    expect(field(name, cell)).toBe(expected);
  });

  it('csv-formulas=escape escapes texts that start a formula', () => {
    const escape = { formulas: 'escape' } as const;
    expect(['=1+1', '@x', '+1', '-1', '\tx', 'x=1', ''].map((text) => field('name', text, escape))).toEqual([
      "'=1+1",
      "'@x",
      "'+1",
      "'-1",
      "'\tx",
      'x=1',
      '""',
    ]);
    expect(field('price', '-1.00', escape)).toBe('-1.00');
    for (const text of ['\n=1+1', '\r=1+1', '＝1+1', '＋1', '－1', '＠x'])
      expect(field('name', text, escape).replaceAll('"', '')).toBe(`'${text}`);
  });
});

import { JSON_FRAME } from '@rowhouse/rest-engine';
import type { RowFormat } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { compileLayout } from '../wire/row-layout.js';
import { JsonRows, type EmbeddedRecords } from './json-rows.js';

const layout = compileLayout([{ type: 253, isUnsigned: false, isBinary: false, decimals: 0 }], false);
const format: RowFormat = {
  frame: JSON_FRAME,
  keys: [0],
  columns: [
    {
      name: 'a',
      isOutput: true,
      way: 'text',
      isQuoted: false,
      fraction: 0,
      needsQuotes: () => false,
      long: 'text',
      write: (cell) => JSON.stringify(cell),
    },
  ],
};

/** Encodes a row with one text as in the protocol: NULL bitmap, length, text. */
const toRow = (text: Buffer): Buffer => Buffer.concat([Buffer.from([0, text.length]), text]);

function makeRows(...texts: readonly (string | Buffer)[]): JsonRows {
  if (layout === null) throw new Error('a text can be read');
  const rows = new JsonRows(layout, format, 1_000_000);
  for (const row of texts.map((text) => toRow(Buffer.from(text as string)))) rows.row(row, 0, row.length);
  return rows;
}

/** Uses a result as records that are embedded in another result. */
const asResult = (rows: JsonRows): EmbeddedRecords => ({
  rowCount: rows.rowCount,
  membersText: (row: number) => rows.membersText(row),
  recordBytes: (from: number, count: number) => rows.recordBytes(from, count),
  release: () => rows.release(),
});
const include = (own: JsonRows, other: JsonRows, from: number, count: number): string =>
  own
    .arrayBytesWith(own.rowCount, (_row, to) => {
      to.text('"in":[');
      to.records(asResult(other), from, count);
      to.text(']');
    })
    .toString('utf8');

describe('JsonRows', () => {
  it('the first rows of a result are embedded unchanged in JSON records of another result', () => {
    const others = makeRows('x', 'ä"', 'z');
    expect(include(makeRows('one', 'two'), others, 0, 2)).toBe(
      '[{"a":"one","in":[{"a":"x"},{"a":"ä\\""}]},{"a":"two","in":[{"a":"x"},{"a":"ä\\""}]}]',
    );
    expect(include(makeRows('one'), others, 2, 1)).toBe('[{"a":"one","in":[{"a":"z"}]}]');
    expect(include(makeRows('one'), others, 1, 0)).toBe('[{"a":"one","in":[]}]');
  });

  it('JSON rows replace invalid UTF-8 in the same way as a decoder, even in embedded rows', () => {
    expect(include(makeRows('one'), makeRows('x', Buffer.from([0x61, 0xff])), 0, 2)).toBe(
      '[{"a":"one","in":[{"a":"x"},{"a":"a\ufffd"}]}]',
    );
  });

  it('members added to JSON rows may have texts of any length and script', () => {
    for (const text of ['', 'short', 'ünïcode 😀', 'x'.repeat(31), 'x'.repeat(33), 'ä'.repeat(5_000)]) {
      const bytes = makeRows('one').arrayBytesWith(1, (_row, to) => to.text(`"b":${JSON.stringify(text)}`));
      expect(JSON.parse(bytes.toString('utf8'))).toEqual([{ a: 'one', b: text }]);
    }
  });

  it('JSON rows can be appended to another array, which then releases them', () => {
    const [second, none, third] = [
      makeRows('x', 'ä"'),
      makeRows(),
      makeRows('z'.repeat(200), Buffer.from([0x61, 0xff])),
    ];
    const bytes = makeRows('one', 'two').arrayBytesAnd([second, none, third].map(asResult));
    expect(JSON.parse(bytes.toString('utf8'))).toEqual(
      ['one', 'two', 'x', 'ä"', 'z'.repeat(200), 'a\ufffd'].map((a) => ({ a })),
    );
    expect([second.rowCount, third.rowCount]).toEqual([0, 0]);
    expect(
      makeRows(Buffer.from([0xff]))
        .arrayBytesAnd([asResult(makeRows('x'))])
        .toString('utf8'),
    ).toBe('[{"a":"\ufffd"},{"a":"x"}]');
  });

  it('released JSON rows return nothing instead of the rows of another result', () => {
    const rows = makeRows('mine '.repeat(40), 'too');
    rows.release();
    rows.release();
    makeRows('another’s '.repeat(20));
    expect([rows.rowCount, rows.membersText(0), rows.recordBytes(0, 2)?.length]).toEqual([0, '', 0]);
    expect(rows.keyCell(1, 0)).toBe('too');
  });
});

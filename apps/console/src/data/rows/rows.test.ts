import { describe, expect, it } from 'vitest';
import { readTables, type TableView } from '../schema/read-tables.js';
import { countBase64Bytes, CutValue, describeBytes, toCellText } from './cell-text.js';
import { isCutShort, operatorsOf, shortType } from './column-kinds.js';
import { keyTextOf, listPreviewColumns, makePreviewsQuery, readPreviews } from './make-previews-query.js';
import { canGoByKey } from './read-page.js';
import { putSaved } from './save-changes.js';
import { readReport } from './transfer-rows.js';

const [TABLE] = readTables([
  {
    name: 'my`t',
    primary_key: ['id', 'code'],
    columns: [
      { name: 'id', type: 'bigint(20)', value_kind: 'integer' },
      { name: 'code', type: 'varchar(9)', value_kind: 'string', max_length: 9 },
      { name: 'body', type: 'text', value_kind: 'string', max_length: 65535 },
      { name: 'raw', type: 'blob', value_kind: 'binary' },
      { name: 'f', type: 'float', value_kind: 'float' },
      { name: 'f, g', type: 'float', value_kind: 'float' },
    ],
  },
]) as [TableView];

describe('long values', () => {
  it('the beginnings of long values are loaded by the keys of the rows', () => {
    const columns = listPreviewColumns(TABLE);
    expect(columns.map((column) => column.name)).toEqual(['body', 'raw']);
    expect(makePreviewsQuery(TABLE, columns, [{ id: '9007199254740993', code: 'a' }])).toEqual({
      query:
        'SELECT CAST(`id` AS CHAR) AS k0, `code` AS k1, LEFT(`body`, 256) AS v0, CHAR_LENGTH(`body`) AS n0, HEX(LEFT(`raw`, 16)) AS v1, LENGTH(`raw`) AS n1 FROM `my``t` WHERE (`id`, `code`) IN ((9007199254740993, ?))',
      params: ['a'],
    });
    const found = readPreviews(TABLE, columns, [
      { k0: '1', k1: 'a', v0: 'short', n0: 5, v1: null, n1: null },
      { k0: '2', k1: 'a', v0: 'x'.repeat(256), n0: 999, v1: '00FF', n1: 2 },
    ]);
    expect(found.get(keyTextOf(TABLE, { id: '1', code: 'a' }))).toEqual({ body: 'short', raw: null });
    expect(found.get(keyTextOf(TABLE, { id: 2, code: 'a' }))).toEqual({
      body: new CutValue('x'.repeat(256), 999, 'characters'),
      raw: new CutValue('00FF', 2, 'bytes'),
    });
  });

  it('long values are loaded with the rows if the rows have no usable key', () => {
    expect(listPreviewColumns({ ...TABLE, kind: 'view' })).toEqual([]);
    expect(listPreviewColumns({ ...TABLE, primaryKey: [] })).toEqual([]);
  });
});

describe('pages', () => {
  it('the grid loads pages by key wherever possible', () => {
    expect([
      canGoByKey(TABLE, undefined),
      canGoByKey(TABLE, '-code,id'),
      canGoByKey(TABLE, 'f'),
      canGoByKey(TABLE, 'id,-`f, g`'),
      canGoByKey({ ...TABLE, primaryKey: [] }, undefined),
    ]).toEqual([true, true, false, false, false]);
  });

  it('putSaved replaces saved rows without moving them', () => {
    const table = { ...TABLE, primaryKey: ['id'] };
    const data = {
      pages: [
        { rows: [{ id: 1 }, { id: 2 }], next: null, hasMore: true },
        { rows: [{ id: 3 }], next: null, hasMore: false },
      ],
      pageParams: [],
    };
    const change = (kind: 'insert' | 'update' | 'delete', path: string | null) => ({
      kind,
      id: path ?? 'new',
      path,
      etag: null,
      values: {},
    });
    const saved = putSaved(
      table,
      data,
      [change('insert', null), change('update', '3'), change('delete', '1')],
      [
        { id: 'new', values: { id: 9 }, etag: 'a' },
        { id: '3', values: { id: 3, x: 1 }, etag: 'b' },
        { id: '1', values: null, etag: null },
      ],
    );
    expect(saved.pages.map((page) => page.rows)).toEqual([
      [{ id: 9, _etag: 'a' }, { id: 2 }],
      [{ id: 3, x: 1, _etag: 'b' }],
    ]);
  });
});

it('readReport returns the counts and faults of an import', () => {
  const text =
    '{"line":3,"status":409,"detail":"There.","code":"record.duplicate"}\n{"line":4,"status":422,"detail":[{"loc":["body","n"],"msg":"too large"}],"code":"body.invalid"}\n{"committed":2,"failed":2,"last_line":4}\n';
  expect(readReport(text, false)).toEqual({
    committed: 2,
    failed: 2,
    isRehearsal: false,
    faults: [
      { line: 3, code: 'record.duplicate', message: 'There.' },
      { line: 4, code: 'body.invalid', message: 'n: too large' },
    ],
  });
  expect(readReport('{"would_commit":5,"failed":0}\n', true)).toMatchObject({
    committed: 5,
    isRehearsal: true,
  });
});

it('column values and file sizes are formatted', () => {
  expect([
    toCellText(null),
    toCellText({ a: 1 }),
    toCellText(false),
    describeBytes(1),
    describeBytes(1_234_567),
    countBase64Bytes('AAECAw=='),
  ]).toEqual(['', '{"a":1}', 'false', '1 byte', '1.2 MB', 4]);
  expect([
    isCutShort(TABLE.columns[1] as never),
    isCutShort(TABLE.columns[2] as never),
    shortType(TABLE.columns[0] as never),
    operatorsOf(TABLE.columns[3] as never)[0]?.value,
  ]).toEqual([false, true, 'bigint', 'isnull']);
});

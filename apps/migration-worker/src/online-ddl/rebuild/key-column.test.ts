import { describe, expect, it } from 'vitest';
import { chunkColumns, compareKey, readKeyValue, toShadowColumns, writeKeyValue } from './key-column.js';
import type { KeyColumn } from '@rowhouse/platform-store';

const column = (from: string, chunkBy: KeyColumn['chunkBy']): KeyColumn => ({
  from,
  to: from,
  chunkBy,
  charset: 'utf8mb4',
  collation: 'utf8mb4_unicode_ci',
  castType: null,
});

describe('compareKey', () => {
  it('a chunk key of one column is compared directly', () => {
    expect(compareKey([column('id', 'number')], ['7'], '>', 't.')).toBe('t.`id` > 7');
    expect(compareKey([column('id', 'number')], ['-7'], '<=', '')).toBe('`id` <= -7');
  });
  it('a chunk key of several columns is compared in column order', () => {
    const columns = [column('a', 'number'), column('b', 'bytes')];
    expect(compareKey(columns, ['1', '0AFF'], '>', '')).toBe(
      "(`a` >= 1 AND ((`a` > 1) OR (`a` = 1 AND `b` > x'0AFF')))",
    );
    expect(compareKey(columns, ['1', '0AFF'], '<=', '')).toBe(
      "(`a` <= 1 AND ((`a` < 1) OR (`a` = 1 AND `b` <= x'0AFF')))",
    );
  });
});

describe('key values', () => {
  it('chunk key values are passed as text without loss', () => {
    expect(readKeyValue(column('name', 'text'), '`name`')).toBe('HEX(`name`)');
    expect(writeKeyValue(column('name', 'text'), 'C384')).toBe("_utf8mb4 x'C384' COLLATE utf8mb4_unicode_ci");
    expect(writeKeyValue(column('at', 'quoted'), '2026-01-02 03:04:05.678')).toBe(
      "'2026-01-02 03:04:05.678'",
    );
  });
  it.each([
    ['number', '1 OR 1'],
    ['text', "'"],
    ['quoted', "x' OR '1"],
    ['bytes', '0x1'],
  ] as const)('a chunk key value of the kind %s must have the form of its kind: %s', (kind, text) => {
    expect(() => writeKeyValue(column('id', kind), text)).toThrow();
  });
});

it('copy chunks use the leading key columns whose values have an exact text form', () => {
  expect(
    chunkColumns([column('a', 'number'), column('kind', null), column('b', 'number')]).map(
      (entry) => entry.from,
    ),
  ).toEqual(['a']);
});

describe('toShadowColumns', () => {
  it('copy chunks of a shadow table use the key type of that table', () => {
    const changed: KeyColumn = {
      ...column('code', 'number'),
      to: 'code',
      castType: 'varchar(20) CHARACTER SET latin1 COLLATE latin1_bin',
      shadow: { chunkBy: 'text', charset: 'latin1', collation: 'latin1_bin' },
    };
    const [shadow] = toShadowColumns([changed]);
    expect(compareKey([shadow as KeyColumn], ['31'], '>', 'a.')).toBe(
      "a.`code` > _latin1 x'31' COLLATE latin1_bin",
    );
  });
  it('toShadowColumns keeps columns of an unchanged type and rejects incomplete facts', () => {
    const renamed: KeyColumn = { ...column('id', 'number'), to: 'key' };
    expect(
      toShadowColumns([renamed, { ...column('kind', 'number'), castType: 'bigint(20)' }]).map(
        ({ from, chunkBy }) => [from, chunkBy],
      ),
    ).toEqual([
      ['key', 'number'],
      ['kind', null],
    ]);
  });
});

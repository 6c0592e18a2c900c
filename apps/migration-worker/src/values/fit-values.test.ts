import { VALUE_INDEX_LIMITS } from '@rowhouse/contracts';
import { describe, expect, it } from 'vitest';
import { fitValues, judgeValues, sizeOf, type IndexedColumn } from './fit-values.js';

const { columnsMax, valuesPerColumnMax, valuesMax, bytesMax, charactersMax } = VALUE_INDEX_LIMITS;
const numbered = (count: number, prefix = 'v'): string[] =>
  Array.from({ length: count }, (_none, index) => `${prefix}${index}`);

describe('judgeValues', () => {
  it('judgeValues accepts few and short values in order, without blanks', () => {
    expect(judgeValues('t', 'c', ['b', 'a', '', '  '])).toEqual({
      table: 't',
      column: 'c',
      state: 'indexed',
      values: ['a', 'b'],
    });
  });
  it('judgeValues omits columns with too many or too long values', () => {
    expect(judgeValues('t', 'c', numbered(valuesPerColumnMax)).state).toBe('indexed');
    expect(judgeValues('t', 'c', numbered(valuesPerColumnMax + 1))).toMatchObject({
      state: 'many',
      values: [],
    });
    expect(judgeValues('t', 'c', ['😀'.repeat(charactersMax)]).state).toBe('indexed');
    expect(judgeValues('t', 'c', ['a', 'x'.repeat(charactersMax + 1)])).toMatchObject({
      state: 'prose',
      values: [],
    });
  });
});

describe('fitValues', () => {
  const columnOf = (name: string, values: readonly string[]): IndexedColumn => ({
    table: 't',
    column: name,
    state: 'indexed',
    values,
  });
  const withinLimits = (columns: readonly IndexedColumn[]): boolean => {
    const size = sizeOf(columns);
    return size.columns <= columnsMax && size.values <= valuesMax && size.bytes <= bytesMax;
  };

  it('fitValues() includes all columns and values while they fit', () => {
    const columns = [columnOf('a', ['x']), columnOf('b', ['y', 'z'])];
    expect(fitValues(columns)).toEqual(columns);
    expect(sizeOf(columns)).toEqual({ columns: 2, values: 3, bytes: 3 });
  });
  it('fitValues first omits the columns with the most values', () => {
    const many = fitValues(
      Array.from({ length: columnsMax + 20 }, (_none, index) =>
        columnOf(`c${index}`, numbered(index === 0 ? 900 : 2)),
      ),
    );
    expect(withinLimits(many)).toBe(true);
    expect(many[0]).toMatchObject({ state: 'full', values: [] });
    const large = fitValues(
      Array.from({ length: 40 }, (_none, index) => columnOf(`c${index}`, numbered(1_000, 'x'.repeat(20)))),
    );
    expect(withinLimits(large)).toBe(true);
    expect(sizeOf(large).columns).toBeGreaterThan(10);
    const values = fitValues(
      Array.from({ length: 30 }, (_none, index) => columnOf(`c${index}`, numbered(1_000, ''))),
    );
    expect(sizeOf(values)).toMatchObject({ columns: 20, values: 20_000 });
  });
});

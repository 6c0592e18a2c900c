import { describe, expect, it } from 'vitest';
import { estimateRows, isCutShort } from './estimate-rows.js';
import type { ExplainStep } from './explain-step.js';

const step = (
  table: string,
  access: string,
  rows: number,
  notes = '',
  more: Partial<ExplainStep> = {},
): ExplainStep => ({ id: 1, select: 'SIMPLE', table, access, rows, filteredShare: 1, notes, ...more });
const rowsOf = (
  steps: readonly ExplainStep[],
  options: { readonly isPlain?: boolean; readonly sizes?: Readonly<Record<string, number>> } = {},
): number =>
  estimateRows(steps, {
    isPlain: options.isPlain ?? false,
    sizeOf: (table) => options.sizes?.[table] ?? null,
  }).rows;

describe('estimateRows', () => {
  it('estimateRows adds up the rows of several scans', () => {
    expect(rowsOf([step('posts', 'ALL', 50_000, 'Using where')])).toBe(50_000);
    expect(rowsOf([])).toBe(0);
    expect(rowsOf([step('posts', '', 0, 'Impossible WHERE', { table: null })])).toBe(0);
  });

  it('estimateRows multiplies the rows of a join by the remaining rows of the previous tables', () => {
    expect(rowsOf([step('a', 'ALL', 10_000, 'Using where'), step('b', 'ref', 5)])).toBe(60_000);
    expect(
      rowsOf([step('a', 'ALL', 10_000, 'Using where', { filteredShare: 0.1 }), step('b', 'ref', 5)]),
    ).toBe(15_000);
    expect(
      rowsOf([
        step('a', 'ALL', 10_000),
        step('b', 'ALL', 10_000, 'Using where; Using join buffer (flat, BNL join)'),
      ]),
    ).toBe(100_010_000);
  });

  it('estimateRows adds both sides of a hash join with an equality', () => {
    const joined = (retainedCount: number): ExplainStep[] => [
      step('a', 'ALL', 10_000),
      step('b', 'ALL', 20_000, 'Using where; Using join buffer (hash join)', {
        filteredShare: retainedCount,
      }),
      step('c', 'eq_ref', 1),
    ];
    expect(rowsOf(joined(0.1))).toBe(10_000 + 20_000 + 20_000);
    expect(rowsOf(joined(0.3333))).toBeGreaterThan(200_000_000);
    expect(
      rowsOf([
        step('a', 'ALL', 10_000),
        step('b', 'hash_ALL', 20_000, 'Using where; Using join buffer (flat, BNLH join)'),
      ]),
    ).toBe(30_000);
  });

  it('estimateRows reports the rows that MySQL writes to files for a join without an equality', () => {
    const product = (notes: string, retainedCount = 1): ExplainStep[] =>
      ['a', 'b', 'c', 'd'].map((table, position) =>
        step(table, 'ALL', 40, position === 0 ? '' : notes, { filteredShare: retainedCount }),
      );
    const bufferedRowsOf = (steps: readonly ExplainStep[]): number =>
      estimateRows(steps, { isPlain: false, sizeOf: () => null }).bufferedRowsMax;
    expect(bufferedRowsOf(product('Using join buffer (hash join)'))).toBe(64_000);
    expect([
      bufferedRowsOf(product('Using join buffer (flat, BNL join)')),
      bufferedRowsOf(product('Using where; Using join buffer (hash join)', 0.1)),
      bufferedRowsOf([step('a', 'ALL', 1_000_000)]),
    ]).toEqual([0, 0, 0]);
  });

  it('estimateRows counts a dependent SELECT once per outer row', () => {
    const inner = (select: string): ExplainStep[] => [
      step('a', 'ALL', 2_000, 'Using where', { select: 'PRIMARY' }),
      step('b', 'ALL', 3_000, 'Using where', { id: 2, select }),
    ];
    expect(rowsOf(inner('DEPENDENT SUBQUERY'))).toBe(2_000 + 6_000_000);
    expect(rowsOf(inner('MATERIALIZED'))).toBe(5_000);
    expect(
      rowsOf([...inner('UNION'), step('<union1,2>', 'ALL', 0, '', { id: null, select: 'UNION RESULT' })]),
    ).toBe(5_000);
  });

  it('estimateRows does not count rows that are sent as soon as they are found', () => {
    expect(rowsOf([step('posts', 'ALL', 5_000_000)], { isPlain: true })).toBe(0);
    expect(rowsOf([step('posts', 'index', 5_000_000, 'Using index')], { isPlain: true })).toBe(0);
    expect(rowsOf([step('posts', 'index', 5_000_000, 'Using index')])).toBe(5_000_000);
    for (const notes of ['Using where', 'Using filesort', 'Using temporary'])
      expect(rowsOf([step('posts', 'ALL', 5_000_000, notes)], { isPlain: true })).toBe(5_000_000);
  });

  it('estimateRows does not count small tables', () => {
    const small = Array.from({ length: 5 }, (_, position) =>
      step(`t${position}`, 'ALL', 999, 'Using join buffer (flat, BNL join)'),
    );
    expect(rowsOf(small)).toBe(0);
    expect(rowsOf([...small, step('<derived2>', 'ALL', 1e9, '')])).toBe(0);
    expect(rowsOf([...small, step('big', 'ALL', 1_000, '')])).toBeGreaterThan(1e15);
  });

  it('estimateRows counts the whole table for an index scan whose LIMIT may never be reached', () => {
    const walked = step('posts', 'index', 21, 'Using where');
    expect(isCutShort(walked)).toBe(true);
    expect(isCutShort(step('posts', 'index', 21))).toBe(false);
    expect(rowsOf([walked], { isPlain: true, sizes: { posts: 7_000_000 } })).toBe(7_000_000);
    expect(rowsOf([walked], { isPlain: true })).toBe(0);
  });
});

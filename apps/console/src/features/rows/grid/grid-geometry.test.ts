import { describe, expect, it } from 'vitest';
import {
  findColumnSpan,
  findRowSpan,
  HEADER_HEIGHT,
  isInView,
  listDrawnRows,
  PICK_WIDTH,
  revealPart,
  ROW_HEIGHT,
  sumWidths,
} from './grid-geometry.js';

const VIEW_HEIGHT = HEADER_HEIGHT + 20 * ROW_HEIGHT;

describe('the geometry of the grid', () => {
  it.each([0, 1, 32, 33, 330, 9_999, 329_000])(
    'the grid scrolled to %i px renders every visible row and some beyond',
    (scrollTop) => {
      const { from, to } = findRowSpan(scrollTop, VIEW_HEIGHT);
      expect(from * ROW_HEIGHT).toBeLessThanOrEqual(Math.max(0, scrollTop - 6 * ROW_HEIGHT));
      expect(to * ROW_HEIGHT).toBeGreaterThanOrEqual(scrollTop + 26 * ROW_HEIGHT);
      expect(to - from).toBeLessThanOrEqual(44);
    },
  );

  it('the grid renders the same rows while it scrolls by a few rows', () => {
    const spans = new Set(
      Array.from({ length: 3 * ROW_HEIGHT }, (_, index) =>
        JSON.stringify(findRowSpan(3_300 + index, VIEW_HEIGHT)),
      ),
    );
    expect(spans.size).toBeLessThanOrEqual(2);
  });

  it('the grid renders a constant number of rows while it scrolls', () => {
    const sizes = new Set(
      Array.from({ length: 400 }, (_, index) => findRowSpan(index * 17, VIEW_HEIGHT)).map(
        ({ from, to }) => to - from,
      ),
    );
    expect(sizes.size).toBe(1);
  });

  it('the grid renders each row as one element, which keeps its position in the document', () => {
    const before = listDrawnRows({ from: 0, to: 6 }, 0, 100);
    expect(before.map(({ slot, index }) => [slot, index])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
    const scrolled = listDrawnRows({ from: 3, to: 9 }, 0, 100);
    expect(scrolled.map(({ slot, index }) => [slot, index])).toEqual([
      [0, 6],
      [1, 7],
      [2, 8],
      [3, 3],
      [4, 4],
      [5, 5],
    ]);
    const atRest = listDrawnRows({ from: 3, to: 9 }, 3, 100);
    expect(atRest.map(({ slot, index }) => [slot, index])).toEqual([
      [3, 3],
      [4, 4],
      [5, 5],
      [0, 6],
      [1, 7],
      [2, 8],
    ]);
  });

  it.each([
    [{ from: 0, to: 6 }, 0, 2, [0, 1]],
    [{ from: 9, to: 15 }, 4, 12, [10, 11, 9]],
    [{ from: 3, to: 9 }, 0, 0, []],
  ])('the grid renders only existing rows of the span %j', (span, first, count, rows) => {
    expect(listDrawnRows(span, first, count).map(({ index }) => index)).toEqual(rows);
  });

  it('the grid renders every visible column, wide or narrow', () => {
    const starts = sumWidths(Array.from({ length: 50 }, (_, index) => (index % 3 === 0 ? 320 : 60)));
    for (let scrollLeft = 0; scrollLeft < 6_000; scrollLeft += 37) {
      const { from, to } = findColumnSpan(scrollLeft, 800, starts);
      expect(starts[from]).toBeLessThanOrEqual(scrollLeft);
      expect(starts[to]).toBeGreaterThanOrEqual(Math.min(starts[50] ?? 0, scrollLeft + 800 - PICK_WIDTH));
      expect(to - from).toBeLessThanOrEqual(14);
    }
  });

  it('the grid renders other columns only when a column leaves the view', () => {
    const starts = sumWidths(Array.from({ length: 50 }, (_, index) => 100 + (index % 5) * 30));
    const spans = new Set(
      Array.from({ length: 2_000 }, (_, index) => JSON.stringify(findColumnSpan(index, 800, starts))),
    );
    const passed = starts.filter((start) => start > 0 && start < 2_000).length;
    expect(spans.size).toBeLessThanOrEqual(passed + 1);
  });

  it('an empty grid has no columns to render', () => {
    expect(findColumnSpan(0, 800, sumWidths([]))).toEqual({ from: 0, to: 0 });
    expect(findColumnSpan(0, 800, sumWidths([100]))).toEqual({ from: 0, to: 1 });
  });

  it('the grid scrolls only as far as needed to show a cell', () => {
    expect(revealPart(100, 400, 200, 233)).toBe(100);
    expect(revealPart(100, 400, 66, 99)).toBe(66);
    expect(revealPart(100, 400, 600, 633)).toBe(233);
    // The part is wider than the view, so its beginning is shown.
    expect(revealPart(0, 100, 200, 500)).toBe(200);
  });

  it.each([
    [{ row: 10, column: 1 }, true],
    [{ row: 9, column: 1 }, false],
    [{ row: 29, column: 1 }, true],
    [{ row: 30, column: 1 }, false],
    [{ row: 10, column: 0 }, false],
    [{ row: 10, column: 3 }, true],
    [{ row: 10, column: 4 }, false],
  ])('the grid determines whether %j is visible', (location, isSeen) => {
    const scrolled = {
      scrollTop: 10 * ROW_HEIGHT,
      scrollLeft: 100,
      clientWidth: PICK_WIDTH + 300,
      clientHeight: VIEW_HEIGHT,
    };
    expect(isInView(scrolled, sumWidths([100, 100, 100, 100, 100]), location)).toBe(isSeen);
  });
});

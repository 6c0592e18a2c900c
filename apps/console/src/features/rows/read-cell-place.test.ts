import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readCellPlace, readRowPlace } from './read-cell-place.js';

/** As much of an element as it takes to find the cell and the row that it stands in. */
class FakeElement {
  constructor(readonly attributes: Readonly<Record<string, string>>, readonly parent: FakeElement | null = null) {}

  closest(selector: string): FakeElement | null {
    return selector === `[role="${this.attributes['role']}"]` ? this : (this.parent?.closest(selector) ?? null);
  }

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null;
  }
}

beforeEach(() => void vi.stubGlobal('Element', FakeElement));
afterEach(() => void vi.unstubAllGlobals());

const rowOf = (index: string): FakeElement => new FakeElement({ role: 'row', 'aria-rowindex': index });
const cellIn = (rowIndex: string, columnIndex: string, role = 'gridcell'): FakeElement => new FakeElement({ role, 'aria-colindex': columnIndex }, rowOf(rowIndex));
const placeOf = (target: FakeElement): unknown => readCellPlace(target as unknown as EventTarget);

it('is told by the cell, and by all within it', () => {
  // The names are the first row, the boxes the first column.
  expect(placeOf(cellIn('2', '2'))).toEqual({ row: 0, column: 0 });
  expect(placeOf(new FakeElement({}, new FakeElement({}, cellIn('5', '4'))))).toEqual({ row: 3, column: 2 });
});

it('is none of names, boxes, and what is no cell', () => {
  for (const target of [cellIn('1', '4'), cellIn('5', '1'), cellIn('1', '4', 'columnheader'), rowOf('5')]) expect(placeOf(target)).toBeNull();
  expect(readCellPlace(new EventTarget())).toBeNull();
});

it('of a row counts from the first below the names', () => {
  const readRow = (element: FakeElement): number => readRowPlace(element as unknown as Element);
  expect([readRow(rowOf('1')), readRow(rowOf('2')), readRow(cellIn('7', '1')), readRow(new FakeElement({}))]).toEqual([-1, 0, 5, -1]);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readCellPosition, readRowIndex } from './cell-position.js';

/** A minimal replacement of a DOM element. It can find the cell and the row that contain it. */
class FakeElement {
  constructor(
    readonly attributes: Readonly<Record<string, string>>,
    readonly parent: FakeElement | null = null,
  ) {}

  closest(selector: string): FakeElement | null {
    return selector === `[role="${this.attributes['role']}"]`
      ? this
      : (this.parent?.closest(selector) ?? null);
  }

  getAttribute(name: string): string | null {
    return this.attributes[name] ?? null;
  }
}

beforeEach(() => void vi.stubGlobal('Element', FakeElement));
afterEach(() => void vi.unstubAllGlobals());

const rowOf = (index: string): FakeElement => new FakeElement({ role: 'row', 'aria-rowindex': index });
const cellIn = (rowIndex: string, columnIndex: string, role = 'gridcell'): FakeElement =>
  new FakeElement({ role, 'aria-colindex': columnIndex }, rowOf(rowIndex));
const placeOf = (target: FakeElement): unknown => readCellPosition(target as unknown as EventTarget);

it('readCellPosition returns the cell around an element', () => {
  // The grid's first row is the header, and its first column contains the checkboxes, so the first cell has
  // the indexes 2 and 2.
  expect(placeOf(cellIn('2', '2'))).toEqual({ row: 0, column: 0 });
  expect(placeOf(new FakeElement({}, new FakeElement({}, cellIn('5', '4'))))).toEqual({ row: 3, column: 2 });
});

it('readCellPosition returns null for the header and the checkboxes', () => {
  for (const target of [cellIn('1', '4'), cellIn('5', '1'), cellIn('1', '4', 'columnheader'), rowOf('5')])
    expect(placeOf(target)).toBeNull();
  expect(readCellPosition(new EventTarget())).toBeNull();
});

it('readRowIndex counts from the first row below the header', () => {
  const readRow = (element: FakeElement): number => readRowIndex(element as unknown as Element);
  expect([
    readRow(rowOf('1')),
    readRow(rowOf('2')),
    readRow(cellIn('7', '1')),
    readRow(new FakeElement({})),
  ]).toEqual([-1, 0, 5, -1]);
});

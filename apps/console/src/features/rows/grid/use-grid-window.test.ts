import { expect, it } from 'vitest';
import { callHook } from '../../../testing/call-hook.js';
import { HEADER_HEIGHT, PICK_WIDTH, ROW_HEIGHT } from './grid-geometry.js';
import { useGridWindow } from './use-grid-window.js';

it('the grid renders rows before its size is measured', () => {
  const view = callHook(() => useGridWindow([100, 200]));
  expect(view).toMatchObject({ starts: [0, 100, 300], rows: { from: 0 }, columns: { from: 0 }, first: 0 });
  expect(view.rows.to).toBeGreaterThan(20);
});

it('the grid scrolls to a cell in both directions, and not if it is visible', () => {
  const view = callHook(() => useGridWindow([100, 200, 300]));
  const element = {
    scrollTop: 0,
    scrollLeft: 0,
    clientWidth: PICK_WIDTH + 350,
    clientHeight: HEADER_HEIGHT + 10 * ROW_HEIGHT,
  };
  view.scroller.current = element as HTMLDivElement;
  view.reveal({ row: 5, column: 1 });
  expect([element.scrollTop, element.scrollLeft]).toEqual([0, 0]);
  view.reveal({ row: 19, column: 2 });
  expect([element.scrollTop, element.scrollLeft]).toEqual([10 * ROW_HEIGHT, 250]);
  view.reveal({ row: 0, column: 0 });
  expect([element.scrollTop, element.scrollLeft]).toEqual([0, 0]);
});

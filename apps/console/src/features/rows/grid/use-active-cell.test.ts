import { expect, it } from 'vitest';
import { callHook } from '../../../testing/call-hook.js';
import { useActiveCell } from './use-grid-actions.js';

it('the first cell of the grid is active initially', () => {
  const { active, block, marked } = callHook(useActiveCell);
  expect({ active, block, marked }).toEqual({
    active: { row: 0, column: 0 },
    block: null,
    marked: { rows: { from: 0, to: 1 }, columns: { from: 0, to: 1 } },
  });
});

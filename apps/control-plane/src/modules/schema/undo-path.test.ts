import { describe, expect, it } from 'vitest';
import { findUndoPath } from './undo-path.js';

/** Numbers are restores, `e` is a change. */
const path = (...steps: readonly (number | 'e')[]) => findUndoPath(steps.map((step, at) => ({ revision: at + 1, restores: step === 'e' ? null : step })));

describe('findUndoPath', () => {
  it('has nothing to take back in an empty draft', () => {
    expect(path()).toEqual({ undo: null, redo: null });
  });
  it('goes back change by change, to the empty draft, and forth again', () => {
    expect(path('e', 'e', 'e')).toEqual({ undo: 2, redo: null });
    expect(path('e', 'e', 'e', 2)).toEqual({ undo: 1, redo: 3 });
    expect(path('e', 'e', 'e', 2, 1)).toEqual({ undo: 0, redo: 2 });
    expect(path('e', 'e', 'e', 2, 1, 0)).toEqual({ undo: null, redo: 1 });
    expect(path('e', 'e', 'e', 2, 1, 0, 1, 2, 3)).toEqual({ undo: 2, redo: null });
  });
  it('a change ends what could be made again', () => {
    expect(path('e', 'e', 1, 'e')).toEqual({ undo: 1, redo: null });
    expect(path('e', 'e', 1, 'e', 1)).toEqual({ undo: 0, redo: 4 });
  });
  it('a jump to an earlier revision is a change that can be taken back', () => {
    expect(path('e', 'e', 'e', 1)).toEqual({ undo: 3, redo: null });
    expect(path('e', 'e', 'e', 1, 3)).toEqual({ undo: 2, redo: 1 });
  });
});

import { describe, expect, it } from 'vitest';
import { findUndoPath } from './undo-path.js';

/** Builds a path of revisions. A number is a revision that restores an earlier one, and `e` is a change. */
const path = (...steps: readonly (number | 'e')[]) =>
  findUndoPath(steps.map((step, index) => ({ revision: index + 1, restores: step === 'e' ? null : step })));

describe('findUndoPath', () => {
  it('an empty draft has nothing to undo', () => {
    expect(path()).toEqual({ undo: null, redo: null });
  });
  it('findUndoPath leads back to the empty draft and forward again', () => {
    expect(path('e', 'e', 'e')).toEqual({ undo: 2, redo: null });
    expect(path('e', 'e', 'e', 2)).toEqual({ undo: 1, redo: 3 });
    expect(path('e', 'e', 'e', 2, 1)).toEqual({ undo: 0, redo: 2 });
    expect(path('e', 'e', 'e', 2, 1, 0)).toEqual({ undo: null, redo: 1 });
    expect(path('e', 'e', 'e', 2, 1, 0, 1, 2, 3)).toEqual({ undo: 2, redo: null });
  });
  it('a new draft change removes the changes that could be redone', () => {
    expect(path('e', 'e', 1, 'e')).toEqual({ undo: 1, redo: null });
    expect(path('e', 'e', 1, 'e', 1)).toEqual({ undo: 0, redo: 4 });
  });
  it('restoring an earlier revision can be undone', () => {
    expect(path('e', 'e', 'e', 1)).toEqual({ undo: 3, redo: null });
    expect(path('e', 'e', 'e', 1, 3)).toEqual({ undo: 2, redo: 1 });
  });
});

import { expect, it, vi } from 'vitest';
import { callHook } from '../../testing/call-hook.js';
import { readToasts } from './toasts.js';
import { useUndoNotice } from './use-undo-notice.js';

it('useUndoNotice shows a notice with an undo action', async () => {
  const undo = vi.fn();
  callHook(useUndoNotice)('It was closed.', undo);
  const notice = readToasts().at(-1);
  expect(notice?.text).toBe('It was closed.');
  expect(undo).not.toHaveBeenCalled();
  await notice?.undo?.();
  expect(undo).toHaveBeenCalledOnce();
});

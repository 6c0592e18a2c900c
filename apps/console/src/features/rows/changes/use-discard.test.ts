import { expect, it } from 'vitest';
import { callHook } from '../../../testing/call-hook.js';
import { readToasts } from '../../../ui/notices/toasts.js';
import { NOTHING_STAGED, stageInsert, type Staged } from './staged-changes.js';
import { useDiscard } from './use-staged.js';

it('staged changes are discarded, and the notice restores them', async () => {
  let staged: Staged = stageInsert(NOTHING_STAGED, 'new-1', { name: 'x' });
  const before = staged;
  callHook(() =>
    useDiscard({
      staged,
      change: (next) => {
        staged = next(staged);
        return true;
      },
    }),
  )();
  expect(staged).toEqual(NOTHING_STAGED);
  const notice = readToasts().at(-1);
  expect(notice?.text).toBe('1 change discarded.');
  await notice?.undo?.();
  expect(staged).toBe(before);
});

import { expect, it } from 'vitest';
import { callHook } from '../../../testing/call-hook.js';
import { readToasts } from '../../../ui/notices/toasts.js';
import {
  NOTHING_STAGED,
  stageDelete,
  stageInsert,
  stageUpdate,
  type Staged,
  type StoredRow,
} from './staged-changes.js';
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
  expect(staged).toEqual(before);
});

it('restoring discarded changes leaves newer changes as they are', async () => {
  const toRow = (id: string): StoredRow => ({ id, path: id, etag: '"1"', values: { name: 'a', note: 'b' } });
  let staged: Staged = stageUpdate(NOTHING_STAGED, toRow('7'), { name: 'old', note: 'old' });
  for (const id of ['8', '9']) staged = stageUpdate(staged, toRow(id), { name: 'old' });
  callHook(() => useDiscard({ staged, change: (next) => ((staged = next(staged)), true) }))();
  staged = stageInsert(staged, 'new-1', { name: 'new' });
  staged = stageUpdate(staged, toRow('7'), { name: 'new' });
  staged = stageDelete(staged, [toRow('8')]);
  await readToasts().at(-1)?.undo?.();
  expect(staged.changes).toMatchObject([
    { id: '7', kind: 'update', values: { name: 'new', note: 'old' } },
    { id: '8', kind: 'delete' },
    { id: '9', kind: 'update', values: { name: 'old' } },
    { id: 'new-1', values: { name: 'new' } },
  ]);
});

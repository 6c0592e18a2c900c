import { expect, it } from 'vitest';
import { callHook } from '../../../testing/call-hook.js';
import { CHANGES_MAX, stageInsert, type Staged } from './staged-changes.js';
import { useStaged } from './use-staged.js';

const insertRows = (count: number) => (staged: Staged) =>
  Array.from({ length: count }, (_, index) => `new-${staged.changes.length + index}`).reduce(
    (staging, id) => stageInsert(staging, id, {}),
    staged,
  );

it('staging a change above the batch limit is rejected and stages nothing', () => {
  const { change } = callHook(useStaged);
  expect(change(insertRows(CHANGES_MAX))).toBe(true);
  expect(change(insertRows(1))).toBe(false);
  let count = 0;
  change((staged) => {
    count = staged.changes.length;
    return staged;
  });
  expect(count).toBe(CHANGES_MAX);
});

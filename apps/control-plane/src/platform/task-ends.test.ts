import { expect, it } from 'vitest';
import { TaskEnds, type TaskEnd } from './task-ends.js';

interface Setup {
  readonly ends: TaskEnds;
  readonly ended: Set<string>;
  /** The task ids of each query. */
  readonly looks: (readonly string[])[];
  isAway: boolean;
}

function setUp(): Setup {
  const setup: Omit<Setup, 'ends'> & { ends?: TaskEnds } = { ended: new Set(), looks: [], isAway: false };
  setup.ends = new TaskEnds(async (ids) => {
    setup.looks.push(ids);
    if (setup.isAway) throw new Error('away');
    return ids
      .filter((id) => setup.ended.has(id))
      .map((id): TaskEnd => ({ id, state: 'done', result: `of ${id}`, error: null }));
  });
  return setup as Setup;
}

it('TaskEnds polls up to two hundred awaited tasks in one statement', async () => {
  const { ends, ended, looks } = setUp();
  const ids = Array.from({ length: 450 }, (_, index) => `tsk_${index}`);
  const waiting = Promise.all([...ids, 'tsk_0'].map((id) => ends.wait(id, 10_000)));
  await expect.poll(() => looks.length).toBeGreaterThan(3);
  for (const id of ids) ended.add(id);
  const found = await waiting;
  expect(found.map((end) => end?.result)).toEqual([...ids, 'tsk_0'].map((id) => `of ${id}`));
  expect(looks.every((check) => check.length <= 200)).toBe(true);
  expect(looks.flat().filter((id) => id === 'tsk_449').length).toBeGreaterThan(0);
});

it('polling for task results stops without a waiting caller and starts again with one', async () => {
  const { ends, ended, looks } = setUp();
  ended.add('tsk_1');
  expect(await ends.wait('tsk_1', 1_000)).toMatchObject({ state: 'done' });
  await new Promise((resolve) => setTimeout(resolve, 60));
  const before = looks.length;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(looks).toHaveLength(before);
  expect(await ends.wait('tsk_1', 1_000)).toMatchObject({ state: 'done' });
});

it('waiting for a task returns null after its deadline, while others continue', async () => {
  const { ends, ended } = setUp();
  const other = ends.wait('tsk_2', 10_000);
  expect(await ends.wait('tsk_1', 30)).toBeNull();
  ended.add('tsk_2');
  expect(await other).toMatchObject({ id: 'tsk_2' });
});

it('waiting for a task rejects when the platform database is unavailable', async () => {
  const setup = setUp();
  setup.isAway = true;
  const waiting = [setup.ends.wait('tsk_1', 10_000), setup.ends.wait('tsk_2', 10_000)];
  await Promise.all(waiting.map((item) => expect(item).rejects.toThrow('away')));
  setup.isAway = false;
  setup.ended.add('tsk_1');
  expect(await setup.ends.wait('tsk_1', 1_000)).toMatchObject({ state: 'done' });
});

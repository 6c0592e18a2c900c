import { describe, expect, it, vi } from 'vitest';
import { createEventLoopScheduler } from './event-loop-scheduler.js';

const nextSlice = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('createLoopTurns', () => {
  it('the event loop scheduler runs one slice in each iteration of the event loop', async () => {
    const scheduler = createEventLoopScheduler();
    const went: number[] = [];
    for (let part = 0; part < 3; part += 1) scheduler.wait('a', () => went.push(part));
    expect(went).toEqual([]);
    for (let iteration = 1; iteration <= 3; iteration += 1) {
      await nextSlice();
      expect(went).toEqual([0, 1, 2].slice(0, iteration));
    }
  });

  it('the event loop scheduler serves owners in rotation, however much work one of them has', async () => {
    const scheduler = createEventLoopScheduler();
    const went: string[] = [];
    for (const owner of ['loud', 'loud', 'loud', 'loud', 'quiet', 'third', 'quiet'])
      scheduler.wait(owner, () => went.push(owner));
    for (let iteration = 0; iteration < 7; iteration += 1) await nextSlice();
    expect(went).toEqual(['loud', 'quiet', 'third', 'loud', 'quiet', 'loud', 'loud']);
  });

  it('the event loop scheduler runs slices of other owners between two slices of one owner', async () => {
    const scheduler = createEventLoopScheduler();
    const order: string[] = [];
    let remaining = 3;
    const part = (): void => {
      order.push('piece');
      if ((remaining -= 1) > 0) scheduler.wait('a', part);
    };
    scheduler.wait('a', part);
    const other = (): void => {
      order.push('other');
      if (remaining > 0) setImmediate(other);
    };
    setImmediate(other);
    while (remaining > 0) await nextSlice();
    expect(order.join(' ')).toMatch(/piece other piece other piece/);
  });

  it('nextSliceForRows returns a promise above 100 rows and null otherwise', async () => {
    const scheduler = createEventLoopScheduler();
    expect(scheduler.nextSliceForRows('a', [{ rowCount: 60 }, { rowCount: 40 }])).toBeNull();
    await expect(
      scheduler.nextSliceForRows('a', [{ rowCount: 60 }, { rowCount: 41 }]),
    ).resolves.toBeUndefined();
  });

  it('nextSlice resolves in a later iteration of the event loop', async () => {
    const scheduler = createEventLoopScheduler();
    let isFinished = false;
    void scheduler.nextSlice('a').then(() => (isFinished = true));
    await Promise.resolve();
    expect(isFinished).toBe(false);
    await nextSlice();
    expect(isFinished).toBe(true);
  });

  it.each([
    [0.5, 1.5],
    [2, 6],
    [30, 12],
  ])(
    'the scheduler with active neighbors: a slice of %d ms leads to a pause of %d ms',
    async (pieceMs, delayMs) => {
      vi.useFakeTimers({ toFake: ['setTimeout'] });
      let nowMs = 0;
      const scheduler = createEventLoopScheduler(() => nowMs);
      void scheduler.nextSliceForRows('loud', []);
      void scheduler.nextSliceForRows('quiet', []);
      scheduler.wait('loud', () => void (nowMs += pieceMs));
      for (let iteration = 0; iteration < 3; iteration += 1) await nextSlice();
      const slept = vi.spyOn(globalThis, 'setTimeout');
      scheduler.wait('loud', () => undefined);
      await nextSlice();
      expect(slept).toHaveBeenCalledExactlyOnceWith(expect.any(Function), delayMs);
      vi.restoreAllMocks();
      vi.useRealTimers();
    },
  );

  it('the scheduler pauses after a slice of one owner while other owners are active', async () => {
    let nowMs = 0;
    const scheduler = createEventLoopScheduler(() => nowMs);
    const went: string[] = [];
    const callback = (name: string): void =>
      scheduler.wait('loud', () => {
        went.push(name);
        nowMs += 8;
      });
    callback('alone');
    await nextSlice();
    callback('alone again');
    await nextSlice();
    await nextSlice();
    expect(went).toEqual(['alone', 'alone again']);
    void scheduler.nextSliceForRows('quiet', []);
    callback('in company');
    callback('later');
    await nextSlice();
    await nextSlice();
    await nextSlice();
    expect(went).toEqual(['alone', 'alone again', 'in company']);
    await expect.poll(() => went).toHaveLength(4);
    // The pause is computed from the previous slice, however long ago it ran.
    nowMs += 100_000;
    callback('much later');
    await nextSlice();
    expect(went).toHaveLength(5);
  });
});

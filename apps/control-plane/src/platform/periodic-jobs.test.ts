import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startPeriodicJobs } from './periodic-jobs.js';

describe('startPeriodicJobs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('a periodic job that still runs is not started a second time', async () => {
    let runs = 0;
    const stop = startPeriodicJobs(
      [
        {
          name: 'slow',
          everyMs: 10,
          startsNow: true,
          run: async () => {
            runs += 1;
            await new Promise((resolve) => setTimeout(resolve, 25));
          },
        },
      ],
      { warn: vi.fn() },
    );
    await vi.advanceTimersByTimeAsync(20);
    expect(runs).toBe(1);
    await vi.advanceTimersByTimeAsync(10);
    expect(runs).toBe(2);
    stop();
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toBe(2);
  });

  it('a failed periodic job is logged by name and does not stop the others', async () => {
    const warn = vi.fn();
    const other = vi.fn(() => Promise.resolve());
    const stop = startPeriodicJobs(
      [
        { name: 'broken', everyMs: 10, startsNow: true, run: () => Promise.reject(new Error('no')) },
        { name: 'other', everyMs: 10, startsNow: true, run: other },
      ],
      { warn },
    );
    await vi.advanceTimersByTimeAsync(10);
    stop();
    expect(warn).toHaveBeenCalledWith(expect.objectContaining({ job: 'broken' }), 'a periodic job failed');
    expect(other).toHaveBeenCalledTimes(2);
  });
});

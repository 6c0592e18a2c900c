import { DAY_MS } from '@rowhouse/contracts';
import type { Logger } from '@rowhouse/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Examination } from './examine-database.js';
import { createExaminationQueue, type ExaminationQueue } from './examination-queue.js';

const logger = { warn: () => undefined } as unknown as Logger;

describe('the queue of examinations', () => {
  /** The start times of all examinations by database, relative to the first one, in milliseconds. */
  let looks: [string, number][];
  let queue: ExaminationQueue;

  beforeEach(() => {
    vi.useFakeTimers();
    looks = [];
  });
  afterEach(() => {
    queue.stop();
    vi.useRealTimers();
  });

  function open(examine: (databaseId: string) => Promise<Examination>): void {
    const startedMs = performance.now();
    queue = createExaminationQueue(logger, (databaseId) => {
      looks.push([databaseId, performance.now() - startedMs]);
      return examine(databaseId);
    });
  }
  const timesOf = (databaseId: string): number[] =>
    looks.filter(([id]) => id === databaseId).map(([, atMs]) => atMs);

  it('a database with many requested examinations is examined once every 400 ms', async () => {
    open(() => Promise.resolve('same'));
    for (let requestCount = 0; requestCount < 5; requestCount += 1) queue.ask('a');
    await vi.advanceTimersByTimeAsync(100);
    queue.ask('a');
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(timesOf('a')).toEqual([0, 400]);
  });

  it('an examination of a database is repeated while a migration runs', async () => {
    const outcomes: Examination[] = ['later', 'later', 'published'];
    open(() => Promise.resolve(outcomes.shift() ?? 'same'));
    queue.ask('a');
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(timesOf('a')).toEqual([0, 400, 800]);
  });

  it('a failed examination of a database is repeated with growing delays', async () => {
    let faults = 3;
    open(() => ((faults -= 1) >= 0 ? Promise.reject(new Error('away')) : Promise.resolve('same')));
    queue.ask('a');
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(timesOf('a')).toEqual([0, 800, 2_400, 5_600]);
    queue.ask('a');
    queue.ask('a');
    await vi.advanceTimersByTimeAsync(DAY_MS);
    const [fifth = 0, sixth = 0] = timesOf('a').slice(4);
    expect(sixth - fifth).toBe(400);
  });

  it('a database whose examinations all fail is not examined until its next request', async () => {
    open(() => Promise.reject(new Error('away')));
    queue.ask('a');
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(timesOf('a')).toHaveLength(30);
    queue.ask('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(timesOf('a')).toHaveLength(31);
  });

  it('at most four databases are examined in parallel', async () => {
    const ends: (() => void)[] = [];
    open(() => new Promise((resolve) => ends.push(() => resolve('same'))));
    for (const id of ['a', 'b', 'c', 'd', 'e']) queue.ask(id);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(looks.map(([id]) => id)).toEqual(['a', 'b', 'c', 'd']);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(looks.map(([id]) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('examinations that do not end give up their slots, and no second one of a database begins', async () => {
    let end = (_outcome: Examination): void => undefined;
    open((databaseId) =>
      databaseId === 'z' ? Promise.resolve('same') : new Promise((resolve) => (end = resolve)),
    );
    for (const id of ['d', 'c', 'b', 'a', 'z']) queue.ask(id);
    await vi.advanceTimersByTimeAsync(19_999);
    expect(looks).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(looks.map(([id]) => id)).toEqual(['d', 'c', 'b', 'a', 'z']);
    queue.ask('a');
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(looks).toHaveLength(5);
    end('same');
    await vi.advanceTimersByTimeAsync(0);
    expect(looks.map(([id]) => id)).toEqual(['d', 'c', 'b', 'a', 'z', 'a']);
  });

  it('an examination that fails after its slot was freed is not repeated without a request', async () => {
    let fail = (_error: Error): void => undefined;
    open(() => new Promise((_resolve, reject) => (fail = reject)));
    queue.ask('a');
    await vi.advanceTimersByTimeAsync(30_000);
    fail(new Error('away'));
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(looks).toHaveLength(1);
    queue.ask('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toHaveLength(2);
  });

  it('databases without a request are forgotten', async () => {
    open(() => Promise.resolve('same'));
    for (let index = 0; index < 50; index += 1) queue.ask(`db_${index}`);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(queue.size()).toBe(0);
  });
});

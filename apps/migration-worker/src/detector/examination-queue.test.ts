import { createLogger } from '@rowhouse/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Examination } from './examine-database.js';
import { createExaminationQueue } from './examination-queue.js';

const logger = createLogger('test', 'silent');

describe('createExaminationQueue', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('looks once more at what was asked for while it looked, and at most once in 400 ms', async () => {
    const seen: string[] = [];
    const queue = createExaminationQueue(logger, async (databaseId) => {
      seen.push(databaseId);
      return 'same';
    });
    for (let times = 0; times < 3; times += 1) queue.ask('db_1');
    await vi.advanceTimersByTimeAsync(399);
    expect(seen).toEqual(['db_1']);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen).toEqual(['db_1', 'db_1']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen).toHaveLength(2);
    queue.stop();
  });

  it('looks at four at once, and gives the places of those that never end to others', async () => {
    const seen: string[] = [];
    const never = new Promise<Examination>(() => undefined);
    const queue = createExaminationQueue(logger, (databaseId) => {
      seen.push(databaseId);
      return databaseId.startsWith('stuck') ? never : Promise.resolve('same');
    });
    for (const databaseId of ['stuck_1', 'stuck_2', 'stuck_3', 'stuck_4', 'db_1']) queue.ask(databaseId);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(seen).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.at(-1)).toBe('db_1');
    queue.stop();
  });
});

import type { GatewayWarmList } from '@rowhouse/platform-store';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startWarmUp, type WarmUpOptions } from './warm-up.js';

const NEVER = new Promise<never>(() => undefined);

function optionsWith(list: Partial<GatewayWarmList>): { options: WarmUpOptions; faults: unknown[] } {
  const faults: unknown[] = [];
  const options = {
    list: {
      listBusiest: async () => [],
      readDatabases: async () => [],
      listUsedKeys: async () => [],
      ...list,
    },
    changeTracker: { observedSeq: () => 0 },
    tenants: {},
    schemas: {},
    onFault: (error: unknown) => faults.push(error),
  } as unknown as WarmUpOptions;
  return { options, faults };
}

describe('the warm-up of a gateway', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('a gateway is ready when its warm-up is done, or at its deadline', async () => {
    const { options } = optionsWith({ listBusiest: () => NEVER });
    const warmUp = startWarmUp(options);
    expect(warmUp.isFinished()).toBe(false);
    await vi.advanceTimersByTimeAsync(900);
    expect(warmUp.isFinished()).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(warmUp.isFinished()).toBe(true);
  });

  it('the warm-up ends immediately when nothing is to be loaded or loading fails', async () => {
    const idle = startWarmUp(optionsWith({}).options);
    await idle.done;
    expect(idle.isFinished()).toBe(true);
    const { options, faults } = optionsWith({ listBusiest: async () => Promise.reject(new Error('away')) });
    const failed = startWarmUp(options);
    await failed.done;
    expect([failed.isFinished(), faults.length]).toEqual([true, 1]);
  });

  it('the warm-up reads databases in batches of a hundred', async () => {
    const batches: number[] = [];
    const { options } = optionsWith({
      listBusiest: async () => Array.from({ length: 250 }, (_, index) => `db_${index}`),
      readDatabases: async (ids) => {
        batches.push(ids.length);
        return [];
      },
    });
    await startWarmUp(options).done;
    expect(batches).toEqual([100, 100, 50]);
  });
});

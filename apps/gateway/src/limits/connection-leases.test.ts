import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startConnectionLeases } from './connection-leases.js';

describe('connection leases', () => {
  beforeEach(
    () =>
      void vi.useFakeTimers({
        toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
      }),
  );
  afterEach(() => void vi.useRealTimers());

  function start(available = 1_000) {
    const stats = { serverId: 'srv_1', open: 0, wanted: 0 };
    const limits: number[] = [];
    const requests: number[] = [];
    const state = { available, isAway: false, released: 0, delay: Promise.resolve() };
    const connectionLeases = startConnectionLeases({
      pools: { stats: () => [stats as never], setLimit: (_serverId, limit) => void limits.push(limit) },
      leases: {
        async lease(_serverId, expected) {
          if (state.isAway) throw new Error('away');
          requests.push(expected);
          await state.delay;
          return Math.min(expected, state.available);
        },
        async releaseAll() {
          state.released += 1;
        },
      },
      connectionsFloor: 8,
      connectionsMax: 100,
      onFault: () => undefined,
    });
    return { stats, limits, requests, state, connectionLeases };
  }

  it('no connection lease is requested while the guaranteed connections are enough', async () => {
    const { stats, requests, connectionLeases } = start();
    stats.open = 6;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(requests).toEqual([]);
    await connectionLeases.stop();
  });

  it('a connection lease grows in steps while callers wait, up to its maximum', async () => {
    const { stats, requests, limits, connectionLeases } = start();
    stats.open = 8;
    stats.wanted = 3;
    connectionLeases.press('srv_1');
    await vi.advanceTimersByTimeAsync(30);
    expect([requests, limits]).toEqual([[8], [16]]);
    stats.wanted = 500;
    connectionLeases.press('srv_1');
    await vi.advanceTimersByTimeAsync(30);
    expect([requests.at(-1), limits.at(-1)]).toEqual([92, 100]);
    await connectionLeases.stop();
  });

  it('the pool limit is lowered before unused connections are returned', async () => {
    const { stats, requests, limits, connectionLeases } = start();
    stats.open = 40;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(limits).toEqual([48]);
    stats.open = 10;
    await vi.advanceTimersByTimeAsync(1_000);
    expect([requests.at(-1), limits]).toEqual([8, [48, 16, 16]]);
    await connectionLeases.stop();
  });

  it('a connection lease smaller than requested is used', async () => {
    const { stats, requests, limits, state, connectionLeases } = start(4);
    stats.wanted = 20;
    for (let iteration = 0; iteration < 20; iteration += 1) {
      connectionLeases.press('srv_1');
      await vi.advanceTimersByTimeAsync(30);
    }
    expect([requests.length, limits.at(-1)]).toEqual([1, 12]);
    state.available = 50;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(limits.at(-1)).toBe(24);
    await connectionLeases.stop();
  });

  it('a connection lease stays in force while the platform database is unavailable', async () => {
    const { stats, requests, limits, state, connectionLeases } = start();
    stats.open = 20;
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.advanceTimersByTimeAsync(22_000);
    expect(requests.length).toBe(2);
    state.isAway = true;
    await vi.advanceTimersByTimeAsync(300_000);
    expect(limits.at(-1)).toBe(limits[0]);
    state.isAway = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests.length).toBe(3);
    await connectionLeases.stop();
    expect(state.released).toBe(1);
  });

  it('a lease that is granted while leases are released does not outlive the gateway', async () => {
    const { stats, state, requests, connectionLeases } = start();
    let grant = (): void => undefined;
    state.delay = new Promise<void>((resolve) => (grant = resolve));
    stats.open = 40;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests).toHaveLength(1);
    const stopped = connectionLeases.stop();
    connectionLeases.press('srv_1');
    await vi.advanceTimersByTimeAsync(100);
    expect([state.released, vi.getTimerCount()]).toEqual([0, 0]);
    grant();
    await stopped;
    expect([state.released, requests.length]).toEqual([1, 1]);
  });
});

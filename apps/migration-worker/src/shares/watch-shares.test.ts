import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { createRestrictedOwners, createShareWatch } from './watch-shares.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a watch of two servers, the first of which never responds. `calls` lists what it does. */
function watchTwo() {
  const calls: string[] = [];
  const state = { isHeld: true, listedUsers: 0 };
  const ctx = {
    logger: { warn: vi.fn() },
    directory: {
      listServers: async () =>
        ['slow', 'fast'].map((id) => ({
          id,
          host: id,
          port: 1,
          nodes: [],
          engine: 'mysql',
          capabilities: {},
        })),
    },
    shares: {
      async holdServer(id: string) {
        calls.push(`hold ${id}`);
        return state.isHeld;
      },
      async listUsers(id: string) {
        state.listedUsers += 1;
        if (id === 'slow') return new Promise(() => undefined);
        return [];
      },
      releaseServer: async (id: string) => void calls.push(`release ${id}`),
    },
    access: {
      openNodeObserver({ id }: { id: string }) {
        calls.push(`check ${id}`);
        return new Promise(() => undefined);
      },
    },
  } as unknown as WorkerContext;
  const watch = createShareWatch(ctx);
  async function runFor(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      watch.check();
      await vi.advanceTimersByTimeAsync(250);
    }
  }
  return { calls, state, runFor };
}

it('the lease of each server is renewed while another server does not respond', async () => {
  const { calls, runFor } = watchTwo();
  await runFor(10_000);
  for (const id of ['slow', 'fast'])
    expect(calls.filter((call) => call === `hold ${id}`).length, id).toBeGreaterThanOrEqual(4);
});

it('a server is checked as soon as its users are known, and not before', async () => {
  const { calls, runFor } = watchTwo();
  await runFor(3_000);
  expect(calls).toContain('check fast');
  expect(calls).not.toContain('check slow');
});

it('the users of a server that does not respond are requested once at a time', async () => {
  const { state, runFor } = watchTwo();
  await runFor(10_000);
  const ofFast = state.listedUsers - 1;
  expect(ofFast).toBeGreaterThanOrEqual(4);
});

it('owners whose restriction ended long ago are forgotten', () => {
  let nowMs = 0;
  const owners = createRestrictedOwners(() => nowMs);
  for (let index = 0; index < 100; index += 1) owners.restrict(`acc_${index}`);
  expect(owners.size()).toBe(100);
  nowMs = 60 * 60_000;
  owners.restrict('acc_new');
  expect(owners.size()).toBe(1);
});

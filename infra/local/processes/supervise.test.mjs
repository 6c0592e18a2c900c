import { afterEach, expect, it, vi } from 'vitest';
import { supervise } from './supervise.mjs';

afterEach(() => void vi.restoreAllMocks());

function startOne() {
  /** @type {(() => void)[]} */
  const kills = [];
  /** @type {string[]} */
  const messages = [];
  const supervised = supervise({
    name: 'gateway',
    report: /** @type {any} */ ({ warn: (/** @type {string} */ line) => messages.push(line) }),
    onChange: () => undefined,
    start: async (onSpawn) => {
      const { done, end } = makeEnd();
      kills.push(end);
      onSpawn(/** @type {any} */ ({ done, ending: 'SIGKILL', stop: async () => end() }));
    },
  });
  return { supervised, kills, messages };
}

function makeEnd() {
  let end = () => {};
  const done = new Promise((resolve) => (end = () => resolve(undefined)));
  return { done, end };
}

it('a process that ends early is restarted after growing pauses, and any other at once', async () => {
  const { supervised, kills, messages } = startOne();
  await supervised.started;
  for (const starts of [2, 3, 4]) {
    kills.at(-1)?.();
    await expect.poll(() => kills.length).toBe(starts);
  }
  const laterMs = Date.now() + 10_001;
  vi.spyOn(Date, 'now').mockImplementation(() => laterMs);
  kills.at(-1)?.();
  await expect.poll(() => kills.length).toBe(5);
  expect(
    messages.map((line) => line.replace('gateway ended (SIGKILL); starting it again', '').trim()),
  ).toEqual(['', ', 250 ms after its last start', ', 500 ms after its last start', '']);
  await supervised.stop(100);
});

it('the restart pause does not grow for a process that ran at least as long as the pause', async () => {
  const { supervised, kills, messages } = startOne();
  await supervised.started;
  let nowMs = Date.now();
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
  for (const starts of [2, 3, 4, 5, 6, 7, 8]) {
    kills.at(-1)?.();
    await expect.poll(() => kills.length).toBe(starts);
    // Let the supervisor handle the end of the process and start the next one.
    await new Promise((resolve) => void setImmediate(resolve));
    nowMs += 300;
  }
  expect(messages).toEqual(Array(7).fill('gateway ended (SIGKILL); starting it again'));
  await supervised.stop(100);
});

it('a supervisor that is stopping starts no process, even after a restart pause', async () => {
  const { supervised, kills, messages } = startOne();
  await supervised.started;
  kills.at(-1)?.();
  await expect.poll(() => kills.length).toBe(2);
  kills.at(-1)?.();
  await expect.poll(() => messages.length).toBe(2);
  await supervised.stop(100);
  expect(kills.length).toBe(2);
});

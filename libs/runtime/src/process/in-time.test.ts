import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inTime } from './in-time.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const fault = (): Error => new Error('late');

it('inTime passes on a timely result or error and leaves no timer running', async () => {
  expect(await inTime(Promise.resolve(1), 1_000, fault)).toBe(1);
  await expect(inTime(Promise.reject(new Error('own')), 1_000, fault)).rejects.toThrow('own');
  expect(vi.getTimerCount()).toBe(0);
});

it('inTime rejects when its time is over and ignores the late result', async () => {
  let rejectLate: (error: Error) => void = () => undefined;
  const pending = new Promise<never>((_resolve, reject) => {
    rejectLate = reject;
  });
  const reported = expect(inTime(pending, 1_000, fault)).rejects.toThrow('late');
  await vi.advanceTimersByTimeAsync(1_000);
  await reported;
  rejectLate(new Error('the caller has left'));
  await vi.advanceTimersByTimeAsync(0);
});

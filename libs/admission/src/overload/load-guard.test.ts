import { Registry } from '@rowhouse/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLoadGuard, RUNNING_MAX, type LoadGuard } from './load-guard.js';

describe('the load guard', () => {
  let clockMs: number;
  let guard: LoadGuard;
  let registry: Registry;
  const reported: { rejected: number }[] = [];

  beforeEach(() => {
    vi.useFakeTimers();
    [clockMs, registry] = [0, new Registry()];
    reported.length = 0;
    guard = createLoadGuard({ registry, nowMs: () => clockMs, onShed: (details) => reported.push(details) });
  });
  afterEach(() => {
    guard.stop();
    vi.useRealTimers();
  });

  /** Lets the timer fire once, with this delay in milliseconds. */
  const beatLate = (lateMs: number): void => {
    clockMs += 20 + lateMs;
    vi.advanceTimersByTime(20);
  };
  const enter = (count: number): void => {
    for (let index = 0; index < count; index += 1) guard.entered();
  };
  const countRejected = (requestCount: number): number =>
    Array.from({ length: requestCount }, () => guard.reject()).filter((error) => error !== null).length;

  it('the load guard admits every request while the event loop is not delayed', () => {
    enter(RUNNING_MAX - 1);
    for (let iteration = 0; iteration < 10; iteration += 1) beatLate(100);
    expect(countRejected(1_000)).toBe(0);
  });

  it('the load guard admits every request while fewer than 256 are running', () => {
    enter(200);
    beatLate(5_000);
    expect(countRejected(1_000)).toBe(0);
  });

  it('the share of requests that the load guard rejects grows with the event loop delay', async () => {
    enter(1_000);
    beatLate(375);
    expect(countRejected(1_000)).toBe(500);
    beatLate(2_000);
    expect(countRejected(1_000)).toBe(1_000);
    expect(guard.reject()).toMatchObject({ code: 'limit.busy', status: 503 });
    expect(guard.reject()?.retryAfterSeconds).toBeGreaterThan(0);
    for (let iteration = 0; iteration < 20; iteration += 1) beatLate(0);
    expect(countRejected(1_000)).toBe(0);
    expect(reported.length).toBeGreaterThan(0);
    expect((await registry.getSingleMetric('gateway_shed_total')?.get())?.values[0]?.value).toBe(1_502);
  });

  it('the load guard rejects requests during a long event loop iteration', () => {
    enter(1_000);
    clockMs += 3_000;
    expect(countRejected(10)).toBe(10);
  });

  it('the load guard stops its timer after a second without requests', () => {
    expect(vi.getTimerCount()).toBe(0);
    enter(1_000);
    expect(vi.getTimerCount()).toBe(1);
    beatLate(300);
    for (let index = 0; index < 1_000; index += 1) guard.left();
    for (let iteration = 0; iteration < 49; iteration += 1) beatLate(0);
    expect(vi.getTimerCount()).toBe(1);
    beatLate(0);
    expect(vi.getTimerCount()).toBe(0);
    clockMs += 60_000;
    enter(1_000);
    expect(countRejected(1_000)).toBe(0);
    beatLate(375);
    expect(countRejected(1_000)).toBe(500);
    for (let index = 0; index < 1_000; index += 1) guard.left();
    for (let iteration = 0; iteration < 50; iteration += 1) beatLate(0);
    // The number of rejected requests must be reported before the timer stops.
    expect(reported.at(-1)?.rejected).toBeGreaterThan(0);
    for (let iteration = 0; iteration < 300; iteration += 1) beatLate(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('the load guard rejects requests above RUNNING_MAX until some have ended', () => {
    enter(RUNNING_MAX);
    expect(countRejected(10)).toBe(10);
    guard.left();
    expect(countRejected(10)).toBe(0);
  });
});

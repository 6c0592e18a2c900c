import { Registry } from '@rowhouse/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLoadGuard, RUNNING_MAX, type LoadGuard } from './load-guard.js';

describe('a process with more to do than it can', () => {
  let clockMs: number;
  let guard: LoadGuard;
  let registry: Registry;
  const told: { refused: number }[] = [];

  beforeEach(() => {
    vi.useFakeTimers();
    [clockMs, registry] = [0, new Registry()];
    told.length = 0;
    guard = createLoadGuard({ registry, nowMs: () => clockMs, onShed: (facts) => told.push(facts) });
  });
  afterEach(() => {
    guard.stop();
    vi.useRealTimers();
  });

  /** One turn of the timer that comes late by so much. */
  const beatLate = (lateMs: number): void => {
    clockMs += 20 + lateMs;
    vi.advanceTimersByTime(20);
  };
  const enter = (count: number): void => {
    for (let at = 0; at < count; at += 1) guard.entered();
  };
  const countRefused = (asked: number): number => Array.from({ length: asked }, () => guard.refuse()).filter((error) => error !== null).length;

  it('refuses nobody while it keeps up, however many there are', () => {
    enter(RUNNING_MAX - 1);
    for (let turn = 0; turn < 10; turn += 1) beatLate(100);
    expect(countRefused(1_000)).toBe(0);
  });

  it('refuses nobody for a delay that few requests cannot be the reason of', () => {
    enter(200);
    beatLate(5_000);
    expect(countRefused(1_000)).toBe(0);
  });

  it('refuses as large a part as it is late, with a time to come again, and stops when it has caught up', async () => {
    enter(1_000);
    beatLate(375);
    expect(countRefused(1_000)).toBe(500);
    beatLate(2_000);
    expect(countRefused(1_000)).toBe(1_000);
    expect(guard.refuse()).toMatchObject({ code: 'limit.busy', status: 503 });
    expect(guard.refuse()?.retryAfterSeconds).toBeGreaterThan(0);
    for (let turn = 0; turn < 20; turn += 1) beatLate(0);
    expect(countRefused(1_000)).toBe(0);
    expect(told.length).toBeGreaterThan(0);
    expect((await registry.getSingleMetric('gateway_shed_total')?.get())?.values[0]?.value).toBe(1_502);
  });

  it('sees a turn that has not ended yet', () => {
    enter(1_000);
    clockMs += 3_000;
    expect(countRefused(10)).toBe(10);
  });

  it('rests when nothing is under way for a second, and sees what comes then as it would have', () => {
    expect(vi.getTimerCount()).toBe(0);
    enter(1_000);
    expect(vi.getTimerCount()).toBe(1);
    beatLate(300);
    for (let at = 0; at < 1_000; at += 1) guard.left();
    for (let turn = 0; turn < 49; turn += 1) beatLate(0);
    expect(vi.getTimerCount()).toBe(1);
    beatLate(0);
    expect(vi.getTimerCount()).toBe(0);
    clockMs += 60_000;
    enter(1_000);
    expect(countRefused(1_000)).toBe(0);
    beatLate(375);
    expect(countRefused(1_000)).toBe(500);
    for (let at = 0; at < 1_000; at += 1) guard.left();
    for (let turn = 0; turn < 50; turn += 1) beatLate(0);
    // Who was refused is told before it rests.
    expect(told.at(-1)?.refused).toBeGreaterThan(0);
    for (let turn = 0; turn < 300; turn += 1) beatLate(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has a bound for what is under way at once, and takes again what leaves', () => {
    enter(RUNNING_MAX);
    expect(countRefused(10)).toBe(10);
    guard.left();
    expect(countRefused(10)).toBe(0);
  });
});

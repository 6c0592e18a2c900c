import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWatchdog } from './watchdog.js';

describe('watchdog', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('the watchdog calls back once after the deadline, and never after it was cleared', () => {
    const onLate = vi.fn();
    const watchdog = createWatchdog(onLate);
    watchdog.watch(performance.now(), 100);
    vi.advanceTimersByTime(50);
    watchdog.lift();
    vi.advanceTimersByTime(500);
    expect(onLate).not.toHaveBeenCalled();
    watchdog.watch(performance.now(), 100);
    vi.advanceTimersByTime(99);
    expect(onLate).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(onLate).toHaveBeenCalledTimes(1);
  });

  it('the watchdog keeps its timer for a later deadline and replaces it for an earlier one', () => {
    const onLate = vi.fn();
    const watchdog = createWatchdog(onLate);
    watchdog.watch(performance.now(), 100);
    vi.advanceTimersByTime(90);
    watchdog.lift();
    watchdog.watch(performance.now(), 100);
    vi.advanceTimersByTime(95);
    expect(onLate).not.toHaveBeenCalled();
    watchdog.watch(performance.now(), 20);
    vi.advanceTimersByTime(21);
    expect(onLate).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

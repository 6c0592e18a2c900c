import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLaneEnd } from './lane-end.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('is over at once where it does not linger, and only when there is nothing to do', () => {
  const onOver = vi.fn();
  let isIdle = false;
  const end = createLaneEnd({ lingerMs: 0, isIdle: () => isIdle, onOver });
  end.rest();
  expect(onOver).not.toHaveBeenCalled();
  isIdle = true;
  end.rest();
  expect(onOver).toHaveBeenCalledTimes(1);
});

it('lingers from its last rest on, and is not over while it is at work', () => {
  const onOver = vi.fn();
  let isIdle = true;
  const end = createLaneEnd({ lingerMs: 5, isIdle: () => isIdle, onOver });
  end.rest();
  vi.advanceTimersByTime(4);
  end.rest();
  vi.advanceTimersByTime(4);
  expect(onOver).not.toHaveBeenCalled();
  isIdle = false;
  vi.advanceTimersByTime(5);
  expect(onOver).not.toHaveBeenCalled();
  isIdle = true;
  end.rest();
  vi.advanceTimersByTime(5);
  expect(onOver).toHaveBeenCalledTimes(1);
});

it('tells once that it is over', () => {
  const onOver = vi.fn();
  const end = createLaneEnd({ lingerMs: 5, isIdle: () => true, onOver });
  end.rest();
  end.close();
  end.close();
  end.rest();
  vi.advanceTimersByTime(50);
  expect(onOver).toHaveBeenCalledTimes(1);
});

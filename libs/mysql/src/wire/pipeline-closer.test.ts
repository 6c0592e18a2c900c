import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPipelineCloser } from './pipeline-closer.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('without a linger time, it ends at once when there is nothing to do', () => {
  const onOver = vi.fn();
  let isIdle = false;
  const end = createPipelineCloser({ drainMs: 0, isIdle: () => isIdle, onOver });
  end.rest();
  expect(onOver).not.toHaveBeenCalled();
  isIdle = true;
  end.rest();
  expect(onOver).toHaveBeenCalledTimes(1);
});

it('the pipeline closer reports the end 5 ms after the last work, and never during work', () => {
  const onOver = vi.fn();
  let isIdle = true;
  const end = createPipelineCloser({ drainMs: 5, isIdle: () => isIdle, onOver });
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

it('the pipeline closer reports the end once', () => {
  const onOver = vi.fn();
  const end = createPipelineCloser({ drainMs: 5, isIdle: () => true, onOver });
  end.rest();
  end.close();
  end.close();
  end.rest();
  vi.advanceTimersByTime(50);
  expect(onOver).toHaveBeenCalledTimes(1);
});

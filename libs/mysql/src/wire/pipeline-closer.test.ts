import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPipelineCloser } from './pipeline-closer.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('the pipeline closer closes an idle pipeline at once if it has no drain time', () => {
  const onClosed = vi.fn();
  let isIdle = false;
  const closer = createPipelineCloser({ drainMs: 0, isIdle: () => isIdle, onClosed });
  closer.checkIdle();
  expect(onClosed).not.toHaveBeenCalled();
  isIdle = true;
  closer.checkIdle();
  expect(onClosed).toHaveBeenCalledTimes(1);
});

it('the pipeline closer reports the end 5 ms after the last statement, and never before', () => {
  const onClosed = vi.fn();
  let isIdle = true;
  const closer = createPipelineCloser({ drainMs: 5, isIdle: () => isIdle, onClosed });
  closer.checkIdle();
  vi.advanceTimersByTime(4);
  closer.checkIdle();
  vi.advanceTimersByTime(4);
  expect(onClosed).not.toHaveBeenCalled();
  isIdle = false;
  vi.advanceTimersByTime(5);
  expect(onClosed).not.toHaveBeenCalled();
  isIdle = true;
  closer.checkIdle();
  vi.advanceTimersByTime(5);
  expect(onClosed).toHaveBeenCalledTimes(1);
});

it('the pipeline closer reports the end only once', () => {
  const onClosed = vi.fn();
  const closer = createPipelineCloser({ drainMs: 5, isIdle: () => true, onClosed });
  closer.checkIdle();
  closer.close();
  closer.close();
  closer.checkIdle();
  vi.advanceTimersByTime(50);
  expect(onClosed).toHaveBeenCalledTimes(1);
});

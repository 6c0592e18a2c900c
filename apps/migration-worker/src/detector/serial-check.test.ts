import { describe, expect, it, vi } from 'vitest';
import { createSerialCheck } from './serial-check.js';

/** Creates checks that end when the test ends them. */
function holdLooks(): {
  readonly lookOnce: () => Promise<void>;
  readonly started: () => number;
  end(error?: Error): void;
} {
  const ends: ((error?: Error) => void)[] = [];
  let started = 0;
  return {
    started: () => started,
    end: (error) => ends.shift()?.(error),
    lookOnce() {
      started += 1;
      return new Promise((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    },
  };
}

describe('createLooks', () => {
  it('concurrent callers share a running schema check unless they need a newer one', async () => {
    const held = holdLooks();
    const { check, checkAgain: checkAnew } = createSerialCheck(held.lookOnce, () => undefined);
    const first = Promise.all([check(), check()]);
    const again = checkAnew();
    expect(held.started()).toBe(1);
    held.end();
    await first;
    await vi.waitFor(() => expect(held.started()).toBe(2));
    held.end();
    await again;
    expect(held.started()).toBe(2);
  });

  it('only the first of several consecutive failures of a schema check is reported', async () => {
    const held = holdLooks();
    const onFault = vi.fn();
    const { check } = createSerialCheck(held.lookOnce, onFault);
    for (const error of [new Error('away'), new Error('away'), undefined, new Error('away')]) {
      const looked = check();
      held.end(error);
      await looked;
    }
    expect(onFault).toHaveBeenCalledTimes(2);
  });
});

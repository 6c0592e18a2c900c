import { describe, expect, it, vi } from 'vitest';
import { createLooks } from './looks.js';

/** Creates checks that end when the test decides. */
function holdLooks(): { readonly lookOnce: () => Promise<void>; readonly begun: () => number; end(error?: Error): void } {
  const ends: ((error?: Error) => void)[] = [];
  let begun = 0;
  return {
    begun: () => begun,
    end: (error) => ends.shift()?.(error),
    lookOnce() {
      begun += 1;
      return new Promise((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    },
  };
}

describe('createLooks', () => {
  it('a check in progress is shared, and a new one begins where required', async () => {
    const held = holdLooks();
    const { look, lookAnew } = createLooks(held.lookOnce, () => undefined);
    const first = Promise.all([look(), look()]);
    const anew = lookAnew();
    expect(held.begun()).toBe(1);
    held.end();
    await first;
    await vi.waitFor(() => expect(held.begun()).toBe(2));
    held.end();
    await anew;
    expect(held.begun()).toBe(2);
  });

  it('only the first failure in a row is reported', async () => {
    const held = holdLooks();
    const onFault = vi.fn();
    const { look } = createLooks(held.lookOnce, onFault);
    for (const error of [new Error('away'), new Error('away'), undefined, new Error('away')]) {
      const looked = look();
      held.end(error);
      await looked;
    }
    expect(onFault).toHaveBeenCalledTimes(2);
  });
});

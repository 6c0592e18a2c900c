import { afterEach, expect, it } from 'vitest';
import { startClockWatchdog, type ClockWatchdog } from './clock-watchdog.js';

let clockWatchdog: ClockWatchdog | null = null;
afterEach(() => clockWatchdog?.stop());

const later = (): number => performance.now() + 3_000;

it('wasSuspended is false while the timer runs', () => {
  clockWatchdog = startClockWatchdog({ catchUp: () => Promise.resolve(), onFault: () => undefined });
  expect(clockWatchdog.wasSuspended(performance.now())).toBe(false);
  expect(clockWatchdog.wasSuspended(later())).toBe(true);
});

it('concurrent callers of caughtUp share one catch-up', async () => {
  let reads = 0;
  let end: () => void = () => undefined;
  clockWatchdog = startClockWatchdog({
    catchUp() {
      reads += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    },
    onFault: () => undefined,
  });
  const [first, second] = [clockWatchdog.caughtUp(), clockWatchdog.caughtUp()];
  expect(clockWatchdog.wasSuspended(performance.now())).toBe(true);
  end();
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(reads).toBe(1);
  expect(clockWatchdog.wasSuspended(performance.now())).toBe(false);
});

it('catchUp is repeated while it fails', async () => {
  const faults: unknown[] = [];
  let reads = 0;
  clockWatchdog = startClockWatchdog({
    catchUp: () => ((reads += 1) < 3 ? Promise.reject(new Error('away')) : Promise.resolve()),
    onFault: (error) => faults.push(error),
  });
  expect(await clockWatchdog.caughtUp()).toBe(true);
  expect([reads, faults.length]).toEqual([3, 2]);
});

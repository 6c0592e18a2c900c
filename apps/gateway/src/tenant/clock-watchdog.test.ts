import { afterEach, expect, it } from 'vitest';
import { startPulse, type Pulse } from './pulse.js';

let pulse: Pulse | null = null;
afterEach(() => pulse?.stop());

const later = (): number => performance.now() + 3_000;

it('the process trusts its records while the timer runs', () => {
  pulse = startPulse({ catchUp: () => Promise.resolve(), onFault: () => undefined });
  expect(pulse.hasStoodStill(performance.now())).toBe(false);
  expect(pulse.hasStoodStill(later())).toBe(true);
});

it('the process catches up once for all concurrent callers, and trusts its records only afterwards', async () => {
  let reads = 0;
  let end: () => void = () => undefined;
  pulse = startPulse({
    catchUp() {
      reads += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    },
    onFault: () => undefined,
  });
  const [first, second] = [pulse.caughtUp(), pulse.caughtUp()];
  expect(pulse.hasStoodStill(performance.now())).toBe(true);
  end();
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(reads).toBe(1);
  expect(pulse.hasStoodStill(performance.now())).toBe(false);
});

it('the process tries again while nothing can be read', async () => {
  const faults: unknown[] = [];
  let reads = 0;
  pulse = startPulse({ catchUp: () => ((reads += 1) < 3 ? Promise.reject(new Error('away')) : Promise.resolve()), onFault: (error) => faults.push(error) });
  expect(await pulse.caughtUp()).toBe(true);
  expect([reads, faults.length]).toEqual([3, 2]);
});

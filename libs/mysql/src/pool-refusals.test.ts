import { describe, expect, it } from 'vitest';
import { createRefusals } from './pool-refusals.js';
import type { PoolAccount } from './pool-types.js';

const ACCOUNT: PoolAccount = { user: 'u', password: () => 'p', schema: 's', connectionsMax: 2 };

describe('createRefusals', () => {
  it('one repair is requested, callers wait for it, and are rejected for a second when it did not help', async () => {
    let now = 0;
    const asked: (() => void)[] = [];
    let resumed = 0;
    const refusals = createRefusals({ repair: () => new Promise((resolve) => void asked.push(resolve)), resume: () => (resumed += 1), nowMs: () => now });
    expect([refusals.refused(ACCOUNT, 0), refusals.refused(ACCOUNT, 0), refusals.isHeld(ACCOUNT), asked.length]).toEqual([true, true, true, 1]);
    now = 100;
    asked[0]?.();
    await new Promise((resolve) => void setImmediate(resolve));
    expect([refusals.isHeld(ACCOUNT), resumed]).toEqual([false, 1]);
    // This login began before the repair ended.
    expect(refusals.refused(ACCOUNT, 50)).toBe(true);
    expect([refusals.refused(ACCOUNT, 110), refusals.isRefused(ACCOUNT), asked.length]).toEqual([false, true, 1]);
    now = 1_200;
    expect([refusals.isRefused(ACCOUNT), refusals.refused(ACCOUNT, 1_150), asked.length]).toEqual([false, true, 2]);
  });

  it('a served account is forgotten, and without repair callers are rejected at once', () => {
    const refusals = createRefusals({ repair: undefined, resume: () => undefined, nowMs: () => 0 });
    expect([refusals.refused(ACCOUNT, 0), refusals.isRefused(ACCOUNT)]).toEqual([false, true]);
    refusals.served(ACCOUNT);
    expect(refusals.isRefused(ACCOUNT)).toBe(false);
  });
});

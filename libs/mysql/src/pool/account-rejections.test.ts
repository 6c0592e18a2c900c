import { describe, expect, it } from 'vitest';
import { createAccountRejections } from './account-rejections.js';
import type { PoolAccount } from '../types.js';

const ACCOUNT: PoolAccount = { user: 'u', password: () => 'p', schema: 's', connectionsMax: 2 };

describe('createRefusals', () => {
  it('concurrent callers with a rejected account share one repair', async () => {
    let now = 0;
    const requests: (() => void)[] = [];
    let resumed = 0;
    const rejections = createAccountRejections({
      repair: () => new Promise((resolve) => void requests.push(resolve)),
      resume: () => (resumed += 1),
      nowMs: () => now,
    });
    expect([
      rejections.rejected(ACCOUNT, 0),
      rejections.rejected(ACCOUNT, 0),
      rejections.isHeld(ACCOUNT),
      requests.length,
    ]).toEqual([true, true, true, 1]);
    now = 100;
    requests[0]?.();
    await new Promise((resolve) => void setImmediate(resolve));
    expect([rejections.isHeld(ACCOUNT), resumed]).toEqual([false, 1]);
    // This login began before the repair ended, so its rejection is ignored.
    expect(rejections.rejected(ACCOUNT, 50)).toBe(true);
    expect([rejections.rejected(ACCOUNT, 110), rejections.isRejected(ACCOUNT), requests.length]).toEqual([
      false,
      true,
      1,
    ]);
    now = 1_200;
    expect([rejections.isRejected(ACCOUNT), rejections.rejected(ACCOUNT, 1_150), requests.length]).toEqual([
      false,
      true,
      2,
    ]);
  });

  it('an account that the server accepts again has no stored rejection', () => {
    const rejections = createAccountRejections({
      repair: undefined,
      resume: () => undefined,
      nowMs: () => 0,
    });
    expect([rejections.rejected(ACCOUNT, 0), rejections.isRejected(ACCOUNT)]).toEqual([false, true]);
    rejections.served(ACCOUNT);
    expect(rejections.isRejected(ACCOUNT)).toBe(false);
  });
});

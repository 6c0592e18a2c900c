import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { AttemptLimiter } from './attempt-limiter.js';

let plane: TestControlPlane;
let limiter: AttemptLimiter;

beforeAll(async () => {
  plane = await startTestControlPlane({ ROWHOUSE_ENV: 'production' });
  limiter = plane.app.get(AttemptLimiter);
}, 60_000);
afterAll(() => plane?.stop());

describe('AttemptLimiter', () => {
  it('an organization can send two hundred invitations a day in total', async () => {
    for (let createdCount = 0; createdCount < 200; createdCount += 1)
      await limiter.countInvitation(`acc_${createdCount % 10}`, 'org_many');
    await expect(limiter.countInvitation('acc_fresh', 'org_many')).rejects.toMatchObject({
      code: 'limit.rate',
    });
    await limiter.countInvitation('acc_fresh', 'org_other');
  });

  it('an address receives at most five invitation emails a day', async () => {
    const mailed: boolean[] = [];
    for (let requestCount = 0; requestCount < 7; requestCount += 1)
      mailed.push(await limiter.mayMailInvitation('flooded@example.test'));
    expect(mailed).toEqual([true, true, true, true, true, false, false]);
    expect(await limiter.mayMailInvitation('other@example.test')).toBe(true);
  });
});

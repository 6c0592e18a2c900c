import type { Logger } from '@rowhouse/runtime';
import { expect, it } from 'vitest';
import { createRepairService } from './repair-service.js';

it('concurrent repair requests share one check of the account', async () => {
  let now = 0;
  const looked: number[] = [];
  const handled: number[] = [];
  const logger = { info: () => undefined } as unknown as Logger;
  const repairService = createRepairService(
    { detects: { markRepaired: async () => void handled.push(now) }, logger },
    { runFor: async () => (looked.push(now), 1) },
    () => now,
  );
  await Promise.all([repairService.ask('db_1'), repairService.ask('db_1')]);
  for (now = 100; now < 20_000; now += 100) await repairService.ask('db_1');
  expect(looked).toEqual([0, 1_000, 3_000, 7_000, 15_000]);
  expect(handled).toEqual(looked);
});

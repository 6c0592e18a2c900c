import type { AdminConnection } from '@rowhouse/mysql';
import { expect, it } from 'vitest';
import { killThread } from './kill-thread.js';

const refusing = (errno: number): AdminConnection =>
  ({
    run: () =>
      Promise.reject(
        Object.assign(new Error('refused'), { errno, sqlState: 'HY000', sqlMessage: 'refused' }),
      ),
  }) as unknown as AdminConnection;

it('killing a session that has already ended succeeds, and other errors are thrown', async () => {
  await expect(killThread(refusing(1094), 7)).resolves.toBeUndefined();
  await expect(killThread(refusing(1095), 7)).rejects.toThrow('refused');
});

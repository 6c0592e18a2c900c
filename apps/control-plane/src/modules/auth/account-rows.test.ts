import type { EntityManager } from 'typeorm';
import { expect, it } from 'vitest';
import { Account } from '../../platform-db/entities/account.js';
import { lockAccount } from './account-rows.js';

it('an account row is locked only if its password has not changed since it was checked', async () => {
  const row = Object.assign(new Account(), { id: 'acc_1', passwordHash: 'first' });
  const modes: unknown[] = [];
  const findOne = ({
    where,
    lock,
  }: {
    readonly where: Partial<Account>;
    readonly lock: { readonly mode: string };
  }): Promise<Account | null> => {
    modes.push(lock.mode);
    return Promise.resolve(where.id === row.id && where.passwordHash === row.passwordHash ? row : null);
  };
  const manager = { getRepository: () => ({ findOne }) } as unknown as EntityManager;
  await lockAccount(manager, { id: 'acc_1', passwordHash: 'first' });
  row.passwordHash = 'second';
  await expect(lockAccount(manager, { id: 'acc_1', passwordHash: 'first' })).rejects.toMatchObject({
    code: 'auth.bad_credentials',
  });
  expect(modes).toEqual(['pessimistic_write', 'pessimistic_write']);
});

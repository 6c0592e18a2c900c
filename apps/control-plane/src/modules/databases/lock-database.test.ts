import type { EntityManager } from 'typeorm';
import { expect, it } from 'vitest';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { lockDatabase } from './database-locks.js';

it('lockDatabase reads and locks the row in one statement', async () => {
  const requests: unknown[] = [];
  const findOneOrFail = (what: { readonly where: { readonly id: string } }): Promise<unknown> => {
    requests.push(what);
    return what.where.id === 'db_1'
      ? Promise.resolve({ id: 'db_1', version: 7 })
      : Promise.reject(new Error('no such row'));
  };
  const manager = {
    getRepository: (entity: unknown) => (entity === TenantDatabase ? { findOneOrFail } : null),
  } as unknown as EntityManager;
  expect(await lockDatabase(manager, 'db_1')).toMatchObject({ version: 7 });
  expect(requests).toEqual([{ where: { id: 'db_1' }, lock: { mode: 'pessimistic_write' } }]);
  await expect(lockDatabase(manager, 'db_2')).rejects.toThrow('no such row');
});

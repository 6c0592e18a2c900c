import type { EntityManager } from 'typeorm';
import { expect, it } from 'vitest';
import { DatabaseMove } from '../../platform-db/entities/database-move.js';
import { ServerRow } from '../../platform-db/entities/server-row.js';
import { countCapacity, lockServer } from './database-locks.js';

const SERVER = Object.assign(new ServerRow(), { id: 'srv_1', databasesMax: 10 });

it('countCapacity subtracts the databases on a server and those moving to it', async () => {
  const requests: { readonly entity: unknown; readonly where: Record<string, unknown> }[] = [];
  const countBy =
    (entity: unknown) =>
    (where: Record<string, unknown>): Promise<number> => {
      requests.push({ entity, where });
      return Promise.resolve(entity === DatabaseMove ? 2 : 5);
    };
  const manager = {
    getRepository: (entity: unknown) => ({ countBy: countBy(entity) }),
  } as unknown as EntityManager;
  expect(await countCapacity(manager, SERVER)).toBe(3);
  expect(requests.map(({ where }) => where['serverId'] ?? where['toServerId'])).toEqual(['srv_1', 'srv_1']);
});

it('lockServer locks only a server of its own cell', async () => {
  const requests: unknown[] = [];
  const manager = {
    getRepository: () => ({ findOne: (what: unknown) => (requests.push(what), Promise.resolve(null)) }),
  } as unknown as EntityManager;
  expect(await lockServer(manager, 'c1', 'srv_1')).toBeNull();
  expect(requests).toEqual([{ where: { id: 'srv_1', cellId: 'c1' }, lock: { mode: 'pessimistic_write' } }]);
});

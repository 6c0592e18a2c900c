import type { EntityManager } from 'typeorm';
import { expect, it } from 'vitest';
import type { PlatformDb } from '../../platform-db/platform-db.js';
import { inProject } from './database-locks.js';

/**
 * Creates a fake platform database with the first database of each project. It records the order of calls.
 */
function openDb(firsts: readonly { id: string }[]): { db: PlatformDb; order: string[] } {
  const order: string[] = [];
  const manager = {
    query: (sql: string, values: readonly string[]) =>
      Promise.resolve(void order.push(`${sql.endsWith('FOR UPDATE') ? 'lock' : 'other'} ${values.join()}`)),
  } as unknown as EntityManager;
  const db = {
    cellId: 'c1',
    cell: {
      query: (_sql: string, values: readonly string[]) => (
        order.push(`find ${values.join()}`),
        Promise.resolve(firsts)
      ),
    },
    cellTransaction: <T>(callback: (item: EntityManager) => Promise<T>) => (
      order.push('begin'),
      callback(manager).finally(() => void order.push('end'))
    ),
  } as unknown as PlatformDb;
  return { db, order };
}

const note =
  (order: string[], text: string) =>
  <T>(value: T): Promise<T> => (order.push(text), Promise.resolve(value));

it('inProject finds the database before its transaction and locks it before the work', async () => {
  const { db, order } = openDb([{ id: 'db_1' }]);
  await expect(inProject(db, 'prj_1', () => note(order, 'work')(3))).resolves.toBe(3);
  expect(order).toEqual(['find prj_1,c1', 'begin', 'lock db_1', 'work', 'end']);
});

it('inProject takes the given earlier locks first and passes their result to the work', async () => {
  const { db, order } = openDb([{ id: 'db_1' }]);
  await expect(
    inProject(
      db,
      'prj_1',
      (_manager, locked: string) => note(order, 'work')(`${locked} is held`),
      () => note(order, 'ahead')('srv_1'),
    ),
  ).resolves.toBe('srv_1 is held');
  expect(order).toEqual(['find prj_1,c1', 'begin', 'ahead', 'lock db_1', 'work', 'end']);
});

it('inProject takes no lock for a project without a database', async () => {
  const { db, order } = openDb([]);
  await inProject(db, 'prj_1', () => note(order, 'work')(null));
  expect(order).toEqual(['find prj_1,c1', 'begin', 'work', 'end']);
});

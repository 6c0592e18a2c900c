import type { EntityManager } from 'typeorm';
import { expect, it } from 'vitest';
import type { PlatformDb } from '../../platform-db/platform-db.js';
import { inProject } from './in-project.js';

/** A platform database that has this first database of each project, and notes in which order it is asked. */
function openDb(firsts: readonly { id: string }[]): { db: PlatformDb; order: string[] } {
  const order: string[] = [];
  const manager = { query: (sql: string, values: readonly string[]) => Promise.resolve(void order.push(`${sql.endsWith('FOR UPDATE') ? 'lock' : 'other'} ${values.join()}`)) } as unknown as EntityManager;
  const db = {
    cellId: 'c1',
    cell: { query: (_sql: string, values: readonly string[]) => (order.push(`find ${values.join()}`), Promise.resolve(firsts)) },
    cellTransaction: <T>(work: (one: EntityManager) => Promise<T>) => (order.push('begin'), work(manager).finally(() => void order.push('end'))),
  } as unknown as PlatformDb;
  return { db, order };
}

const note = (order: string[], text: string) => <T>(value: T): Promise<T> => (order.push(text), Promise.resolve(value));

it('finds the row outside of the transaction, and holds it before anything is counted', async () => {
  const { db, order } = openDb([{ id: 'db_1' }]);
  await expect(inProject(db, 'prj_1', () => note(order, 'work')(3))).resolves.toBe(3);
  expect(order).toEqual(['find prj_1,c1', 'begin', 'lock db_1', 'work', 'end']);
});

it('takes the locks that come before first, and hands on what they answer', async () => {
  const { db, order } = openDb([{ id: 'db_1' }]);
  await expect(inProject(db, 'prj_1', (_manager, locked: string) => note(order, 'work')(`${locked} is held`), () => note(order, 'ahead')('srv_1'))).resolves.toBe('srv_1 is held');
  expect(order).toEqual(['find prj_1,c1', 'begin', 'ahead', 'lock db_1', 'work', 'end']);
});

it('holds nothing of a project without a database', async () => {
  const { db, order } = openDb([]);
  await inProject(db, 'prj_1', () => note(order, 'work')(null));
  expect(order).toEqual(['find prj_1,c1', 'begin', 'work', 'end']);
});

import type { AdminConnection } from '@rowhouse/mysql';
import type { MeasuredDatabase, WorkerServer } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { evenShare, judgeStorage, measureStorage } from './measure-storage.js';

const GIBIBYTE = 1024 ** 3;

it('a full server counts as full until its use falls below a lower limit', () => {
  expect([
    judgeStorage(101, 100, false),
    judgeStorage(100, 100, false),
    judgeStorage(96, 100, true),
    judgeStorage(95, 100, true),
    judgeStorage(1e15, null, true),
  ]).toEqual([true, false, true, false, false]);
});

/**
 * Measures four databases: one that grows over its quota, one that was full, one unchanged, one without a
 * quota. `refuses` matches the statements that the server rejects.
 */
async function measure(
  refuses: (sql: string) => boolean = () => false,
): Promise<{ sent: string[]; written: [string, number][]; turned: [string, boolean][] }> {
  const sent: string[] = [];
  const written = new Map<string, number>();
  const turned: [string, boolean][] = [];
  const sizes = [
    { name: 'pa', bytes: String(11 * GIBIBYTE) },
    { name: 'pas', bytes: '5' },
    { name: 'pb', bytes: '7' },
    { name: 'pc', bytes: '9' },
  ];
  const run = async (sql: string): Promise<void> => {
    if (refuses(sql)) throw new Error('refused');
    sent.push(sql);
  };
  // Sessions of the users are listed until none is left.
  const sessions = [[{ id: 7 }]];
  const rows = async (sql: string): Promise<unknown[]> =>
    sql.includes('PROCESSLIST') ? (sessions.pop() ?? []) : sizes;
  const connection = { rows, run, close: async () => undefined } as unknown as AdminConnection;
  const databaseOf = (id: string, more: Partial<MeasuredDatabase>): MeasuredDatabase => ({
    id,
    schemaName: `p${id}`,
    plan: 'standard',
    bytes: 0,
    isFull: false,
    ...more,
  });
  const ctx = {
    cellId: 'c1',
    logger: { info: () => undefined, warn: () => undefined },
    changes: { announce: async () => undefined },
    access: { openObserver: async () => connection, openProvisioner: async () => connection },
    directory: {
      listConnectionUsers: async (id: string) => [
        { userName: `w${id}`, role: 'owner', isRevoked: false },
        { userName: `r${id}`, role: 'read-only', isRevoked: false },
        { userName: `x${id}`, role: 'owner', isRevoked: true },
      ],
    },
    storage: {
      list: async () => [
        databaseOf('a', {}),
        databaseOf('b', { isFull: true }),
        databaseOf('c', { bytes: 9 }),
        databaseOf('d', { plan: 'unlimited' }),
      ],
      write: async (_server: string, changed: ReadonlyMap<string, number>) =>
        changed.forEach((bytes, id) => written.set(id, bytes)),
      setFull: async (id: string, isFull: boolean) => void turned.push([id, isFull]),
    },
  } as unknown as WorkerContext;
  await measureStorage(ctx, {
    id: 'srv',
    engine: 'mysql',
    storageBytesMax: null,
    nodes: [] as const,
  } as unknown as WorkerServer);
  return { sent, turned, written: [...written] };
}

it('owners of a database over its quota lose INSERT and CREATE until it is below the quota', async () => {
  const { sent, written, turned } = await measure();
  expect(written).toEqual([
    ['a', 11 * GIBIBYTE + 5],
    ['b', 7],
  ]);
  expect(turned).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(sent).toEqual([
    "REVOKE INSERT, CREATE ON `pa`.* FROM 'wa'@'%'",
    'KILL 7',
    "GRANT INSERT, CREATE ON `pb`.* TO 'wb'@'%'",
  ]);
});

it('a database is not marked as full if its rights cannot be changed', async () => {
  const { sent, turned } = await measure((sql) => sql.startsWith('REVOKE'));
  expect(turned).toEqual([['b', false]]);
  expect(sent).toEqual(["GRANT INSERT, CREATE ON `pb`.* TO 'wb'@'%'"]);
});

it('databases of a nearly full server are limited to an even share until space is free again', () => {
  expect([
    evenShare(91, 4, 100, false),
    evenShare(90, 4, 100, false),
    evenShare(86, 4, 100, true),
    evenShare(85, 4, 100, true),
    evenShare(1e15, 4, null, true),
  ]).toEqual([21, null, 21, null, null]);
});

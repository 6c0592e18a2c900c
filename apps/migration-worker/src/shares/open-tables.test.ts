import type { AdminConnection } from '@rowhouse/mysql';
import type { SharedUser } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import type { DirectSession } from './judge-sessions.js';
import type { ListedSession } from './list-sessions.js';
import { createTableMemoryWatch, findTableHolder } from './open-tables.js';

const table = (schemaName: string, inUse: number, name = 't') => ({ schemaName, name, inUse });

it('the schema with the most open table instances counts as the holder of table memory', () => {
  const schemaNames = new Set(['a', 'b']);
  expect(
    findTableHolder([table('a', 60), table('b', 50), table('b', 20, 'u'), table('c', 900)], schemaNames),
  ).toBe('b');
  expect(findTableHolder([table('a', 9)], schemaNames)).toBeNull();
});

it('sessions of the schema that holds most table memory are ended before its tables are closed', async () => {
  const log: string[] = [];
  let nowMs = 0;
  const watch = createTableMemoryWatch(() => nowMs);
  const provisioner = {
    rows: () =>
      Promise.resolve([
        { Database: 'a', Table: 't', In_use: 60 },
        { Database: 'b', Table: 'u`', In_use: 0 },
      ]),
    run: (sql: string) => Promise.resolve(void (sql.startsWith('SET') || log.push(sql))),
    close: () => Promise.resolve(),
  } as unknown as AdminConnection;
  const users = new Map(
    ['a', 'b'].map((name) => [name, { userName: name, schemaName: name } as SharedUser] as const),
  );
  const direct = [
    { id: 1, userName: 'a' },
    { id: 2, userName: 'b' },
  ] as DirectSession[];
  const check = (bytes: number, ...opening: number[]) =>
    watch.check({
      direct,
      listed: opening.map(
        (id) =>
          ({
            id,
            user: id > 8 ? `p${'x'.repeat(15)}q` : 'b',
            isOpeningTables: true,
            stateMs: 1_000,
          }) as ListedSession,
      ),
      users,
      bytes,
      max: 10,
      openProvisioner: () => Promise.resolve(provisioner),
      end: (ids) => Promise.resolve(void log.push(`end ${ids.join()}`)),
    });
  expect(await check(10)).toEqual([]);
  expect(log).toEqual([]);
  expect(await check(11)).toMatchObject([
    { session: { id: 1 }, bound: 'memory', reach: 'database', figure: 11, max: 10 },
  ]);
  expect(log).toEqual(['end 1', 'FLUSH LOCAL TABLES `a`.`t`', 'FLUSH LOCAL TABLES `b`.`u```']);
  await check(11);
  expect(log.slice(3)).toEqual(['end 1', 'FLUSH LOCAL TABLES `a`.`t`']);
  await check(11, 2);
  expect(log.slice(5)).toEqual(['end 2', 'FLUSH LOCAL TABLES `b`.`u```']);
  await check(11, 9);
  expect(log.slice(7)).toEqual(['KILL QUERY 9', 'end ']);
  nowMs = 60_000;
  await check(11);
  expect(log.slice(9)).toHaveLength(3);
});

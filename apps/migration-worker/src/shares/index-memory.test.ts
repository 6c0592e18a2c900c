import { expect, it } from 'vitest';
import { judgeIndexMemory } from './index-memory.js';
import type { DirectSession } from './judge-sessions.js';
import type { ListedSession } from './list-sessions.js';

it('sessions that build indexes are ended while their buffers exceed the memory limit', async () => {
  const direct = [{ id: 1 }, { id: 2 }] as DirectSession[];
  const listed = [
    { id: 1, isBuildingIndexes: true },
    { id: 2, isBuildingIndexes: false },
    { id: 3, isBuildingIndexes: true },
  ] as ListedSession[];
  const check = (bytes: number, engine: 'mariadb' | 'mysql' = 'mysql') =>
    judgeIndexMemory(
      { rows: <T>() => Promise.resolve([{ bytes: String(bytes) }] as T[]) },
      { engine, direct, listed, max: 10 },
    );
  expect(await check(10)).toEqual([]);
  expect(await check(11)).toMatchObject([{ session: { id: 1 }, bound: 'memory', figure: 11, max: 10 }]);
  expect(await check(11, 'mariadb')).toEqual([]);
});

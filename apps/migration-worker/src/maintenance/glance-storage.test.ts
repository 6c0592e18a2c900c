import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { createStorageProbe } from './measure-storage.js';

/** Checks a server whose databases have these sizes on disk. Returns the result of each check. */
async function look(storageBytesMax: number | null, sizes: readonly (string | null)[]): Promise<boolean[]> {
  const left = [...sizes];
  const observer = {
    rows: async () => [{ bytes: left.shift() }],
    close: async () => undefined,
  } as unknown as AdminConnection;
  const storageProbe = createStorageProbe({
    access: { openObserver: async () => observer },
  } as unknown as WorkerContext);
  const found: boolean[] = [];
  for (let iteration = 0; iteration < sizes.length; iteration += 1)
    found.push(
      await storageProbe.isFillingUp({
        id: 'srv',
        engine: 'mysql',
        storageBytesMax,
      } as unknown as WorkerServer),
    );
  return found;
}

it('glanceAtStorage reports a server that is nearly full or will be after two more checks', async () => {
  expect(await look(1_000, ['100', '110', '300', '500', '520', '751'])).toEqual([
    false,
    false,
    false,
    true,
    false,
    true,
  ]);
});

it('glanceAtStorage does not report a server that shrinks, is empty or has no limit', async () => {
  expect(await look(1_000, [null, null, '700', '200', '200'])).toEqual([false, false, true, false, false]);
  expect(await look(null, ['1e15'])).toEqual([false]);
});

import type { DataSource } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { PlatformDb } from './platform-db.js';

/** Creates a fake database whose transactions fail with these error numbers, in order. 0 means success. */
function openFake(errnos: readonly number[]): { db: PlatformDb; begun: () => number } {
  let started = 0;
  const source = {
    async transaction(): Promise<string> {
      const errno = errnos[started] ?? 0;
      started += 1;
      if (errno !== 0) throw Object.assign(new Error(`error ${errno}`), { errno });
      return 'done';
    },
  } as unknown as DataSource;
  return { db: new PlatformDb(source, source, 'c1'), begun: () => started };
}

describe('transactions of the platform database', () => {
  it.each([
    [[1213, 0], 2],
    [[1020, 1213, 1020, 0], 4],
  ] as const)(
    'a transaction on the platform database that the server rolled back is repeated: %j',
    async (errnos, started) => {
      const fake = openFake(errnos);
      expect([await fake.db.globalTransaction(async () => 'x'), fake.begun()]).toEqual(['done', started]);
    },
  );

  it.each([
    [[1062], 1],
    [[1213, 1213, 1213, 1213, 0], 4],
  ] as const)(
    'a transaction on the platform database is not repeated after other errors or a fourth failure: %j',
    async (errnos, started) => {
      const fake = openFake(errnos);
      await expect(fake.db.cellTransaction(async () => 'x')).rejects.toThrow(`error ${errnos[0]}`);
      expect(fake.begun()).toBe(started);
    },
  );
});

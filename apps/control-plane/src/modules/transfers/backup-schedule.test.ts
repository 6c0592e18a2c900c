import { AppError } from '@rowhouse/errors';
import { expect, it } from 'vitest';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import type { PlatformDb } from '../../platform-db/platform-db.js';
import { BackupSchedule } from './backup-schedule.js';
import type { ExportService, ExportInput } from './export-service.js';

/** Creates a schedule with these due databases. The database `full` cannot have another backup. */
function makeSchedule(
  due: readonly string[],
  full?: string,
): { readonly schedule: BackupSchedule; readonly started: unknown[] } {
  const started: unknown[] = [];
  const databases = due.map((id) => ({ id }) as TenantDatabase);
  const cell = {
    query: () => Promise.resolve(due.map((id) => ({ id }))),
    getRepository: () => ({ findBy: () => Promise.resolve(databases) }),
  };
  const exports = {
    begin: (createdBy: string, { id }: TenantDatabase, input: ExportInput) => {
      if (id === full) return Promise.reject(new AppError('transfer.not_possible'));
      started.push({ createdBy, id, ...input });
      return Promise.resolve();
    },
  };
  return {
    schedule: new BackupSchedule(
      { cell, cellId: 'c1' } as unknown as PlatformDb,
      exports as unknown as ExportService,
    ),
    started,
  };
}

const copyOf = (id: string): object => ({
  createdBy: 'schedule',
  id,
  kind: 'export',
  tables: undefined,
  leavesHiddenOut: false,
});

it('the backup schedule starts a full backup of each due database', async () => {
  const { schedule, started } = makeSchedule(['db_1', 'db_2']);
  expect(await schedule.run()).toEqual(['db_1', 'db_2']);
  expect(started).toEqual([copyOf('db_1'), copyOf('db_2')]);
  expect(await makeSchedule([]).schedule.run()).toEqual([]);
});

it('a database that cannot have a backup does not stop the others, and is reported', async () => {
  const { schedule, started } = makeSchedule(['db_1', 'db_2', 'db_3'], 'db_2');
  const error: unknown = await schedule.run().catch((error: unknown) => error);
  expect(started).toEqual([copyOf('db_1'), copyOf('db_3')]);
  expect(error).toMatchObject({
    message: '1 of 3 scheduled backups could not be started',
    errors: [{ code: 'transfer.not_possible' }],
  });
});

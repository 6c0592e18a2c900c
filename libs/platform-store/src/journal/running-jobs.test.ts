import type { AdminSession } from '@rowhouse/mysql';
import { expect, it } from 'vitest';
import { isRunning, type WorkKind } from './running-jobs.js';

/**
 * Returns a session that simulates a platform database, in which work is in progress according to these
 * tables.
 */
function openSession(busy: readonly WorkKind[]): { session: AdminSession; asked: string[] } {
  const requests: string[] = [];
  const rows = (sql: string, values: readonly string[]): Promise<{ id: string }[]> => {
    const table = /FROM (\w+) WHERE database_id = \?/.exec(sql)?.[1] ?? '';
    requests.push(`${table} ${values.join()}`);
    return Promise.resolve((busy as readonly string[]).includes(table) ? [{ id: 'one' }] : []);
  };
  return { session: { rows } as unknown as AdminSession, asked: requests };
}

it('running jobs are read kind by kind until one is found', async () => {
  const { session, asked: requests } = openSession(['database_move']);
  await expect(isRunning(session, 'db_1', ['migration', 'database_move', 'kept_object'])).resolves.toBe(true);
  expect(requests).toEqual(['migration db_1', 'database_move db_1']);
  await expect(isRunning(session, 'db_1', ['migration', 'kept_object'])).resolves.toBe(false);
  await expect(isRunning(session, 'db_1', [])).resolves.toBe(false);
});

import { AppError } from '@rowhouse/errors';
import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { dropDatabaseAndAccounts } from './drop-database-and-accounts.js';

/**
 * Removes a database's placement with the users a, b and c, and returns the statements that were sent.
 * `definer` has created a view. The sessions of the users in `open` cannot be ended reliably.
 */
async function remove({
  definer,
  open,
}: {
  readonly definer?: string;
  readonly open?: string;
}): Promise<{ readonly sent: string[]; readonly fault: unknown }> {
  const sent: string[] = [];
  let isViewThere = true;
  const provisioner = {
    run: (sql: string) => {
      sent.push(sql.replace(/IDENTIFIED BY '.*'/, 'IDENTIFIED BY …'));
      if (sql.startsWith('DROP DATABASE')) isViewThere = false;
      return Promise.resolve();
    },
    rows: (sql: string, values: readonly string[] = []) => {
      if (sql.includes('PROCESSLIST'))
        return values[0] === open ? Promise.reject(new AppError('db.unavailable')) : Promise.resolve([]);
      const isAsked = sql.includes('information_schema.VIEWS') && sql.includes(`'${definer}@%'`);
      return Promise.resolve(isViewThere && isAsked ? [{ kind: 'view', name: 'v' }] : []);
    },
    close: () => Promise.resolve(),
  } as unknown as AdminConnection;
  const ctx = { access: { openProvisioner: () => Promise.resolve(provisioner) } } as unknown as WorkerContext;
  const server = {
    id: 'srv_1',
    host: 'h',
    port: 1,
    nodes: [],
    capabilities: null,
  } as unknown as WorkerServer;
  const fault: unknown = await dropDatabaseAndAccounts(ctx, provisioner, server, 'pabc', [
    'a',
    'b',
    'c',
  ]).then(
    () => null,
    (error: unknown) => error,
  );
  return { sent, fault };
}

const isDrop = (sql: string): boolean => sql.startsWith('DROP ');

it('all database users are locked before a database is dropped', async () => {
  const { sent, fault } = await remove({ definer: 'b' });
  expect(fault).toBeNull();
  expect(sent.filter(isDrop)).toEqual([
    "DROP USER IF EXISTS 'a'@'%'",
    "DROP USER IF EXISTS 'c'@'%'",
    "DROP USER IF EXISTS 'pabcd'@'%'",
    'DROP DATABASE IF EXISTS `pabc`',
    'DROP DATABASE IF EXISTS `pabcs`',
    "DROP USER IF EXISTS 'b'@'%'",
  ]);
  const firstSchema = sent.indexOf('DROP DATABASE IF EXISTS `pabc`');
  for (const user of ['a', 'b', 'c'])
    expect(sent.indexOf(`ALTER USER IF EXISTS '${user}'@'%' ACCOUNT LOCK`)).toBeLessThan(firstSchema);
});

it('a database is not dropped while one of its users may still be logged in', async () => {
  const { sent, fault } = await remove({ open: 'a' });
  expect(fault).toMatchObject({ code: 'db.unavailable' });
  expect(sent.filter(isDrop)).toEqual([
    "DROP USER IF EXISTS 'b'@'%'",
    "DROP USER IF EXISTS 'c'@'%'",
    "DROP USER IF EXISTS 'pabcd'@'%'",
  ]);
});

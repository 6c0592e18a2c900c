import { openAdminConnection, type AdminConnection, SESSIONS } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { createLogger } from '@rowhouse/runtime';
import { createTestDatabase, getTestServers, makeUniqueName, type TestDatabase } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkerContext } from '../worker-context.js';
import { createPreparedSweep, PREPARED_MS_MAX } from './end-prepared.js';

describe.each(getTestServers().engines)('transactions that were prepared and left on $engine', (mysql) => {
  let database: TestDatabase;
  const provisioner = makeUniqueName('s', 20);
  const open = (user: string, password: string, schema?: string): Promise<AdminConnection> =>
    openAdminConnection({ host: mysql.host, port: mysql.port, user, password, database: schema });

  beforeAll(async () => {
    database = await createTestDatabase(mysql, 'w');
    const root = await open(mysql.user, mysql.password);
    await root.run(`CREATE USER '${provisioner}'@'%' IDENTIFIED BY '${provisioner}'`);
    if (mysql.engine === 'mysql') await root.run(`GRANT XA_RECOVER_ADMIN ON *.* TO '${provisioner}'@'%'`);
    await root.close();
  });
  afterAll(async () => {
    const root = await open(mysql.user, mysql.password);
    await root.run(`DROP USER IF EXISTS '${provisioner}'@'%'`);
    await root.close();
    await database.drop();
  });

  it('a prepared transaction that blocks DDL is rolled back after a minute', async () => {
    let atMs = 0;
    const ctx = {
      access: { openProvisioner: () => open(provisioner, provisioner) },
      logger: createLogger('test', 'silent'),
    } as unknown as WorkerContext;
    const sweep = createPreparedSweep(ctx, () => atMs);
    const server = { id: 'srv', engine: mysql.engine } as WorkerServer;
    const root = await open(mysql.user, mysql.password, database.name);
    await root.run('CREATE TABLE held (id int PRIMARY KEY)');
    await root.run('SET SESSION innodb_lock_wait_timeout = 1, lock_wait_timeout = 1');
    const owner = await open(mysql.user, mysql.password, database.name);
    const xid = `'${database.name}','it''s',7`;
    for (const statement of [
      `XA START ${xid}`,
      'INSERT INTO held VALUES (1)',
      `XA END ${xid}`,
      `XA PREPARE ${xid}`,
    ])
      await owner.run(statement);
    await owner.close();
    // The server ends the session a moment after its client has disconnected.
    await expect
      .poll(() => root.rows(`SELECT 1 FROM ${SESSIONS} WHERE ID = ?`, [owner.threadId]))
      .toEqual([]);

    expect(await sweep.run(server)).toBe(0);
    await expect(root.run('ALTER TABLE held ADD COLUMN b int')).rejects.toThrow(/Lock wait timeout/);
    atMs += PREPARED_MS_MAX - 1;
    expect(await sweep.run(server)).toBe(0);
    await expect(root.run('ALTER TABLE held ADD COLUMN b int')).rejects.toThrow(/Lock wait timeout/);
    atMs += 1;
    expect(await sweep.run(server)).toBe(1);
    await root.run('ALTER TABLE held ADD COLUMN b int');
    expect(await root.rows('SELECT * FROM held')).toEqual([]);
    expect(await sweep.run(server)).toBe(0);
    await root.close();
  });
});

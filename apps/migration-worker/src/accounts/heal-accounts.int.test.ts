import { openAdminConnection, SESSIONS } from '@rowhouse/mysql';
import { createId } from '@rowhouse/runtime';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

/**
 * Statements with which an intruder or a careless operator damages an account. `?` is replaced by the
 * account, and `!` by the schema.
 */
const HURTS: Readonly<Record<string, readonly string[]>> = {
  'another password': ["ALTER USER ? IDENTIFIED BY 'of-somebody-else'"],
  'no account': ['DROP USER ?'],
  'a lock': ['ALTER USER ? ACCOUNT LOCK'],
  'no rights': ['REVOKE ALL PRIVILEGES, GRANT OPTION FROM ?'],
  'an expired password': ['ALTER USER ? PASSWORD EXPIRE'],
  'a required certificate': ['ALTER USER ? REQUIRE X509'],
  'one right less': ['REVOKE ALTER ON `!`.* FROM ?'],
};
const PASSWORD = 'another password';

async function endSessions(harness: WorkerHarness, user: string): Promise<void> {
  const root = await harness.openRoot();
  const rows = await root.rows<{ id: number }>(`SELECT ID AS id FROM ${SESSIONS} WHERE USER = ?`, [user]);
  for (const { id } of rows) await root.run(`KILL ${id}`).catch(() => undefined);
  await root.close();
}

describe.each(getTestServers().engines)('the migrator account of a database on $engine', (mysql) => {
  let harness: WorkerHarness;
  let database: TestDb;

  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
    database = await harness.make('CREATE TABLE t (id int AUTO_INCREMENT PRIMARY KEY, n int NOT NULL)');
  });
  afterAll(() => harness.close());

  async function hurt(kind: string): Promise<void> {
    const { user } = await harness.readAccount(database.id, 'migrator');
    await harness.withRoot(database, async (root) => {
      for (const sql of HURTS[kind] ?? [])
        await root.run(sql.replace('?', `'${user}'@'%'`).replace('!', database.schemaName));
    });
  }

  it.each(Object.keys(HURTS))('a deploy that finds %s repairs the account', async (kind) => {
    await hurt(kind);
    const column = `c_${Object.keys(HURTS).indexOf(kind)}`;
    expect((await harness.deploy(database, `ALTER TABLE t ADD COLUMN ${column} int`)).row).toMatchObject({
      state: 'published',
      error: null,
    });
  });

  it('exports, sample rows, previews and reverts repair a changed migrator account', async () => {
    const { row } = await harness.deploy(database, 'CREATE TABLE u (id int PRIMARY KEY)');
    await hurt(PASSWORD);
    const fileId = createId('fil');
    await harness.platform.run(
      `INSERT INTO transfer_file (id, cell_id, project_id, kind, created_by, created_at) VALUES (?, ?, ?, 'export', 'acc_test', UTC_TIMESTAMP(3))`,
      [fileId, harness.cellId, database.projectId],
    );
    await harness.runTask('export_database', {
      file_id: fileId,
      database_id: database.id,
      tables: null,
      leaves_hidden_out: false,
    });
    await hurt('no account');
    await harness.runTask('seed_rows', {
      database_id: database.id,
      rows: 5,
      tables: ['t'],
      into_full: true,
      seed: 'one',
    });
    await hurt('no rights');
    const { plan } = await harness.runTask('plan_revert', { database_id: database.id, migration_id: row.id });
    expect(plan.steps).toHaveLength(1);
    await hurt(PASSWORD);
    expect((await harness.revert(database, row.id)).row).toMatchObject({ state: 'published', error: null });
  });

  it('the migrator account is locked while no worker uses it', async () => {
    const { user, password } = await harness.readAccount(database.id, 'migrator');
    await Promise.all(
      [1, 2, 3].map((seed) =>
        harness.runTask('seed_rows', {
          database_id: database.id,
          rows: 2,
          tables: ['t'],
          into_full: true,
          seed: String(seed),
        }),
      ),
    );
    const login = (): Promise<string> =>
      openAdminConnection({ host: mysql.host, port: mysql.port, user, password }).then(
        async (open) => (await open.close(), 'open'),
        (error: Error) => error.message,
      );
    await expect.poll(login).toMatch(/locked/i);
  });

  it('each account repair writes an audit event with its cause', async () => {
    const rows = await harness.platform.rows<{ target: string; detail: unknown }>(
      `SELECT target, detail FROM audit_outbox WHERE database_id = ? AND action = 'account.repair' ORDER BY id`,
      [database.id],
    );
    const { user } = await harness.readAccount(database.id, 'migrator');
    const found = rows.map(
      ({ detail }) =>
        (typeof detail === 'string' ? JSON.parse(detail) : detail) as {
          account_kind: string;
          found: string[];
        },
    );
    expect(rows.every(({ target }) => target === user)).toBe(true);
    expect(found.every(({ account_kind: kind }) => kind === 'migrator')).toBe(true);
    expect(found.flatMap((item) => item.found)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('password'),
        expect.stringContaining('rights'),
        expect.stringContaining('expired'),
      ]),
    );
  });

  it('an account repair ends the sessions of an intruder', async () => {
    const intruder = await harness.openAs(database.id, database.schemaName, 'migrator');
    await hurt(PASSWORD);
    await harness.runTask('seed_rows', {
      database_id: database.id,
      rows: 1,
      tables: ['t'],
      into_full: true,
      seed: 'two',
    });
    await expect(intruder.run('SELECT 1')).rejects.toThrow();
    await intruder.close();
  });

  describe('while the provisioner is rejected, too', () => {
    /** Runs `callback` while the provisioner's account is blocked, so that no account can be repaired. */
    async function withoutProvisioner(callback: () => Promise<void>): Promise<void> {
      const { user } = harness.provisioner();
      await harness.withRoot(database, (root) =>
        root.run(`ALTER USER '${user}'@'%' IDENTIFIED BY 'of-somebody-else'`),
      );
      await hurt(PASSWORD);
      try {
        await endSessions(harness, user);
        await callback();
      } finally {
        await harness.withRoot(database, (root) =>
          root.run(`ALTER USER '${user}'@'%' IDENTIFIED BY '${user}'`),
        );
      }
    }
    const readState = async (id: string): Promise<string> => (await harness.readMigration(id)).state;

    it('a migration waits for the account repair and can be cancelled', async () => {
      const held = await harness.holdDeploy(
        database.projectId,
        [database.id],
        'ALTER TABLE t ADD COLUMN waited int',
      );
      const [id = ''] = held.ids;
      await withoutProvisioner(async () => {
        await harness.queueHeld(id);
        await expect.poll(() => readState(id)).toBe('waiting_for_repair');
        await expect
          .poll(async () =>
            JSON.stringify(
              await harness.platform.rows('SELECT capabilities FROM server WHERE id = ?', [harness.serverId]),
            ),
          )
          .toContain("refuses the platform's provisioner");
        await harness.platform.run(
          'UPDATE migration SET cancel_requested_at = UTC_TIMESTAMP(3) WHERE id = ?',
          [id],
        );
        await expect.poll(() => readState(id)).toBe('cancelled');
      });
      const [next = ''] = (
        await harness.holdDeploy(database.projectId, [database.id], 'ALTER TABLE t ADD COLUMN waited_on int')
      ).ids;
      await withoutProvisioner(async () => {
        await harness.queueHeld(next);
        await expect.poll(() => readState(next)).toBe('waiting_for_repair');
      });
      expect(await harness.waitMigration(next)).toMatchObject({ state: 'published', error: null });
    });
  });
});

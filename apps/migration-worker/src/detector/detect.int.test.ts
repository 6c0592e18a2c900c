import { setTimeout as pause } from 'node:timers/promises';
import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import { createMessageSigner } from '@rowhouse/credentials';
import { createChangePublisher } from '@rowhouse/queue';
import { createId } from '@rowhouse/runtime';
import type { ConnectionRole } from '@rowhouse/contracts';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOG_SQL } from '../testing/blog-schema.js';
import { WorkerHarness } from '../testing/worker-harness.js';

/** The time between two checks of the detector. */
const CHECK_MS = 250;

describe.each(getTestServers().engines)('on $engine', (mysql) => {
  let harness: WorkerHarness;
  let database: { id: string; schemaName: string; projectId: string };
  beforeAll(async () => {
    harness = await WorkerHarness.start(mysql);
    database = await harness.provision();
    expect((await harness.deploy(database, BLOG_SQL)).row.state).toBe('published');
  });
  afterAll(() => harness.close());

  interface Direct {
    readonly id: string;
    readonly user: string;
    readonly open: () => Promise<AdminConnection>;
  }

  async function connectAs(role: ConnectionRole): Promise<Direct> {
    const id = createId('con');
    const user = `u${id.slice(-20)}`;
    const password = `p${id.slice(-20)}`;
    await harness.platform.run(
      `INSERT INTO connection_user (id, cell_id, database_id, name, role, user_name, created_by, created_at) VALUES (?, ?, ?, 'test', ?, ?, 'acc_test', UTC_TIMESTAMP(3))`,
      [id, harness.cellId, database.id, role, user],
    );
    const sealed = harness.box.seal(password, `connection:${id}`).toString('base64');
    const task = await harness.insertTask('create_connection', {
      connection_id: id,
      database_id: database.id,
      role,
      user_name: user,
      password_sealed: sealed,
      require_tls: false,
    });
    await harness.waitTask(task);
    const [row] = await harness.platform.rows<{ payload: string }>('SELECT payload FROM task WHERE id = ?', [
      task,
    ]);
    expect(JSON.parse(row?.payload ?? '')).toMatchObject({ user_name: user, password_sealed: '' });
    return {
      id,
      user,
      open: () =>
        openAdminConnection({
          host: harness.mysql.host,
          port: harness.mysql.port,
          user,
          password,
          database: database.schemaName,
        }),
    };
  }

  const tableNames = async (): Promise<string[]> =>
    (await harness.readSnapshot(database.id)).snapshot.tables.map((table) => table.name);
  interface History {
    readonly state: string;
    readonly createdBy: string;
    readonly sql: readonly string[];
  }
  /** Returns the direct changes in the journal, oldest first. */
  async function readHistory(): Promise<History[]> {
    const rows = await harness.platform.rows<{ state: string; created_by: string; plan: string }>(
      "SELECT state, created_by, plan FROM migration WHERE database_id = ? AND origin = 'direct' ORDER BY published_number",
      [database.id],
    );
    return rows.map((row) => ({
      state: row.state,
      createdBy: row.created_by,
      sql: (JSON.parse(row.plan) as { steps: { sql: string }[] }).steps.map((step) => step.sql),
    }));
  }

  const columnNames = async (table: string): Promise<string[]> =>
    (await harness.readSnapshot(database.id)).snapshot.tables
      .find((entry) => entry.name === table)
      ?.columns.map((column) => column.name) ?? [];

  describe('direct connections', () => {
    it('a direct connection may run only what its role allows', async () => {
      const attempts = async (role: ConnectionRole): Promise<boolean[]> => {
        const connection = await (await connectAs(role)).open();
        const results: boolean[] = [];
        for (const sql of [
          'SELECT * FROM users',
          `INSERT INTO tags (name) VALUES ('${role}')`,
          'CREATE TABLE mine (id int)',
          'DROP TABLE mine',
          `SELECT * FROM \`${database.schemaName}s\`.idempotency`,
          'CREATE USER other',
        ]) {
          results.push(
            await connection.rows(sql).then(
              () => true,
              () => false,
            ),
          );
        }
        await connection.close();
        return results;
      };
      expect(await attempts('read-only')).toEqual([true, false, false, false, false, false]);
      expect(await attempts('read-write')).toEqual([true, true, false, false, false, false]);
      expect(await attempts('owner')).toEqual([true, true, true, true, false, false]);
    });

    it('a direct schema change is published whether its session stays open or ends', async () => {
      // If other sessions have just ended, they may also have run DDL, and the detector then names no user.
      // The pause prevents that.
      await pause(3 * CHECK_MS);
      const owner = await connectAs('owner');
      const staying = await owner.open();
      await staying.run('ALTER TABLE users ADD COLUMN nick varchar(40)');
      await harness.poll(async () => ((await columnNames('users')).includes('nick') ? true : null), 5_000);
      expect((await harness.readSnapshot(database.id)).origin).toBe('direct');
      await staying.run('ALTER TABLE users ADD COLUMN second varchar(40)');
      await harness.poll(async () => ((await columnNames('users')).includes('second') ? true : null), 5_000);
      const short = await owner.open();
      await short.run('CREATE TABLE notes (id int PRIMARY KEY)');
      await short.close();
      await harness.poll(async () => ((await tableNames()).includes('notes') ? true : null), 5_000);
      await staying.run('CREATE TRIGGER tidy BEFORE INSERT ON notes FOR EACH ROW SET NEW.id = NEW.id');
      await harness.poll(
        async () =>
          (await harness.readSnapshot(database.id)).snapshot.tables.some(
            (table) => table.triggers?.length === 1,
          )
            ? true
            : null,
        5_000,
      );
      await staying.run('CREATE VIEW names AS SELECT username FROM users');
      await harness.poll(async () => ((await tableNames()).includes('names') ? true : null), 5_000);
      await staying.close();
      const history = (await readHistory()).filter((entry) => !entry.sql.join().includes('`mine`'));
      expect(history.map((entry) => entry.sql[0]?.replace(/\s.*$/s, ''))).toEqual([
        'ALTER',
        'ALTER',
        'CREATE',
        'CREATE',
        'CREATE',
      ]);
      expect(history[1]).toMatchObject({
        state: 'published',
        createdBy: owner.id,
        sql: [expect.stringContaining('ADD COLUMN `second` varchar(40)') as unknown],
      });
    });

    it('a directly created table gets a hidden first column if it fits as a stopword list', async () => {
      const owner = await (await connectAs('owner')).open();
      const isGuarded = async (): Promise<true | null> => {
        const [row] = await owner.rows<{ name: string }>(
          "SELECT COLUMN_NAME AS name FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = 'codes' AND ORDINAL_POSITION = 1",
          [database.schemaName],
        );
        return row?.name === '_rh_first' ? true : null;
      };
      await owner.run('CREATE TABLE codes (value varchar(40) PRIMARY KEY)');
      await harness.poll(isGuarded, 5_000);
      // The visible schema stays the same.
      await owner.run('ALTER TABLE codes DROP COLUMN _rh_first');
      await harness.poll(isGuarded, 5_000);
      await owner.run("INSERT INTO codes VALUES ('x')");
      expect(await owner.rows('SELECT * FROM codes')).toEqual([{ value: 'x' }]);
      expect(await columnNames('codes')).toEqual(['value']);
      await owner.close();
    });

    it('revoking a connection ends its sessions but keeps the objects it created', async () => {
      const owner = await connectAs('owner');
      const session = await owner.open();
      await session.run('CREATE VIEW mine AS SELECT username FROM users');
      const sleeping = session.rows('SELECT SLEEP(30)').then(
        () => 'slept',
        () => 'ended',
      );
      const { sessions_killed: killed } = await harness.runTask('revoke_connection', {
        connection_id: owner.id,
        database_id: database.id,
        user_name: owner.user,
      });
      expect([killed, await sleeping]).toEqual([1, 'ended']);
      await expect(owner.open()).rejects.toThrow();
      const rows = await harness.openAs(database.id, database.schemaName, 'rows');
      await rows.rows('SELECT * FROM mine');
      await rows.close();
      const reader = await connectAs('read-only');
      await harness.runTask('revoke_connection', {
        connection_id: reader.id,
        database_id: database.id,
        user_name: reader.user,
      });
      const root = await harness.openRoot();
      const left = await root.rows<{ User: string }>('SELECT User FROM mysql.user WHERE User IN (?, ?)', [
        owner.user,
        reader.user,
      ]);
      expect(left).toEqual([]);
      await root.close();
    });
  });

  it.each([['revoke_connection'], ['rotate_connection']] as const)(
    "%s rolls back the connection's prepared transactions",
    async (kind) => {
      const [revoked, other] = [await connectAs('owner'), await connectAs('owner')];
      const prepare = async ({ open }: Direct, xid: string): Promise<AdminConnection> => {
        const session = await open();
        for (const sql of [
          `XA START '${xid}'`,
          `INSERT INTO tags (name) VALUES ('${xid}')`,
          `XA END '${xid}'`,
          `XA PREPARE '${xid}'`,
        ])
          await session.run(sql);
        return session;
      };
      const [closed, held, own] = [`closed ${kind}`, `held ${kind}`, `other ${kind}`];
      await (await prepare(revoked, closed)).close();
      const [holder, staying] = [await prepare(revoked, held), await prepare(other, own)];
      await harness.runTask(kind, {
        connection_id: revoked.id,
        database_id: database.id,
        user_name: revoked.user,
        password_sealed: harness.box.seal('another-one', `connection:${revoked.id}`).toString('base64'),
        keep_previous: false,
      });
      for (const xid of [closed, held])
        await expect(staying.run(`XA COMMIT '${xid}'`)).rejects.toThrow(/XAER/);
      await staying.run(`XA COMMIT '${own}'`);
      for (const xid of [closed, held])
        await expect(staying.run(`XA COMMIT '${xid}'`)).rejects.toThrow(/XAER_NOTA/);
      expect(
        await staying.rows('SELECT name FROM tags WHERE name IN (?, ?, ?)', [closed, held, own]),
      ).toEqual([{ name: own }]);
      await staying.close();
      holder.drop();
    },
  );

  describe('a gateway that met an unknown name', () => {
    const changeBehindAll = async (sql: string): Promise<void> => {
      // The detector does not watch the platform's own account, so it does not notice this change.
      const migrator = await harness.openAs(database.id, database.schemaName, 'migrator');
      await migrator.run(sql);
      await migrator.close();
    };

    it("a gateway's message about an unknown name triggers a check of the schema", async () => {
      await changeBehindAll('CREATE TABLE by_message (id int PRIMARY KEY)');
      const publisher = createChangePublisher({
        redisUrl: harness.redisUrl,
        cellId: harness.cellId,
        signer: createMessageSigner([harness.masterKey]),
      });
      await harness.poll(async () => {
        await publisher.requestDetection(database.id);
        return (await tableNames()).includes('by_message') ? true : null;
      }, 5_000);
      await publisher.close();
    });

    it('a row stored by a gateway about an unknown name triggers a check of the schema', async () => {
      await changeBehindAll('CREATE TABLE by_row (id int PRIMARY KEY)');
      await harness.platform.run(
        'INSERT INTO detect_request (cell_id, database_id, requested_at) VALUES (?, ?, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE requested_at = UTC_TIMESTAMP(3) + INTERVAL 1 MICROSECOND',
        [harness.cellId, database.id],
      );
      await harness.poll(async () => ((await tableNames()).includes('by_row') ? true : null), 8_000);
    });
  });

  it('the detector finds a database that its owner has dropped or created again', async () => {
    const isMissing = async (): Promise<boolean> =>
      (
        await harness.platform.rows(
          'SELECT id FROM tenant_database WHERE id = ? AND missing_since IS NOT NULL',
          [database.id],
        )
      ).length > 0;
    const owner = await connectAs('owner');
    const session = await owner.open();
    await session.run(`DROP DATABASE \`${database.schemaName}\``);
    await harness.poll(async () => ((await isMissing()) ? true : null), 10_000);
    await session.run(`CREATE DATABASE \`${database.schemaName}\``);
    await harness.poll(async () => ((await isMissing()) ? null : true), 10_000);
    await harness.poll(async () => ((await tableNames()).length === 0 ? true : null), 10_000);
    await session.close();
  });
});

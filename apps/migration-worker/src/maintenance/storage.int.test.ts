import { getTestServers } from '@rowhouse/testkit';
import { openAdminConnection } from '@rowhouse/mysql';
import { createId, randomBase32 } from '@rowhouse/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness } from '../testing/worker-harness.js';

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'the measurement of storage on %s',
  (_name, engine) => {
    let harness: WorkerHarness;
    beforeAll(async () => {
      harness = await WorkerHarness.create(engine);
    });
    afterAll(() => harness.close());

    it('owners of a full database lose INSERT and CREATE', { timeout: 120_000 }, async () => {
      const read = async (id: string): Promise<{ bytes: number; isFull: boolean }> => {
        const [row] = await harness.platform.rows<{ storage_bytes: number | string; storage_full: number }>(
          'SELECT storage_bytes, storage_full FROM tenant_database WHERE id = ?',
          [id],
        );
        return { bytes: Number(row?.storage_bytes), isFull: Number(row?.storage_full) === 1 };
      };
      let worker = await harness.startWorker();
      const [own, other] = [await harness.provision(), await harness.provision()];
      await harness.deploy(
        own,
        'CREATE TABLE notes (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, body text NOT NULL);',
      );
      const connection = {
        id: createId('con'),
        user: `u${randomBase32(20)}`,
        password: 'a-password-of-the-test',
      };
      await harness.platform.run(
        `INSERT INTO connection_user (id, cell_id, database_id, name, role, user_name, created_by, created_at) VALUES (?, ?, ?, 'app', 'owner', ?, 'acc', UTC_TIMESTAMP(3))`,
        [connection.id, harness.cellId, own.id, connection.user],
      );
      const sealed = harness.box.seal(connection.password, `connection:${connection.id}`).toString('base64');
      const makeConnection = (): Promise<unknown> =>
        harness.runTask('create_connection', {
          connection_id: connection.id,
          database_id: own.id,
          role: 'owner',
          user_name: connection.user,
          password_sealed: sealed,
          require_tls: false,
        });
      await makeConnection();
      const canGrow = async (): Promise<readonly boolean[]> => {
        const direct = await openAdminConnection({
          host: harness.mysql.host,
          port: harness.mysql.port,
          user: connection.user,
          password: connection.password,
          database: own.schemaName,
        });
        const isDone = async (sql: string): Promise<boolean> =>
          direct.run(sql).then(
            () => true,
            () => false,
          );
        const done = [
          await isDone(`INSERT INTO notes (body) VALUES ('x')`),
          await isDone(`CREATE TABLE t${randomBase32(8)} (id int PRIMARY KEY)`),
        ];
        await direct.close();
        return done;
      };
      // A measurement runs at the start of the worker and then every minute.
      const restart = async (): Promise<void> => {
        await worker.stop();
        worker = await harness.startWorker();
      };
      await restart();
      await harness.poll(async () => ((await read(own.id)).bytes > 0 ? true : null));
      expect((await read(other.id)).bytes).toBeLessThan((await read(own.id)).bytes);
      expect([(await read(own.id)).isFull, ...(await canGrow())]).toEqual([false, true, true]);
      // A user that is created while the database is full does not get these rights before the database has
      // space again.
      await harness.platform.run('UPDATE tenant_database SET storage_full = 1 WHERE id = ?', [own.id]);
      await makeConnection();
      expect(await canGrow()).toEqual([false, false]);
      await restart();
      await harness.poll(async () => ((await read(own.id)).isFull ? null : true));
      expect(await canGrow()).toEqual([true, true]);
      // The server is nearly full, and the database exceeds its quota. An open session must not be able to
      // add more rows.
      const session = await openAdminConnection({
        host: harness.mysql.host,
        port: harness.mysql.port,
        user: connection.user,
        password: connection.password,
        database: own.schemaName,
      });
      await session.run(`INSERT INTO notes (body) VALUES ('before')`);
      await harness.platform.run('UPDATE server SET storage_bytes_max = ? WHERE id = ?', [
        Math.ceil(((await read(own.id)).bytes + (await read(other.id)).bytes) / 0.95),
        harness.serverId,
      ]);
      await restart();
      await harness.poll(async () => ((await read(own.id)).isFull ? true : null));
      await expect(session.run(`INSERT INTO notes (body) VALUES ('after')`)).rejects.toThrow();
      await session.close();
      expect(await canGrow()).toEqual([false, false]);
      const [entry] = await harness.platform.rows(
        `SELECT kind FROM change_log WHERE database_id = ? AND kind = 'settings'`,
        [own.id],
      );
      expect(entry).toEqual({ kind: 'settings' });
      await worker.stop();
    });
  },
);

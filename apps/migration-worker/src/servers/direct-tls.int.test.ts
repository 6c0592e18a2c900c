import { openAdminConnection, type AdminConnection, SESSIONS } from '@rowhouse/mysql';
import { createId } from '@rowhouse/runtime';
import { getTestServers } from '@rowhouse/testkit';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness } from '../testing/worker-harness.js';

describe.each(getTestServers().engines.filter((engine) => engine.caPem !== null))(
  'direct connections over TLS on $engine',
  (mysql) => {
    let harness: WorkerHarness;
    let database: { id: string; schemaName: string };
    const open: AdminConnection[] = [];
    beforeAll(async () => {
      harness = await WorkerHarness.create(mysql);
      await harness.startWorker();
      database = await harness.provision();
    });
    afterAll(async () => {
      for (const connection of open) await connection.close().catch(() => undefined);
      await harness.close();
    });

    const sealed = (id: string, password: string): string =>
      harness.box.seal(password, `connection:${id}`).toString('base64');
    async function makeDirect(requireTls: boolean): Promise<{ id: string; user: string }> {
      const id = createId('con');
      const user = `u${id.slice(-20)}`;
      await harness.platform.run(
        `INSERT INTO connection_user (id, cell_id, database_id, name, role, user_name, requires_tls, created_by, created_at) VALUES (?, ?, ?, 'test', 'read-write', ?, ?, 'acc_test', UTC_TIMESTAMP(3))`,
        [id, harness.cellId, database.id, user, requireTls ? 1 : 0],
      );
      await harness.runTask('create_connection', {
        connection_id: id,
        database_id: database.id,
        role: 'read-write',
        user_name: user,
        password_sealed: sealed(id, 'first-password'),
        require_tls: requireTls,
      });
      return { id, user };
    }
    const connect = async (user: string, password: string, ca: string | null): Promise<AdminConnection> => {
      const connection = await openAdminConnection({
        host: mysql.host,
        port: mysql.port,
        user,
        password,
        database: database.schemaName,
        ...(ca === null ? {} : { tls: 'required', ca }),
      });
      open.push(connection);
      return connection;
    };
    const trusted = (user: string, password = 'first-password'): Promise<AdminConnection> =>
      connect(user, password, mysql.caPem);
    /** Returns the TLS version of the session; '' for an unencrypted one. */
    const readCipher = async (connection: AdminConnection): Promise<string> => {
      const [row] = await connection.rows<{ Value: string }>("SHOW SESSION STATUS LIKE 'Ssl_version'");
      return row?.Value ?? '';
    };

    it('unencrypted logins and logins with an unexpected certificate authority are rejected', async () => {
      const { user } = await makeDirect(true);
      expect(await readCipher(await trusted(user))).toBe('TLSv1.3');
      await expect(connect(user, 'first-password', null)).rejects.toMatchObject({ errno: 1045 });
      await expect(connect(user, 'first-password', rootCertificates[0] as string)).rejects.toMatchObject({
        code: 'HANDSHAKE_SSL_ERROR',
      });
    });

    it('connection tests use TLS, also when they connect to the server directly', async () => {
      const { id, user } = await makeDirect(true);
      const tryOut = (port: number, password = 'first-password') =>
        harness.runTask('test_connection', {
          connection_id: id,
          database_id: database.id,
          user_name: user,
          password_sealed: sealed(id, password),
          host: mysql.host,
          port,
          tls: true,
          ca: mysql.caPem,
        });
      expect([await tryOut(mysql.port), await tryOut(1), await tryOut(mysql.port, 'another')]).toMatchObject([
        { fault: null, reaches_address: true },
        { fault: null, reaches_address: false },
        { fault: 'password', reaches_address: true },
      ]);
    });

    it('open sessions survive a password rotation, and both passwords require TLS', async () => {
      const { id, user } = await makeDirect(true);
      const session = await trusted(user);
      await session.run('SELECT 1');
      await harness.runTask('rotate_connection', {
        connection_id: id,
        database_id: database.id,
        user_name: user,
        password_sealed: sealed(id, 'second-password'),
        keep_previous: true,
      });
      expect(await session.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
      for (const password of ['first-password', 'second-password']) {
        expect(await readCipher(await trusted(user, password))).toBe('TLSv1.3');
        await expect(connect(user, password, null), password).rejects.toMatchObject({ errno: 1045 });
      }
      await harness.runTask('end_rotation', { connection_id: id, database_id: database.id, user_name: user });
      await expect(trusted(user)).rejects.toMatchObject({ errno: 1045 });
      await expect(connect(user, 'second-password', null)).rejects.toMatchObject({ errno: 1045 });
      expect(await session.rows('SELECT 2 AS two')).toEqual([{ two: 2 }]);
    });

    it('revoking a connection ends its idle and active sessions', async () => {
      const { id, user } = await makeDirect(true);
      const [idle, busy] = [await trusted(user), await trusted(user)];
      const ending = busy.rows('SELECT SLEEP(60) AS slept').then((rows) => JSON.stringify(rows), String);
      const root = await openAdminConnection(mysql);
      const list = (): Promise<unknown[]> => root.rows(`SELECT ID FROM ${SESSIONS} WHERE USER = ?`, [user]);
      await expect.poll(list).toHaveLength(2);
      await harness.runTask('revoke_connection', {
        connection_id: id,
        database_id: database.id,
        user_name: user,
      });
      expect(await list()).toEqual([]);
      await expect(idle.rows('SELECT 1')).rejects.toThrow();
      expect(await ending).not.toContain('"slept":0');
      await expect(trusted(user)).rejects.toMatchObject({ errno: 1045 });
      await root.close();
    });

    it('older connections require TLS only while the server is open to the internet', async () => {
      const direct = await makeDirect(false);
      expect(await readCipher(await connect(direct.user, 'first-password', null))).toBe('');
      const openTo = async (tls: 'off' | 'required'): Promise<void> => {
        await harness.platform.run('UPDATE server SET public_tls = ? WHERE id = ?', [tls, harness.serverId]);
        await harness.runTask('probe_server', { server_id: harness.serverId });
      };
      await openTo('required');
      await expect(connect(direct.user, 'first-password', null)).rejects.toMatchObject({ errno: 1045 });
      expect(await readCipher(await trusted(direct.user))).toBe('TLSv1.3');
      await openTo('off');
      expect(await readCipher(await connect(direct.user, 'first-password', null))).toBe('');
    });
  },
);

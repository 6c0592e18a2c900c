import { once } from 'node:events';
import { openAdminConnection } from '@rowhouse/mysql';
import { createId } from '@rowhouse/runtime';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginLogin } from '../testing/begin-login.js';
import { WorkerHarness } from '../testing/worker-harness.js';

describe.each(getTestServers().engines)('passwords of a direct account on $engine', (mysql) => {
  let harness: WorkerHarness;
  let database: { id: string; schemaName: string };
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
    database = await harness.provision();
  });
  afterAll(() => harness.close());

  const sealed = (id: string, password: string): string =>
    harness.box.seal(password, `connection:${id}`).toString('base64');

  async function createDirect(): Promise<{ id: string; user: string; first: string }> {
    const id = createId('con');
    const [user, first] = [`u${id.slice(-20)}`, `first-${id}`];
    await harness.platform.run(
      `INSERT INTO connection_user (id, cell_id, database_id, name, role, user_name, created_by, created_at) VALUES (?, ?, ?, 'test', 'read-write', ?, 'acc_test', UTC_TIMESTAMP(3))`,
      [id, harness.cellId, database.id, user],
    );
    await harness.runTask('create_connection', {
      connection_id: id,
      database_id: database.id,
      role: 'read-write',
      user_name: user,
      password_sealed: sealed(id, first),
      require_tls: false,
    });
    return { id, user, first };
  }
  const rotate = async (
    direct: { id: string; user: string },
    password: string,
    keepPrevious = true,
  ): Promise<void> => {
    const payload = {
      connection_id: direct.id,
      database_id: database.id,
      user_name: direct.user,
      password_sealed: sealed(direct.id, password),
      keep_previous: keepPrevious,
    };
    await harness.runTask('rotate_connection', payload);
  };
  const endRotation = (direct: { id: string; user: string }): Promise<unknown> =>
    harness.runTask('end_rotation', {
      connection_id: direct.id,
      database_id: database.id,
      user_name: direct.user,
    });
  const open = (user: string, password: string) =>
    openAdminConnection({
      host: mysql.host,
      port: mysql.port,
      user,
      password,
      database: database.schemaName,
    });
  async function logsIn(user: string, ...passwords: string[]): Promise<boolean[]> {
    const results: boolean[] = [];
    for (const password of passwords) {
      const connection = await open(user, password).catch((error: unknown) => {
        expect(String(error)).toMatch(/Access denied/);
        return null;
      });
      results.push(connection !== null);
      await connection?.close();
    }
    return results;
  }

  it('both passwords of a rotated connection are valid until the overlap ends', async () => {
    const direct = await createDirect();
    const session = await open(direct.user, direct.first);
    await rotate(direct, 'second-password');
    expect(await logsIn(direct.user, direct.first, 'second-password', 'other')).toEqual([true, true, false]);
    await endRotation(direct);
    expect(await logsIn(direct.user, direct.first, 'second-password')).toEqual([false, true]);
    await endRotation(direct);
    expect(await logsIn(direct.user, 'second-password')).toEqual([true]);
    expect(await session.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await session.close();
  });

  it('a second password rotation ends the oldest password', async () => {
    const direct = await createDirect();
    await rotate(direct, 'second-password');
    await rotate(direct, 'third-password');
    expect(await logsIn(direct.user, direct.first, 'second-password', 'third-password')).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('only the new password is valid after a rotation without an overlap', async () => {
    const direct = await createDirect();
    await rotate(direct, 'second-password');
    await rotate(direct, 'third-password', false);
    expect(await logsIn(direct.user, direct.first, 'second-password', 'third-password')).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('a password rotation without an overlap ends open sessions', async () => {
    const direct = await createDirect();
    const [idle, taking] = [await open(direct.user, direct.first), await open(direct.user, direct.first)];
    const setOwn =
      mysql.engine === 'mariadb'
        ? `SET PASSWORD = PASSWORD('their-own-1')`
        : `SET PASSWORD = 'their-own-1' REPLACE '${direct.first}'`;
    await taking.run(setOwn);
    expect(await logsIn(direct.user, 'their-own-1')).toEqual([true]);
    await rotate(direct, 'second-password', false);
    expect(await logsIn(direct.user, direct.first, 'their-own-1', 'second-password')).toEqual([
      false,
      false,
      true,
    ]);
    for (const session of [idle, taking]) {
      await expect(session.rows('SELECT 1')).rejects.toThrow();
      await session.close();
    }
  });

  it('a password rotation without an overlap ends logins with the previous password', async () => {
    const direct = await createDirect();
    const ends = async (callback: () => Promise<unknown>): Promise<boolean> => {
      const socket = await beginLogin(mysql, direct.user);
      await callback();
      return socket.closed || once(socket, 'close').then(() => true);
    };
    expect(await ends(() => rotate(direct, 'second-password', false))).toBe(true);
    expect(await logsIn(direct.user, direct.first, 'second-password')).toEqual([false, true]);
    expect(
      await ends(() =>
        harness.runTask('revoke_connection', {
          connection_id: direct.id,
          database_id: database.id,
          user_name: direct.user,
        }),
      ),
    ).toBe(true);
  });

  it('a password rotation of a revoked account enables no login', async () => {
    const direct = await createDirect();
    await harness.platform.run('UPDATE connection_user SET revoked_at = UTC_TIMESTAMP(3) WHERE id = ?', [
      direct.id,
    ]);
    await rotate(direct, 'second-password', false);
    await expect(open(direct.user, 'second-password')).rejects.toThrow(/locked/i);
  });

  it.runIf(mysql.engine === 'mysql')(
    'a session that knows only the previous password cannot set one',
    async () => {
      const direct = await createDirect();
      const session = await open(direct.user, direct.first);
      await rotate(direct, 'second-password');
      for (const statement of [
        `SET PASSWORD = 'their-own-1'`,
        `SET PASSWORD = 'their-own-1' REPLACE '${direct.first}'`,
        `ALTER USER USER() IDENTIFIED BY 'their-own-1'`,
        `ALTER USER USER() IDENTIFIED BY 'their-own-1' REPLACE '${direct.first}'`,
      ]) {
        await expect(session.run(statement), statement).rejects.toThrow(/password/i);
      }
      await session.close();
      expect(await logsIn(direct.user, 'second-password', 'their-own-1')).toEqual([true, false]);
    },
  );

  it('both passwords of a connection are valid after a rotation that runs twice', async () => {
    const direct = await createDirect();
    await rotate(direct, 'second-password');
    await rotate(direct, 'second-password');
    expect(await logsIn(direct.user, direct.first, 'second-password')).toEqual([true, true]);
  });

  it('the end of a password overlap is ignored when a new overlap has started', async () => {
    const direct = await createDirect();
    await harness.platform.run(
      'UPDATE connection_user SET previous_until = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR WHERE id = ?',
      [direct.id],
    );
    await rotate(direct, 'second-password');
    await endRotation(direct);
    expect(await logsIn(direct.user, direct.first, 'second-password')).toEqual([true, true]);
    await harness.platform.run('UPDATE connection_user SET previous_until = UTC_TIMESTAMP(3) WHERE id = ?', [
      direct.id,
    ]);
    await endRotation(direct);
    expect(await logsIn(direct.user, direct.first, 'second-password')).toEqual([false, true]);
  });

  it('a connection test uses the address of the connection string or of the server', async () => {
    const direct = await createDirect();
    const tryOut = (password: string, port = mysql.port) =>
      harness.runTask('test_connection', {
        connection_id: direct.id,
        database_id: database.id,
        user_name: direct.user,
        password_sealed: sealed(direct.id, password),
        host: mysql.host,
        port,
        tls: false,
        ca: null,
      });
    expect(await tryOut(direct.first)).toEqual({
      fault: null,
      reaches_address: true,
      server_version: expect.stringMatching(/^\d+\./),
      tables: 0,
      took_ms: expect.any(Number),
    });
    expect(await tryOut(direct.first, 1)).toMatchObject({ fault: null, reaches_address: false, tables: 0 });
    expect(await tryOut('another')).toMatchObject({
      fault: 'password',
      reaches_address: true,
      server_version: null,
      tables: null,
    });
    expect(await tryOut('another', 1)).toMatchObject({ fault: 'password', reaches_address: false });
    await harness.platform.run('UPDATE connection_user SET revoked_at = UTC_TIMESTAMP(3) WHERE id = ?', [
      direct.id,
    ]);
    await harness.runTask('revoke_connection', {
      connection_id: direct.id,
      database_id: database.id,
      user_name: direct.user,
    });
    expect(await tryOut(direct.first)).toMatchObject({ fault: 'password' });
  });

  it('a password rotation keeps the rights of the role', async () => {
    const direct = await createDirect();
    await rotate(direct, 'second-password');
    const connection = await open(direct.user, 'second-password');
    await expect(connection.run('CREATE TABLE mine (id int)')).rejects.toThrow(/denied/);
    await connection.close();
  });
});

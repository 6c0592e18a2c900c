import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import { randomBase32 } from '@rowhouse/runtime';
import { getTestServers, startOtherServer, type OtherServer } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendUser } from '../testing/begin-login.js';
import { createOwner } from '../testing/create-owner.js';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

const PASSWORD = 'a-password-of-the-test';
const CONNECTIONS_MAX = 60;
const FLOOD = 100;
const REOPEN_MS = 5;
const ATTEMPTS_MAX = 300;

interface Flood {
  /** Returns the number of connections to which the server has sent its greeting. */
  greeted(): number;
  stop(): void;
}

/**
 * Opens connections from one address that never log in, and reopens each when it ends. Most of them send a
 * user name and no password.
 */
function startFlood(port: number, localAddress: string): Flood {
  const sockets = new Set<Socket>();
  let isStopped = false;
  let greeted = 0;
  const open = (sendsUser: boolean): void => {
    if (isStopped) return;
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    sockets.add(socket);
    socket.once('data', () => {
      greeted += 1;
      if (sendsUser) sendUser(socket, 'nobody');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      setTimeout(open, REOPEN_MS, sendsUser).unref();
    });
  };
  for (let index = 0; index < FLOOD; index += 1) open(index % 4 !== 0);
  return {
    greeted: () => greeted,
    stop() {
      isStopped = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'half-open logins from one address on %s',
  (_name, engine) => {
    let harness: WorkerHarness;
    let other: OtherServer;
    let database: TestDb;
    let flood: Flood;
    const user = `u${randomBase32(20)}`;
    const openRoot = (): Promise<AdminConnection> =>
      harness.openRoot(undefined, { ...other.mysql, port: other.mysql.adminPort ?? 0 });

    beforeAll(async () => {
      [harness, other] = await Promise.all([WorkerHarness.create(engine), startOtherServer(engine)]);
      const serverId = await harness.addServer(other.mysql);
      await harness.platform.run('UPDATE server SET admin_port = ? WHERE id = ?', [
        other.mysql.adminPort,
        serverId,
      ]);
      const root = await openRoot();
      await root.run(`SET GLOBAL max_connections = ${CONNECTIONS_MAX}`);
      await root.close();
      await harness.startWorker();
      database = await harness.insertDatabase();
      await harness.platform.run('UPDATE tenant_database SET server_id = ? WHERE id = ?', [
        serverId,
        database.id,
      ]);
      await harness.runTask('provision_database', { database_id: database.id });
      await createOwner(harness, database, user, PASSWORD);
      flood = startFlood(other.mysql.port, '127.0.0.2');
      // The flood has filled all connections, and the worker has already ended some of them.
      await harness.poll(() => Promise.resolve(flood.greeted() > 2 * CONNECTIONS_MAX ? true : null));
    });
    afterAll(async () => {
      flood?.stop();
      await harness?.close();
      await other?.stop();
    });

    /** Logs in as the tenant. Returns the number of attempts, and throws above a limit. */
    async function logIn(): Promise<number> {
      for (let attempts = 1; attempts <= ATTEMPTS_MAX; attempts += 1) {
        const opened = await openAdminConnection({
          host: '127.0.0.1',
          port: other.mysql.port,
          user,
          password: PASSWORD,
          database: database.schemaName,
        }).catch(() => null);
        if (opened !== null) {
          await opened.close();
          return attempts;
        }
        await pause(20);
      }
      throw new Error(`no login in ${ATTEMPTS_MAX} tries`);
    }

    it('a tenant at another address can log in during a flood of half-open logins', async () => {
      const before = flood.greeted();
      const attempts: number[] = [];
      for (let login = 0; login < 5; login += 1) attempts.push(await logIn());
      await harness.poll(() => Promise.resolve(flood.greeted() > before ? true : null));
      expect(Math.max(...attempts)).toBeLessThanOrEqual(ATTEMPTS_MAX);
    });

    it('a deploy repairs its account while half-open logins occupy the port of the server', async () => {
      const account = await harness.readAccount(database.id, 'migrator');
      const root = await openRoot();
      await root.run(`ALTER USER '${account.user}'@'%' IDENTIFIED BY 'of-somebody-else'`);
      await root.close();
      const { row } = await harness.deploy(database, 'CREATE TABLE t (id int PRIMARY KEY)');
      expect(row).toMatchObject({ state: 'published', error: null });
    });
  },
);

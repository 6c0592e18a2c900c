import {
  createTestDatabase,
  getTestServers,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
} from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminConnection } from './admin-connection.js';
import { readServerFault } from './admin-session.js';
import { createAdminPool, type AdminPool } from './admin-pool.js';

const { engines } = getTestServers();

describe.each(engines.map((engine) => [engine.engine, engine] as const))(
  'the admin pool on %s',
  (_name, engine) => {
    let database: TestDatabase;
    let proxy: TcpProxy;
    let pool: AdminPool;

    const open = (connectionsMax: number, timeoutMs: number): AdminPool =>
      createAdminPool(`mysql://${engine.user}:${engine.password}@127.0.0.1:${proxy.port}/${database.name}`, {
        connectionsMax,
        timeoutMs,
      });
    const isLost = (error: unknown): boolean => readServerFault(error)?.isConnectionLost === true;

    beforeAll(async () => {
      database = await createTestDatabase(engine, 'adm');
      await database.run([
        'CREATE TABLE t (id int PRIMARY KEY, n int NOT NULL)',
        'INSERT INTO t VALUES (1, 0)',
      ]);
      proxy = await startTcpProxy(engine.host, engine.port);
      pool = open(2, 1_600);
    });
    afterAll(async () => {
      await pool.close();
      await proxy.stop();
      await database.drop();
    });

    it('an admin statement fails with a lost connection while its database does not respond', async () => {
      expect(await pool.rows('SELECT n FROM t')).toEqual([{ n: 0 }]);
      proxy.stall();
      const statements = [
        pool.rows('SELECT n FROM t'),
        pool.run('UPDATE t SET n = 1'),
        pool.transaction((session) => session.run('UPDATE t SET n = 2')),
        pool.rows('SELECT 1'),
      ];
      const errors = await Promise.all(
        statements.map((statement) =>
          statement.then(
            () => null,
            (error: unknown) => error,
          ),
        ),
      );
      expect(errors.map(isLost)).toEqual([true, true, true, true]);
      proxy.open();
      await expect.poll(() => pool.rows('SELECT 1 AS one').catch(() => null)).toEqual([{ one: 1 }]);
    });

    // MySQL cannot rename a column that a check constraint uses.
    it.runIf(engine.engine === 'mariadb')(
      'an admin statement renames a column with a CHECK after the table was read with an alias',
      async () => {
        const connection = await openAdminConnection({ ...engine, database: database.name });
        await connection.run('CREATE TABLE m (id int PRIMARY KEY, a int, CONSTRAINT positive CHECK (a > 0))');
        await connection.rows('SELECT x.id FROM m x JOIN m y ON x.id = y.id JOIN m z ON z.id = y.id');
        await connection.run('ALTER TABLE m RENAME COLUMN a TO b, ALGORITHM=INSTANT');
        await expect(connection.run('INSERT INTO m (id, b) VALUES (1, -1)')).rejects.toThrow(/positive/);
        await connection.close();
      },
    );

    it('an admin statement on a connection that ended while idle fails with a lost connection', async () => {
      const connection = await openAdminConnection(engine);
      await pool.run(`KILL ${connection.threadId}`);
      await expect.poll(() => connection.isLost()).toBe(true);
      for (let requestCount = 0; requestCount < 2; requestCount += 1)
        await expect(connection.rows('SELECT 1')).rejects.toSatisfy(isLost);
      await connection.close();
    });

    it('an admin statement fails when no connection becomes free', async () => {
      const narrow = open(1, 1_600);
      let release: () => void = () => undefined;
      const held = narrow.transaction(async (session) => {
        await session.run('UPDATE t SET n = 7');
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return session.rows('SELECT n FROM t');
      });
      await expect(narrow.rows('SELECT 1')).rejects.toSatisfy(isLost);
      release();
      expect(await held).toEqual([{ n: 7 }]);
      expect(await narrow.rows('SELECT n FROM t')).toEqual([{ n: 7 }]);
      await narrow.close();
    });

    it('an abandoned admin statement does not take effect later', async () => {
      const other = open(1, 20_000);
      // The pool's limit is 3 s, so the server's lock wait of 1 s ends first. The server measures it in whole
      // seconds.
      const patient = open(1, 3_000);
      let release: () => void = () => undefined;
      const holding = other.transaction(async (session) => {
        await session.run('UPDATE t SET n = 10 WHERE id = 1');
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      });
      await expect
        .poll(() =>
          pool.rows('SELECT id FROM t WHERE id = 1 FOR UPDATE NOWAIT').then(
            () => 'free',
            () => 'locked',
          ),
        )
        .toBe('locked');
      await expect(patient.run('UPDATE t SET n = 99 WHERE id = 1')).rejects.toBeInstanceOf(Error);
      release();
      await holding;
      expect(await pool.rows('SELECT n FROM t')).toEqual([{ n: 10 }]);
      await Promise.all([other.close(), patient.close()]);
    });
  },
);

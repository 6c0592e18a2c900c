import {
  getTestServers,
  makeUniqueName,
  startOtherServer,
  startTcpProxy,
  type OtherServer,
  type TcpProxy,
} from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminConnection, type AdminConnection } from './admin-connection.js';
import { createAdminPool } from './admin-pool.js';
import { createPlatformPool, type PlatformPool } from './platform-pool.js';

const [first] = getTestServers().engines;
if (first === undefined) throw new Error('a server is needed');
/** The limits that a gateway uses for its pool. */
const BOUNDS = { connectionsMax: 4, connectTimeoutMs: 1_000, statementTimeoutMs: 1_500 };

/**
 * Uses two servers with the same table, each behind a proxy. The rows in the two tables show which server
 * received a write.
 */
describe('a platform database with two addresses', () => {
  const schema = makeUniqueName('aim', 16);
  let other: OtherServer;
  let roots: readonly [AdminConnection, AdminConnection];
  let wires: readonly [TcpProxy, TcpProxy];
  let url: string;
  let pool: PlatformPool;

  beforeAll(async () => {
    other = await startOtherServer(first);
    roots = [await openAdminConnection(first), await openAdminConnection(other.mysql)];
    for (const root of roots) {
      await root.run(`CREATE DATABASE ${schema}`);
      await root.run(
        `CREATE TABLE ${schema}.told (id int AUTO_INCREMENT PRIMARY KEY, word varchar(40) NOT NULL)`,
      );
      await root.run(`CREATE USER ${schema}@'%' IDENTIFIED BY 'secret'`);
      await root.run(`GRANT SELECT, INSERT ON ${schema}.* TO ${schema}@'%'`);
    }
    wires = [
      await startTcpProxy(first.host, first.port),
      await startTcpProxy(other.mysql.host, other.mysql.port),
    ];
    url = `mysql://${schema}:secret@127.0.0.1:${wires[0].port},127.0.0.1:${wires[1].port}/${schema}`;
    pool = createPlatformPool(url, BOUNDS);
  }, 60_000);
  afterAll(async () => {
    await pool?.close();
    await roots[0].run(`DROP DATABASE IF EXISTS ${schema}`);
    await roots[0].run(`DROP USER IF EXISTS ${schema}@'%'`);
    await Promise.all([...roots.map((root) => root.close()), ...wires.map((wire) => wire.stop())]);
    await other.stop();
  });

  const write = (word: string): Promise<unknown> => pool.run('INSERT INTO told (word) VALUES (?)', [word]);
  /** Returns how many rows with the word each server has. */
  const whereIs = (word: string): Promise<number[]> =>
    Promise.all(
      roots.map(
        async (root) => (await root.rows(`SELECT id FROM ${schema}.told WHERE word = ?`, [word])).length,
      ),
    );
  /**
   * Repeats a write until it succeeds. Every failed attempt must be reported as unavailable. Returns the
   * number of failures.
   */
  async function writeUntilWritten(word: string): Promise<number> {
    for (let attempts = 1; attempts < 40; attempts += 1) {
      const fault = await write(word).then(
        () => null,
        (error: unknown) => error as { code?: unknown },
      );
      if (fault === null) return attempts;
      expect(fault).toMatchObject({ code: 'platform.unavailable', retryAfterSeconds: 1 });
    }
    throw new Error(`${word} was never written`);
  }

  it(
    'platform writes go to the second address when the first one rejects connections',
    { timeout: 30_000 },
    async () => {
      await write('first');
      expect(await whereIs('first')).toEqual([1, 0]);
      wires[0].cut();
      expect(await writeUntilWritten('cut')).toBeLessThanOrEqual(2);
      expect(await whereIs('cut')).toEqual([0, 1]);
    },
  );

  it(
    'platform writes stay at the second address until it stops responding',
    { timeout: 30_000 },
    async () => {
      wires[0].open();
      await write('back');
      expect(await whereIs('back')).toEqual([0, 1]);
      wires[1].stall();
      await writeUntilWritten('stalled');
      // A write that was reported as failed has stored its word on neither server.
      expect(await whereIs('stalled')).toEqual([1, 0]);
      wires[1].open();
    },
  );

  it(
    'open and new sessions leave a platform database that became read-only',
    { timeout: 30_000 },
    async () => {
      wires[0].cut();
      await writeUntilWritten('second');
      wires[0].open();
      await roots[1].run('SET GLOBAL read_only = 1');
      expect(await writeUntilWritten('demoted')).toBeLessThanOrEqual(2);
      expect(await whereIs('demoted')).toEqual([1, 0]);
      // Creates a second pool as another process would, with the list of hosts reversed, and runs a
      // transaction on it.
      const fresh = createAdminPool(
        url.replace(/127\.0\.0\.1:(\d+),127\.0\.0\.1:(\d+)/, '127.0.0.1:$2,127.0.0.1:$1'),
        { connectionsMax: 2, timeoutMs: 3_000 },
      );
      await fresh.transaction((session) => session.run("INSERT INTO told (word) VALUES ('fresh')"));
      expect(await whereIs('fresh')).toEqual([1, 0]);
      // While neither server accepts writes, calls fail without hanging. They succeed again as soon as one
      // server does.
      wires[0].cut();
      await expect(write('nowhere')).rejects.toMatchObject({ code: 'platform.unavailable' });
      expect(await whereIs('nowhere')).toEqual([0, 0]);
      await roots[1].run('SET GLOBAL read_only = 0');
      await writeUntilWritten('promoted');
      expect(await whereIs('promoted')).toEqual([0, 1]);
      await fresh.close();
    },
  );
});

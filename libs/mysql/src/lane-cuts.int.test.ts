import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createTestDatabase, getTestServers, makeUniqueName, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminConnection, type AdminConnection } from './admin-connection.js';
import { ConnectionLost } from './pool-fault.js';
import { DEFAULT_POOL_OPTIONS } from './pool-server.js';
import type { DbValue, PoolAccount, PoolServer, RowSink } from './pool-types.js';
import { createTenantPools, type TenantPools } from './pool.js';
import { runKeyed } from './run-statements.js';

const READS = 24;
/** What the answers to them come to, about. */
const ANSWERS_BYTES = 6_000;
const CUTS = 24;
const SQL = 'SELECT id, own FROM t WHERE id = ?';

/** Stands before the server and ends the connection that gives more than so many bytes, in the middle of whatever it sends. */
function startCutter(target: { readonly host: string; readonly port: number }): Promise<{ server: Server; cutAfter: (bytes: number) => void; cuts: () => number }> {
  let left = Number.POSITIVE_INFINITY;
  let cuts = 0;
  const server = createServer((near: Socket) => {
    const far = connect(target.port, target.host);
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    near.on('error', end).on('close', end).on('data', (bytes) => far.write(bytes));
    far.on('error', end).on('close', end).on('data', (bytes: Buffer) => {
      left -= bytes.length;
      if (left > 0) return void near.write(bytes);
      near.end(bytes.subarray(0, left + bytes.length));
      far.destroy();
      cuts += 1;
      left = Number.POSITIVE_INFINITY;
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, cutAfter: (bytes) => void (left = bytes), cuts: () => cuts }));
  });
}

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))('a lane on %s whose connection ends in the middle', (_name, engine: TestMysql) => {
  let root: AdminConnection;
  let database: TestDatabase;
  let account: PoolAccount;
  let cutter: Awaited<ReturnType<typeof startCutter>>;
  let server: PoolServer;
  let pools: TenantPools;

  beforeAll(async () => {
    root = await openAdminConnection(engine);
    database = await createTestDatabase(engine);
    const user = makeUniqueName('u', 16);
    await root.run(`CREATE USER ${user} IDENTIFIED WITH mysql_native_password BY 'secret'`).catch(() => root.run(`CREATE USER ${user} IDENTIFIED BY 'secret'`));
    await root.run(`GRANT ALL ON \`${database.name}\`.* TO ${user}`);
    await database.run(['CREATE TABLE t (id int PRIMARY KEY, own varchar(40) NOT NULL)', `INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${READS}) SELECT i, CONCAT('the row of ', i) FROM n`]);
    account = { user, password: () => 'secret', schema: database.name, connectionsMax: 3 };
    cutter = await startCutter(engine);
    server = { id: 'srv_cuts', host: '127.0.0.1', port: (cutter.server.address() as AddressInfo).port, tls: 'off', engine: engine.engine, connectionsMax: 4 };
    pools = createTenantPools(DEFAULT_POOL_OPTIONS);
  });
  afterAll(async () => {
    await pools.close(500);
    cutter.server.close();
    await root.run(`DROP USER IF EXISTS ${account.user}`);
    await database.drop();
    await root.close();
  });

  const keepRows = (): RowSink<DbValue[][]> => {
    const rows: DbValue[][] = [];
    return { columns: null, row: (cells) => void rows.push([...cells]), end: () => rows };
  };
  const ids = Array.from({ length: READS }, (_, index) => index + 1);
  const rowOf = (id: number): DbValue[][] => [[id, `the row of ${id}`]];
  /** Logged in and prepared, so that the next bytes are answers. */
  const warmUp = (): Promise<unknown> => runKeyed(pools, { server, account }, 5_000, { sql: SQL, params: [1] }, keepRows);

  it('gives each caller its own row or tells it of the loss, wherever the cut is', async () => {
    let lost = 0;
    for (let cut = 0; cut < CUTS; cut += 1) {
      await warmUp();
      cutter.cutAfter(1 + Math.floor((cut * ANSWERS_BYTES) / CUTS));
      const found = await Promise.all(ids.map((id) => pools.runKeyed(server, account, 5_000, { sql: SQL, params: [id] }, keepRows()).then(({ rows }) => rows, (error: unknown) => error)));
      found.forEach((rows, index) => {
        if (rows instanceof ConnectionLost) lost += 1;
        else expect(rows).toEqual(rowOf(ids[index] ?? 0));
      });
      cutter.cutAfter(Number.POSITIVE_INFINITY);
    }
    expect(cutter.cuts()).toBeGreaterThan(CUTS / 4);
    expect(lost).toBeGreaterThan(0);
  });

  it('makes reads again elsewhere, so that nobody hears of it', async () => {
    for (let cut = 0; cut < CUTS / 2; cut += 1) {
      await warmUp();
      cutter.cutAfter(1 + Math.floor((cut * ANSWERS_BYTES) / CUTS));
      const found = await Promise.all(ids.map((id) => runKeyed(pools, { server, account }, 5_000, { sql: SQL, params: [id] }, keepRows)));
      expect(found.map(({ rows }) => rows)).toEqual(ids.map(rowOf));
    }
  });
});

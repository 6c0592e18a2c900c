import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createTestDatabase, getTestServers, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAdminConnection, type AdminConnection } from '../admin/admin-connection.js';
import { ConnectionLostError } from '../faults.js';
import { DEFAULT_POOL_OPTIONS } from '../pool/pool-options.js';
import type { DbValue, PoolAccount, PoolServer } from '../types.js';
import { createTenantPools, type TenantPools } from '../pool/tenant-pools.js';
import { ignoreRows } from '../row-sinks.js';
import { runStatements } from './run-statements.js';
import { keepRows } from '../testing/keep-rows.js';
import { shared } from '../testing/shared-executor.js';

const READS = 24;
/** The approximate total size of the responses, in bytes. */
const ANSWERS_BYTES = 6_000;
const CUTS = 24;
const SQL = 'SELECT id, own FROM t WHERE id = ?';

/**
 * Starts a proxy that closes the connection after a number of bytes from the server, in the middle of a
 * packet.
 */
function startCutter(target: {
  readonly host: string;
  readonly port: number;
}): Promise<{ server: Server; cutAfter: (bytes: number) => void; cuts: () => number; trips: () => number }> {
  let remaining = Number.POSITIVE_INFINITY;
  let cuts = 0;
  /** How often the client sent something after the server had sent something. */
  let trips = 0;
  const server = createServer((downstream: Socket) => {
    const upstream = connect(target.port, target.host);
    let hasAnswered = true;
    const end = (): void => {
      downstream.destroy();
      upstream.destroy();
    };
    downstream
      .on('error', end)
      .on('close', end)
      .on('data', (bytes) => {
        if (hasAnswered) trips += 1;
        hasAnswered = false;
        upstream.write(bytes);
      });
    upstream
      .on('error', end)
      .on('close', end)
      .on('data', (bytes: Buffer) => {
        hasAnswered = true;
        remaining -= bytes.length;
        if (remaining > 0) return void downstream.write(bytes);
        downstream.end(bytes.subarray(0, remaining + bytes.length));
        upstream.destroy();
        cuts += 1;
        remaining = Number.POSITIVE_INFINITY;
      });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({
        server,
        cutAfter: (bytes) => void (remaining = bytes),
        cuts: () => cuts,
        trips: () => trips,
      }),
    );
  });
}

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'a pipelined connection on %s that is cut in the middle of a response',
  (_name, engine: TestMysql) => {
    let root: AdminConnection;
    let database: TestDatabase;
    let account: PoolAccount;
    let cutter: Awaited<ReturnType<typeof startCutter>>;
    let server: PoolServer;
    let pools: TenantPools;

    beforeAll(async () => {
      root = await openAdminConnection(engine);
      database = await createTestDatabase(engine);
      const user = await database
        .addUser({ login: "IDENTIFIED WITH mysql_native_password BY 'secret'" })
        .catch(() => database.addUser());
      await database.run([
        'CREATE TABLE t (id int PRIMARY KEY, own varchar(40) NOT NULL)',
        `INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${READS}) SELECT i, CONCAT('the row of ', i) FROM n`,
      ]);
      account = { user, password: () => 'secret', schema: database.name, connectionsMax: 3 };
      cutter = await startCutter(engine);
      server = {
        id: 'srv_cuts',
        host: '127.0.0.1',
        port: (cutter.server.address() as AddressInfo).port,
        tls: 'off',
        engine: engine.engine,
        connectionsMax: 4,
      };
      pools = createTenantPools(DEFAULT_POOL_OPTIONS);
    });
    afterAll(async () => {
      await pools.close(500);
      cutter.server.close();
      await database.drop();
      await root.close();
    });

    const ids = Array.from({ length: READS }, (_, index) => index + 1);
    const rowOf = (id: number): DbValue[][] => [[id, `the row of ${id}`]];
    /**
     * Logs in and prepares the statement, so that the bytes after this call are responses to the statement
     * itself.
     */
    const warmUp = (): Promise<unknown> =>
      pools.executor.readByKey({ server, account }, 5_000, { sql: SQL, params: [1] }, keepRows);

    it('each caller of a cut connection gets its own row or a connection error', async () => {
      let lost = 0;
      for (let cutIndex = 0; cutIndex < CUTS; cutIndex += 1) {
        await warmUp();
        cutter.cutAfter(1 + Math.floor((cutIndex * ANSWERS_BYTES) / CUTS));
        const found = await Promise.all(
          ids.map((id) =>
            shared(pools)
              .readShared({ server, account }, 5_000, { sql: SQL, params: [id] }, keepRows())
              .then(
                ({ rows }) => rows,
                (error: unknown) => error,
              ),
          ),
        );
        found.forEach((rows, index) => {
          if (rows instanceof ConnectionLostError) lost += 1;
          else expect(rows).toEqual(rowOf(ids[index] ?? 0));
        });
        cutter.cutAfter(Number.POSITIVE_INFINITY);
      }
      expect(cutter.cuts()).toBeGreaterThan(CUTS / 4);
      expect(lost).toBeGreaterThan(0);
    });

    /** Increments the row and reads it back, as the gateway does to change a record. */
    const change = async (id: number): Promise<DbValue[][]> => {
      const write = {
        sql: 'UPDATE t SET own = own + 1 WHERE id = ?',
        values: [id],
        makeSink: () => ignoreRows,
      };
      const [, read] = await pools.executor.writeRecord(
        { server, account },
        { waitMs: 5_000 },
        { write, read: { sql: SQL, values: [id], makeSink: keepRows } },
      );
      return read?.rows ?? [];
    };

    it('an update on a cut connection runs at most once and may report an unknown outcome', async () => {
      await database.run([
        `INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < ${1_000 + CUTS}) SELECT i, '0' FROM n`,
      ]);
      const messages: unknown[] = [];
      for (let cutIndex = 1; cutIndex < CUTS; cutIndex += 1) {
        // Prepares both statements, so that the bytes after this call are responses to the statements
        // themselves.
        await change(1_001);
        cutter.cutAfter(cutIndex * 12);
        messages.push(
          await change(1_001 + cutIndex).then(
            (rows) => rows[0]?.[1],
            (error: { code?: string }) => error.code,
          ),
        );
        cutter.cutAfter(Number.POSITIVE_INFINITY);
      }
      const stored = await root.rows<{ own: string }>(
        `SELECT own FROM \`${database.name}\`.t WHERE id > 1001 ORDER BY id`,
      );
      messages.forEach((outcome, index) => {
        if (outcome === '1') expect(stored[index]?.own).toBe('1');
        else expect([outcome, Number(stored[index]?.own) <= 1]).toEqual(['db.outcome_unknown', true]);
      });
      expect(new Set(messages)).toEqual(new Set(['1', 'db.outcome_unknown']));
    });

    /** Ends the cuts. Expects that the record is stored once, or that the outcome is reported as unknown. */
    async function checkCreate(id: number, outcome: unknown): Promise<'made' | 'db.outcome_unknown'> {
      cutter.cutAfter(Number.POSITIVE_INFINITY);
      const stored = await root.rows<{ id: number }>(`SELECT id FROM \`${database.name}\`.t WHERE id = ?`, [
        id,
      ]);
      if (!Array.isArray(outcome)) {
        expect(outcome).toBe('db.outcome_unknown');
        return 'db.outcome_unknown';
      }
      expect([outcome, stored]).toEqual([[[id, 'made']], [{ id }]]);
      return 'made';
    }

    /** The key is given by the client, so an INSERT that runs twice would fail as a duplicate. */
    const create = (id: number): Promise<unknown> =>
      runStatements(pools, { server, account }, { mode: 'write', waitMs: 5_000 }, (run) =>
        run(
          `INSERT INTO t (id, own) VALUES (?, 'made')${engine.engine === 'mariadb' ? ' RETURNING id, own' : ''}`,
          [id],
          keepRows(),
        ),
      ).then(
        ({ kind, rows }) => (kind === 'rows' ? rows : [[id, 'made']]),
        (error: { code?: string }) => error.code,
      );

    it('a create on a cut connection runs at most once and may report an unknown outcome', async () => {
      const messages: unknown[] = [];
      for (let cutIndex = 0; cutIndex < CUTS; cutIndex += 1) {
        await create(2_000 + 2 * cutIndex);
        cutter.cutAfter(1 + cutIndex * 12);
        const id = 2_001 + 2 * cutIndex;
        const outcome = await create(id);
        messages.push(await checkCreate(id, outcome));
      }
      expect(new Set(messages)).toEqual(new Set(['made', 'db.outcome_unknown']));
    });

    /**
     * Simulates an INSERT on an engine without RETURNING: the new record is read back in the same
     * transaction.
     */
    const createBound = (
      id: number,
      more: () => Promise<void> = () => Promise.resolve(),
      through = pools,
    ): Promise<unknown> =>
      runStatements(
        through,
        { server, account },
        { mode: 'transaction', waitMs: 5_000 },
        async (_run, runPair) => {
          const [, read] = await runPair(
            { sql: "INSERT INTO t (id, own) VALUES (?, 'made')", values: [id], makeSink: () => ignoreRows },
            { sql: SQL, values: [id], makeSink: keepRows },
          );
          await more();
          return read.rows;
        },
      ).catch((error: { code?: string; errno?: number }) => error.code ?? error.errno);

    it('a record is created and read back in one transaction with two round trips', async () => {
      const tenantPools = createTenantPools(DEFAULT_POOL_OPTIONS);
      await createBound(3_000, undefined, tenantPools);
      const before = cutter.trips();
      expect(await createBound(3_001, undefined, tenantPools)).toEqual([[3_001, 'made']]);
      expect(cutter.trips() - before).toBe(2);
      // If the INSERT is rejected, or aborted afterwards, no row remains and the session is unchanged.
      expect(await createBound(3_001, undefined, tenantPools)).toBe(1062);
      expect(
        await createBound(
          3_002,
          () => Promise.reject(Object.assign(new Error('given up'), { code: 'given up' })),
          tenantPools,
        ),
      ).toBe('given up');
      expect(await createBound(3_003, undefined, tenantPools)).toEqual([[3_003, 'made']]);
      await tenantPools.close(500);
      expect(await root.rows(`SELECT id FROM \`${database.name}\`.t WHERE id >= 3000 ORDER BY id`)).toEqual([
        { id: 3_000 },
        { id: 3_001 },
        { id: 3_003 },
      ]);
    });

    it('a transactional create on a cut connection runs at most once', async () => {
      const messages: unknown[] = [];
      for (let cutIndex = 1; cutIndex < CUTS; cutIndex += 1) {
        await createBound(4_000 + 2 * cutIndex);
        cutter.cutAfter(cutIndex * 9);
        const id = 4_001 + 2 * cutIndex;
        const outcome = await createBound(id);
        messages.push(await checkCreate(id, outcome));
      }
      expect(messages).toContain('made');
    });

    it('reads on a cut connection are repeated on another connection without an error', async () => {
      for (let cutIndex = 0; cutIndex < CUTS / 2; cutIndex += 1) {
        await warmUp();
        cutter.cutAfter(1 + Math.floor((cutIndex * ANSWERS_BYTES) / CUTS));
        const found = await Promise.all(
          ids.map((id) =>
            pools.executor.readByKey({ server, account }, 5_000, { sql: SQL, params: [id] }, keepRows),
          ),
        );
        expect(found.map(({ rows }) => rows)).toEqual(ids.map(rowOf));
      }
    });
  },
);

import { createTestDatabase, getTestServers, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openAdminConnection, type AdminConnection } from '../admin/admin-connection.js';
import { DatabaseFault } from '../faults.js';
import { DEFAULT_POOL_OPTIONS } from '../pool/pool-options.js';
import { createTenantPools, type TenantPools } from '../pool/tenant-pools.js';
import { collectRows } from '../row-sinks.js';
import { runStatements } from './run-statements.js';
import { runStream, type StreamOptions } from './run-stream.js';
import { SESSIONS } from '../admin/sessions-table.js';
import type { PoolAccount, PoolServer, RowSink, StatementFlow } from '../types.js';

const ROWS = 20_000;
/** A query whose result is larger than all buffers between the server and this process. */
const WIDE = `SELECT a.id, REPEAT('x', 2000) FROM t a JOIN t b WHERE b.id <= 2`;
const ENDLESS = 'SELECT SUM(SIN(a.id * b.id * c.id)) FROM t a JOIN t b JOIN t c';

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'streams of rows on %s',
  (_name, engine: TestMysql) => {
    let database: TestDatabase;
    let root: AdminConnection;
    let pools: TenantPools;
    let account: PoolAccount;
    const server: PoolServer = {
      id: 'srv_stream',
      host: engine.host,
      port: engine.port,
      tls: 'off',
      engine: engine.engine,
      connectionsMax: 4,
    };

    beforeAll(async () => {
      root = await openAdminConnection(engine);
      database = await createTestDatabase(engine);
      const user = await database.addUser({ rights: 'SELECT, INSERT' });
      const digits =
        '(SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)';
      await database.run([
        'CREATE TABLE t (id int PRIMARY KEY)',
        `INSERT INTO t SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d FROM ${digits} a, ${digits} b, ${digits} c, ${digits} d, ${digits} e WHERE e.d < 2`,
      ]);
      account = { user, password: () => 'secret', schema: database.name, connectionsMax: 1 };
      pools = createTenantPools({ ...DEFAULT_POOL_OPTIONS, statementMsMax: 1_000, graceMs: 300 });
    });

    afterAll(async () => {
      await pools.close(500);
      await database.drop();
      await root.close();
    });

    const stream = <R>(sql: string, sink: RowSink<R>, options: Partial<StreamOptions> = {}) =>
      runStream(
        pools,
        { server, account },
        { waitMs: 2_000, connectionsMax: 2, statementMsMax: 20_000, kind: 'long', ...options },
        (run) => run(sql, [], sink),
      );
    const short = async (): Promise<unknown> =>
      (
        await runStatements(pools, { server, account }, { mode: 'read', waitMs: 2_000 }, (run) =>
          run('SELECT CONNECTION_ID(), @@autocommit', [], collectRows({ bytesMax: 1e6 })),
        )
      ).rows.rows[0];
    const running = async (): Promise<number> =>
      (
        await root.rows<{ id: number }>(
          `SELECT ID AS id FROM ${SESSIONS} WHERE USER = ? AND COMMAND <> 'Sleep'`,
          [account.user],
        )
      ).length;

    /** Creates a sink that pauses after some rows and counts them. */
    function slowSink(pauseAt: number): RowSink<number> & { flow: StatementFlow | null; rows: number } {
      return {
        flow: null,
        rows: 0,
        columns: null,
        onFlow(flow) {
          this.flow = flow;
        },
        row() {
          this.rows += 1;
          if (this.rows === pauseAt) this.flow?.pause();
        },
        end() {
          return this.rows;
        },
      };
    }

    it('a paused row stream pauses the server and loses no row', async () => {
      const sink = slowSink(1_000);
      const done = stream(WIDE, sink);
      await vi.waitFor(() => expect(sink.rows).toBe(1_000));
      // A short request of the same account still gets a connection while the stream runs.
      expect(await short()).toBeDefined();
      await vi.waitFor(async () => expect(await running()).toBe(1));
      expect(sink.rows).toBe(1_000);
      sink.flow?.resume();
      expect((await done).rows).toBe(ROWS * 2);
      sink.flow?.stop();
      expect(await short()).toBeDefined();
    });

    it('the statement of a paused row stream is stopped on the server', async () => {
      for (const sql of [WIDE, ENDLESS]) {
        const sink = slowSink(10);
        const done = stream(sql, sink, { kind: 'read_only' });
        // The sink has its flow only once the query was sent. Before that, the running statement only applies
        // session settings.
        await vi.waitFor(() => expect(sink.flow).not.toBeNull());
        await vi.waitFor(async () => expect(await running()).toBe(1));
        if (sql === WIDE) await vi.waitFor(() => expect(sink.rows).toBeGreaterThanOrEqual(10));
        sink.flow?.stop();
        await done;
        await vi.waitFor(async () => expect(await running()).toBe(0), { timeout: 15_000 });
      }
      expect((await stream('SELECT id FROM t LIMIT 5', slowSink(99))).rows).toBe(5);
    });

    it('a row stream has a longer time limit than short statements and changes no settings', async () => {
      await expect(
        stream(ENDLESS, slowSink(0), { kind: 'short', statementMsMax: 1_000 }),
      ).rejects.toMatchObject({ code: 'limit.statement_time' });
      await expect(stream(ENDLESS, slowSink(0), { statementMsMax: 1_500 })).rejects.toMatchObject({
        code: 'limit.statement_time',
      });
      expect((await stream('SELECT SLEEP(0.05) FROM t LIMIT 30', slowSink(99))).rows).toBe(30);
      const limits = await stream(
        engine.engine === 'mariadb' ? 'SELECT @@max_statement_time' : 'SELECT @@max_execution_time / 1000',
        collectRows({ bytesMax: 1e6 }),
        { kind: 'short', statementMsMax: 1_000 },
      );
      expect(Number(limits.rows.rows[0]?.[0])).toBe(1);
    });

    it('a row stream is READ ONLY, so that the server rejects a write in it', async () => {
      const fault = await stream('INSERT INTO t VALUES (0)', slowSink(99), { kind: 'read_only' }).catch(
        (error: unknown) => error,
      );
      expect(fault).toBeInstanceOf(DatabaseFault);
      expect((fault as DatabaseFault).errno).toBe(1792);
    });

    it('idle sessions of row streams are closed together with the account', async () => {
      await stream('SELECT 1', slowSink(99));
      const before = pools.stats()[0]?.idle ?? 0;
      pools.forgetAccount(server.id, account.user);
      expect(before).toBeGreaterThan(0);
      expect(pools.stats()[0]?.idle).toBe(0);
      expect((await stream('SELECT 1', slowSink(99))).rows).toBe(1);
    });
  },
);

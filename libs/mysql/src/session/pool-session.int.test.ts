import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createTestDatabase, getTestServers, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openAdminConnection, type AdminConnection } from '../admin/admin-connection.js';
import { ConnectionLostError } from '../faults.js';
import { PoolSession } from './pool-session.js';
import { createResponseSlices, type Scheduler } from '@rowhouse/admission';
import { collectRows } from '../row-sinks.js';
import { SESSIONS } from '../admin/sessions-table.js';

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'a session on %s',
  (_name, engine: TestMysql) => {
    let root: AdminConnection;
    let database: TestDatabase;
    /** The proxy between the session and its server. */
    let relay: Server;
    let downstream: Socket;

    beforeAll(async () => {
      root = await openAdminConnection(engine);
      database = await createTestDatabase(engine);
      relay = createServer((socket) => {
        downstream = socket;
        const upstream = connect(engine.port, engine.host);
        for (const item of [socket, upstream]) item.on('error', () => undefined);
        socket.pipe(upstream).pipe(socket);
      });
      await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve));
    });

    afterAll(async () => {
      relay.close();
      await database.drop();
      await root.close();
    });

    it.each([
      ['a command', (session: PoolSession) => session.command('SELECT SLEEP(30)')],
      [
        'a statement',
        (session: PoolSession) => session.run('SELECT SLEEP(30)', [], collectRows({ bytesMax: 1_000 })),
      ],
    ] as const)(
      'a session is marked as lost as soon as %s notices a connection reset',
      async (_what, start) => {
        const session = await openSession((relay.address() as AddressInfo).port);
        session.onLost = vi.fn();
        const received = start(session).then(
          () => null,
          (error: unknown) => ({ error, isLost: session.isLost }),
        );
        await expect
          .poll(() =>
            root.rows(`SELECT 1 FROM ${SESSIONS} WHERE ID = ? AND INFO LIKE ?`, [
              session.threadId,
              '%SLEEP%',
            ]),
          )
          .toHaveLength(1);
        downstream.resetAndDestroy();
        expect(await received).toEqual({ error: expect.any(ConnectionLostError), isLost: true });
        expect(session.onLost).toHaveBeenCalledTimes(1);
        await expect(session.command('SELECT 1')).rejects.toThrow(ConnectionLostError);
      },
    );

    it('the SESSIONS query lists a session whose statement contains any characters', async () => {
      const session = await openSession(engine.port);
      const asleep = session.run('SELECT SLEEP(1) /* 😀 */', [], {
        columns: null,
        row: () => undefined,
        end: () => 'awake',
      });
      await expect
        .poll(() =>
          root.rows(
            `SELECT DB AS name, COMMAND AS command FROM ${SESSIONS} WHERE ID = ? AND INFO LIKE '%SLEEP%'`,
            [session.threadId],
          ),
        )
        .toEqual([{ name: database.name, command: 'Execute' }]);
      expect((await asleep).rows).toBe('awake');
      session.end();
    });

    it('a statement that refers to a dropped table is prepared again', async () => {
      const session = await openSession(engine.port);
      const countPrepared = async (): Promise<number> =>
        Number(
          (
            await session.run(
              "SHOW SESSION STATUS LIKE 'Com_stmt_prepare'",
              [],
              collectRows({ bytesMax: 1_000 }),
            )
          ).rows.rows[0]?.[1],
        );
      const insert = (): Promise<unknown> =>
        session.run('INSERT INTO kept (a) VALUES (?)', ['1'], collectRows({ bytesMax: 1_000 }));
      await root.run(`CREATE TABLE \`${database.name}\`.kept (a INT)`);
      await insert();
      await root.run(`DROP TABLE \`${database.name}\`.kept`);
      const before = await countPrepared();
      await expect(insert()).rejects.toMatchObject({ errno: 1146 });
      // The statement was prepared again. The old handle would still look for the dropped triggers.
      expect(await countPrepared()).toBeGreaterThan(before);
      await root.run(`CREATE TABLE \`${database.name}\`.kept (a INT)`);
      await expect(insert()).resolves.toMatchObject({ counts: { affectedRows: 1 } });
      session.end();
    });

    it('a session reads a long response in several slices', async () => {
      const waiting: [owner: string, goOn: () => void][] = [];
      const session = await openSession(engine.port, {
        wait: (owner, resume) => void waiting.push([owner, resume]),
      });
      let rows = 0;
      const sink = { columns: null, row: () => void (rows += 1), end: () => rows };
      await root.run(
        `CREATE TABLE \`${database.name}\`.long_rows (a VARCHAR(2000)) SELECT REPEAT('x', 2000) AS a FROM information_schema.COLLATIONS LIMIT 200`,
      );
      const run = session.run('SELECT a FROM long_rows', [], sink);
      let isFinished = false;
      void run.then(() => (isFinished = true));
      for (let iterations = 1; iterations <= 11; iterations += 1) {
        await expect.poll(() => waiting).toHaveLength(1);
        expect({ rows, isOver: isFinished }).toEqual({ rows: 17 * iterations, isOver: false });
        const [owner, resume] = waiting.pop() ?? ['', () => undefined];
        expect(owner).toBe(database.name);
        resume();
      }
      expect((await run).rows).toBe(200);
      // The next response is read normally.
      expect(
        (await session.run('SELECT 1', [], { columns: null, row: () => undefined, end: () => 'read' })).rows,
      ).toBe('read');
      session.end();
    });

    function openSession(port: number, scheduler?: Scheduler): Promise<PoolSession> {
      return PoolSession.open(
        { id: 'srv_test', host: '127.0.0.1', port, tls: 'off', engine: engine.engine, connectionsMax: 2 },
        { user: engine.user, password: () => engine.password, schema: database.name, connectionsMax: 2 },
        {
          connectTimeoutMs: 5_000,
          statementMsMax: 40_000,
          graceMs: 300,
          statementsPerSessionMax: 10,
          answersReadBy: 'wire',
          ...(scheduler === undefined
            ? {}
            : { paceResponse: (schema, openFlow) => createResponseSlices(scheduler, schema, openFlow) }),
        },
      );
    }
  },
);

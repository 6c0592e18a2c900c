import { openAdminConnection, type AdminConnection } from '@rowhouse/mysql';
import { randomBase32 } from '@rowhouse/runtime';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginLogin } from '../testing/begin-login.js';
import { createOwner } from '../testing/create-owner.js';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';
import { UNAUTHENTICATED } from './suspect-sessions.js';
import { listHalfOpen, listSessions } from './list-sessions.js';

const PASSWORD = 'a-password-of-the-test';

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'shares of a server on %s',
  (_name, engine) => {
    let harness: WorkerHarness;
    let database: TestDb;
    const user = `u${randomBase32(20)}`;
    let id: string;
    beforeAll(async () => {
      harness = await WorkerHarness.create(engine);
      // One session may use an eighth of this memory: 32 MiB.
      await harness.startWorker({ DIRECT_MEMORY_MB: '256', DIRECT_IDLE_TRANSACTION_SECONDS: '2' });
      database = await harness.provision();
      id = await createOwner(harness, database, user, PASSWORD);
    });
    afterAll(() => harness.close());

    const open = (): Promise<AdminConnection> =>
      openAdminConnection({
        host: engine.host,
        port: engine.port,
        user,
        password: PASSWORD,
        database: database.schemaName,
      });
    const isEnded = (session: AdminConnection): Promise<boolean> =>
      session.rows('SELECT 1').then(
        () => false,
        () => true,
      );
    const readEnded = async (bound: string): Promise<Record<string, unknown>[]> => {
      const rows = await harness.platform.rows<{
        connection_id: string;
        database_id: string;
        detail: unknown;
      }>(
        "SELECT target AS connection_id, database_id, detail FROM audit_outbox WHERE action = 'connection.session_ended' AND JSON_VALUE(detail, '$.bound') = ? ORDER BY id",
        [bound],
      );
      return rows.map((row) => ({
        ...row,
        detail: typeof row.detail === 'string' ? JSON.parse(row.detail) : row.detail,
      }));
    };

    it('a session whose variables fill memory is ended, and the reason is recorded', async () => {
      const [large, small] = [await open(), await open()];
      for (let index = 0; index < 4; index += 1)
        await large.run(`SET @v${index} = REPEAT('x', 12000000)`).catch(() => undefined);
      await harness.poll(async () => ((await isEnded(large)) ? true : null));
      expect(await isEnded(small)).toBe(false);
      const [event] = await harness.poll(async () =>
        (await readEnded('memory')).length > 0 ? readEnded('memory') : null,
      );
      expect(event).toMatchObject({
        connection_id: id,
        database_id: database.id,
        detail: {
          reach: 'session',
          max: 32 * 2 ** 20,
          unit: 'bytes',
          sessions: 1,
          user_name: user,
          connection: expect.any(String) as unknown,
        },
      });
      expect((event as { detail: { figure: number } }).detail.figure).toBeGreaterThan(32 * 2 ** 20);
      await Promise.all([large.close(), small.close()]);
    });

    it.runIf(engine.engine === 'mariadb')(
      'a session that has cleared its variables counts with half of its highest memory use',
      async () => {
        const root = await harness.openRoot();
        const set = (value: string): string =>
          `SET ${Array.from({ length: 8 }, (_, index) => `@v${index} = ${value}`).join(', ')}`;
        await root.run(set("REPEAT('x', 10000000)"));
        await root.run(set('NULL'));
        const [own] = await root.rows<{ id: number }>('SELECT CONNECTION_ID() AS id');
        const listed = await listSessions(root, { engine: 'mariadb', engineVersion: '10.11.0-MariaDB' });
        const session = listed.find(({ id: sessionId }) => sessionId === Number(own?.id));
        expect(session?.memoryBytes).toBeLessThan(10_000_000);
        expect(session?.keptBytes).toBeGreaterThan(40_000_000);
        await root.close();
      },
    );

    it('a session whose statement opens too many table instances is ended', async () => {
      const [first, holder] = [await open(), await open()];
      const expression = Array.from({ length: 120 }, (_, index) => `(b + ${index})`).join(' * 0 + ');
      const columns = Array.from({ length: 10 }, (_, index) => `v${index} int AS (${expression}) VIRTUAL`);
      await first.run(`CREATE TABLE wide (id int PRIMARY KEY, b int, ${columns.join(', ')})`);
      await first.close();
      const aliases = Array.from({ length: 120 }, (_, index) => `wide AS a${index} READ`);
      await holder.run(`LOCK TABLES ${aliases.join(', ')}`).catch(() => undefined);
      await harness.poll(async () => ((await isEnded(holder)) ? true : null));
      const [event] = await harness.poll(async () => {
        const found = (await readEnded('memory')).filter(
          ({ detail }) => (detail as { reach: string }).reach === 'database',
        );
        return found.length > 0 ? found : null;
      });
      // The first session may still be listed for a moment after it was ended.
      expect(event).toMatchObject({ connection_id: id, detail: { unit: 'bytes' } });
      await holder.close();
    });

    it('a session that holds thousands of named locks is ended, and one with a few stays', async () => {
      const [many, some] = [await open(), await open()];
      const takeLocks = (session: AdminConnection, from: number, count: number): Promise<unknown> =>
        session.rows(
          `SELECT ${Array.from({ length: count }, (_, index) => `GET_LOCK('${user}_${from + index}', 0)`).join(' + ')}`,
        );
      await takeLocks(some, 100_000, 200);
      for (let from = 0; from < 5_200; from += 400) await takeLocks(many, from, 400).catch(() => undefined);
      await harness.poll(async () => ((await isEnded(many)) ? true : null));
      expect(await isEnded(some)).toBe(false);
      const [event] = await harness.poll(async () =>
        (await readEnded('named_locks')).length > 0 ? readEnded('named_locks') : null,
      );
      expect(event).toMatchObject({
        connection_id: id,
        detail: { reach: 'session', max: 5_000, unit: 'locks', sessions: 1 },
      });
      await Promise.all([many.close(), some.close()]);
    });

    it.runIf(engine.engine === 'mariadb')(
      'a session with thousands of temporary tables is ended, and one that drops them is not',
      async () => {
        const [many, some] = [await open(), await open()];
        const create = (name: string): string => `CREATE TEMPORARY TABLE ${name} (a int)`;
        for (let index = 0; index < 2_100; index += 1) {
          await many.run(create(`t${index}`)).catch(() => undefined);
          if (index % 3 === 0) await some.run(create('t')).then(() => some.run('DROP TEMPORARY TABLE t'));
        }
        await harness.poll(async () => ((await isEnded(many)) ? true : null));
        expect(await isEnded(some)).toBe(false);
        const [event] = await harness.poll(async () =>
          (await readEnded('temporary_tables')).length > 0 ? readEnded('temporary_tables') : null,
        );
        expect(event).toMatchObject({
          connection_id: id,
          detail: { reach: 'session', max: 2_000, unit: 'tables', sessions: 1 },
        });
        await Promise.all([many.close(), some.close()]);
      },
    );

    it('sessions beyond the share of an organization are ended, and its users get lower limits', async () => {
      const readLimit = async (): Promise<number | null> =>
        (
          await harness.platform.rows<{ sessions_max: number | null }>(
            'SELECT sessions_max FROM connection_user WHERE id = ?',
            [id],
          )
        )[0]?.sessions_max ?? null;
      const sessions = [await open(), await open(), await open(), await open(), await open(), await open()];
      // An organization may have two fifths of the ten connections, and a database one fifth.
      await harness.platform.run('UPDATE server SET direct_connections_max = 10 WHERE id = ?', [
        harness.serverId,
      ]);
      await harness.poll(async () => ((await isEnded(sessions[5] as AdminConnection)) ? true : null));
      await harness.poll(async () =>
        (await Promise.all(sessions.map(isEnded))).filter((ended) => !ended).length === 2 ? true : null,
      );
      const [event] = await harness.poll(async () =>
        (await readEnded('connections')).length > 0 ? readEnded('connections') : null,
      );
      expect(event).toMatchObject({
        connection_id: id,
        detail: { reach: 'database', figure: 6, max: 2, unit: 'sessions', sessions: 4 },
      });
      await harness.poll(async () => ((await readLimit()) === 2 ? true : null));
      await Promise.all(sessions.map((session) => session.close()));
      const secondResponse = await Promise.allSettled([open(), open(), open(), open()]);
      expect(secondResponse.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      for (const item of secondResponse) if (item.status === 'fulfilled') await item.value.close();
      await harness.platform.run('UPDATE server SET direct_connections_max = NULL WHERE id = ?', [
        harness.serverId,
      ]);
      await harness.platform.run('UPDATE connection_user SET limited_until = NULL WHERE id = ?', [id]);
      await harness.poll(async () => ((await readLimit()) === null ? true : null));
    });

    it('an unfinished login counts for no user, whatever name it has sent', async () => {
      const observer = await harness.openRoot();
      const server = { engine: engine.engine, engineVersion: engine.version };
      const logins = await Promise.all(Array.from({ length: 4 }, () => beginLogin(engine, user)));
      const sessions = await listSessions(observer, server);
      expect(sessions.filter((session) => session.user === user)).toEqual([]);
      expect(sessions.filter((session) => session.user === UNAUTHENTICATED).length).toBeGreaterThanOrEqual(4);
      expect((await listHalfOpen(observer, engine.engine)).length).toBeGreaterThanOrEqual(4);
      for (const login of logins) login.destroy();
      await observer.close();
    });

    it('a session that is idle in a transaction for too long is ended, whatever its clock', async () => {
      const session = await open();
      await session.run('SET SESSION timestamp = 2147483647');
      await session.run('CREATE TABLE held (a int)');
      await session.run('START TRANSACTION');
      await session.run('INSERT INTO held VALUES (1)');
      await harness.poll(async () => ((await readEnded('idle_transaction')).length > 0 ? true : null));
      expect(await isEnded(session)).toBe(true);
      await session.close();
    });
  },
);

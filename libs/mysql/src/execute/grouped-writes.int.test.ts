import { setTimeout as pause } from 'node:timers/promises';
import { createTestDatabase, getTestServers, type TestDatabase, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAdminConnection, type AdminConnection } from '../admin/admin-connection.js';
import { WritesPausedError } from '../faults.js';
import { DEFAULT_POOL_OPTIONS } from '../pool/pool-options.js';
import type { BindValue, DbValue, PoolAccount, PoolServer } from '../types.js';
import { createTenantPools, type TenantPools } from '../pool/tenant-pools.js';

import { SESSIONS } from '../admin/sessions-table.js';
import { keepRows } from '../testing/keep-rows.js';

/** Engines that can disable lock waits per write. */
const engines = getTestServers().engines.filter(({ engine }) => engine === 'mariadb');
const MANY = 40;

describe.each(engines.map((engine) => [engine.engine, engine] as const))(
  'grouped writes on %s',
  (_name, engine: TestMysql) => {
    const server: PoolServer = {
      id: 'srv_together',
      host: engine.host,
      port: engine.port,
      tls: 'off',
      engine: engine.engine,
      connectionsMax: 20,
    };
    let database: TestDatabase;
    let account: PoolAccount;
    let user: string;
    let root: AdminConnection;
    let pools: TenantPools;

    beforeAll(async () => {
      root = await openAdminConnection(engine);
      database = await createTestDatabase(engine);
      user = await database.addUser();
      await database.run([
        'CREATE TABLE parents (id int PRIMARY KEY)',
        'INSERT INTO parents VALUES (1)',
        'CREATE TABLE t (id int AUTO_INCREMENT PRIMARY KEY, own varchar(40) NOT NULL UNIQUE, size int NOT NULL DEFAULT 0 CHECK (size >= 0), parent int, session bigint, FOREIGN KEY (parent) REFERENCES parents (id))',
        'CREATE TABLE log (id int AUTO_INCREMENT PRIMARY KEY, note varchar(40))',
        'CREATE TRIGGER t_session BEFORE INSERT ON t FOR EACH ROW SET NEW.session = CONNECTION_ID()',
        'CREATE TABLE slow (id int PRIMARY KEY, ms int NOT NULL)',
        'INSERT INTO slow VALUES (1, 0), (2, 0), (3, 0)',
        'CREATE TRIGGER slow_sleep BEFORE UPDATE ON slow FOR EACH ROW BEGIN DECLARE nothing int; SET nothing = SLEEP(NEW.ms / 1000); END',
      ]);
      pools = createTenantPools({ ...DEFAULT_POOL_OPTIONS, writesTogether: true });
    });
    afterAll(async () => {
      await pools.close(500);
      await database.drop();
      await root.close();
    });
    // The outcomes of earlier statements are recorded on the account object, so each test case starts with a
    // new object.
    beforeEach(async () => {
      account = { user, password: () => 'secret', schema: database.name, connectionsMax: 4, writesMax: 10 };
      await database.run(['DELETE FROM t']);
    });

    type Outcome = readonly [
      written: readonly DbValue[][],
      counts: number,
      read: readonly DbValue[][] | null,
    ];
    async function change(
      sql: string,
      values: readonly BindValue[],
      read: readonly [string, readonly BindValue[]] | null = null,
    ): Promise<Outcome> {
      const [written, found] = await pools.executor.writeRecord(
        { server, account },
        { waitMs: 5_000 },
        {
          write: { sql, values, makeSink: keepRows },
          read: read === null ? null : { sql: read[0], values: read[1], makeSink: keepRows },
        },
      );
      return [written.rows, written.counts.affectedRows, found === null ? null : found.rows];
    }
    const create = (own: string, size = 0, parent: number | null = null): Promise<Outcome> =>
      change('INSERT INTO t (own, size, parent) VALUES (?, ?, ?) RETURNING id, own, session', [
        own,
        size,
        parent,
      ]);
    const count = async (where = '1'): Promise<number> =>
      Number((await root.rows(`SELECT COUNT(*) AS n FROM \`${database.name}\`.t WHERE ${where}`))[0]?.n);
    const errnoOf = (error: unknown): unknown => (error as { errno?: unknown }).errno;

    it('grouped writes have the same results as separate writes and use few sessions', async () => {
      const rows = (
        await Promise.all(Array.from({ length: MANY }, (_, index) => create(`own-${index}`)))
      ).map(([[row]]) => row ?? []);
      expect(rows.map(([, own]) => own)).toEqual(Array.from({ length: MANY }, (_, index) => `own-${index}`));
      expect(new Set(rows.map(([id]) => id)).size).toBe(MANY);
      // Two writes run on separate sessions, and the others on one or two pipelined connections.
      expect(new Set(rows.map(([, , session]) => session)).size).toBeLessThanOrEqual(4);
      expect(await count()).toBe(MANY);
    });

    it('a grouped write is rejected only for an error of its own statement', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: MANY }, (_, index) => {
          if (index % 4 === 1) return create('the same');
          if (index % 4 === 2) return create(`small-${index}`, -1);
          return index % 4 === 3 ? create(`orphan-${index}`, 0, 7) : create(`own-${index}`, 0, 1);
        }),
      );
      const faults = outcomes.map((item) => (item.status === 'fulfilled' ? null : errnoOf(item.reason)));
      expect(
        faults.filter((errno, index) => errno !== null && errno !== [null, 1062, 4025, 1452][index % 4]),
      ).toEqual([]);
      expect(faults.filter((errno) => errno === null)).toHaveLength(MANY / 4 + 1);
      expect(await count()).toBe(MANY / 4 + 1);
    });

    it('each grouped write returns its own row and its own number of matched rows', async () => {
      const ids = (await Promise.all(Array.from({ length: MANY }, (_, index) => create(`own-${index}`)))).map(
        ([[row]]) => Number(row?.[0]),
      );
      const read = (id: number): readonly [string, readonly BindValue[]] => [
        'SELECT id, own, size FROM t WHERE id = ?',
        [id],
      ];
      const changed = await Promise.all(
        ids.map((id, index) =>
          change('UPDATE t SET size = ? WHERE id = ?', [index, index % 8 === 0 ? -id : id], read(id)),
        ),
      );
      changed.forEach(([, counts, rows], index) =>
        expect([index, counts, rows?.[0]]).toEqual([
          index,
          index % 8 === 0 ? 0 : 1,
          [ids[index], `own-${index}`, index % 8 === 0 ? 0 : index],
        ]),
      );
      const removed = await Promise.all(ids.map((id) => change('DELETE FROM t WHERE id = ?', [id])));
      expect(removed.map(([, counts]) => counts)).toEqual(ids.map(() => 1));
      expect(await count()).toBe(0);
    });

    it('concurrent grouped increments of one row add up', async () => {
      const [[row]] = await create('counted');
      const id = Number(row?.[0]);
      await Promise.all(
        Array.from({ length: 4 * MANY }, () => change('UPDATE t SET size = size + 1 WHERE id = ?', [id])),
      );
      expect(await count(`size = ${4 * MANY}`)).toBe(1);
    });

    it('grouped writes do not wait for a write whose row is locked', async () => {
      const ids = (await Promise.all(Array.from({ length: MANY }, (_, index) => create(`own-${index}`)))).map(
        ([[row]]) => Number(row?.[0]),
      );
      await root.run(`USE \`${database.name}\``);
      await root.run('START TRANSACTION');
      await root.run('UPDATE t SET size = 100 WHERE id = ?', [ids[20] ?? 0]);
      const changed = ids.map((id) => change('UPDATE t SET size = size + 1 WHERE id = ?', [id]));
      const held = changed.splice(20, 1)[0];
      let isHeld = true;
      void held?.then(() => (isHeld = false));
      await Promise.all(changed);
      expect(isHeld).toBe(true);
      await root.run('COMMIT');
      expect((await held)?.[1]).toBe(1);
      expect(await count('size = 101')).toBe(1);
    });

    it('a slow grouped write leaves its group and finishes on a separate session', async () => {
      const notify = (id: number, ms: number): Promise<Outcome> =>
        change('UPDATE slow SET ms = ? WHERE id = ?', [ms, id]);
      const order: string[] = [];
      await Promise.all([
        notify(1, 0),
        notify(2, 0),
        notify(3, 2_500).then(() => order.push('slow')),
        ...Array.from({ length: MANY }, (_, index) => create(`own-${index}`).then(() => order.push('own'))),
      ]);
      expect(order).toHaveLength(MANY + 1);
      expect(order.at(-1)).toBe('slow');
      expect(String((await root.rows(`SELECT ms FROM \`${database.name}\`.slow WHERE id = 3`))[0]?.ms)).toBe(
        '2500',
      );
    });

    it('the session of grouped writes returns to the pool with its usual settings', async () => {
      await Promise.all(Array.from({ length: MANY }, (_, index) => create(`own-${index}`)));
      await pause(50);
      const sessions = await Promise.all(
        Array.from({ length: 6 }, () => pools.acquire(server, account, 2_000, 'short')),
      );
      for (const session of sessions) {
        const sink = keepRows();
        await session.run(
          'SELECT @@innodb_lock_wait_timeout, @@lock_wait_timeout, @@max_statement_time, @@in_transaction',
          [],
          sink,
        );
        expect(
          sink.end({ affectedRows: 0, insertId: '0', warnings: 0 }).map((row) => row.map(Number)),
        ).toEqual([[4, 8, 10, 0]]);
        pools.release(session);
      }
    });

    it('a write pipeline sends nothing while writes of the account are paused', async () => {
      let isClosed = false;
      account = { ...account, isPaused: () => isClosed };
      const writes = Array.from({ length: MANY }, (_, index) =>
        create(`own-${index}`).then(
          () => true,
          (error: unknown) => error,
        ),
      );
      isClosed = true;
      for (const item of await Promise.all(writes)) expect(item).toBeInstanceOf(WritesPausedError);
      expect(await count()).toBe(0);
    });

    it('a killed session loses no acknowledged write and reports the other writes as unknown', async () => {
      const acknowledged: string[] = [];
      const codes = new Set<unknown>();
      let isFinished = false;
      const writers = Array.from({ length: 24 }, async (_, writer) => {
        for (let index = 0; !isFinished; index += 1) {
          const own = `w${writer}-${index}`;
          await create(own).then(
            () => acknowledged.push(own),
            (error: unknown) => codes.add((error as { code?: unknown }).code),
          );
        }
      });
      // On a busy machine, hardly any write may finish between two kills, so the loop goes on until 100
      // writes succeeded.
      for (let kill = 0; kill < 15 || (acknowledged.length <= 100 && kill < 200); kill += 1) {
        await pause(30);
        const sessions = await root.rows(`SELECT ID AS id FROM ${SESSIONS} WHERE USER = ?`, [user]);
        for (const { id } of sessions) await root.run(`KILL ${Number(id)}`).catch(() => undefined);
      }
      isFinished = true;
      await Promise.all(writers);
      const stored = new Set(
        (await root.rows(`SELECT own FROM \`${database.name}\`.t`)).map(({ own }) => String(own)),
      );
      expect(acknowledged.length).toBeGreaterThan(100);
      expect(acknowledged.filter((own) => !stored.has(own))).toEqual([]);
      expect([...codes].filter((code) => code !== 'db.outcome_unknown' && code !== 'db.unavailable')).toEqual(
        [],
      );
    }, 30_000);
  },
);

import { openAdminConnection, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  breakView,
  expectMoved,
  listMoveLeftovers,
  openTwoServers,
  queueMove,
  readLocation,
  readMove,
  readWhole,
  waitMove,
  type MoveRow,
  type TwoServers,
} from '../testing/move-harness.js';
import { createOwner } from '../testing/create-owner.js';
import type { TestWorker } from '../testing/test-worker.js';
import type { TestDb, WorkerHarness } from '../testing/worker-harness.js';

const SCHEMA = `
  CREATE TABLE users (id int AUTO_INCREMENT PRIMARY KEY, email varchar(80) NOT NULL UNIQUE, note text);
  CREATE TABLE posts (id int AUTO_INCREMENT PRIMARY KEY, user_id int NOT NULL, title varchar(50), FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE);
  CREATE TABLE comments (post_id int NOT NULL, at datetime(3) NOT NULL, kind enum('a','b,c') NOT NULL, body text, PRIMARY KEY (post_id, at, kind), FOREIGN KEY (post_id) REFERENCES posts (id) ON DELETE CASCADE ON UPDATE CASCADE);
  CREATE TABLE nodes (code varchar(20) PRIMARY KEY, parent varchar(20), FOREIGN KEY (parent) REFERENCES nodes (code) ON DELETE SET NULL);
  CREATE TABLE loose (a int, b varchar(20));
  CREATE TABLE odd (id bigint unsigned PRIMARY KEY, price decimal(20,6), ratio double, data varbinary(40), flags bit(3), doubled decimal(21,6) AS (price * 2) STORED, made timestamp(6) NULL, old datetime, kind enum('a'), jis varchar(9) CHARACTER SET sjis);
  CREATE TABLE audit (id int AUTO_INCREMENT PRIMARY KEY, post_id int);
  CREATE VIEW titles AS SELECT u.email, p.title FROM posts p JOIN users u ON u.id = p.user_id;
  CREATE TRIGGER posts_audit AFTER INSERT ON posts FOR EACH ROW INSERT INTO audit (post_id) VALUES (NEW.id);
  CREATE FUNCTION shout(words varchar(50)) RETURNS varchar(50) DETERMINISTIC NO SQL RETURN UPPER(words);
  CREATE PROCEDURE retitle(IN post int) UPDATE posts SET title = shout(title) WHERE id = post;
  CREATE VIEW shouted AS SELECT id, shout(title) AS title FROM posts;
`;
/** The pause may be long, because the machine may be busy and this test does not measure times. */
const ENV = { MOVE_PAUSE_MS: '8000' };

/**
 * Returns the write statement with this index. The statements affect each other through keys, cascades and
 * tables without a key.
 */
function writeSql(index: number): string {
  const acts = [
    `INSERT INTO posts (user_id, title) VALUES (2, 'n${index}')`,
    `UPDATE posts SET title = 'u${index}' WHERE id = ${1 + ((index * 37) % 1_500)}`,
    `DELETE FROM posts WHERE id = ${1 + ((index * 53) % 1_500)}`,
    `UPDATE posts SET id = ${100_000 + index} WHERE id = ${1 + ((index * 71) % 1_500)}`,
    `UPDATE users SET email = CONCAT('free', id) WHERE id IN (1, 3)`,
    `UPDATE users SET email = IF(id = ${index % 4 < 2 ? 1 : 3}, 'ada@x.test', 'bob@x.test') WHERE id IN (1, 3)`,
    `INSERT INTO loose VALUES (${index}, 'y')`,
    `DELETE FROM nodes WHERE code = 'b'`,
    `INSERT INTO nodes VALUES ('b', 'A')`,
    `UPDATE nodes SET parent = 'B' WHERE code = 'c'''`,
    `UPDATE comments SET body = 'c${index}' WHERE post_id > ${(index * 91) % 1_500} ORDER BY post_id LIMIT 3`,
  ];
  return acts[index % acts.length] ?? '';
}

describe.each(getTestServers().engines)('moving a database between two servers of $engine', (mysql) => {
  let servers: TwoServers;
  let harness: WorkerHarness;
  let worker: TestWorker;

  beforeAll(async () => {
    servers = await openTwoServers(mysql);
    ({ harness } = servers);
    worker = await harness.startWorker(ENV);
  });
  afterAll(() => servers.close());

  async function makeDatabase(): Promise<TestDb> {
    const database = await harness.make(SCHEMA);
    await harness.withRoot(database, async (root) => {
      await root.run(
        `INSERT INTO users (email, note) VALUES ('ada@x.test', 'it''s'), ('eve@x.test', NULL), ('bob@x.test', '\\\\ 語')`,
      );
      await harness.fill(database, 'INSERT INTO posts (user_id, title)', `1 + i % 3, CONCAT('t', i)`, 1_500);
      await root.run(
        `INSERT INTO comments SELECT id, '2026-01-02 03:04:05.678', IF(id % 2, 'a', 'b,c'), REPEAT('x', id % 50) FROM posts`,
      );
      await root.run(`INSERT INTO nodes VALUES ('A', NULL), ('b', 'A'), ('c''', 'b'), ('', 'A')`);
      await root.run(`INSERT INTO loose VALUES (1, 'x'), (1, 'x'), (2, NULL)`);
      await root.run(
        `INSERT INTO odd (id, price, ratio, data, flags, made) VALUES (18446744073709551615, 1.000001, 0.1, x'00FF27', b'101', '2026-01-01 00:00:00.000001'), (1, NULL, NULL, NULL, NULL, NULL)`,
      );
      await root.run("SET SESSION sql_mode = 'ALLOW_INVALID_DATES'");
      await root.run(
        "INSERT IGNORE INTO odd (id, old, kind, jis) VALUES (2, '0000-00-00', 'none', x'8540'), (3, '2020-02-30', NULL, x'835c')",
      );
      await root.run('ALTER TABLE users AUTO_INCREMENT = 1000');
    });
    return database;
  }

  async function makeConnection(database: TestDb): Promise<{ user: string; password: string }> {
    const [user, password] = [`${database.schemaName}u`, 'pa55-word'];
    await createOwner(harness, database, user, password);
    return { user, password };
  }

  it(
    'a move transfers a whole database with its users and leaves nothing behind',
    { timeout: 180_000 },
    async () => {
      const database = await makeDatabase();
      const { user, password } = await makeConnection(database);
      const direct = await openAdminConnection({ ...mysql, user, password, database: database.schemaName });
      await direct.run('CREATE VIEW own AS SELECT COUNT(*) AS n FROM users');
      const before = await readWhole(servers.here, database.schemaName);
      // The owner of a database may make its schema read-only at any time.
      if (mysql.engine === 'mysql') await direct.run(`ALTER DATABASE ${database.schemaName} READ ONLY = 1`);
      const row = await waitMove(harness, await queueMove(harness, database.id, servers.elsewhere));
      expect(row, worker.output.slice(-3_000)).toMatchObject({ state: 'done', error: null });
      await expectMoved(servers, database, before);
      expect(
        await servers.here.rows('SELECT user FROM mysql.user WHERE user LIKE ?', [`${database.schemaName}%`]),
      ).toEqual([]);
      await expect(direct.rows('SELECT 1')).rejects.toThrow();
      const again = await openAdminConnection({
        ...servers.other,
        user,
        password,
        database: database.schemaName,
      });
      expect(await again.rows('SELECT n FROM own')).toEqual([{ n: 3 }]);
      await again.run(`INSERT INTO users (email) VALUES ('new@x.test')`);
      expect(await again.rows(`SELECT id FROM users WHERE email = 'new@x.test'`)).toEqual([{ id: 1_000 }]);
      await again.close();
      expect((await harness.deploy(database, 'ALTER TABLE users ADD COLUMN age int')).row.state).toBe(
        'published',
      );
    },
  );

  it(
    'a move copies concurrent writes, including cascades and writes to keyless tables',
    { timeout: 180_000 },
    async () => {
      const [database, duplicate] = [await makeDatabase(), await makeDatabase()];
      const { user, password } = await makeConnection(database);
      const direct = await openAdminConnection({ ...mysql, user, password, database: database.schemaName });
      const acknowledged: string[] = [];
      const unanswered: string[] = [];
      const writing = (async () => {
        // The loop runs until the direct connection ends.
        for (let index = 0; !direct.isLost(); index += 1) {
          const sql = writeSql(index);
          const error = await direct.run(sql).then(
            () => null,
            (fault: unknown) => fault,
          );
          if (error === null) acknowledged.push(sql);
          else if (readServerFault(error)?.isConnectionLost === true) unanswered.push(sql);
          else return `${sql}: ${String(error)}`;
        }
        return null;
      })();
      const row = await waitMove(harness, await queueMove(harness, database.id, servers.elsewhere));
      expect(row, worker.output.slice(-3_000)).toMatchObject({ state: 'done', error: null });
      // Applying the ledger was enough to make the copy equal, because the comparison has repaired no row.
      expect(worker.output).not.toContain('rows of a move were repaired');
      expect(await writing).toBeNull();
      expect(acknowledged.length).toBeGreaterThan(30);
      await harness.withRoot(duplicate, async (root) => {
        for (const sql of acknowledged) await root.run(sql);
      });
      // Next AUTO_INCREMENT numbers are not compared, because a statement that was rolled back has used some
      // of them.
      const readAs = async (root: AdminConnection, { schemaName }: TestDb): Promise<unknown> =>
        JSON.parse(
          JSON.stringify(await readWhole(root, schemaName))
            .replaceAll(schemaName, 'schema')
            .replaceAll(/ AUTO_INCREMENT=\d+/g, ''),
        );
      const [moved, answered] = [
        await readAs(servers.there, database),
        await readAs(servers.here, duplicate),
      ];
      // The server may end a session between a commit and its response. At most one statement, the one in
      // progress, was then applied too.
      expect(unanswered.length).toBeLessThanOrEqual(1);
      await harness.withRoot(duplicate, async (root) => {
        for (const sql of unanswered) await root.run(sql);
      });
      expect([answered, await readAs(servers.here, duplicate)]).toContainEqual(moved);
    },
  );

  it(
    'a move starts over when the schema of the database changes during the move',
    { timeout: 180_000 },
    async () => {
      const database = await makeDatabase();
      const blocker = await harness.openRoot(database.schemaName);
      // Locks a row of a table. The move creates the tables on the other server, and then waits to create the
      // capture triggers.
      await blocker.run('START TRANSACTION');
      await blocker.rows('SELECT * FROM users FOR UPDATE');
      const move = await queueMove(harness, database.id, servers.elsewhere);
      await harness.poll(
        async () =>
          (
            await servers.there.rows('SELECT 1 FROM information_schema.VIEWS WHERE TABLE_SCHEMA = ?', [
              database.schemaName,
            ])
          ).length === 2
            ? true
            : null,
        60_000,
      );
      await servers.here.run(`ALTER TABLE \`${database.schemaName}\`.loose ADD COLUMN c int NULL`);
      const before = await readWhole(servers.here, database.schemaName);
      before['triggers'] = (before['triggers'] as { TRIGGER_NAME: string }[]).filter(
        (trigger) => !trigger.TRIGGER_NAME.startsWith('_rh_mv'),
      );
      await blocker.run('ROLLBACK');
      await blocker.close();
      expect(await waitMove(harness, move), worker.output.slice(-3_000)).toMatchObject({
        state: 'done',
        error: null,
      });
      expect(worker.output).toContain('the schema changed under a move');
      expect(await readWhole(servers.there, database.schemaName)).toEqual(before);
    },
  );

  it('a move to a server that is down fails with its reason', { timeout: 90_000 }, async () => {
    const database = await harness.provision();
    const away = await harness.addServer(mysql);
    // No server listens on this port.
    await harness.platform.run('UPDATE server SET port = 1 WHERE id = ?', [away]);
    const waitAttempts = (id: string): Promise<MoveRow> =>
      harness.poll(async () => {
        // The leases are ended, because each attempt would otherwise wait until the previous lease expires.
        await harness.expireLeases();
        const row = await readMove(harness, id);
        return row.state === 'failed' || row.state === 'cancelled' ? row : null;
      });
    expect(await waitAttempts(await queueMove(harness, database.id, away))).toMatchObject({
      state: 'failed',
      error: { code: 'db.unavailable', detail: expect.stringContaining('unreachable') as unknown },
    });
    const cancelled = await queueMove(harness, database.id, away);
    await harness.platform.run(
      'UPDATE database_move SET cancel_requested_at = UTC_TIMESTAMP(3) WHERE id = ?',
      [cancelled],
    );
    expect(await waitAttempts(cancelled)).toMatchObject({ state: 'cancelled', error: null });
    expect(await readLocation(harness, database)).toEqual({
      server_id: harness.serverId,
      generation: 1,
      location_state: 'live',
    });
  });

  it('a cancelled or rejected move leaves no trace on either server', { timeout: 180_000 }, async () => {
    const database = await makeDatabase();
    const before = await readWhole(servers.here, database.schemaName);
    const blocker = await harness.openRoot(database.schemaName);
    // Locks a table, so that the capture triggers cannot be created and the move waits.
    await blocker.run('START TRANSACTION');
    await blocker.rows('SELECT * FROM users FOR UPDATE');
    const cancelled = await queueMove(harness, database.id, servers.elsewhere);
    await waitMove(harness, cancelled, ['copying']);
    await harness.platform.run(
      'UPDATE database_move SET cancel_requested_at = UTC_TIMESTAMP(3) WHERE id = ?',
      [cancelled],
    );
    await harness
      .poll(
        async () =>
          (await readMove(harness, cancelled)).state === 'undoing'
            ? true
            : (await blocker.rows('SELECT 1'), null),
        60_000,
      )
      .catch(() => undefined);
    await blocker.run('ROLLBACK');
    expect(await waitMove(harness, cancelled)).toMatchObject({ state: 'cancelled', error: null });
    const self = await harness.addServer(mysql);
    expect(await waitMove(harness, await queueMove(harness, database.id, self))).toMatchObject({
      state: 'failed',
      error: { code: 'transfer.not_possible' },
    });
    await breakView(blocker);
    const rejected = await waitMove(harness, await queueMove(harness, database.id, servers.elsewhere));
    expect(rejected).toMatchObject({
      state: 'failed',
      error: { code: 'transfer.not_possible', detail: expect.stringContaining('broken') },
    });
    await blocker.run('DROP VIEW broken');
    await blocker.close();
    expect(await readWhole(servers.here, database.schemaName)).toEqual(before);
    expect(await listMoveLeftovers(servers.here, database.schemaName)).toEqual([]);
    expect(
      await servers.there.rows(
        'SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE ?',
        [`${database.schemaName}%`],
      ),
    ).toEqual([]);
    expect(await readLocation(harness, database)).toMatchObject({
      server_id: harness.serverId,
      generation: 1,
      location_state: 'live',
    });
  });
});

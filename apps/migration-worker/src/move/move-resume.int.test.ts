import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAIL_POINT_EXIT } from '../fail-points.js';
import {
  breakView,
  expectMoved,
  listMoveLeftovers,
  openTwoServers,
  queueMove,
  readLocation,
  readWhole,
  waitMove,
  type TwoServers,
} from '../testing/move-harness.js';
import { samplePoints } from '../testing/sample-points.js';
import type { TestDb, WorkerHarness } from '../testing/worker-harness.js';

const SCHEMA = `
  CREATE TABLE parents (id int AUTO_INCREMENT PRIMARY KEY, name varchar(40));
  CREATE TABLE children (id int AUTO_INCREMENT PRIMARY KEY, parent_id int, FOREIGN KEY (parent_id) REFERENCES parents (id) ON DELETE CASCADE);
  CREATE TABLE loose (a int);
  CREATE VIEW named AS SELECT name FROM parents;
  CREATE TRIGGER named_children AFTER INSERT ON parents FOR EACH ROW INSERT INTO children (parent_id) VALUES (NEW.id);
`;
const POINTS = (
  'move-claimed move-place-laid move-structure move-captured move-piece move-comparing move-compare move-switching ' +
  'move-pause-begun move-locked move-brought move-switched move-opened move-before-drop'
).split(' ');
/**
 * The points at which a test run kills the worker, each on one engine, because a point takes two processes.
 * `KILL_POINTS=all` and `pnpm test:long move-database` test all points.
 */
const SAMPLE = ['move-piece', 'move-locked', 'move-switched'];
const ENGINES = getTestServers().engines;

describe.each(ENGINES)('a move on $engine whose worker is killed', (mysql) => {
  const taken = samplePoints(POINTS, SAMPLE, ENGINES.indexOf(mysql), ENGINES.length);
  let servers: TwoServers;
  let harness: WorkerHarness;
  const databases = new Map<string, TestDb>();

  beforeAll(async () => {
    servers = await openTwoServers(mysql);
    ({ harness } = servers);
    const worker = await harness.startWorker();
    for (const point of [...taken, 'move-undoing']) databases.set(point, await makeDatabase());
    await worker.stop();
  }, 120_000);
  afterAll(() => servers.close());

  async function makeDatabase(): Promise<TestDb> {
    const database = await harness.make(SCHEMA);
    await harness.fill(database, 'INSERT INTO parents (name)', `CONCAT('n', i)`, 1_200);
    await harness.withRoot(database, (root) => root.run('INSERT INTO loose VALUES (1), (1)'));
    return database;
  }
  const databaseOf = (point: string): TestDb => databases.get(point) as TestDb;

  /** Runs a worker that ends at the point, and then another worker that continues the move. */
  async function killAt(point: string): Promise<void> {
    const doomed = await harness.startWorker({ FAIL_POINTS: point, MOVE_PAUSE_MS: '8000' });
    expect([FAIL_POINT_EXIT, 'SIGKILL']).toContain(await doomed.exited);
    await harness.expireLeases();
    await harness.startWorker({ MOVE_PAUSE_MS: '8000' });
  }

  it.each(taken)(
    'another worker completes a move of a database after %s',
    { timeout: 180_000 },
    async (point) => {
      const database = databaseOf(point);
      const before = await readWhole(servers.here, database.schemaName);
      const id = await queueMove(harness, database.id, servers.elsewhere);
      await killAt(point);
      expect(await waitMove(harness, id)).toMatchObject({ state: 'done', error: null });
      await harness.stopWorkers();
      await expectMoved(servers, database, before);
    },
  );

  it(
    'another worker can revert a move of a database after its worker was killed',
    { timeout: 180_000 },
    async () => {
      const database = databaseOf('move-undoing');
      const before = await readWhole(servers.here, database.schemaName);
      await harness.withRoot(database, breakView);
      const id = await queueMove(harness, database.id, servers.elsewhere);
      await killAt('move-undoing');
      expect(await waitMove(harness, id)).toMatchObject({
        state: 'failed',
        error: { code: 'transfer.not_possible' },
      });
      await harness.stopWorkers();
      expect(await readLocation(harness, database)).toEqual({
        server_id: harness.serverId,
        generation: 1,
        location_state: 'live',
      });
      await harness.withRoot(database, (root) => root.run('DROP VIEW broken'));
      expect(await readWhole(servers.here, database.schemaName)).toEqual(before);
      expect(await listMoveLeftovers(servers.here, database.schemaName)).toEqual([]);
    },
  );
});

import {
  createMigrationJournal,
  createMoveJournal,
  createStepJournal,
  createTaskJournal,
  LeaseLostError,
  type ClaimedMigration,
  type MigrationBounds,
  type MigrationJournal,
  type NewStep,
  type StepJournal,
  type TaskJournal,
} from '@rowhouse/platform-store';
import { createId } from '@rowhouse/runtime';
import { getTestServers, type TestMysql } from '@rowhouse/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listStatementBeginnings, listStoreStatements, normalize } from '../testing/list-store-statements.js';
import { WorkerHarness } from '../testing/worker-harness.js';

const BOUNDS: MigrationBounds = {
  atWorkMax: 3,
  atWorkOfAccountMax: 2,
  waitingMax: 4,
  waitingOfProjectMax: 2,
  waitingOfAccountMax: 3,
};
const LEASE_MS = 60_000;

let harness: WorkerHarness;
let journal: MigrationJournal;
let steps: StepJournal;
let tasks: TaskJournal;
let createdCount = 0;

beforeEach(async () => {
  for (const table of ['task', 'migration', 'database_move', 'kept_object'])
    await harness.platform.run(`DELETE FROM ${table} WHERE cell_id = ?`, [harness.cellId]);
});

/** Sets up the platform tables on one engine. */
function useHarness(mysql: TestMysql): void {
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    journal = createMigrationJournal(harness.platform, { cellId: harness.cellId, owner: 'here' });
    steps = createStepJournal(harness.platform, { cellId: harness.cellId, owner: 'here' });
    tasks = createTaskJournal(harness.platform, { cellId: harness.cellId, owner: 'here' });
  });
  afterAll(() => harness.close());
}

interface ClaimInput {
  readonly server?: string;
  readonly database?: string;
  readonly project?: string;
  /**
   * The account that deploys. By default, each row has a different account, so that the limits for one
   * account in `BOUNDS` do not apply.
   */
  readonly account?: string;
  readonly state?: string;
}

/**
 * Inserts a row into the journal that is newer than the earlier ones. A row that is neither queued nor
 * finished is held by another worker.
 */
async function insert({
  server = 'srv_a',
  database = createId('db'),
  project = createId('prj'),
  account = createId('acc'),
  state = 'queued',
}: ClaimInput = {}): Promise<string> {
  const id = createId('mig');
  createdCount += 1;
  await harness.platform.run(
    `INSERT INTO migration (id, cell_id, project_id, database_id, server_id, revision, state, base_number, plan, plan_hash, target_hash, created_by, created_at, lease_owner, lease_expires_at)
     VALUES (?, ?, ?, ?, ?, 1, ?, 1, '{}', '', '', ?, TIMESTAMP('2026-01-01') + INTERVAL ? SECOND, 'other', UTC_TIMESTAMP(3) + INTERVAL ? SECOND)`,
    [
      id,
      harness.cellId,
      project,
      database,
      server,
      state,
      account,
      createdCount,
      state === 'queued' ? -1 : 600,
    ],
  );
  return id;
}

const insertMany = async (count: number, input: ClaimInput): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await insert(input));
  return ids;
};
const list = (rowsMax = 50): Promise<string[]> => journal.listRunnable(rowsMax, BOUNDS);
/**
 * Returns whether a claim succeeds. A row that is listed but cannot be claimed would displace claimable rows
 * from the list.
 */
const isTaken = async (id: string): Promise<boolean> =>
  (await journal.claim(id, { leaseMs: LEASE_MS, bounds: BOUNDS })) !== null;

describe.each(getTestServers().engines)('claims in a platform database on $engine', (mysql) => {
  useHarness(mysql);

  describe('the migrations that can run', () => {
    it('a server with free slots is listed, however many migrations wait for a full one', async () => {
      await insertMany(3, { state: 'running' });
      const waiting = await insertMany(60, {});
      const otherServer = await insert({ server: 'srv_b' });
      expect(await list()).toEqual([otherServer]);
      expect([await isTaken(waiting[0] as string), await isTaken(otherServer)]).toEqual([false, true]);
    });

    it('listed migrations of different servers alternate', async () => {
      const [first, second, third] = await insertMany(3, {});
      const otherServer = await insert({ server: 'srv_b' });
      expect(await list()).toEqual([first, otherServer, second, third]);
      expect(await list(2)).toEqual([first, otherServer]);
    });

    it('a started migration of a database is listed before its queued ones', async () => {
      const [first] = await insertMany(60, { database: 'db_one' });
      const other = await insert({ database: 'db_two' });
      expect(await list()).toEqual([first, other]);
      const started = await insert({ database: 'db_one', state: 'running' });
      expect(await list()).toEqual([other]);
      await harness.expireLeases();
      expect(await list()).toEqual([other, started]);
      expect([await isTaken(first as string), await isTaken(started)]).toEqual([false, true]);
    });

    it('migrations of a database are not listed during its move or a purge', async () => {
      const [moved, purged] = [await insert({ database: 'db_one' }), await insert({ database: 'db_two' })];
      await harness.platform.run(
        `INSERT INTO database_move (id, cell_id, database_id, from_server_id, to_server_id, state, created_by, created_at) VALUES ('mov_1', ?, 'db_one', 'srv_a', 'srv_b', 'copying', 'acc_test', UTC_TIMESTAMP(3))`,
        [harness.cellId],
      );
      await harness.platform.run(
        `INSERT INTO kept_object (id, cell_id, database_id, migration_id, step, kind, table_name, kept_name, definition, kept_at, expires_at, purge_owner, purge_until)
         VALUES ('kep_1', ?, 'db_two', 'mig_0', 0, 'table', 't', '_rh_t', '{}', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), 'other', UTC_TIMESTAMP(3) + INTERVAL 60 SECOND)`,
        [harness.cellId],
      );
      expect(await list()).toEqual([]);
      expect([await isTaken(moved), await isTaken(purged)]).toEqual([false, false]);
      await harness.platform.run(
        `UPDATE kept_object SET purge_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = 'kep_1'`,
      );
      await harness.platform.run(`UPDATE database_move SET state = 'done' WHERE id = 'mov_1'`);
      expect(await list()).toEqual([moved, purged]);
      expect([await isTaken(moved), await isTaken(purged)]).toEqual([true, true]);
    });
  });

  describe('migrations that wait for a locked table', () => {
    it('migrations waiting for a lock leave server slots to others', async () => {
      await insertMany(2, { state: 'waiting_for_lock' });
      const next = await insert();
      expect(await list()).toEqual([next]);
      expect(await isTaken(next)).toBe(true);
    });

    it('migrations waiting for a lock are limited per server and project', async () => {
      await insertMany(2, { state: 'waiting_for_lock', project: 'prj_one' });
      const [same, other] = [await insert({ project: 'prj_one' }), await insert({ project: 'prj_two' })];
      expect(await list()).toEqual([other]);
      expect(await isTaken(same)).toBe(false);
      await insertMany(2, { state: 'waiting_for_lock' });
      expect(await list()).toEqual([]);
      expect(await isTaken(other)).toBe(false);
    });

    it('migrations waiting for a lock are limited per account over all its projects', async () => {
      await insertMany(3, { state: 'waiting_for_lock', account: 'acc_one' });
      const [same, other] = [await insert({ account: 'acc_one' }), await insert()];
      expect(await list()).toEqual([other]);
      expect([await isTaken(same), await isTaken(other)]).toEqual([false, true]);
    });
  });

  describe('migrations of one account', () => {
    it('migrations of an account leave server slots to other accounts', async () => {
      const [first, second, third] = await insertMany(3, { account: 'acc_one' });
      const other = await insert();
      expect(await list()).toEqual([first, other, second, third]);
      for (const id of [first, second]) expect(await isTaken(id as string)).toBe(true);
      expect(await list()).toEqual([other]);
      expect([await isTaken(third as string), await isTaken(other)]).toEqual([false, true]);
    });
  });

  describe('the platform stores', () => {
    it('each statement of the platform stores fits the migrated tables', async () => {
      const statements = await listStoreStatements();
      const faults: string[] = [];
      await harness.platform.transaction(async (session) => {
        for (const sql of statements) {
          await session.run('SET @statement = ?', [sql]);
          await session.run('PREPARE tried FROM @statement').catch((error: Error) => {
            faults.push(`${error.message}: ${sql}`);
          });
        }
      });
      expect(faults).toEqual([]);
      const seen = statements.map(normalize);
      expect(listStatementBeginnings().filter((sql) => !seen.some((text) => text.includes(sql)))).toEqual([]);
    });
  });

  describe('the steps of a migration', () => {
    const step = (statement: string, table = 't'): NewStep => ({
      ordinal: 1,
      kind: 'ddl',
      table,
      statement,
      strategy: 'create',
      checkpoint: { step: 0, class: 'widen', part: 'beforePublish' },
    });
    const claim = async (): Promise<ClaimedMigration> => {
      const claimed = await journal.claim(await insert(), { leaseMs: LEASE_MS, bounds: BOUNDS });
      if (claimed === null) throw new Error('the migration was not claimed');
      return claimed;
    };
    const stored = async ({ id }: ClaimedMigration): Promise<unknown[]> =>
      harness.platform.rows('SELECT statement FROM migration_step WHERE migration_id = ?', [id]);

    it('ensureSteps() leaves the stored steps of a migration unchanged when called again', async () => {
      const migration = await claim();
      await steps.ensureSteps(migration, [step('CREATE TABLE a (id INT)')]);
      await steps.ensureSteps(migration, [step('CREATE TABLE b (id INT)')]);
      expect(await stored(migration)).toEqual([{ statement: 'CREATE TABLE a (id INT)' }]);
    });

    it('ensureSteps() rejects a value that is too long for its column', async () => {
      const migration = await claim();
      await expect(steps.ensureSteps(migration, [step('DROP TABLE t', 't'.repeat(5_000))])).rejects.toThrow();
      expect(await stored(migration)).toEqual([]);
    });

    it('ensureSteps() writes nothing for a worker that has lost the lease of the migration', async () => {
      const migration = await claim();
      await harness.platform.run('UPDATE migration SET fencing_token = fencing_token + 1 WHERE id = ?', [
        migration.id,
      ]);
      await expect(steps.ensureSteps(migration, [step('DROP TABLE t')])).rejects.toThrow(LeaseLostError);
      expect(await stored(migration)).toEqual([]);
    });
  });

  describe('tasks', () => {
    const bounds = { ofProjectMax: 2, ofAccountMax: 3, plansOfAccountMax: 9, plansMax: 99 };

    async function queue(project: string, account: string | null, kind = 'plan_schema'): Promise<string> {
      const id = createId('tsk');
      createdCount += 1;
      await harness.platform.run(
        `INSERT INTO task (id, cell_id, kind, project_id, account_id, state, payload, created_at, run_after)
         VALUES (?, ?, ?, ?, ?, 'queued', '{}', TIMESTAMP('2026-01-01') + INTERVAL ? SECOND, UTC_TIMESTAMP(3))`,
        [id, harness.cellId, kind, project, account, createdCount],
      );
      return id;
    }
    const claim = async (ids: readonly string[]): Promise<number> =>
      (await Promise.all(ids.map((id) => tasks.claim(id, { leaseMs: LEASE_MS, bounds })))).filter(
        (task) => task !== null,
      ).length;
    const queueMany = async (count: number, project: string, account: string | null): Promise<string[]> => {
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) ids.push(await queue(project, account));
      return ids;
    };

    it('running tasks are limited per project and account, even if many are claimed together', async () => {
      const own = [
        ...(await queueMany(4, 'prj_one', 'acc_one')),
        ...(await queueMany(4, 'prj_two', 'acc_one')),
        ...(await queueMany(4, 'prj_three', 'acc_one')),
      ];
      expect(await claim(own.slice(0, 4))).toBe(2);
      expect(await claim(own.slice(4))).toBe(1);
      expect(await claim([await queue('prj_other', 'acc_other')])).toBe(1);
      expect(await claim([await queue('prj_one', 'acc_one', 'revoke_connection')])).toBe(1);
    });

    it('planning tasks are limited per account and in total, and do not block other tasks', async () => {
      const planning = { ofProjectMax: 99, ofAccountMax: 99, plansOfAccountMax: 1, plansMax: 2 };
      const isTaken = async (id: string): Promise<boolean> =>
        (await tasks.claim(id, { leaseMs: LEASE_MS, bounds: planning })) !== null;
      const own = [
        await queue('prj_one', 'acc_one'),
        await queue('prj_two', 'acc_one', 'plan_revert'),
        await queue('prj_one', 'acc_one', 'export_database'),
      ];
      const others = [await queue('prj_a', 'acc_a'), await queue('prj_b', 'acc_b')];
      expect([
        await isTaken(own[0] as string),
        await isTaken(own[1] as string),
        await isTaken(own[2] as string),
      ]).toEqual([true, false, true]);
      expect([await isTaken(others[0] as string), await isTaken(others[1] as string)]).toEqual([true, false]);
    });

    it('tasks without a known account are limited per project', async () => {
      expect(await claim(await queueMany(3, 'prj_one', null))).toBe(2);
      expect(await claim(await queueMany(3, 'prj_two', null))).toBe(2);
    });

    it('listed tasks of different accounts alternate, however many projects they have', async () => {
      const [first, second] = [await queue('prj_one', 'acc_one'), await queue('prj_one', 'acc_one')];
      const [third, fourth] = [await queue('prj_two', 'acc_one'), await queue('prj_three', 'acc_one')];
      const other = await queue('prj_other', 'acc_other');
      expect(await tasks.listRunnable(10)).toEqual([first, other, third, fourth, second]);
      expect(await tasks.listRunnable(2)).toEqual([first, other]);
    });
  });

  describe('a move', () => {
    it('a move of a database is not listed while a migration of the database runs', async () => {
      const moves = createMoveJournal(harness.platform, { cellId: harness.cellId, owner: 'here' });
      await insert({ database: 'db_one', state: 'running' });
      for (const [id, database] of [
        ['mov_1', 'db_one'],
        ['mov_2', 'db_two'],
      ] as const) {
        await harness.platform.run(
          `INSERT INTO database_move (id, cell_id, database_id, from_server_id, to_server_id, state, created_by, created_at) VALUES (?, ?, ?, 'srv_a', 'srv_b', 'queued', 'acc_test', UTC_TIMESTAMP(3))`,
          [id, harness.cellId, database],
        );
      }
      expect(await moves.listRunnable(1)).toEqual(['mov_2']);
    });
  });
});

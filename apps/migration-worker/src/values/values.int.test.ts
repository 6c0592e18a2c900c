import { createGatewayVocabulary } from '@rowhouse/platform-store';
import { getTestServers, listEnginesOnce } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestWorker } from '../testing/test-worker.js';
import { WorkerHarness } from '../testing/worker-harness.js';

type Database = { readonly id: string; readonly schemaName: string; readonly projectId: string };

const SCHEMA = `
  CREATE TABLE orders (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, state varchar(20) NOT NULL, city varchar(100), note text, access_token varchar(40), secret_note varchar(40), colour varchar(20), KEY orders_state (state));
  CREATE TABLE people (id int NOT NULL AUTO_INCREMENT PRIMARY KEY, name varchar(80) NOT NULL);`;
const ROWS = [
  `INSERT INTO orders (state, city, note, access_token, secret_note, colour) VALUES ('paid', 'Paris', REPEAT('long ', 40), 'canary-token', 'canary-secret', 'canary-colour'), ('sent', NULL, 'short', 'x', 'y', 'z')`,
  `INSERT INTO people (name) VALUES ('canary-ann')`,
];

describe.each(getTestServers().engines.map((engine) => [engine.engine, engine] as const))(
  'value indexes on %s',
  (_name, engine) => {
    let harness: WorkerHarness;
    let worker: TestWorker;

    beforeAll(async () => {
      harness = await WorkerHarness.create(engine);
      worker = await harness.startWorker();
    });
    afterAll(() => harness.close());

    /** Registers tests that do not depend on the engine, so they run on one engine. */
    const itOnce: (name: string, test: () => Promise<void>) => void = listEnginesOnce().includes(engine)
      ? it
      : () => undefined;
    const vocabularies = (): ReturnType<typeof createGatewayVocabulary> =>
      createGatewayVocabulary(harness.platform, harness.cellId);

    async function makeDatabase(rows: readonly string[] = ROWS): Promise<Database> {
      const database = await harness.provision();
      expect((await harness.deploy(database, SCHEMA)).row).toMatchObject({ state: 'published', error: null });
      await write(database, rows);
      return database;
    }

    async function write(database: Database, statements: readonly string[]): Promise<void> {
      const root = await harness.openRoot(database.schemaName);
      for (const statement of statements) await root.run(statement);
      await root.close();
    }

    const setSettings = (database: Database, settings: object): Promise<unknown> =>
      harness.platform.run('UPDATE tenant_database SET settings = ? WHERE id = ?', [
        JSON.stringify(settings),
        database.id,
      ]);

    /**
     * Requests the index as a gateway does, without the gap between two checks. Returns the version when the
     * build is complete.
     */
    async function build(database: Database): Promise<number> {
      await vocabularies().request([database.id], 0, true);
      await harness.platform.run('UPDATE value_index SET due_at = UTC_TIMESTAMP(3) WHERE database_id = ?', [
        database.id,
      ]);
      return harness.poll(async () => {
        const state = await vocabularies().readState(database.id);
        return state?.isSettled === true ? state.version : null;
      });
    }

    async function readIndex(database: Database): Promise<Record<string, unknown>> {
      const root = await harness.openRoot();
      const rows = await root.rows<{ name: string; state: string; items: string }>(
        `SELECT CONCAT(table_name, '.', column_name) AS name, state, items FROM \`${database.schemaName}s\`.value_index WHERE column_name <> '' ORDER BY 1`,
      );
      await root.close();
      return Object.fromEntries(
        rows.map((row) => [row.name, row.state === 'indexed' ? JSON.parse(row.items) : row.state]),
      );
    }

    it('a value index contains only short text columns that are not hidden, excluded or secret', async () => {
      const database = await makeDatabase();
      await setSettings(database, {
        hidden_columns: { orders: ['colour'] },
        unindexed_columns: { people: ['name'] },
      });
      expect(await build(database)).toBe(1);
      expect(await readIndex(database)).toEqual({
        'orders.city': ['Paris'],
        'orders.note': 'prose',
        'orders.state': ['paid', 'sent'],
      });
      const [row] = await harness.platform.rows(
        'SELECT columns_count, values_count, bytes, lease_owner FROM value_index WHERE database_id = ?',
        [database.id],
      );
      expect(row).toEqual({ columns_count: 2, values_count: 3, bytes: 13, lease_owner: null });
    });

    itOnce('stay with the rows: no table of the platform and no log line has a value', async () => {
      const database = await makeDatabase();
      await build(database);
      expect(await readIndex(database)).toMatchObject({
        'people.name': ['canary-ann'],
        'orders.colour': ['canary-colour', 'z'],
      });
      const tables = await harness.platform.rows<{ name: string }>(
        'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
      );
      for (const { name } of tables)
        expect(JSON.stringify(await harness.platform.rows(`SELECT * FROM \`${name}\``)), name).not.toContain(
          'canary',
        );
      expect(worker.output).not.toContain('canary');
    });

    itOnce('follow writes, and say so once', async () => {
      const database = await makeDatabase();
      expect(await build(database)).toBe(1);
      const entries = async (): Promise<number[]> =>
        (
          await harness.platform.rows<{ version: number }>(
            `SELECT version FROM change_log WHERE database_id = ? AND kind = 'values' ORDER BY seq`,
            [database.id],
          )
        ).map((row) => Number(row.version));
      expect(await build(database)).toBe(1);
      await write(database, [
        `INSERT INTO orders (state) VALUES ('lost')`,
        `DELETE FROM orders WHERE state = 'paid'`,
      ]);
      expect(await build(database)).toBe(2);
      expect(await readIndex(database)).toMatchObject({
        'orders.state': ['lost', 'sent'],
        'people.name': ['canary-ann'],
      });
      expect(await entries()).toEqual([1, 2]);
    });

    itOnce('follow the schema and the settings', async () => {
      const database = await makeDatabase();
      await build(database);
      expect(
        (
          await harness.deploy(
            database,
            'ALTER TABLE orders RENAME COLUMN state TO progress; DROP TABLE people;',
          )
        ).row,
      ).toMatchObject({ state: 'published' });
      await harness.poll(async () =>
        (await readIndex(database))['orders.progress'] === undefined ? null : true,
      );
      expect(
        Object.keys(await readIndex(database)).filter(
          (name) => name.startsWith('people.') || name === 'orders.state',
        ),
      ).toEqual([]);
      await setSettings(database, {
        unindexed_columns: { orders: ['progress'] },
        hidden_columns: { orders: ['city'] },
      });
      await build(database);
      expect(Object.keys(await readIndex(database))).toEqual(['orders.colour', 'orders.note']);
    });

    it(
      'indexed values are read from the oldest and newest rows of a table',
      { timeout: 60_000 },
      async () => {
        const database = await makeDatabase([]);
        const digits =
          '(SELECT 0 d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';
        await write(
          database,
          [
            `INSERT INTO orders (state, city) VALUES ('first', 'Oslo')`,
            `INSERT INTO orders (state, city) SELECT 'usual', CONCAT('city ', a.d, b.d, c.d, d.d) FROM ${digits} a, ${digits} b, ${digits} c, ${digits} d`,
            ...Array.from(
              { length: 3 },
              () => `INSERT INTO orders (state, colour) SELECT state, 'grey' FROM orders`,
            ),
            `INSERT INTO orders (state, colour) VALUES ('last', 'blue')`,
            'ANALYZE TABLE orders',
          ].filter((statement) => !statement.startsWith('ANALYZE')),
        );
        const root = await harness.openRoot(database.schemaName);
        await root.rows('ANALYZE TABLE orders');
        await root.close();
        await build(database);
        expect(await readIndex(database)).toMatchObject({
          'orders.state': ['first', 'last', 'usual'],
          'orders.city': 'many',
          'orders.colour': ['blue', 'grey'],
        });
      },
    );

    itOnce('are told by the next worker when one ended before it told', async () => {
      const database = await makeDatabase();
      await worker.stop();
      const doomed = await harness.startWorker({ FAIL_POINTS: 'values-written' });
      await vocabularies().request([database.id], 0, true);
      expect(await doomed.exited).toBe('SIGKILL');
      expect(await readIndex(database)).toMatchObject({ 'orders.state': ['paid', 'sent'] });
      await harness.platform.run(
        'UPDATE value_index SET lease_expires_at = UTC_TIMESTAMP(3), due_at = UTC_TIMESTAMP(3) WHERE database_id = ?',
        [database.id],
      );
      worker = await harness.startWorker();
      expect(
        await harness.poll(async () =>
          (await vocabularies().readState(database.id))?.isSettled === true
            ? ((await vocabularies().readState(database.id))?.version ?? 0)
            : null,
        ),
      ).toBe(1);
    });

    it("only the tenant's accounts can read a value index, which is dropped with the database", async () => {
      const [own, other] = [await makeDatabase(), await makeDatabase()];
      await build(own);
      const can = async (database: Database, kind: string, sql: string): Promise<boolean> => {
        const connection = await harness.openAs(database.id, database.schemaName, kind);
        const isDone = await connection.run(sql).then(
          () => true,
          () => false,
        );
        await connection.close();
        return isDone;
      };
      const table = `\`${own.schemaName}s\`.value_index`;
      expect([
        await can(own, 'rows', `SELECT * FROM ${table}`),
        await can(own, 'rows', `DELETE FROM ${table}`),
        await can(own, 'query', `SELECT * FROM ${table}`),
      ]).toEqual([true, false, false]);
      for (const kind of ['rows', 'query', 'migrator'])
        expect(await can(other, kind, `SELECT * FROM ${table}`)).toBe(false);
      await harness.runTask('drop_database', { database_id: own.id });
      expect(await vocabularies().readState(own.id)).toBeNull();
      await expect(readIndex(own)).rejects.toThrow();
    });

    itOnce('are made where the database is older than they are', async () => {
      const database = await makeDatabase();
      await write(database, [`DROP TABLE \`${database.schemaName}s\`.value_index`]);
      await build(database);
      const rows = await harness.openAs(database.id, database.schemaName, 'rows');
      expect(
        await rows.rows(
          `SELECT state FROM \`${database.schemaName}s\`.value_index WHERE column_name = 'state'`,
        ),
      ).toEqual([{ state: 'indexed' }]);
      await rows.close();
    });

    itOnce('are compared with the rows no sooner than was asked', async () => {
      const database = await makeDatabase();
      await build(database);
      await vocabularies().request([database.id], 60_000, false);
      const [row] = await harness.platform.rows<{ is_late: number }>(
        'SELECT due_at > UTC_TIMESTAMP(3) + INTERVAL 50 SECOND AS is_late FROM value_index WHERE database_id = ?',
        [database.id],
      );
      expect(Number(row?.is_late)).toBe(1);
      await vocabularies().request([database.id], 0, false);
      await harness.poll(async () =>
        (await vocabularies().readState(database.id))?.isSettled === true ? true : null,
      );
    });
  },
);

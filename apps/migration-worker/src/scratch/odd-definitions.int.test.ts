import { createId } from '@rowhouse/runtime';
import type { Snapshot } from '@rowhouse/schema-model';
import { getTestServers, isWholeMatrix } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ODD_DEFINITIONS, REJECTED_DEFINITIONS, type UnusualDefinition } from '../testing/odd-definitions.js';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

describe.each(getTestServers().engines)('odd definitions on $engine', (mysql) => {
  let harness: WorkerHarness;
  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
  });
  afterAll(() => harness.close());

  const listOwn = <T extends UnusualDefinition>(definitions: readonly T[]): T[] =>
    definitions.filter(({ on }) => on === undefined || on === mysql.engine);
  const writeText = (definitions: readonly UnusualDefinition[]): string =>
    definitions.map(({ sql }, index) => `${sql.replaceAll('#', `t${index}`)};`).join('\n');
  const plan = (base: Snapshot | null, sql: string, targets: readonly string[] = []) =>
    harness.runTask('plan_schema', {
      project_id: 'prj_odd',
      base,
      mode: 'apply',
      sql,
      target_database_ids: targets,
    });

  async function copy(source: TestDb): Promise<TestDb> {
    const [fileId, loadId] = [createId('fil'), createId('lod')];
    await harness.platform.run(
      "INSERT INTO transfer_file (id, cell_id, project_id, kind, created_by, created_at) VALUES (?, ?, ?, 'export', 'acc_test', UTC_TIMESTAMP(3))",
      [fileId, harness.cellId, source.projectId],
    );
    await harness.runTask('export_database', {
      file_id: fileId,
      database_id: source.id,
      tables: null,
      leaves_hidden_out: false,
    });
    const target = await harness.insertDatabase();
    await harness.platform.run(
      `INSERT INTO transfer_load (id, cell_id, project_id, database_id, file_id, kind, created_by, created_at)
       VALUES (?, ?, ?, ?, ?, 'restore', 'acc_test', UTC_TIMESTAMP(3))`,
      [loadId, harness.cellId, target.projectId, target.id, fileId],
    );
    await harness.runTask('restore_database', {
      load_id: loadId,
      file_id: fileId,
      database_id: target.id,
      revision: 1,
    });
    return target;
  }

  it(
    'unusual definitions survive a deploy, an export and a restore unchanged',
    { timeout: 120_000 },
    async () => {
      const all = listOwn(ODD_DEFINITIONS);
      expect(all.length).toBeGreaterThanOrEqual(200);
      // One definition of each kind, and several of those that servers print in a different form than they
      // were written.
      const definitions = isWholeMatrix()
        ? all
        : all.filter((_definition, index) => index < 13 || index % 5 === 0);
      const database = await harness.provision();
      expect((await harness.deploy(database, writeText(definitions))).row).toMatchObject({
        state: 'published',
        error: null,
      });
      const { snapshot } = await harness.readSnapshot(database.id);
      expect((await plan(snapshot, '', [database.id])).plans[0]?.steps).toEqual([]);
      // All tables with zero defaults, and a sample of the others.
      const plain = snapshot.tables.filter(
        (table) => table.kind === 'table' && /^t(?:\d|1[01]|\d*5)$/.test(table.name),
      );
      const changes = plain
        .map((table) => `ALTER TABLE ${table.name} ADD COLUMN added int COMMENT 'new';`)
        .join('\n');
      expect((await plan(snapshot, changes, [database.id])).plans[0]?.steps).toHaveLength(plain.length);
      const restored = await copy(database);
      expect(harness.fingerprint((await harness.readSnapshot(restored.id)).snapshot)).toBe(
        harness.fingerprint(snapshot),
      );
    },
  );

  it('an unusual definition that is not supported is rejected with its reason', async () => {
    for (const definition of listOwn(REJECTED_DEFINITIONS)) {
      const error = await plan(null, writeText([definition])).then(
        () => null,
        (error: unknown) => error as { code: string; detail: string },
      );
      expect(error, definition.sql).toMatchObject({
        code: expect.stringMatching(/^schema\./) as unknown,
        detail: expect.stringMatching(definition.reason) as unknown,
      });
    }
  });

  it('a schema with a foreign key to a missing table can be changed', async () => {
    const { draft } = await plan(
      null,
      'CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE t (id int PRIMARY KEY, x int, CONSTRAINT f FOREIGN KEY (x) REFERENCES p (id))',
    );
    const base = { ...draft, tables: draft.tables.filter(({ name }) => name === 't') };
    const changed = await plan(base, 'ALTER TABLE t DROP FOREIGN KEY f, ADD y int');
    expect(changed.draft.tables.map(({ foreignKeys }) => foreignKeys)).toEqual([[]]);
  });

  it('the error for a change to JSON names the row with invalid JSON', async () => {
    const database = await harness.make('CREATE TABLE t (id int PRIMARY KEY, a text)');
    await harness.withRoot(database, (root) => root.run(`INSERT INTO t VALUES (1, '{"b": 1}'), (2, '{bad')`));
    const { row } = await harness.deploy(database, 'ALTER TABLE t MODIFY a json');
    expect(row.error).toMatchObject({
      code: 'schema.rows_in_the_way',
      detail: expect.stringContaining('t.a contains invalid JSON, such as (id: 2, a: {bad)') as unknown,
    });
  });

  it('a comment that would lose an emoji is reported', async () => {
    const { notes } = await plan(null, "CREATE TABLE t (id int PRIMARY KEY COMMENT 'rocket 🚀')");
    expect(notes).toEqual([expect.stringContaining("'rocket 🚀'") as unknown]);
  });
});

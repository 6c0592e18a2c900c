import { readFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { TransferManifest } from '@rowhouse/contracts';
import { createId } from '@rowhouse/runtime';
import type { Snapshot } from '@rowhouse/schema-model';
import { decodeSnapshot } from '@rowhouse/snapshot-store';
import { renderSchemaSql } from '@rowhouse/sql-files';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePoints } from '../testing/sample-points.js';
import {
  exportDatabase,
  importPayload,
  insertFile,
  insertLoad,
  restoreInto,
} from '../testing/transfer-files.js';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

const SCHEMA = `
CREATE TABLE a_child (id int AUTO_INCREMENT PRIMARY KEY, parent_id int, self_id int, note varchar(50), FOREIGN KEY (parent_id) REFERENCES z_parent (id), FOREIGN KEY (self_id) REFERENCES a_child (id));
CREATE TABLE z_parent (id int PRIMARY KEY, n int NOT NULL, twice int GENERATED ALWAYS AS (n * 2) STORED, dark varchar(9) INVISIBLE DEFAULT 'dark', CONSTRAINT n_range CHECK (n < 1000000));
CREATE TABLE kinds (id int PRIMARY KEY, f float, d double, dec1 decimal(30,10), b bit(12), big bigint unsigned, y year, t time(3), dt datetime(6), ts timestamp(3) NULL, dd date, e enum('x','y''z'), s set('a','b'), j json,
  txt text, l1 varchar(20) CHARACTER SET latin1, bin varbinary(20), blb blob, g geometry, flag tinyint(1));
CREATE TABLE keyless (a int, b varchar(10));
CREATE TABLE audit (id int AUTO_INCREMENT PRIMARY KEY, what varchar(50));
CREATE VIEW loud AS SELECT id, UPPER(note) AS note FROM a_child;
CREATE FUNCTION twice_of(x int) RETURNS int DETERMINISTIC RETURN x * 2;
CREATE TRIGGER tell AFTER INSERT ON a_child FOR EACH ROW INSERT INTO audit (what) VALUES (CONCAT('came ', NEW.id));
`;

const ROWS = [
  `INSERT INTO z_parent (id, n, dark) VALUES (0, 5, 'x'), (7, 6, NULL)`,
  `INSERT INTO a_child (id, parent_id, self_id, note) VALUES (3, 7, NULL, 'it''s \\\\ a "note"\\n\\r\\0\\Z ü 😀')`,
  `INSERT INTO a_child (id, parent_id, self_id, note) VALUES (2, 0, 3, NULL), (900, NULL, NULL, '')`,
  `DELETE FROM a_child WHERE id = 900`,
  `INSERT INTO kinds VALUES (1, 0.1, 1e-300, -12345678901234567890.1234567891, b'101010101010', 18446744073709551615, 2024, '-838:59:58.999', '2024-02-29 23:59:59.123456', '2024-02-29 23:59:59.123', '1000-01-01', 'y''z', 'a,b', '{"a": [1, 2.5, "ü"]}', REPEAT('long ü ', 500), 'Ä€', x'00ff2700', x'', ST_GeomFromText('POINT(1.5 -2)', 4326), 1)`,
  `INSERT INTO kinds (id) VALUES (2)`,
  `INSERT INTO kinds (id, f, d) VALUES (3, 16777216.5, 1.7976931348623157e308), (4, -3.4e38, 0.1), (5, 1.17e-38, -0.0)`,
  `INSERT INTO keyless VALUES (1, 'a'), (1, 'a'), (NULL, NULL)`,
];

const KILLED_AT = [
  'restore-structure',
  'load-chunk',
  'restore-rows',
  'restore-verified',
  'restore-before-end',
];
const ENGINES = getTestServers().engines;

describe.each(ENGINES)('a transfer on $engine', (mysql) => {
  let harness: WorkerHarness;
  let source: TestDb;

  beforeAll(async () => {
    harness = await WorkerHarness.create(mysql);
    await harness.startWorker();
    source = await harness.make(SCHEMA);
    await harness.withRoot(source, async (root) => {
      for (const sql of ROWS) await root.run(sql);
      await root.run(
        `INSERT INTO z_parent (id, n) WITH RECURSIVE i (x) AS (SELECT 100 UNION ALL SELECT x + 1 FROM i WHERE x < 1000), m (x) AS (SELECT a.x * 1000 + b.x FROM i a JOIN i b ON b.x < 130) SELECT x, x MOD 1000 FROM m`,
      );
    });
  }, 120_000);
  afterAll(() => harness.close());

  const exportSource = (
    more: Partial<{ tables: string[] | null; leaves_hidden_out: boolean }> = {},
  ): Promise<string> => exportDatabase(harness, source, more);

  async function readTransfer(id: string): Promise<{
    state: string;
    manifest: TransferManifest;
    snapshot: Snapshot;
    text: string;
    revision: number | null;
  }> {
    const [row] = await harness.platform.rows<{
      state: string;
      manifest: string;
      generation: number;
      content_hash: string;
      schema_body: Buffer;
      revision: number | null;
    }>('SELECT * FROM transfer_file WHERE id = ?', [id]);
    const chunks = await harness.platform.rows<{ body: Buffer }>(
      'SELECT body FROM transfer_chunk WHERE file_id = ? AND generation = ? ORDER BY ordinal',
      [id, row?.generation ?? 0],
    );
    if (row === undefined) throw new Error('no such file');
    return {
      state: row.state,
      manifest: JSON.parse(row.manifest) as TransferManifest,
      snapshot: await decodeSnapshot(row.schema_body, row.content_hash),
      text: gunzipSync(Buffer.concat(chunks.map((chunk) => chunk.body))).toString(),
      revision: row.revision,
    };
  }
  const readLoad = async (
    id: string,
  ): Promise<{ state: string; error: { code: string; detail: string } | null; rows_done: number }> => {
    const [row] = await harness.platform.rows<{ state: string; error: unknown; rows_done: number }>(
      'SELECT state, error, rows_done FROM transfer_load WHERE id = ?',
      [id],
    );
    if (row === undefined) throw new Error('no such load');
    return {
      ...row,
      error:
        typeof row.error === 'string'
          ? (JSON.parse(row.error) as { code: string; detail: string })
          : (row.error as { code: string; detail: string } | null),
    };
  };

  async function expectSame(copy: TestDb): Promise<void> {
    for (const sql of [
      'SELECT id, parent_id, self_id, note FROM a_child ORDER BY id',
      'SELECT id, n, twice, dark FROM z_parent WHERE id < 100 ORDER BY id',
      'SELECT COUNT(*) AS n, SUM(n) AS sum FROM z_parent',
      'SELECT * FROM keyless ORDER BY a',
      'SELECT * FROM loud ORDER BY id',
      'SELECT * FROM audit ORDER BY id',
      'SELECT twice_of(4) AS t',
      'SELECT id, f + 0e0 AS f, d, dec1, b + 0 AS b, big, y, t, dt, ts, dd, e, s, j, txt, HEX(CONVERT(l1 USING utf8mb4)) AS l1, HEX(bin) AS bin, HEX(blb) AS blb, ST_AsText(g) AS g, flag FROM kinds ORDER BY id',
    ])
      expect({ sql, rows: await harness.check(copy, sql) }).toEqual({
        sql,
        rows: await harness.check(source, sql),
      });
    expect(harness.fingerprint((await harness.readSnapshot(copy.id)).snapshot)).toBe(
      harness.fingerprint((await harness.readSnapshot(source.id)).snapshot),
    );
  }

  it(
    'a transfer copies every type, key, view, routine and trigger, and verifies every row',
    { timeout: 120_000 },
    async () => {
      const fileId = await exportSource();
      const file = await readTransfer(fileId);
      expect(file.state).toBe('ready');
      expect(file.manifest.tables.map((table) => [table.name, table.rows])).toEqual([
        ['a_child', 2],
        ['audit', 3],
        ['keyless', 3],
        ['kinds', 5],
        ['z_parent', 27_032],
      ]);
      const copy = await harness.insertDatabase();
      const loadId = await restoreInto(harness, copy, fileId);
      expect(await readLoad(loadId)).toMatchObject({ state: 'done', error: null });
      expect(await harness.readDatabase(copy.id)).toMatchObject({
        provision_state: 'ready',
        snapshot_number: 1,
      });
      await expectSame(copy);
      // AUTO_INCREMENT numbers continue after those of the loaded rows. Triggers run for new rows, but have
      // not run for the loaded ones.
      await harness.withRoot(copy, (root) => root.run(`INSERT INTO a_child (note) VALUES ('new')`));
      expect(await harness.check(copy, 'SELECT MAX(id) AS id FROM a_child')).toEqual([{ id: 901 }]);
      expect(await harness.check(copy, 'SELECT what FROM audit WHERE id > 3')).toEqual([
        { what: 'came 901' },
      ]);
      const [history] = await harness.platform.rows<{ origin: string; state: string; revision: number }>(
        'SELECT origin, state, revision FROM migration WHERE database_id = ?',
        [copy.id],
      );
      expect(history).toEqual({ origin: 'restore', state: 'published', revision: 1 });
    },
  );

  it(
    'a dump of legacy values and directly created code can be restored, cloned and exported',
    { timeout: 120_000 },
    async () => {
      const legacy = await harness.make(
        "CREATE TABLE t (id int PRIMARY KEY, f bit(1), e enum('x'), d double, words text, jis varchar(9) CHARACTER SET sjis, old varchar(9) CHARACTER SET ascii)",
      );
      const evil = 'SET @a=1 --\x01 ;; \\! id > /tmp/x\n, @b=2';
      await harness.withRoot(legacy, async (root) => {
        await root.run("SET SESSION sql_mode = ''");
        await root.run(
          "INSERT IGNORE INTO t VALUES (1, b'1', 'no label', -0e0, 'a\\r\\nb', x'8540', x'61ff'), (2, b'0', 'x', 0.1, NULL, x'835c27', 'b'), (3, NULL, NULL, NULL, 'c\\rd', NULL, NULL)",
        );
        await root.run(`CREATE TRIGGER evil BEFORE INSERT ON t FOR EACH ROW ${evil}`);
        await root.run(`CREATE DEFINER=nobody@localhost PROCEDURE helper() ${evil}`);
      });
      let from = legacy;
      for (const generation of ['restore', 'clone'] as const) {
        const fileId = await exportDatabase(harness, from);
        const { snapshot, text, manifest } = await readTransfer(fileId);
        expect(manifest.notes).toEqual(['The SQL text omits comments inside helper, evil.']);
        expect(renderSchemaSql(snapshot)).toMatch(
          /PROCEDURE `helper`\(\)\nSET @a=1 +\n, @b=2;\n[^]*TRIGGER `evil` [^\n]* SET @a=1 +\n, @b=2;\n$/,
        );
        expect([
          text.includes('\r'),
          text.includes('a\\r\\nb'),
          /INSERT IGNORE INTO `t` [^;]*\(1,1,0,(?:0|-0e0),/.test(text),
        ]).toEqual([false, true, true]);
        const copy = await harness.insertDatabase();
        const loadId = await restoreInto(harness, copy, fileId);
        expect({ generation, load: await readLoad(loadId) }).toMatchObject({
          generation,
          load: { state: 'done', error: null },
        });
        const rows =
          'SELECT id, f + 0 AS f, e + 0 AS e, CONCAT(d) AS d, HEX(words) AS words, HEX(jis) AS jis, HEX(old) AS old FROM t ORDER BY id';
        expect(await harness.check(copy, rows)).toEqual(await harness.check(legacy, rows));
        expect(await harness.check(copy, 'SHOW TRIGGERS')).toHaveLength(1);
        from = copy;
      }
    },
  );

  it(
    'a restore reports omitted objects and columns whose numbers are read as true',
    { timeout: 120_000 },
    async () => {
      const isMariaDb = mysql.engine === 'mariadb';
      const from = await harness.make(
        'CREATE TABLE films (id int PRIMARY KEY, stars tinyint(1), rank_no tinyint(1), seen tinyint(1)); CREATE TABLE gone (id int PRIMARY KEY); CREATE VIEW lost AS SELECT id FROM gone; CREATE VIEW lost_too AS SELECT id FROM lost; CREATE VIEW best AS SELECT id FROM films',
      );
      await harness.platform.run(
        `UPDATE tenant_database SET settings = JSON_SET(settings, '$.number_columns', JSON_OBJECT('films', JSON_ARRAY('rank_no'))) WHERE id = ?`,
        [from.id],
      );
      await harness.withRoot(from, async (root) => {
        await root.run('INSERT INTO films VALUES (1, 5, 5, 1), (2, 1, 0, 0), (3, NULL, -1, NULL)');
        await root.run("CREATE PROCEDURE dynamic() BEGIN PREPARE s FROM 'SELECT 1'; EXECUTE s; END");
        await root.run('CREATE PROCEDURE plain() SELECT 1');
        if (isMariaDb) await root.run('CREATE SEQUENCE numbers_of');
        await root.run('DROP TABLE gone');
      });
      const fileId = await exportDatabase(harness, from);
      const { manifest } = await readTransfer(fileId);
      expect(manifest.numberColumns).toEqual({ films: ['rank_no'] });
      const copy = await harness.insertDatabase();
      await harness.platform.run(
        `UPDATE tenant_database SET settings = JSON_SET(settings, '$.number_columns', JSON_OBJECT('films', JSON_ARRAY('rank_no'))) WHERE id = ?`,
        [copy.id],
      );
      const loadId = await restoreInto(harness, copy, fileId);
      const [load] = await harness.platform.rows<{ notes: string | string[] }>(
        'SELECT notes FROM transfer_load WHERE id = ?',
        [loadId],
      );
      const notes = typeof load?.notes === 'string' ? (JSON.parse(load.notes) as string[]) : load?.notes;
      expect(notes).toEqual([
        ...(isMariaDb
          ? [
              'numbers_of was omitted: objects of the kind SEQUENCE are not exported.',
              'The procedure dynamic was omitted, because it has dynamic SQL, which routines on this server cannot contain.',
            ]
          : []),
        expect.stringMatching(/^The view lost was omitted\. .*gone/),
        expect.stringMatching(/^The view lost_too was omitted\. /),
        expect.stringMatching(
          /^films\.stars is TINYINT\(1\), but has numbers other than 0 and 1 \(rows: 1\)/,
        ),
      ]);
      expect(await harness.check(copy, 'SELECT id FROM best WHERE id = 3')).toEqual([{ id: 3 }]);
      expect(
        await harness.check(
          copy,
          "SELECT ROUTINE_NAME AS name FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = DATABASE() AND ROUTINE_NAME NOT LIKE '\\_rh%' ORDER BY 1",
        ),
      ).toEqual((isMariaDb ? ['plain'] : ['dynamic', 'plain']).map((name) => ({ name })));
    },
  );

  it(
    'a transfer continues where a killed worker stopped, and loads no row twice',
    { timeout: 240_000 },
    async () => {
      const fileId = await exportSource();
      await harness.stopWorkers();
      const tasks: { point: string; copy: TestDb; task: string; loadId: string }[] = [];
      for (const point of samplePoints(KILLED_AT, KILLED_AT, ENGINES.indexOf(mysql), ENGINES.length)) {
        const copy = await harness.insertDatabase();
        const loadId = await insertLoad(harness, 'restore', fileId, copy);
        const worker = await harness.startWorker({ FAIL_POINTS: point });
        const task = await harness.insertTask('restore_database', {
          load_id: loadId,
          file_id: fileId,
          database_id: copy.id,
          revision: 1,
        });
        expect({ point, how: await worker.exited }).toEqual({ point, how: 'SIGKILL' });
        tasks.push({ point, copy, task, loadId });
      }
      await harness.expireLeases();
      await harness.startWorker();
      for (const { point, copy, task, loadId } of tasks) {
        await harness.waitTask(task);
        expect({ point, load: await readLoad(loadId) }).toMatchObject({
          point,
          load: { state: 'done', error: null },
        });
        expect(
          await harness.check(copy, 'SELECT COUNT(*) AS n, COUNT(DISTINCT id) AS ids FROM z_parent'),
        ).toEqual([{ n: 27_032, ids: 27_032 }]);
        expect(await harness.check(copy, 'SELECT COUNT(*) AS n FROM keyless')).toEqual([{ n: 3 }]);
        expect(await harness.check(copy, 'SHOW TRIGGERS')).toHaveLength(1);
      }
    },
  );

  it('an export that its worker did not finish is started again', { timeout: 120_000 }, async () => {
    await harness.stopWorkers();
    const fileId = await insertFile(harness, 'export', source.projectId);
    const worker = await harness.startWorker({ FAIL_POINTS: 'export-before-end' });
    const task = await harness.insertTask('export_database', {
      file_id: fileId,
      database_id: source.id,
      tables: ['keyless', 'kinds'],
      leaves_hidden_out: false,
    });
    expect(await worker.exited).toBe('SIGKILL');
    await harness.expireLeases();
    await harness.startWorker();
    await harness.waitTask(task);
    const file = await readTransfer(fileId);
    expect(file.manifest.tables).toMatchObject([
      { name: 'keyless', rows: 3 },
      { name: 'kinds', rows: 5 },
    ]);
    expect(file.text.match(/INSERT INTO/g)).toHaveLength(2);
    expect(
      await harness.platform.rows('SELECT DISTINCT generation FROM transfer_chunk WHERE file_id = ?', [
        fileId,
      ]),
    ).toEqual([{ generation: 2 }]);
  });

  it(
    'an upload that its worker did not read completely is read again and becomes one revision',
    { timeout: 120_000 },
    async () => {
      await harness.stopWorkers();
      const projectId = createId('prj');
      const fileId = await insertFile(harness, 'import', projectId, [
        gzipSync(Buffer.from('CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1);')),
      ]);
      const worker = await harness.startWorker({ FAIL_POINTS: 'import-before-end' });
      const task = await harness.insertTask('read_import', importPayload(fileId, projectId));
      expect(await worker.exited).toBe('SIGKILL');
      await harness.expireLeases();
      await harness.startWorker();
      expect(await harness.waitTask(task)).toEqual({ revision: 1 });
      expect((await readTransfer(fileId)).text).toBe('INSERT INTO `a` (`id`) VALUES\n(1);\n');
      expect(
        await harness.platform.rows('SELECT revision FROM working_schema WHERE project_id = ?', [projectId]),
      ).toEqual([{ revision: 1 }]);
      expect(
        await harness.platform.rows('SELECT DISTINCT generation FROM transfer_chunk WHERE file_id = ?', [
          fileId,
        ]),
      ).toEqual([{ generation: 2 }]);
    },
  );

  it(
    'a load that differs from its file is rejected, and the new database never appears',
    { timeout: 60_000 },
    async () => {
      const fileId = await exportSource({ tables: ['keyless'] });
      await harness.platform.run(
        `UPDATE transfer_file SET manifest = REPLACE(manifest, '"rows":3,"digest":"', '"rows":3,"digest":"0') WHERE id = ?`,
        [fileId],
      );
      const copy = await harness.insertDatabase();
      const loadId = await insertLoad(harness, 'restore', fileId, copy);
      await expect(
        harness.runTask('restore_database', {
          load_id: loadId,
          file_id: fileId,
          database_id: copy.id,
          revision: 1,
        }),
      ).rejects.toMatchObject({ code: 'transfer.differs' });
      expect(await readLoad(loadId)).toMatchObject({ state: 'failed', error: { code: 'transfer.differs' } });
      expect(await harness.readDatabase(copy.id)).toMatchObject({
        provision_state: 'failed',
        snapshot_number: 0,
      });
    },
  );

  it(
    'an export lists hidden columns, and a database created from it hides them too',
    { timeout: 60_000 },
    async () => {
      const settings = '{"hidden_columns": {"a_child": ["note"]}}';
      await harness.platform.run('UPDATE tenant_database SET settings = ? WHERE id = ?', [
        settings,
        source.id,
      ]);
      const fileId = await exportSource({ tables: ['a_child'] });
      await harness.platform.run(`UPDATE tenant_database SET settings = '{}' WHERE id = ?`, [source.id]);
      expect((await readTransfer(fileId)).manifest).toMatchObject({ hiddenColumns: { a_child: ['note'] } });
      const copy = await harness.insertDatabase();
      await harness.platform.run('UPDATE tenant_database SET settings = ? WHERE id = ?', [settings, copy.id]);
      await restoreInto(harness, copy, fileId);
      const queries = await harness.openAs(copy.id, copy.schemaName, 'query');
      expect(await queries.rows('SELECT COUNT(id) AS n FROM a_child')).toEqual([{ n: 2 }]);
      await expect(queries.rows('SELECT note FROM a_child')).rejects.toMatchObject({ errno: 1143 });
      await queries.close();
    },
  );

  it(
    'a restored table that could be a stopword list has a hidden first column',
    { timeout: 60_000 },
    async () => {
      await harness.withRoot(source, async (root) => {
        await root.run('CREATE TABLE codes (value varchar(9) PRIMARY KEY)');
        await root.run("INSERT INTO codes VALUES ('x')");
      });
      try {
        const fileId = await exportSource({ tables: ['codes'] });
        const copy = await harness.insertDatabase();
        await restoreInto(harness, copy, fileId);
        expect(await harness.check(copy, 'SELECT * FROM codes')).toEqual([{ value: 'x' }]);
        expect(await harness.check(copy, 'SELECT _rh_first FROM codes')).toEqual([{ _rh_first: null }]);
      } finally {
        await harness.withRoot(source, (root) => root.run('DROP TABLE codes'));
      }
    },
  );

  it('a shared file omits the values of hidden columns', { timeout: 60_000 }, async () => {
    await harness.platform.run(
      `UPDATE tenant_database SET settings = '{"hidden_columns": {"a_child": ["note"], "z_parent": ["dark"]}}' WHERE id = ?`,
      [source.id],
    );
    try {
      const file = await readTransfer(await exportSource({ leaves_hidden_out: true, tables: ['a_child'] }));
      expect(file.text).not.toContain('note');
      expect(file.manifest).toMatchObject({
        tables: [{ name: 'a_child', rows: 2, digest: null }],
        notes: ['a_child.note is hidden, so its values were omitted.'],
      });
      await harness.platform.run(
        `UPDATE tenant_database SET settings = '{"hidden_columns": {"z_parent": ["n"]}}' WHERE id = ?`,
        [source.id],
      );
      await expect(exportSource({ leaves_hidden_out: true })).rejects.toMatchObject({
        code: 'transfer.not_possible',
        extra: { columns: ['n'] },
      });
    } finally {
      await harness.platform.run(`UPDATE tenant_database SET settings = '{}' WHERE id = ?`, [source.id]);
    }
  });

  const DUMP = `-- MySQL dump
/*M!999999\\- enable the sandbox mode */
/*!40101 SET NAMES utf8mb4 */;
SET GLOBAL max_connections = 1;
CREATE DATABASE \`shop\`;
USE \`shop\`;
DROP TABLE IF EXISTS \`items\`;
CREATE TABLE \`items\` (\`id\` int NOT NULL AUTO_INCREMENT, \`order_id\` int, \`label\` varchar(40), \`raw\` varbinary(20), \`twice\` int GENERATED ALWAYS AS (order_id * 2) VIRTUAL, PRIMARY KEY (\`id\`), CONSTRAINT \`fk_o\` FOREIGN KEY (\`order_id\`) REFERENCES \`orders\` (\`id\`)) ENGINE=MyISAM AUTO_INCREMENT=9 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
LOCK TABLES \`items\` WRITE;
/*!40000 ALTER TABLE \`items\` DISABLE KEYS */;
INSERT INTO \`items\` (\`id\`, \`order_id\`, \`label\`, \`raw\`) VALUES (1,10,'it\\'s; ü',_binary 'RAWBYTES'),
(2,NULL,NULL,0x00FF);
INSERT INTO \`items\` (\`id\`, \`label\`) VALUES (3, (SELECT password FROM mysql.user LIMIT 1));
INSERT INTO \`items\` (\`id\`, \`label\`) SELECT 4, SLEEP(10);
UNLOCK TABLES;
CREATE TABLE \`orders\` (\`id\` int NOT NULL PRIMARY KEY, \`name\` varchar(20)) ENGINE=InnoDB;
INSERT INTO \`orders\` VALUES (10,'first');
INSERT INTO \`nowhere\` VALUES (1),(2);
INSERT INTO mysql.user VALUES ('x');
DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`%\`*/ /*!50003 TRIGGER \`shout\` BEFORE INSERT ON \`orders\` FOR EACH ROW BEGIN SET NEW.name = UPPER(NEW.name); END */;;
DELIMITER ;
CREATE DEFINER=\`root\`@\`%\` SQL SECURITY DEFINER VIEW \`v\` AS select id from \`items\`;
CREATE VIEW \`broken\` AS select id from \`missing_table\`;
GRANT ALL PRIVILEGES ON *.* TO 'evil'@'%' IDENTIFIED BY 'hunter2';
CREATE USER 'evil'@'%' IDENTIFIED BY 'hunter2';
CREATE TABLE \`bad\` (id int, nonsense);
LOAD DATA INFILE '/etc/passwd' INTO TABLE items;
DELETE FROM items;
USE \`other\`;
CREATE TABLE \`stray\` (id int);
INSERT INTO \`stray\` VALUES (1);
`;

  it(
    'an import loads the schema and rows of a dump and reports other statements by line',
    { timeout: 60_000 },
    async () => {
      const projectId = createId('prj');
      const bytes = Buffer.from(DUMP.replace('RAWBYTES', 'RAW'), 'utf8');
      const index = bytes.indexOf("'RAW'");
      const dump = Buffer.concat([
        bytes.subarray(0, index + 1),
        Buffer.from([0x80, 0xff, 0x5c, 0x27, 0x5c, 0x30]),
        bytes.subarray(index + 4),
      ]);
      const fileId = await insertFile(harness, 'import', projectId, [
        gzipSync(dump.subarray(0, 700)),
        gzipSync(dump.subarray(700)),
      ]);
      const { revision } = await harness.runTask('read_import', importPayload(fileId, projectId));
      expect(revision).toBe(1);
      const file = await readTransfer(fileId);
      expect(file.manifest.tables).toEqual([
        { name: 'items', rows: 2, digest: null, nextNumber: '9' },
        { name: 'orders', rows: 1, digest: null, nextNumber: null },
      ]);
      expect(
        file.snapshot.tables.map((table) => [table.name, table.kind, table.triggers?.length ?? 0]),
      ).toEqual([
        ['items', 'table', 0],
        ['orders', 'table', 1],
        ['v', 'view', 0],
      ]);
      expect(file.snapshot.tables[0]?.foreignKeys.map((key) => key.name)).toEqual(['fk_o']);
      expect(file.text).toContain(`(1,10,'it\\'s; ü',x'80ff2700')`);
      const line = (text: string): number => DUMP.split('\n').findIndex((item) => item.includes(text)) + 1;
      expect(file.manifest.problems.map((problem) => [problem.line, problem.object])).toEqual([
        [line('SET GLOBAL'), ''],
        [line('(SELECT password'), 'items'],
        [line('SLEEP(10)'), 'items'],
        [line('INTO `nowhere`'), 'nowhere'],
        [line('INTO mysql.user'), 'user'],
        [line('`broken`'), 'broken'],
        [line('GRANT ALL'), ''],
        [line('CREATE USER'), 'evil'],
        [line('`bad`'), 'bad'],
        [line('LOAD DATA'), 'items'],
        [line('DELETE FROM'), 'items'],
        [line('CREATE TABLE `stray`'), 'other'],
      ]);
      expect(JSON.stringify(file.manifest)).not.toContain('hunter2');
      expect(file.manifest.notes.join(' ')).toMatch(
        /MyISAM were converted to InnoDB.*DEFINER was omitted|DEFINER was omitted.*MyISAM were converted to InnoDB/,
      );
      const [draft] = await harness.platform.rows<{ revision: number; statements: string }>(
        'SELECT revision, statements FROM working_schema WHERE project_id = ?',
        [projectId],
      );
      expect(draft).toMatchObject({
        revision: 1,
        statements: expect.stringContaining('CREATE TABLE `items`') as unknown,
      });

      const copy = await harness.insertDatabase('copy', projectId);
      await restoreInto(harness, copy, fileId);
      expect(
        await harness.check(copy, 'SELECT id, order_id, label, HEX(raw) AS raw, twice FROM items'),
      ).toEqual([
        { id: 1, order_id: 10, label: `it's; ü`, raw: '80FF2700', twice: 20 },
        { id: 2, order_id: null, label: null, raw: '00FF', twice: null },
      ]);
      // The trigger is created after the rows, as in the dump.
      expect(await harness.check(copy, 'SELECT name FROM orders')).toEqual([{ name: 'first' }]);
    },
  );

  it('zero dates as defaults or values of a dump are preserved', { timeout: 60_000 }, async () => {
    const projectId = createId('prj');
    const dump =
      "CREATE TABLE `old` (`id` int NOT NULL, `made` datetime NOT NULL DEFAULT '0000-00-00 00:00:00', `seen` timestamp NOT NULL DEFAULT '0000-00-00 00:00:00', `born` date DEFAULT '0000-00-00', PRIMARY KEY (`id`)) ENGINE=MyISAM;\nINSERT INTO `old` VALUES (1,'0000-00-00 00:00:00','2020-01-02 03:04:05','0000-00-00');\n";
    const fileId = await insertFile(harness, 'import', projectId, [gzipSync(Buffer.from(dump))]);
    await harness.runTask('read_import', importPayload(fileId, projectId));
    const file = await readTransfer(fileId);
    expect(file.manifest.problems).toEqual([]);
    const literal = (text: string): object => ({ kind: 'literal', text });
    expect(file.snapshot.tables[0]?.columns.map((column) => [column.name, column.default])).toEqual([
      ['id', { kind: 'none' }],
      ['made', literal('0000-00-00 00:00:00')],
      ['seen', literal('0000-00-00 00:00:00')],
      ['born', literal('0000-00-00')],
    ]);
    const copy = await harness.insertDatabase('old', projectId);
    await restoreInto(harness, copy, fileId);
    expect(
      await harness.check(copy, 'SELECT id, CAST(made AS CHAR) AS made, CAST(born AS CHAR) AS born FROM old'),
    ).toEqual([{ id: 1, made: '0000-00-00 00:00:00', born: '0000-00-00' }]);
  });

  it(
    'an import reads mysqldump output with conditional comments, view placeholders and delimiters',
    { timeout: 60_000 },
    async () => {
      const projectId = createId('prj');
      const fileId = await insertFile(harness, 'import', projectId, [
        gzipSync(await readFile(new URL('../testing/mysqldump.sql', import.meta.url))),
      ]);
      await harness.runTask('read_import', importPayload(fileId, projectId));
      const file = await readTransfer(fileId);
      expect(file.manifest.problems.map((problem) => [problem.line, problem.object])).toEqual([
        [72, 'nightly'],
        [75, 'nightly'],
      ]);
      expect(
        file.snapshot.tables.map((table) => [
          table.name,
          table.kind,
          table.columns.length,
          table.triggers?.length ?? 0,
        ]),
      ).toEqual([
        ['customers', 'table', 5, 1],
        ['names', 'view', 2, 0],
      ]);
      expect(file.snapshot.routines?.map((routine) => routine.name)).toEqual(['half']);
      const copy = await harness.insertDatabase('copy', projectId);
      await restoreInto(harness, copy, fileId);
      expect(
        await harness.check(copy, 'SELECT id, name, HEX(hash) AS hash, full FROM customers ORDER BY id'),
      ).toEqual([
        { id: 1, name: `O'Brien; "x"`, hash: '000A2200', full: `O'Brien; "x"!` },
        { id: 2, name: 'ü', hash: null, full: 'ü!' },
      ]);
      await harness.withRoot(copy, (root) => root.run(`INSERT INTO customers (name) VALUES ('')`));
      expect(
        await harness.check(copy, 'SELECT MAX(name) AS name, half(8) AS four FROM names WHERE id = 4'),
      ).toEqual([{ name: 'nobody; really', four: 4 }]);
    },
  );

  it(
    'an upload that is not a dump, or that belongs to a changed draft, is rejected',
    { timeout: 60_000 },
    async () => {
      const projectId = createId('prj');
      const read = async (bytes: Buffer, base = 0): Promise<unknown> => {
        const fileId = await insertFile(harness, 'import', projectId, [bytes]);
        return harness.runTask('read_import', {
          file_id: fileId,
          project_id: projectId,
          base: null,
          mode: 'apply',
          base_revision: base,
          created_by: 'acc_test',
        });
      };
      await expect(read(gzipSync(Buffer.from('dear all, this is no dump')))).rejects.toMatchObject({
        code: 'transfer.unreadable',
      });
      await expect(
        read(gzipSync(Buffer.from('CREATE TABLE a (id int);')).subarray(0, 20)),
      ).rejects.toMatchObject({ code: 'transfer.unreadable' });
      await expect(read(Buffer.from('plain'))).rejects.toMatchObject({ code: 'transfer.unreadable' });
      await expect(read(gzipSync(Buffer.from('CREATE TABLE a (id int);')), 5)).rejects.toMatchObject({
        code: 'schema.stale_base',
      });
      expect(
        await harness.platform.rows('SELECT revision FROM working_schema WHERE project_id = ?', [projectId]),
      ).toEqual([]);
    },
  );

  it(
    'an import into a live database fills empty tables and omits rows with missing references',
    { timeout: 60_000 },
    async () => {
      const projectId = createId('prj');
      const dump = `CREATE TABLE p (id int PRIMARY KEY); CREATE TABLE c (id int PRIMARY KEY, p_id int, FOREIGN KEY (p_id) REFERENCES p (id)); INSERT INTO c VALUES (1,1),(2,5),(3,NULL); INSERT INTO p VALUES (1);`;
      const fileId = await insertFile(harness, 'import', projectId, [gzipSync(Buffer.from(dump))]);
      await harness.runTask('read_import', importPayload(fileId, projectId));
      const database = await harness.provision('development', projectId);
      const load = async (): Promise<unknown> => {
        const loadId = await insertLoad(harness, 'rows', fileId, database);
        return harness.runTask('load_rows', {
          load_id: loadId,
          file_id: fileId,
          database_id: database.id,
          revision: 0,
        });
      };
      await expect(load()).rejects.toMatchObject({
        code: 'transfer.not_possible',
        extra: { faults: ['there is no table c', 'there is no table p'] },
      });
      expect((await harness.deploy(database, '')).row.state).toBe('published');
      await expect(load()).rejects.toMatchObject({
        code: 'transfer.rows_refused',
        detail: expect.stringContaining('1 rows of c, whose p_id is not in p') as unknown,
      });
      expect(await harness.check(database, 'SELECT id FROM c ORDER BY id')).toEqual([{ id: 1 }, { id: 3 }]);
      await expect(load()).rejects.toMatchObject({
        code: 'transfer.not_possible',
        detail: expect.stringContaining('already have rows') as unknown,
      });
    },
  );
});

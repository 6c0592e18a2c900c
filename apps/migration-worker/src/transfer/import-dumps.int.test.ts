import { gzipSync } from 'node:zlib';
import type { TransferManifest } from '@rowhouse/contracts';
import { createId } from '@rowhouse/runtime';
import { getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importPayload, insertFile, insertLoad, restoreInto } from '../testing/transfer-files.js';
import { WorkerHarness, type TestDb } from '../testing/worker-harness.js';

/**
 * A dump with the syntax of Workbench, Navicat, mysqldump and handwritten files. Only MySQL runs `!50705`,
 * and only MariaDB runs `M!100100`.
 */
const DUMP = `\ufeff-------------------------------------
CREATE SCHEMA IF NOT EXISTS \`Shop\` ;
USE shop;\r
CREATE TABLE IF NOT EXISTS \`shop\`.\`a\` (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, n INT, made DATETIME, note VARCHAR(20), e ENUM('x','y'), flag TINYINT(1) DEFAULT 7) ENGINE=InnoDB AUTO_INCREMENT=41;\r
-----------------
CREATE TABLE shop.c (id INT PRIMARY KEY, a_id INT, CONSTRAINT c_a FOREIGN KEY (a_id) REFERENCES shop.a (id));
CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(20));
CREATE VIEW shop.v AS SELECT shop.a.id, a.n FROM shop.a GROUP BY a.id;
DELIMITER $$
CREATE TRIGGER shop.ins BEFORE INSERT ON shop.c FOR EACH ROW BEGIN INSERT INTO shop.log (what) VALUES (NEW.id); END$$
DELIMITER ;
INSERT INTO shop.a VALUES (1,/*!50705 NULL,*/5,now(),'a' 'b',DEFAULT,DEFAULT);
INSERT INTO a (id, n, /*!50705 e,*/ made) VALUES (2, 1+1, /*!50705 'y',*/ DATE '2020-02-03'), -- two
 (3, 3, /*!50705 'x',*/ '0000-00-00');
/*!40000 INSERT INTO \`a\` (id, n) VALUES (4,7) */;
/*M!100100 INSERT INTO a (id, n) VALUES (5,8) */;
INSERT INTO a SET id = 6, note = CONCAT('six', UPPER('x')), flag = 5;
INSERT INTO a (id, note, e) VALUES (7,'longer than twenty letters','z');
INSERT IGNORE INTO a (id, n) VALUES (7,1),(8,1);
REPLACE INTO a (id, n) VALUES (8,88);
INSERT INTO a (id) VALUES (9) ON DUPLICATE KEY UPDATE n = 9;
INSERT INTO a (id) SELECT 10;
UPDATE a SET n = 1;
INSERT INTO c VALUES (1,1),(2,99);
INSERT INTO log (id, what) VALUES (0,'zero');
INSERT INTO log (what) VALUES ('none');
INSERT INTO log (id, what) VALUES (NULL,'null');
/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;
INSERT INTO log VALUES (0,'kept');
/*!40101 SET SQL_MODE=@OLD_SQL_MODE */;
`;

describe.each(getTestServers().engines)("an import of other tools' dumps on $engine", (mysql) => {
  let harness: WorkerHarness;
  let fileId = '';
  let manifest: TransferManifest;
  const projectId = createId('prj');
  // On MySQL 9 the row of the comment would have one value more than the table has columns.
  const dump =
    mysql.engine === 'mysql'
      ? DUMP.replace('NULL,*/5,now()', 'NULL,*//*!50705 now()*//*M!100100 5,now()*/')
      : DUMP;

  async function readDump(
    body: Buffer,
    project: string,
  ): Promise<{ fileId: string; manifest: TransferManifest }> {
    const id = await insertFile(harness, 'import', project, [gzipSync(body)]);
    await harness.runTask('read_import', importPayload(id, project));
    const [row] = await harness.platform.rows<{ manifest: string }>(
      'SELECT manifest FROM transfer_file WHERE id = ?',
      [id],
    );
    return { fileId: id, manifest: JSON.parse(row?.manifest ?? '') as TransferManifest };
  }

  beforeAll(async () => {
    harness = await WorkerHarness.start(mysql);
    ({ fileId, manifest } = await readDump(Buffer.from(dump), projectId));
  }, 120_000);
  afterAll(() => harness.close());

  async function load(kind: 'restore' | 'rows', database: TestDb): Promise<string[]> {
    const id = await insertLoad(harness, kind, fileId, database);
    const payload = { load_id: id, file_id: fileId, database_id: database.id, revision: 1 };
    const ended =
      kind === 'restore'
        ? harness.runTask('restore_database', payload)
        : harness.runTask('load_rows', payload);
    if (kind === 'restore') await ended;
    else
      await expect(ended).rejects.toMatchObject({
        code: 'transfer.rows_refused',
        detail: expect.stringContaining('1 rows of c') as unknown,
      });
    const [row] = await harness.platform.rows<{ notes: string | string[] }>(
      'SELECT notes FROM transfer_load WHERE id = ?',
      [id],
    );
    return typeof row?.notes === 'string' ? (JSON.parse(row.notes) as string[]) : (row?.notes ?? []);
  }

  it('an import of a dump loads every row of constants and suggests a change for other statements', () => {
    const line = (text: string): number => dump.split('\n').findIndex((item) => item.includes(text)) + 1;
    expect(manifest.problems.map((problem) => [problem.line, problem.object])).toEqual([
      [line('ON DUPLICATE'), 'a'],
      [line('SELECT 10'), 'a'],
      [line('UPDATE a'), 'a'],
    ]);
    for (const { reason } of manifest.problems)
      expect(reason).toMatch(/(?:over|with) a (?:direct )?connection/);
    expect(manifest.actingTriggers).toEqual(['ins']);
    expect(manifest.tables.find((table) => table.name === 'a')?.nextNumber).toBe('41');
  });

  it(
    'an import of a dump restores values and reports changed values and broken references',
    { timeout: 60_000 },
    async () => {
      const copy = await harness.insertDatabase('copy', projectId);
      const notes = await load('restore', copy);
      const rows = await harness.check(
        copy,
        `SELECT id, n, note, CAST(e AS CHAR) AS e, flag + 0 AS flag, IF(id = 1, made > '2024-01-01', CAST(made AS CHAR)) AS made FROM a ORDER BY id`,
      );
      const isMysql = mysql.engine === 'mysql';
      expect(rows).toEqual([
        { id: 1, n: isMysql ? null : 5, note: 'ab', e: null, flag: 7, made: '1' },
        { id: 2, n: 2, note: null, e: isMysql ? 'y' : null, flag: 7, made: '2020-02-03 00:00:00' },
        { id: 3, n: 3, note: null, e: isMysql ? 'x' : null, flag: 7, made: '0000-00-00 00:00:00' },
        { id: 4, n: 7, note: null, e: null, flag: 7, made: null },
        ...(isMysql ? [] : [{ id: 5, n: 8, note: null, e: null, flag: 7, made: null }]),
        { id: 6, n: null, note: 'sixX', e: null, flag: 5, made: null },
        { id: 7, n: null, note: 'longer than twenty l', e: '', flag: 7, made: null },
        { id: 8, n: 88, note: null, e: null, flag: 7, made: null },
      ]);
      expect(await harness.check(copy, 'SELECT id, what FROM log ORDER BY id')).toEqual([
        { id: 0, what: 'kept' },
        ...['1', '2', 'zero', 'none', 'null'].map((what, index) => ({ id: index + 1, what })),
      ]);
      expect(await harness.check(copy, 'SELECT id FROM v WHERE id = 4')).toEqual([{ id: 4 }]);
      await harness.withRoot(copy, (root) => root.run('INSERT INTO a (n) VALUES (0)'));
      expect(await harness.check(copy, 'SELECT MAX(id) AS id FROM a')).toEqual([{ id: 41 }]);
      const row = isMysql ? 6 : 7;
      expect(notes).toEqual([
        expect.stringMatching(`^a: .*column '(.*\\.)?note' at row ${row}\\. The value`),
        expect.stringMatching(`^a: .*column '(.*\\.)?e' at row ${row}\\.`),
        expect.stringContaining('1 rows of INSERT IGNORE were skipped'),
        expect.stringContaining('1 row of c has no matching row in a (a_id, foreign key c_a)'),
        expect.stringMatching(/^a\.flag is TINYINT\(1\), but has numbers other than 0 and 1/),
      ]);
    },
  );

  it(
    'an import loads rows into existing tables, where triggers run and numbers continue',
    { timeout: 60_000 },
    async () => {
      const database = await harness.provision('development', projectId);
      expect((await harness.deploy(database, '')).row.state).toBe('published');
      expect((await load('rows', database)).at(-2)).toBe('Triggers ran for the loaded rows: ins.');
      expect(
        await harness.check(database, "SELECT what FROM log WHERE what IN ('1', '2') ORDER BY id"),
      ).toEqual([{ what: '1' }, { what: '2' }]);
      await harness.withRoot(database, (root) => root.run('INSERT INTO a (n) VALUES (0)'));
      expect(await harness.check(database, 'SELECT MAX(id) AS id FROM a')).toEqual([{ id: 41 }]);
    },
  );

  it(
    'an import converts UTF-16, GBK and Shift JIS text to Unicode and reports unreadable text',
    { timeout: 90_000 },
    async () => {
      const bytes = (...parts: readonly (string | readonly number[])[]): Buffer =>
        Buffer.concat(
          parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
        );
      // In these character sets, 縗, 表 and 功 end with the byte of a backslash, and 乣 with that of a backquote.
      const wide = bytes(
        'SET NAMES gbk;\nCREATE TABLE `t',
        [0x81, 0x60],
        '` (id int PRIMARY KEY, note varchar(40), raw varbinary(9)) DEFAULT CHARSET=utf8mb4;\nINSERT INTO `t',
        [0x81, 0x60],
        "` VALUES (1,'",
        [0xbf, 0x5c],
        "',NULL),(2,'",
        [0xd6, 0xd0],
        "','ab'),(3,'x',_binary '",
        [0xbf, 0x5c],
        "');\n/*!50503 SET character_set_client = utf8mb4 */;\nINSERT INTO `t乣` VALUES (4,'ü',NULL);\n/*!40101 SET character_set_client = @saved_cs_client */;\nINSERT INTO `t",
        [0x81, 0x60],
        "` VALUES (5,'",
        [0xbf, 0x5c],
        "',NULL);\nSET NAMES sjis;\nINSERT INTO ",
        [0x60, 0x74, 0x3f, 0x60],
        " VALUES (0,'',NULL);\nCREATE TABLE j (id int PRIMARY KEY, note varchar(40)) DEFAULT CHARSET=utf8mb4;\nINSERT INTO j VALUES (6,'",
        [0x95, 0x5c],
        "');\nSET NAMES big5;\nINSERT INTO j VALUES (7,'",
        [0xa5, 0x5c],
        "'),(8,'; DROP TABLE j; ",
        [0xa5, 0x5c],
        "');\nSET NAMES utf8mb4;\nINSERT INTO j VALUES (9,'表');\n",
      );
      const unicode = Buffer.from(
        "\ufeffSET NAMES latin1;\nCREATE TABLE u (id int PRIMARY KEY, note varchar(40), raw varbinary(9)) DEFAULT CHARSET=utf8mb4;\nINSERT INTO u VALUES (1,'縗ü😀',NULL),(2,'x',_binary 'ü');\n",
        'utf16le',
      );
      const found = [];
      for (const [body, sql] of [
        [wide, 'SELECT id, note FROM `t乣` UNION ALL SELECT id, note FROM j ORDER BY id'],
        [unicode, 'SELECT id, note FROM u'],
      ] as const) {
        const project = createId('prj');
        const file = await readDump(body, project);
        const copy = await harness.insertDatabase('copy', project);
        await restoreInto(harness, copy, file.fileId);
        found.push({
          rows: await harness.check(copy, sql),
          problems: file.manifest.problems.map(({ object, reason }) => [object, reason]),
        });
      }
      expect(found).toEqual([
        {
          rows: [
            [1, '縗'],
            [2, '中'],
            [4, 'ü'],
            [5, '縗'],
            [6, '表'],
            [9, '表'],
          ].map(([id, note]) => ({ id, note })),
          problems: expect.arrayContaining([
            [
              't乣',
              expect.stringMatching(
                /^raw has bytes that a file in gbk cannot contain.*--hex-blob.*1 row was omitted/,
              ),
            ],
            ['t?', expect.stringContaining('does not exist')],
            ['big5', expect.stringContaining('--default-character-set=utf8mb4')],
          ]) as unknown,
        },
        {
          rows: [{ id: 1, note: '縗ü😀' }],
          problems: [['u', expect.stringMatching(/^raw has bytes that a file in UTF-16 cannot contain/)]],
        },
      ]);
    },
  );
});

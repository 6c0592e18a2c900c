import type { Snapshot } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { makeSnapshot, makeTable } from '../../ddl-plan/src/testing/make-schema.js';
import { FILE_FRAME, isFileSetting, toCommentLine } from './file-frame.js';
import { toFileStatement, escapeLineBreaks, endStatement, splitFileStatements } from './file-statement.js';
import { renderSchemaSql, writeSchema } from './write-schema.js';

const written = (sql: string): string => {
  const statement = toFileStatement(sql, 'mariadb');
  return statement.kind === 'written' ? statement.sql : `left out: ${statement.reason}`;
};
const HEAD = 'CREATE TRIGGER `t` BEFORE INSERT ON `a` FOR EACH ROW';

describe('toFileStatement', () => {
  it.each(
    [...Array.from({ length: 32 }, (_, position) => position), 127].filter(
      (unit) => unit !== 10 && unit !== 0,
    ),
  )('an SQL file contains no comment with two dashes and the byte %i', (unit) => {
    const comment = `--${String.fromCharCode(unit)} ;; \\! id > /tmp/x`;
    expect(written(`${HEAD} SET @a=1 ${comment}\n, @b=2`)).toBe(
      `${HEAD} SET @a=1 ${' '.repeat(comment.length)}\n, @b=2`,
    );
  });

  it.each([
    ['SET @a = 1 # \\! id', 'SET @a = 1'],
    ['SET @a = /* \\! id */ 1', 'SET @a =             1'],
    ['SET @a = 1 /*!50000 + 1 */ /*M!100000 + 1 */ /*+ x */, @b = 2', `SET @a = 1 ${' '.repeat(42)}, @b = 2`],
    [
      "SET @a = '-- \\' \\! id', @b = \"# '' /*\", @c = `/* `",
      "SET @a = '-- \\' \\! id', @b = \"# '' /*\", @c = `/* `",
    ],
    ['SET @a = 1--1, @b = 2', 'SET @a = 1--1, @b = 2'],
    ['SET @a = 1 /* open', 'SET @a = 1'],
    [
      "SET @a = 'x\r\ny\0z\x1a\\\r', @b = 'é\u2028\u0085\x01'",
      "SET @a = 'x\\r\ny\\0z\\Z\\r', @b = 'é\u2028\u0085\x01'",
    ],
    ['SET @a = 1,\r\n@b\r=\v2\f', 'SET @a = 1,\n@b = 2'],
    ['SET @a =\nsystem\n+ 1,\n\t /* x */ status , @b = 2', 'SET @a = system\n+ 1, status , @b = 2'],
    ['SET @a =\ndelimiter_x\n+ 1', 'SET @a = delimiter_x\n+ 1'],
    ['SET @a =\nsystems + uses', 'SET @a =\nsystems + uses'],
    ["SET @a = '\nsystem id\n'", "SET @a = '\nsystem id\n'"],
    ['SET @a = \\N, @b = 1', 'SET @a = NULL, @b = 1'],
  ])('the body %j of a routine in an SQL file contains no client command', (body, expected) => {
    expect(written(`${HEAD} ${body}`)).toBe(`${HEAD} ${expected}`);
  });

  it.each([
    [`${HEAD} SET @a = 1 \\! id`, 'interpret'],
    [`${HEAD} SET @a = 1 \x01`, 'interpret'],
    [`${HEAD} SET @a = 'open`, 'not closed'],
    [`${HEAD} SET @a = '\ud800'`, 'Unicode'],
    ['CREATE TABLE `a\r\nb` (`id` int)', 'CR LF'],
    ['CREATE TABLE `t` (`a\\` int)', 'backslash before'],
    ['CREATE TABLE `t` (`a\\\nb` int)', 'backslash before'],
    [`${HEAD} INSERT INTO other.t VALUES (1)`, 'must not contain a database'],
    ['CREATE VIEW `v` AS select 1 from `other`.`t`', 'must not contain a database'],
    ["CREATE TABLE `t` (`a` int) DATA DIRECTORY='/tmp'", 'DATA DIRECTORY'],
    ["CREATE TABLE `t` (`a` int) ENGINE=FEDERATED CONNECTION='mysql://x'", 'FEDERATED'],
    ["CREATE TABLE `t` (`a` int) /*M! CONNECTION='x' */", 'CONNECTION'],
    ['CREATE USER x', 'not supported'],
    ['USE mysql', 'USE is ignored'],
    ["SET SESSION sql_mode = ''", 'SET is ignored'],
  ])('an SQL file omits the statement %j', (sql, reason) => {
    expect(written(sql)).toMatch(/^left out: /);
    expect(written(sql)).toContain(reason);
  });

  it('an SQL file keeps versioned comments of CREATE TABLE and omits DEFINER', () => {
    const table =
      "CREATE TABLE `t` (`a` int /*!80023 INVISIBLE */)\n/*!50100 PARTITION BY RANGE (`a`)\n(PARTITION p VALUES LESS THAN (1) COMMENT = '*/ \\\\! id' ENGINE = InnoDB) */";
    expect(toFileStatement(table, 'mysql')).toEqual({ kind: 'written', sql: table, hasComments: false });
    expect(written('CREATE DEFINER=`root`@`%` PROCEDURE `p`() SELECT 1')).toBe(
      'CREATE PROCEDURE `p`() SELECT 1',
    );
    expect(written('SET SESSION foreign_key_checks = 0')).toBe('SET SESSION foreign_key_checks = 0');
  });
});

describe('endStatement', () => {
  it('a body of several statements in an SQL file ends with a delimiter that it does not contain', () => {
    const body = 'CREATE PROCEDURE `p`() BEGIN SELECT 1; END';
    expect(endStatement(body)).toBe(`DELIMITER ;;\n${body} ;;\nDELIMITER ;\n`);
    const greedy = "CREATE PROCEDURE `p`() BEGIN SELECT ';; // $$ @@ || ;;;'; END";
    expect(endStatement(greedy)).toBe(`DELIMITER ;;;;\n${greedy} ;;;;\nDELIMITER ;\n`);
    expect(endStatement("CREATE TABLE `t` (`a` varchar(9) DEFAULT ';')")).toBe(
      "CREATE TABLE `t` (`a` varchar(9) DEFAULT ';');\n",
    );
  });
});

describe('the frame of a file', () => {
  it('an SQL file starts with the sandbox line and the character set', () => {
    expect(FILE_FRAME.head.split('\n').slice(0, 3)).toEqual([
      '/*M!999999\\- enable the sandbox mode */',
      '/*!999999\\C utf8mb4 */',
      'SET NAMES utf8mb4;',
    ]);
    const settings = splitFileStatements(`${FILE_FRAME.head}${FILE_FRAME.tail}`).map((text) =>
      text.replaceAll(/\/\*.*?\*\//gs, '').trim(),
    );
    expect(settings.map((text) => [text, isFileSetting(text)])).toEqual(settings.map((text) => [text, true]));
    expect(isFileSetting('SET SESSION sql_log_bin = 0')).toBe(false);
  });

  it('comments in an SQL file have one line and only printable characters', () => {
    expect(toCommentLine('shop\r\n\\! id\u2028é\x01')).toBe('-- shop  /! id   \n');
  });
});

describe('escapeLineBreaks', () => {
  it('escapeLineBreaks escapes characters that clients change, and keeps existing escapes', () => {
    expect(escapeLineBreaks("1,'a\r\nb\\\\\r\\'\0\x1a\\\n'")).toBe("1,'a\\r\\nb\\\\\\r\\'\\0\\Z\\n'");
  });
});

describe('writeSchema', () => {
  it('renderSchemaSql returns an empty text for an empty schema', () => {
    expect(renderSchemaSql(makeSnapshot())).toBe('');
  });

  it('renderSchemaSql writes referenced tables first and names omitted objects', () => {
    const a = makeTable('a', [
      'id int NOT NULL',
      'PRIMARY KEY (id)',
      'CONSTRAINT f FOREIGN KEY (id) REFERENCES z (id)',
    ]);
    const z = makeTable('z', ['id int NOT NULL', 'PRIMARY KEY (id)']);
    expect(renderSchemaSql(makeSnapshot(a, z))).toBe(`${z.createSql};\n\n${a.createSql};\n`);
    const routines = [
      { name: 'p', kind: 'procedure', createSql: 'CREATE PROCEDURE `p`()\nDELETE FROM mysql.user' },
    ] as const;
    const snapshot: Snapshot = { ...makeSnapshot(z), routines };
    expect(writeSchema(snapshot)).toEqual({
      sql: `-- Omitted: procedure p: Names must not contain a database: mysql.\n\n${z.createSql};\n`,
      omitted: [{ object: 'procedure', name: 'p', reason: 'Names must not contain a database: mysql.' }],
      uncommented: [],
    });
  });
});

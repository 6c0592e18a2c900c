import { describe, expect, it } from 'vitest';
import { openInsert, type InsertValue } from './read-insert.js';

function read(text: string) {
  const insert = openInsert(text);
  const rows: string[][] = [];
  const show = (part: InsertValue | string): string => {
    if (typeof part === 'string') return part;
    if (part.kind === 'text') return `${part.introducer}|${part.quoted}`;
    return part.kind === 'plain' ? part.text : part.parts.map(show).join(' ');
  };
  for (let row = insert.next(); row !== null; row = insert.next()) rows.push(row.map(show));
  return { head: insert.head, rows, fault: insert.fault() };
}

describe('openInsert', () => {
  it('openInsert rejects a row with more values than a table can have columns', () => {
    const row = (values: number): string => `(${Array.from({ length: values }, () => '1').join()})`;
    expect(read(`INSERT INTO t VALUES ${row(4_096)}`)).toMatchObject({ fault: null });
    expect(read(`INSERT INTO t VALUES (1),${row(4_097)}`)).toMatchObject({
      rows: [['1']],
      fault: { reason: 'A row has more than 4096 values.' },
    });
  });
  it('readInsert reads the rows of literals from a dump', () => {
    expect(
      read(
        "INSERT INTO `po``sts` VALUES (1,'it\\'s; (a)',NULL,-2.5e3),\n(0x1F, _binary 'b\\0', X'00ff', b'101') , (/* c */ DEFAULT , \"q\"\"d\", true, .5)",
      ),
    ).toEqual({
      head: { verb: 'insert', database: null, table: 'po`sts', columns: null },
      fault: null,
      rows: [
        ['1', "|'it\\'s; (a)'", 'NULL', '-2.5e3'],
        ['0x1F', "binary|'b\\0'", "x'00ff'", "b'101'"],
        ['DEFAULT', '|"q""d"', 'TRUE', '.5'],
      ],
    });
    expect(read('REPLACE INTO `a`.`b` (`x`, y) VALUES (1,2)')).toMatchObject({
      head: { verb: 'replace', database: 'a', table: 'b', columns: ['x', 'y'] },
      rows: [['1', '2']],
    });
    expect(read('INSERT IGNORE INTO t () VALUES ()')).toMatchObject({
      head: { verb: 'ignore', table: 't', columns: [] },
      rows: [[]],
      fault: null,
    });
  });
  it('readInsert rejects an expression that would run code', () => {
    for (const text of [
      'INSERT INTO t SELECT * FROM mysql.user',
      'INSERT INTO t VALUES (SLEEP(10))',
      'INSERT INTO t VALUES (@@version)',
      "INSERT INTO t VALUES (1), (LOAD_FILE('/etc/passwd'))",
      'INSERT INTO t VALUES (1 + (SELECT 1))',
      'INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = SLEEP(1)',
      'INSERT INTO t SET a = b',
      'INSERT INTO t VALUES (NOW () + sfunc(1))',
      'INSERT INTO t VALUES (`f`(1))',
      'INSERT INTO t VALUES (a.b(1))',
      'INSERT INTO t VALUES (DEFAULT(a))',
      'INSERT INTO t VALUES (signed(1))',
      'INSERT INTO t VALUES (1 /*! + SLEEP(1) */)',
      'INSERT INTO t VALUES (/*! SLEEP(9) */)',
      "INSERT INTO t VALUES ('open",
      'INSERT INTO t VALUES (x)',
      'INSERT INTO t VALUES (1',
      'INSERT INTO t TABLE other',
    ])
      expect({ text, fault: read(text).fault?.reason ?? null }).not.toEqual({ text, fault: null });
    expect(read('INSERT INTO t VALUES (1),(SLEEP(1))')).toMatchObject({
      rows: [['1']],
      fault: { offset: 26, reason: expect.stringContaining('SLEEP') as unknown },
    });
    expect(read('INSERT INTO t VALUES (1) AS n ON DUPLICATE KEY UPDATE a = n.a')).toMatchObject({
      rows: [['1']],
      fault: { isWholeStatement: true },
    });
  });
  it.each([
    ['now(), sysdate( ), CURRENT_TIMESTAMP, NOW ()', ['now( )', 'sysdate( )', 'CURRENT_TIMESTAMP', 'NOW( )']],
    [
      "DATE '2020-01-02', '2020-01-01' + INTERVAL 1 DAY",
      ["DATE |'2020-01-02'", "|'2020-01-01' + INTERVAL 1 DAY"],
    ],
    ["1+1, 1 - -1, -(2), 'a' 'b''c' \"d'\"", ['1 + 1', '1 - - 1', '- ( 2 )', "|'ab''cd'''"]],
    [
      "_utf8mb4'ü' COLLATE utf8mb4_bin, _binary 0xFF, CAST('1' AS CHAR(5)), CONVERT('x' USING utf8)",
      [
        "utf8mb4|'ü' COLLATE utf8mb4_bin",
        '_binary 0xFF',
        "CAST( |'1' AS CHAR ( 5 ) )",
        "CONVERT( |'x' USING utf8 )",
      ],
    ],
    ['1 -- one\n, # two\n 2', ['1', '2']],
  ])('readInsert leaves constant expressions to the engine: %s', (values, row) => {
    expect(read(`INSERT INTO t VALUES (${values})`)).toMatchObject({ rows: [row], fault: null });
  });
  it('readInsert reads the row of an INSERT … SET statement', () => {
    expect(read("INSERT IGNORE INTO t SET `a` = 1, b = 'x', c = now()")).toMatchObject({
      head: { verb: 'ignore', columns: ['a', 'b', 'c'] },
      rows: [['1', "|'x'", 'now( )']],
      fault: null,
    });
    expect(read('INSERT INTO t SET a = 1 ON DUPLICATE KEY UPDATE a = 2')).toMatchObject({
      head: null,
      fault: { isWholeStatement: true },
    });
  });
});

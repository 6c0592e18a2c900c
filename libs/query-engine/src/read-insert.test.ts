import { describe, expect, it } from 'vitest';
import { openInsert } from './read-insert.js';

function read(text: string) {
  const insert = openInsert(text);
  const rows: string[][] = [];
  for (let row = insert.next(); row !== null; row = insert.next()) rows.push(row.map((value) => (value.kind === 'plain' ? value.text : `${value.introducer}|${value.quoted}`)));
  return { head: insert.head, rows, fault: insert.fault() };
}

describe('openInsert', () => {
  it('reads no row of more values than a table has columns', () => {
    const row = (values: number): string => `(${Array.from({ length: values }, () => '1').join()})`;
    expect(read(`INSERT INTO t VALUES ${row(4_096)}`)).toMatchObject({ fault: null });
    expect(read(`INSERT INTO t VALUES (1),${row(4_097)}`)).toMatchObject({ rows: [['1']], fault: { reason: 'A row has more than 4096 values.' } });
  });
  it('reads rows of literals as dumps write them', () => {
    expect(read("INSERT INTO `po``sts` VALUES (1,'it\\'s; (a)',NULL,-2.5e3),\n(0x1F, _binary 'b\\0', X'00ff', b'101') , (/* c */ DEFAULT , \"q\"\"d\", true, .5)")).toEqual({
      head: { database: null, table: 'po`sts', columns: null }, fault: null,
      rows: [['1', "|'it\\'s; (a)'", 'NULL', '-2.5e3'], ['0x1F', "binary|'b\\0'", "x'00ff'", "b'101'"], ['DEFAULT', '|"q""d"', 'TRUE', '.5']],
    });
    expect(read('REPLACE INTO `a`.`b` (`x`, y) VALUES (1,2)')).toMatchObject({ head: { database: 'a', table: 'b', columns: ['x', 'y'] }, rows: [['1', '2']] });
    expect(read('INSERT IGNORE INTO t () VALUES ()')).toMatchObject({ head: { table: 't', columns: [] }, rows: [[]], fault: null });
  });
  it('takes nothing that would be run', () => {
    for (const text of [
      'INSERT INTO t SELECT * FROM mysql.user', 'INSERT INTO t VALUES (SLEEP(10))', 'INSERT INTO t VALUES (@@version)', 'INSERT INTO t VALUES (1), (LOAD_FILE(\'/etc/passwd\'))',
      'INSERT INTO t VALUES (1 + (SELECT 1))', 'INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = SLEEP(1)', 'INSERT INTO t SET a = 1', 'INSERT INTO t VALUES (/*! SLEEP(9) */)', "INSERT INTO t VALUES ('open",
      'INSERT INTO t VALUES (x)', 'INSERT INTO t VALUES (1', 'INSERT INTO t TABLE other',
    ]) expect({ text, fault: read(text).fault?.reason ?? null }).not.toEqual({ text, fault: null });
    expect(read('INSERT INTO t VALUES (1),(NOW())')).toMatchObject({ rows: [['1']], fault: { offset: 29 } });
  });
});

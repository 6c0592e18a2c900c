import { describe, expect, it } from 'vitest';
import { readInsert, type InsertHead, type InsertValue } from './read-insert.js';

function read(text: string) {
  let head: InsertHead | null = null;
  const rows: InsertValue[][] = [];
  const fault = readInsert(text, (found) => {
    head = found;
  }, (row) => rows.push(row));
  return { head: head as InsertHead | null, rows: rows.map((row) => row.map((value) => (value.kind === 'plain' ? value.text : `${value.introducer}|${value.quoted}`))), fault };
}

describe('readInsert', () => {
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

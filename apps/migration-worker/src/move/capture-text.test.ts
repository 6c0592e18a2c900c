import { describe, expect, it } from 'vitest';
import { listMoveTriggers } from './capture-text.js';
import type { MovedTable } from './move-run.js';

const column = (from: string, chunkBy: 'number' | 'text' | null) => ({
  from,
  to: from,
  chunkBy,
  charset: 'utf8mb4',
  collation: 'utf8mb4_bin',
  castType: null,
});
const TABLE: MovedTable = {
  no: 7,
  schema: 'pabc',
  name: 'a`b',
  create: '',
  columns: [],
  key: [column('id', 'number'), column('code', 'text')],
  keyIndex: 'PRIMARY',
  referenced: [],
  isCounted: false,
};
const sqlOf = (table: MovedTable, index: number): string =>
  listMoveTriggers(table, '`pabcs`.`move_ledger`')[index]?.sql ?? '';

describe('capture triggers of a move', () => {
  it('capture triggers of a move record only the keys of changed rows', () => {
    expect(listMoveTriggers(TABLE, 'l').map(({ name }) => name)).toEqual([
      '_rh_mv7d',
      '_rh_mv7u',
      '_rh_mv7i',
    ]);
    expect(sqlOf(TABLE, 2)).toContain('AFTER INSERT ON `pabc`.`a``b` FOR EACH ROW');
    expect(sqlOf(TABLE, 2)).toContain(
      "VALUES (7, CONCAT_WS(',', IFNULL(CAST(NEW.`id` AS CHAR), '~'), IFNULL(HEX(NEW.`code`), '~')), NULL)",
    );
  });

  it('capture triggers of a move record both keys of a row whose key changes', () => {
    const sql = sqlOf(TABLE, 1);
    expect(sql).toContain(
      'IF NOT (CAST(NEW.`id` AS BINARY) <=> CAST(OLD.`id` AS BINARY) AND CAST(NEW.`code` AS BINARY) <=> CAST(OLD.`code` AS BINARY)) THEN',
    );
    expect(sql.match(/OLD\.`code`\), '~'\)\), NULL\)/g)).toHaveLength(1);
  });

  it('capture triggers of a move record the keys that foreign key cascades change', () => {
    const parent: MovedTable = {
      ...TABLE,
      referenced: [{ columns: [column('id', 'number')], children: [{ no: 8, columns: ['a_id'] }] }],
    };
    expect(sqlOf(parent, 0)).toContain(
      "CONCAT_WS('|', CONCAT_WS(',', IFNULL(CAST(OLD.`id` AS CHAR), '~'))))",
    );
    expect(sqlOf(parent, 1)).toContain(
      "CONCAT_WS('|', CONCAT_WS(',', IFNULL(CAST(NEW.`id` AS CHAR), '~'))))",
    );
  });

  it('capture triggers of a move record that a keyless table was written', () => {
    expect(sqlOf({ ...TABLE, key: null }, 1)).toContain('VALUES (7, NULL, NULL)');
  });
});

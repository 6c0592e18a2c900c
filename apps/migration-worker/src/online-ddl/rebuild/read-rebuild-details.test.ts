import type { RawColumn } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { chooseComparison } from './read-rebuild-details.js';

const column = (type: string, sqlType: string, charset: string | null = null): RawColumn =>
  ({
    name: 'a',
    type,
    sqlType,
    charset,
    collation: charset === null ? null : `${charset}_general_ci`,
  }) as RawColumn;

describe('the comparison that detects a stale copy', () => {
  it.each([
    [column('int', 'int(11)'), column('int', 'int(11)'), 'value'],
    [column('int', 'int(11)'), column('bigint', 'bigint(20) unsigned'), 'value'],
    [column('varchar', 'varchar(20)', 'utf8mb4'), column('varchar', 'varchar(20)', 'utf8mb4'), 'bytes'],
    [column('varchar', 'varchar(20)', 'latin1'), column('text', 'text', 'latin1'), 'bytes'],
    [column('varchar', 'varchar(20)', 'latin1'), column('varchar', 'varchar(20)', 'utf8mb4'), 'characters'],
    [column('varchar', 'varchar(20)', 'utf8mb4'), column('varchar', 'varchar(20)', 'latin1'), 'absence'],
    // CHAR drops trailing blanks, so a copy in such a column may differ from the original value.
    [column('varchar', 'varchar(20)', 'utf8mb4'), column('char', 'char(20)', 'utf8mb4'), 'absence'],
    // Rounding to fewer decimals may change the value.
    [column('decimal', 'decimal(10,2)'), column('decimal', 'decimal(10,1)'), 'absence'],
    [column('point', 'point'), column('point', 'point'), 'absence'],
    [column('json', 'json'), column('text', 'text', 'utf8mb4'), 'absence'],
  ])('chooseComparison compares %o with %o by %s', (from, to, by) => {
    expect(chooseComparison(from, to)).toBe(by);
  });
});

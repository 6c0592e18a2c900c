import { nameSnapshot } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import { planFills } from './plan-fills.js';

describe('planFills', () => {
  it('planFills fills referenced tables first and cycles in two passes', () => {
    const id = rawColumn('id', 'int(11)');
    const link = (name: string, nullable: boolean): ReturnType<typeof rawColumn> =>
      rawColumn(name, 'int(11)', { nullable });
    const { tables } = nameSnapshot(
      {
        engine: 'mariadb',
        tables: [
          rawTable('a', [id, link('b_id', false)], { foreignKeys: [foreignKey('a', 'b_id', 'b')] }),
          rawTable('b', [id, link('a_id', true), link('b_id', true)], {
            foreignKeys: [foreignKey('b', 'a_id', 'a'), foreignKey('b', 'b_id', 'b')],
          }),
          rawTable('c', [id, link('d_id', false)], { foreignKeys: [foreignKey('c', 'd_id', 'd')] }),
          rawTable('d', [id, link('c_id', false)], { foreignKeys: [foreignKey('d', 'c_id', 'c')] }),
        ],
      },
      null,
    );
    const { fills, circular } = planFills(tables, 10);
    expect(fills.map((fill) => [fill.table.name, fill.rows, fill.openKeys.size])).toEqual([
      ['b', 4, 2],
      ['a', 10, 0],
      ['b', 6, 0],
    ]);
    expect(circular.map((table) => table.name)).toEqual(['c', 'd']);
  });
});

import { describe, expect, it } from 'vitest';
import { readTables } from './read-tables.js';

describe('readTables', () => {
  it('readTables returns a table with its columns and relationships', () => {
    const [table] = readTables([
      {
        name: 'post_tags',
        path: 'post-tags',
        kind: 'table',
        primary_key: ['post_id', 'tag_id'],
        columns: [
          {
            name: 'post_id',
            type: 'int',
            nullable: false,
            default: null,
            references: { table: 'posts', column: 'id' },
          },
        ],
        relationships: [{ name: 'post', kind: 'to_one', table: 'posts' }],
      },
    ]);
    expect(table).toMatchObject({
      path: 'post-tags',
      primaryKey: ['post_id', 'tag_id'],
      relationships: [{ name: 'post' }],
    });
    expect(table?.columns[0]).toMatchObject({
      name: 'post_id',
      references: { table: 'posts', column: 'id' },
      nullable: false,
      labels: null,
    });
  });

  it('readTables adds defaults for missing members and drops invalid tables', () => {
    const tables = readTables([{ name: 'order_lines', primary_key: 'id' }, null, 7, { path: 'x' }]);
    expect(tables).toEqual([
      {
        name: 'order_lines',
        path: 'order-lines',
        kind: 'table',
        primaryKey: ['id'],
        columns: [],
        relationships: [],
      },
    ]);
    expect(readTables(undefined)).toEqual([]);
  });
});

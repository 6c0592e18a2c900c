import { describe, expect, it } from 'vitest';
import { readTables } from '../../data/schema/read-tables.js';
import { layOutDiagram } from './lay-out-diagram.js';

const table = (name: string, references: string[] = []) => ({
  name,
  kind: 'table',
  primary_key: ['id'],
  columns: [
    { name: 'id', type: 'int' },
    { name: 'title', type: 'text' },
    ...references.map((to) => ({ name: `${to}_id`, type: 'int', references: { table: to, column: 'id' } })),
  ],
});

describe('layOutDiagram', () => {
  it('the diagram draws a line for each foreign key, and no two tables overlap', () => {
    const layout = layOutDiagram(
      readTables([
        table('users'),
        table('posts', ['users', 'posts']),
        table('comments', ['posts', 'users']),
        table('alone'),
        table('other'),
      ]),
      true,
    );
    expect(layout.tables.map((entry) => entry.name).sort()).toEqual([
      'alone',
      'comments',
      'other',
      'posts',
      'users',
    ]);
    expect(layout.lines.map((line) => `${line.from}.${line.column}>${line.to}`).sort()).toEqual([
      'comments.posts_id>posts',
      'comments.users_id>users',
      'posts.posts_id>posts',
      'posts.users_id>users',
    ]);
    for (const a of layout.tables) {
      for (const b of layout.tables)
        if (a !== b)
          expect(
            a.x + 212 <= b.x || b.x + 212 <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y,
            `${a.name} and ${b.name}`,
          ).toBe(true);
    }
  });

  it('the diagram shows only key columns on request and counts the others', () => {
    const [posts] = layOutDiagram(readTables([table('posts', ['posts'])]), false).tables;
    expect(posts?.rows.map((row) => row.name)).toEqual(['id', 'posts_id']);
    expect(posts?.more).toBe(1);
  });

  it('layOutDiagram lays out an empty schema and one with five hundred tables', () => {
    expect(layOutDiagram([], true)).toMatchObject({ tables: [], lines: [] });
    const many = Array.from({ length: 500 }, (_, index) =>
      table(`t${index}`, index > 0 ? [`t${Math.floor(index / 3)}`] : []),
    );
    expect(layOutDiagram(readTables(many), false).tables).toHaveLength(500);
  });
});

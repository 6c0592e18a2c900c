import { expect, it } from 'vitest';
import { readTables } from '../../data/schema/read-tables.js';
import { listOperations } from './list-operations.js';

const read = (table: object) =>
  listOperations(readTables([table])[0] as ReturnType<typeof readTables>[number]);

it('the API docs list five operations for a table with a key', () => {
  const operations = read({
    name: 'post_tags',
    path: 'post-tags',
    primary_key: ['post_id', 'tag_id'],
    columns: [
      { name: 'post_id', type: 'int', value_kind: 'integer' },
      { name: 'tag_id', type: 'int', value_kind: 'integer' },
      { name: 'note', type: 'text' },
    ],
    relationships: [{ name: 'post', kind: 'to_one', table: 'posts' }],
  });
  expect(operations.map((operation) => operation.id)).toEqual(['list', 'read', 'create', 'update', 'delete']);
  expect(operations[0]?.call.path).toBe('/post-tags?limit=5&include=post');
  expect(operations[1]?.call.path).toBe('/post-tags/1,1');
  expect(operations[3]?.call.body).toEqual({ note: 'text' });
});

it('the API docs omit operations that a view or a table without a key does not support', () => {
  expect(read({ name: 'v', kind: 'view', columns: [] }).map((operation) => operation.id)).toEqual(['list']);
  expect(read({ name: 't', columns: [{ name: 'a', type: 'int' }] }).map((operation) => operation.id)).toEqual(
    ['list', 'create'],
  );
});

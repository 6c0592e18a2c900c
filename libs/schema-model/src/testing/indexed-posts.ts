import type { Table } from '../types.js';

const column = (name: string, type = 'int'): object => ({ name, type });

/** A table with an index on `user_id`, one on an expression and a full-text index, for proposals of indexes. */
export const INDEXED_POSTS = {
  name: 'posts',
  kind: 'table',
  path: 'posts',
  primaryKey: ['id'],
  columns: [
    column('id'),
    column('user_id'),
    column('published'),
    column('created_at', 'timestamp'),
    column('content', 'text'),
  ],
  indexes: [
    { kind: 'btree', columns: [{ name: 'user_id' }] },
    { kind: 'btree', columns: [{ name: null }] },
    { kind: 'fulltext', columns: [{ name: 'content' }] },
  ],
} as unknown as Table;

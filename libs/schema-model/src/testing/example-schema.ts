import type { RawSchema } from '../raw-schema.js';
import type { ColumnDefault } from '../types.js';
import { foreignKey, rawColumn, rawTable, uniqueIndex } from './raw-builders.js';

const id = rawColumn('id', 'int(11)', { autoIncrement: true });
const createdAt = rawColumn('created_at', 'timestamp', {
  default: { kind: 'expression', text: 'current_timestamp()' },
});
const nullText = { nullable: true, default: { kind: 'null' } as ColumnDefault };

/** The example schema of the documentation, which is a blog. */
export const EXAMPLE_SCHEMA: RawSchema = {
  engine: 'mariadb',
  tables: [
    rawTable(
      'users',
      [
        id,
        rawColumn('username', 'varchar(50)'),
        rawColumn('email', 'varchar(255)'),
        rawColumn('bio', 'text', nullText),
        createdAt,
      ],
      { indexes: [uniqueIndex('username', ['username']), uniqueIndex('email', ['email'])] },
    ),
    rawTable(
      'posts',
      [
        id,
        rawColumn('title', 'varchar(255)'),
        rawColumn('content', 'text'),
        rawColumn('user_id', 'int(11)'),
        rawColumn('published', 'tinyint(1)', { default: { kind: 'literal', text: '0' } }),
        createdAt,
      ],
      { foreignKeys: [foreignKey('posts', 'user_id', 'users')] },
    ),
    rawTable(
      'comments',
      [
        id,
        rawColumn('content', 'text'),
        rawColumn('user_id', 'int(11)'),
        rawColumn('post_id', 'int(11)'),
        createdAt,
      ],
      {
        foreignKeys: [foreignKey('comments', 'user_id', 'users'), foreignKey('comments', 'post_id', 'posts')],
      },
    ),
    rawTable('tags', [id, rawColumn('name', 'varchar(100)'), rawColumn('description', 'text', nullText)], {
      indexes: [uniqueIndex('name', ['name'])],
    }),
    rawTable('post_tags', [rawColumn('post_id', 'int(11)'), rawColumn('tag_id', 'int(11)')], {
      primaryKey: ['post_id', 'tag_id'],
      foreignKeys: [foreignKey('post_tags', 'post_id', 'posts'), foreignKey('post_tags', 'tag_id', 'tags')],
    }),
  ],
};

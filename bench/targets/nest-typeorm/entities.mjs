// @ts-check
import { EntitySchema } from 'typeorm';

/**
 * @typedef {{ id: number, title: string, content: string, user_id: number, published: boolean, created_at: Date }} Post
 * @typedef {{ id: number, content: string, user_id: number, post_id: number, created_at: Date }} Comment
 * @typedef {{ id: number, username: string, email: string, bio: string | null, created_at: Date }} User
 */
const id = /** @type {const} */ ({ type: 'int', primary: true, generated: true });
const number = /** @type {const} */ ({ type: 'int' });
const text = /** @type {const} */ ({ type: 'text' });
const created = /** @type {const} */ ({ type: 'timestamp', default: () => 'CURRENT_TIMESTAMP' });

/** @type {EntitySchema<Post>} */
export const Posts = new EntitySchema({
  name: 'posts',
  columns: {
    id,
    title: { type: 'varchar', length: 255 },
    content: text,
    user_id: number,
    published: { type: 'tinyint' },
    created_at: created,
  },
  relations: /** @type {any} */ ({
    user: { type: 'many-to-one', target: 'users', joinColumn: { name: 'user_id' } },
  }),
});

/** @type {EntitySchema<Comment>} */
export const Comments = new EntitySchema({
  name: 'comments',
  columns: { id, content: text, user_id: number, post_id: number, created_at: created },
});

/** @type {EntitySchema<User>} */
export const Users = new EntitySchema({
  name: 'users',
  columns: {
    id,
    username: { type: 'varchar', length: 50 },
    email: { type: 'varchar', length: 255 },
    bio: { type: 'text', nullable: true },
    created_at: created,
  },
});

import { toErrorBody } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import { ALL, plan, type CallOptions } from '../../test/blog.js';
import { mapDatabaseError } from './map-database-error.js';

function map(errno: number, message: string, call = 'PATCH /users/1', options: CallOptions = {}, sqlState = 'HY000'): Record<string, unknown> & { text: string } {
  const error = mapDatabaseError({ errno, sqlState, message }, plan(call, { body: call.startsWith('GET') || call.startsWith('DELETE') ? undefined : {}, ...options }));
  return { status: error.status, text: JSON.stringify(toErrorBody(error, 'r')), ...error.extra };
}

describe('database errors', () => {
  it('name the constraint and columns of a duplicate, as both engines write it', () => {
    for (const key of ['email', 'users.email']) {
      expect(map(1062, `Duplicate entry 'a for key 'x'' for key '${key}'`)).toMatchObject({ status: 409, constraint: 'email', columns: ['email'] });
    }
    expect(map(1062, "Duplicate entry 'secret' for key 'email'").text).not.toContain('secret');
  });

  it('do not name hidden columns or unknown keys', () => {
    const rights = { ...ALL, hiddenColumns: { users: ['email'] } };
    expect(map(1062, "Duplicate entry 'x' for key 'email'", 'PATCH /users/1', { rights }).text).not.toContain('email');
    expect(map(1062, "Duplicate entry 'x' for key 'nope'")).toMatchObject({ status: 409 });
  });

  const used = 'Cannot delete or update a parent row: a foreign key constraint fails (`db`.`comments`, CONSTRAINT `fk_comments_post_id_posts` FOREIGN KEY (`post_id`) REFERENCES `posts` (`id`))';

  it('explain foreign keys from both sides, visible tables only', () => {
    expect(map(1451, used, 'DELETE /posts/1')).toMatchObject({ status: 409, table: 'comments', columns: ['post_id'] });
    expect(map(1451, used, 'DELETE /posts/1').text).toContain('Records of comments still refer');
    expect(map(1452, used.replace('Cannot delete or update a parent row', 'Cannot add or update a child row'), 'PATCH /comments/1').text).toContain('no record of posts for post_id');
    const rights = { ...ALL, tables: { posts: ['read', 'delete'] } } as const;
    expect(map(1451, used, 'DELETE /posts/1', { rights }).text).not.toContain('comments');
    expect(map(1217, 'Cannot delete or update a parent row', 'DELETE /posts/1')).toMatchObject({ status: 409 });
  });

  it('give the text of SIGNAL 45000 alone', () => {
    expect(map(1644, 'Too late for this', 'PATCH /users/1', {}, '45000').text).toContain('Too late for this');
    expect(map(1644, 'internal', 'PATCH /users/1', {}, '01234').text).not.toContain('internal');
    for (const errno of [1, 1062, 30_001]) expect(map(errno, 'Too late for this', 'PATCH /users/1', {}, '45000')).toMatchObject({ status: 422, text: expect.stringContaining('Too late for this') as unknown });
    expect(map(9999, 'You have an error in your SQL near secret')).toMatchObject({ status: 500 });
    expect(map(9999, 'You have an error in your SQL near secret').text).not.toContain('secret');
  });

  it('put refused values at their column', () => {
    expect(map(1406, "Data too long for column 'username' at row 1").text).toContain('["body","username"]');
    expect(map(1264, "Out of range value for column 'id' at row 1").text).toContain('["body","id"]');
    expect(map(1366, "Incorrect string value: '\\xF0' for column `db`.`users`.`bio` at row 1").text).toContain('["body","bio"]');
    expect(map(1048, "Column 'email' cannot be null")).toMatchObject({ status: 422 });
    expect(map(1267, 'Illegal mix of collations', 'GET /users?username=x').text).toContain('"params.invalid"');
  });

  it.each([[1213, 503], [1205, 503], [1969, 504], [3024, 504], [1040, 503], [1146, 503], [1054, 503], [1114, 507], [1045, 503], [4025, 422], [3819, 422]])('%i is %i', (errno, status) => {
    expect(map(errno, 'x').status).toBe(status);
  });
});

import { describe, expect, it } from 'vitest';
import {
  ALL,
  describeError,
  plan,
  rejection,
  run,
  type FakeDatabase,
  type CallOptions,
} from '../../../test/blog.js';

function rejected(endpoint: string, answer: FakeDatabase, options: CallOptions): string {
  try {
    run(endpoint, answer, options);
  } catch (error) {
    return describeError(error);
  }
  return 'accepted';
}

describe('a write by filter', () => {
  const found =
    (count: number): FakeDatabase =>
    ({ role, sql }) => {
      if (role.kind === 'write') return { affectedRows: count };
      return {
        rows: Array.from({ length: count }, (_, index) =>
          sql.includes('`name`') ? [index + 1, `n${index}`, null] : [index + 1],
        ),
      };
    };

  it('a filtered write locks the matching records and changes them by their keys', () => {
    const { statements, response } = run('PATCH /tags?name__like=a%25', found(3), {
      body: { description: 'x' },
    });
    expect(statements.map(({ sql }) => sql)).toEqual([
      'SELECT `id` FROM `tags` WHERE `name` LIKE ? LIMIT ? FOR UPDATE',
      'UPDATE `tags` SET `description` = ? WHERE `id` IN (?, ?, ?, ?)',
    ]);
    expect(statements.map(({ params }) => params)).toEqual([
      ['a%', '101'],
      ['x', '1', '2', '3', '3'],
    ]);
    expect(response).toMatchObject({ status: 200, body: '{"updated":3}' });
    expect(run('DELETE /tags?name=a', found(1), {}).response.body).toBe('{"deleted":1}');
    expect(run('DELETE /tags?name=a', found(0), {}).response.body).toBe('{"deleted":0}');
  });

  it('a filtered write that matches more than max-affected records changes nothing', () => {
    const options = { headers: { prefer: 'max-affected=2' } };
    expect(rejected('DELETE /tags?name=a', found(3), options)).toContain(
      '409 record.max_affected More than 2 records',
    );
    expect(run('DELETE /tags?name=a', found(2), options).response.headers['Preference-Applied']).toBe(
      'max-affected=2',
    );
    expect(rejected('DELETE /tags?name=a', found(101), {})).toContain('409 record.max_affected');
    expect(rejection('DELETE /tags?name=a', { headers: { prefer: 'max-affected=10001' } })).toContain(
      '422 limit.filtered_rows ["header","Prefer"]',
    );
    for (const bad of ['x', '-1', '1.5', ''])
      expect(rejection('DELETE /tags?name=a', { headers: { prefer: `max-affected=${bad}` } })).toContain(
        '["header","Prefer"] preference',
      );
  });

  it('a filtered write returns changed records after the change, and deleted ones as they were', () => {
    const headers = { prefer: 'return=representation' };
    const updated = run('PUT /tags?name=a', found(2), { body: { name: 'b' }, headers });
    expect(updated.response.body).toBe(
      '[{"id":1,"name":"n0","description":null},{"id":2,"name":"n1","description":null}]',
    );
    expect(updated.statements.at(-1)?.sql).toBe(
      'SELECT `id`, `name`, `description` FROM `tags` WHERE `id` IN (?, ?) ORDER BY `id`',
    );
    const deleted = run('DELETE /tags?name=a', found(1), { headers });
    expect(deleted.statements[0]?.sql).toBe(
      'SELECT `id`, `name`, `description` FROM `tags` WHERE `name` = ? LIMIT ? FOR UPDATE',
    );
    expect(deleted.response).toMatchObject({
      body: '[{"id":1,"name":"n0","description":null}]',
      headers: { 'Preference-Applied': 'return=representation' },
    });
  });

  it('a filtered write to a table without a key uses the filter itself', () => {
    const { statements } = run(
      'DELETE /logs?text=a',
      ({ role }) => (role.kind === 'write' ? { affectedRows: 1 } : { rows: [[1]] }),
      {},
    );
    expect(statements.map(({ sql }) => sql)).toEqual([
      'SELECT 1 FROM `logs` WHERE `text` = ? LIMIT ? FOR UPDATE',
      'DELETE FROM `logs` WHERE `text` = ?',
    ]);
  });

  it('a filtered write requires a filter and a column that is not a key', () => {
    expect(rejection('DELETE /tags')).toContain('["query"] missing');
    expect(rejection('PATCH /tags', { body: { name: 'x' } })).toContain('["query"] missing');
    expect(rejection('PATCH /tags?id=1', { body: {} })).toContain('["body"] too_short');
    expect(rejection('PATCH /tags?id=1', { body: { id: 1 } })).toContain('["body","id"] key_changed');
    expect(rejection('PATCH /tags?id=1', { body: { nme: 1 } })).toContain('extra_forbidden');
  });

  it('a filtered write rejects a filter that matches all records', () => {
    const constant = [
      '{"posts":{"every":{}}}',
      '{"posts":{"count__gte":0}}',
      '{"not":{"posts":{"count__lt":0}}}',
      '{"or":[{"id":1},{"posts":{"every":{}}}]}',
      '{"and":[{"posts":{"every":{"comments":{"every":{}}}}}]}',
    ];
    for (const filter of constant) {
      expect(rejection(`DELETE /tags?_filter=${filter}`)).toContain('["query"] missing');
      expect(rejection(`DELETE /tags?name=a&_filter=${filter}`)).toBe('accepted');
    }
    for (const filter of [
      '{"posts":{}}',
      '{"posts":{"count__gte":1}}',
      '{"posts":{"every":{"id":1}}}',
      '{"or":[{"id":1},{"posts":{"count__lt":0}}]}',
      '{"and":[{"id":1},{"posts":{"every":{}}}]}',
    ]) {
      expect(rejection(`DELETE /tags?_filter=${filter}`)).toBe('accepted');
    }
  });

  it('the plan of a filtered write lists every table that it reads', () => {
    expect(plan('DELETE /posts?user.username=a').touches).toEqual(
      expect.arrayContaining([
        { table: 'posts', verb: 'delete' },
        { table: 'posts', verb: 'read' },
        { table: 'users', verb: 'read' },
      ]),
    );
    for (const endpoint of ['DELETE /tags?id=1', 'PATCH /tags?id=1'])
      expect(
        rejection(endpoint, { body: { name: 'x' }, rights: { ...ALL, verbs: ['write', 'delete'] } }),
      ).toContain('403 auth.scope');
  });
});

describe('an upsert', () => {
  const user = { username: 'ann', email: 'a@b.co', bio: 'x' };
  const database =
    (exists: boolean, affectedRows = 1): FakeDatabase =>
    ({ role }) => {
      if (role.kind === 'lock') return { rows: exists ? [[1]] : [] };
      return role.kind === 'write'
        ? { affectedRows }
        : { rows: [[7, 'ann', 'a@b.co', 'x', '2026-01-01 00:00:00']] };
    };

  it('an upsert creates a missing record', () => {
    const { statements, response } = run('POST /users?_on_conflict=email', database(false), { body: user });
    expect(statements.map(({ sql }) => sql)).toEqual([
      'SELECT 1 FROM `users` WHERE `email` = ?',
      'INSERT INTO `users` (`username`, `email`, `bio`) VALUES (?, ?, ?)',
      'SELECT `id`, `username`, `email`, `bio`, `created_at` FROM `users` WHERE `email` = ?',
    ]);
    expect(response).toMatchObject({
      status: 201,
      headers: { Location: '/v1/-/users/7', ETag: expect.any(String) },
    });
  });

  it('an upsert changes an existing record, or ignores it with resolution=ignore-duplicates', () => {
    const merged = run('POST /users?_on_conflict=email', database(true), { body: user });
    expect(merged.statements[1]?.sql).toBe('UPDATE `users` SET `username` = ?, `bio` = ? WHERE `email` = ?');
    expect(merged.response.status).toBe(200);
    expect(merged.response.headers['Location']).toBeUndefined();
    const ignored = run('POST /users?_on_conflict=email', database(true), {
      body: user,
      headers: { prefer: 'resolution=ignore-duplicates' },
    });
    expect(ignored.statements.map(({ role }) => role.kind)).toEqual(['lock', 'records']);
    expect(ignored.response).toMatchObject({
      status: 200,
      headers: { 'Preference-Applied': 'resolution=ignore-duplicates' },
    });
  });

  it('an upsert of an array runs again when one of its records is deleted in between', () => {
    const { response } = run('POST /users?_on_conflict=email', database(true), {
      body: [user, { ...user, email: 'c@d.co' }],
    });
    expect(response.status).toBe(200);
    expect(String(response.body)).toMatch(/^\[\{.*\},\{.*\}\]$/);
    expect(rejected('POST /users?_on_conflict=email', database(true, 0), { body: user })).toContain(
      '503 db.deadlock',
    );
  });

  it('_on_conflict must name a unique key whose columns every record contains', () => {
    for (const target of ['', 'bio', 'email,username', 'id,email', 'nope'])
      expect(rejection(`POST /users?_on_conflict=${target}`, { body: user })).toContain(
        '["query","_on_conflict"] unknown_key',
      );
    expect(
      rejection('POST /post-tags?_on_conflict=tag_id,post_id', { body: { post_id: 1, tag_id: 2 } }),
    ).toBe('accepted');
    expect(rejection('POST /users?_on_conflict=id', { body: user })).toContain('["body","id"] missing');
    const keyed = plan('POST /users?_on_conflict=email', { body: { ...user, id: 3 } });
    expect(keyed.kind === 'upsert' && keyed.rows[0]?.changes.map(({ column }) => column.name)).not.toContain(
      'id',
    );
    expect(rejection('POST /users?_on_conflict=email', { body: { username: 'a' } })).toContain(
      '["body","email"] missing',
    );
    expect(rejection('POST /tags', { body: { name: 'x' }, headers: { prefer: 'resolution=x' } })).toContain(
      'preference',
    );
  });

  it('an upsert of an existing record does not change its uuid', () => {
    const planned = plan('POST /types?_on_conflict=id', { body: { id: 5, tiny: 1 } });
    expect(planned).toMatchObject({ rows: [{ changes: [{ column: { name: 'tiny' } }] }] });
  });

  it('an upsert requires the rights to read and to write', () => {
    expect(plan('POST /tags?_on_conflict=name', { body: { name: 'x' } }).touches).toEqual([
      { table: 'tags', verb: 'write' },
      { table: 'tags', verb: 'read' },
    ]);
  });
});

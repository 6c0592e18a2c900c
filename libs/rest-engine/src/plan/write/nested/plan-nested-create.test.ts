import { compileSnapshot, nameSnapshot, type CompiledSnapshot, type Rights } from '@rowhouse/schema-model';
import { foreignKey, rawColumn, rawTable, uniqueIndex } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import {
  ALL,
  describeError,
  plan,
  rejection,
  run,
  type FakeDatabase,
  type CallOptions,
} from '../../../../test/blog.js';
import { parseJson, parseRequest, planRequest } from '../../../index.js';

const POST = { title: 't', content: 'c' };
const USER = { username: 'ann', email: 'a@b.co' };

/**
 * Simulates a database that assigns increasing keys. A record that is read back contains the values of its
 * columns.
 */
function database(): FakeDatabase {
  let next = 10;
  const cells: Record<string, string | null> = {
    created_at: '2026-01-01 00:00:00',
    description: null,
    bio: null,
    published: '0',
  };
  return ({ role, sql, shape, params }) => {
    if (role.kind === 'write') return { affectedRows: 1, insertId: String(++next) };
    const rows =
      role.kind === 'written' && sql.startsWith('INSERT')
        ? (sql.match(/\((?:\?(?:, )?)+\)/g)?.length ?? 1)
        : 1;
    const names = shape?.columns.map((column) => column.name) ?? [];
    return {
      rows: Array.from({ length: rows }, () =>
        names.map((name) =>
          name === 'id'
            ? role.kind === 'written'
              ? String(++next)
              : String(params[0])
            : name in cells
              ? (cells[name] ?? null)
              : String(params[0]),
        ),
      ),
    };
  };
}

const texts = (endpoint: string, options: CallOptions & { insertReturning?: boolean }): string[] =>
  run(endpoint, database(), options).statements.map(({ sql, params }) => `${sql} ${JSON.stringify(params)}`);

describe('a nested create', () => {
  it('a nested create writes referenced records before the records that refer to them', () => {
    const body = {
      ...POST,
      user: USER,
      comments: [
        { content: 'x', user_id: 1 },
        { content: 'y', user: { username: 'bob', email: 'b@c.de' } },
      ],
      tags: [{ name: 'a' }, { id: 3 }],
    };
    expect(texts('POST /posts', { body, headers: { prefer: 'return=minimal' } })).toEqual([
      'INSERT INTO `users` (`username`, `email`) VALUES (?, ?), (?, ?) RETURNING `id` ["ann","a@b.co","bob","b@c.de"]',
      'INSERT INTO `tags` (`name`) VALUES (?) RETURNING `id` ["a"]',
      'INSERT INTO `posts` (`title`, `content`, `user_id`) VALUES (?, ?, ?) RETURNING `id` ["t","c","11"]',
      'INSERT INTO `comments` (`content`, `user_id`, `post_id`) VALUES (?, ?, ?), (?, ?, ?) ["x","1","14","y","12","14"]',
      'INSERT INTO `post_tags` (`post_id`, `tag_id`) VALUES (?, ?), (?, ?) ["14","13","14","3"]',
      'SELECT `id`, `title`, `content`, `user_id`, `published`, `created_at` FROM `posts` WHERE `id` = ? ["14"]',
    ]);
  });

  it('without RETURNING, a nested create reads back each inserted key', () => {
    const body = { ...POST, user: USER, comments: { content: 'x', user_id: 1 } };
    expect(
      texts('POST /posts', { body, headers: { prefer: 'return=minimal' }, insertReturning: false }),
    ).toEqual([
      'INSERT INTO `users` (`username`, `email`) VALUES (?, ?) ["ann","a@b.co"]',
      'SELECT `id` FROM `users` WHERE `id` = ? ["11"]',
      'INSERT INTO `posts` (`title`, `content`, `user_id`) VALUES (?, ?, ?) ["t","c","12"]',
      'SELECT `id` FROM `posts` WHERE `id` = ? ["13"]',
      'INSERT INTO `comments` (`content`, `user_id`, `post_id`) VALUES (?, ?, ?) ["x","1","14"]',
      'SELECT `id`, `title`, `content`, `user_id`, `published`, `created_at` FROM `posts` WHERE `id` = ? ["14"]',
    ]);
  });

  it('a nested create links records only by their keys', () => {
    expect(
      texts('POST /posts', { body: { ...POST, user: { id: 7 } }, headers: { prefer: 'return=minimal' } })[0],
    ).toBe(
      'INSERT INTO `posts` (`title`, `content`, `user_id`) VALUES (?, ?, ?) RETURNING `id` ["t","c","7"]',
    );
    const attached = texts('POST /users', {
      body: { ...USER, posts: [{ id: 5 }, { id: 6 }] },
      headers: { prefer: 'return=minimal' },
    });
    expect(attached.slice(1, 3)).toEqual([
      'UPDATE `posts` SET `user_id` = ? WHERE `id` = ? ["11","5"]',
      'UPDATE `posts` SET `user_id` = ? WHERE `id` = ? ["11","6"]',
    ]);
  });

  it('a nested create with a link to a missing record is rejected', () => {
    const deletedResponse: FakeDatabase = (statement) =>
      statement.role.kind === 'write' ? { affectedRows: 0 } : database()(statement);
    try {
      run('POST /users', deletedResponse, { body: { ...USER, posts: [{ id: 5 }] } });
      expect.unreachable();
    } catch (error) {
      expect(describeError(error)).toBe(
        '409 record.foreign_key There is no record of posts with the key at body.posts.0.',
      );
    }
  });

  it('the response to a nested create contains the record with its related records', () => {
    const { response } = run('POST /posts', database(), {
      body: { ...POST, user: USER, comments: [{ content: 'x', user_id: 1 }] },
    });
    expect([response.status, response.headers['Location'], response.headers['ETag']]).toEqual([
      201,
      '/v1/-/posts/12',
      expect.stringMatching(/^"1\..{22}\..{22}"$/),
    ]);
    expect(JSON.parse(String(response.body))).toMatchObject({
      title: '12',
      user: { bio: null },
      comments: [{ created_at: '2026-01-01T00:00:00Z' }],
    });
    const minimal = run('POST /posts', database(), {
      body: { ...POST, user: USER },
      headers: { prefer: 'return=minimal' },
    });
    expect(minimal.response).toMatchObject({
      status: 201,
      body: '{"id":12}',
      headers: { ETag: expect.stringMatching(/^"1\..{22}"$/) },
    });
    const many = run('POST /tags', database(), {
      body: [{ name: 'a', posts: [{ ...POST, user_id: 1 }] }, { name: 'b' }],
    });
    expect([many.response.status, JSON.parse(String(many.response.body))]).toMatchObject([
      201,
      [
        { id: 11, posts: [{}] },
        { id: 12, posts: [] },
      ],
    ]);
  });

  it('a nested create returns only columns that the key may read', () => {
    const may = (tables: Rights['tables'], body: unknown, headers = {}): string =>
      rejection('POST /posts', { body, headers, rights: { ...ALL, tables } });
    const body = { ...POST, user: USER, tags: [{ name: 'a' }] };
    const all = {
      posts: ['read', 'write'],
      users: ['write'],
      tags: ['write'],
      post_tags: ['write'],
    } as const;
    expect(may(all, body)).toBe('accepted');
    expect(plan('POST /posts', { body, rights: { ...ALL, tables: all } })).toMatchObject({ include: [] });
    for (const name of ['posts', 'users', 'tags', 'post_tags'] as const)
      expect(may({ ...all, [name]: ['read'] }, body)).toContain(
        `403 auth.scope The key does not have the scope "write" on ${name}.`,
      );
    expect(may({ ...all, users: ['read'] }, { ...POST, user: { id: 1 }, tags: [] })).toBe('accepted');
    expect(may(all, { ...POST, user: { id: 1 } })).toContain('"read" on users');
    expect(may({ posts: ['write'] }, body)).toContain('["body","user"] extra_forbidden');
    expect(may(all, body, { prefer: 'tx=rollback' })).toContain('"read" on users');
    expect(plan('POST /posts', { body, rights: { ...ALL, verbs: ['write'] } })).toMatchObject({
      returned: null,
      include: [],
    });
  });

  it.each<[string, unknown, string]>([
    ['/posts', { ...POST, user: [USER] }, '["body","user"] dict_type'],
    ['/posts', { ...POST, user: USER, user_id: 1 }, '["body","user_id"] set_by_relationship'],
    ['/posts', { ...POST, user: null }, '["body","user_id"] missing'],
    ['/posts', { ...POST, user: {} }, '["body","user","username"] missing; ["body","user","email"] missing'],
    [
      '/posts',
      { ...POST, user_id: 1, comments: [{ content: 'x', user_id: 1, post_id: 3 }] },
      '["body","comments",0,"post_id"] set_by_relationship',
    ],
    [
      '/posts',
      { ...POST, user_id: 1, comments: [{ content: 'x', user_id: 1, post: { id: 3 } }] },
      '["body","comments",0,"post"] set_by_relationship',
    ],
    ['/posts', { ...POST, user_id: 1, comments: 5 }, '["body","comments"] dict_type'],
    [
      '/posts',
      { ...POST, user_id: 1, comments: [{ conten: 'x', user_id: 1 }] },
      '["body","comments",0,"conten"] extra_forbidden; ["body","comments",0,"content"] missing',
    ],
    ['/posts', { ...POST, user_id: 1, tags: [{ id: 'x' }] }, '["body","tags",0,"id"] int_parsing'],
    ['/posts', { ...POST, comments: [] }, '["body","user_id"] missing'],
    [
      '/posts',
      [
        { ...POST, user_id: 1 },
        { ...POST, user: { username: 'x' } },
      ],
      '["body",1,"user","email"] missing',
    ],
    ['/users?_on_conflict=email', { ...USER, posts: [] }, '["body","posts"] related_record'],
    ['/logs', { at: '2026-01-01', text: 'x', posts: [] }, '["body","posts"] extra_forbidden'],
  ])('planNestedCreate rejects the table %s with the body %j', (path, body, fault) => {
    expect(rejection(`POST ${path}`, { body })).toContain(`422 body.invalid ${fault}`);
  });

  it('a nested create accepts relationship names in singular and plural', () => {
    expect(
      rejection('POST /posts', {
        body: { ...POST, user_id: 1, comment: { content: 'x', user_id: 1 }, tag: { name: 'a' } },
      }),
    ).toBe('accepted');
  });

  it('a nested create above the limits of depth, records or relationships is rejected', () => {
    const chain = (levels: number): unknown =>
      levels === 0
        ? { name: 'x' }
        : levels % 2 === 1
          ? { title: 't', content: 'c', user_id: 1, tags: [chain(levels - 1)] }
          : { name: `n${levels}`, posts: [chain(levels - 1)] };
    expect(rejection('POST /posts', { body: chain(5) })).toBe('accepted');
    expect(rejection('POST /tags', { body: chain(6) })).toContain('too_deep');
    const many = (count: number): unknown => ({
      ...USER,
      posts: Array.from({ length: count }, () => ({ ...POST })),
    });
    expect(rejection('POST /users', { body: many(999) })).toBe('accepted');
    expect(rejection('POST /users', { body: many(1_000) })).toContain('["body"] too_long');
  });

  it('each statement of a nested create names its table for error messages', () => {
    const { statements } = run('POST /posts', database(), { body: { ...POST, user: USER } });
    expect(statements.map((statement) => statement.table?.name)).toEqual([
      'users',
      'posts',
      undefined,
      undefined,
    ]);
  });
});

const SHARED = [rawColumn('tenant', 'int(11)'), rawColumn('id', 'int(11)')];
const HOUSES = nameSnapshot(
  {
    engine: 'mariadb',
    tables: [
      rawTable('people', [...SHARED, rawColumn('handle', 'varchar(20)')], {
        primaryKey: ['tenant', 'id'],
        indexes: [uniqueIndex('handle', ['handle'])],
      }),
      rawTable(
        'rooms',
        [
          ...SHARED,
          rawColumn('person_id', 'int(11)'),
          rawColumn('handle', 'varchar(20)', { nullable: true, default: { kind: 'null' } }),
        ],
        {
          primaryKey: ['tenant', 'id'],
          foreignKeys: [
            foreignKey('rooms', ['tenant', 'person_id'], 'people', ['tenant', 'id']),
            foreignKey('rooms', ['handle'], 'people', ['handle']),
          ],
        },
      ),
      rawTable(
        'memberships',
        [rawColumn('a', 'int(11)'), rawColumn('b', 'int(11)'), rawColumn('rank', 'int(11)')],
        {
          primaryKey: ['a', 'b'],
          foreignKeys: [foreignKey('memberships', 'a', 'clubs'), foreignKey('memberships', 'b', 'clubs')],
        },
      ),
      rawTable('clubs', [rawColumn('id', 'int(11)', { autoIncrement: true })]),
      rawTable('marks', [rawColumn('code', 'varchar(9)', { nullable: true, default: { kind: 'null' } })], {
        primaryKey: null,
        indexes: [uniqueIndex('code', ['code'])],
      }),
      rawTable(
        'notes',
        [rawColumn('id', 'int(11)', { autoIncrement: true }), rawColumn('code', 'varchar(9)')],
        { foreignKeys: [foreignKey('notes', 'code', 'marks', ['code'])] },
      ),
    ],
  },
  null,
);

describe('a nested create with composite and unusual keys', () => {
  const compiled: CompiledSnapshot = compileSnapshot(HOUSES, 1, ALL);
  const planned = (path: string, body: unknown): ReturnType<typeof planRequest> | string => {
    const request = parseRequest(
      { method: 'POST', rawPath: path, rawQuery: '', headers: {}, body: parseJson(JSON.stringify(body)) },
      compiled,
      { prefix: '' },
    );
    try {
      return planRequest(request, {
        unknownFields: 'reject',
        requireLimit: false,
        regexEnabled: false,
        storedColumnsAt: () => null,
        sealText: String,
        makeUuid: () => '',
      });
    } catch (error) {
      return describeError(error);
    }
  };
  const relationship = (table: string, target: string, columns: string): string =>
    compiled
      .findByName(table)
      ?.relationships.find(
        (compiledRelationship) =>
          compiledRelationship.target.name === target &&
          compiledRelationship.sourceColumns.map((column) => column.name).join() === columns,
      )?.name ?? '';

  it('the body of a nested create may contain a part of a composite foreign key', () => {
    const user = relationship('rooms', 'people', 'tenant,person_id');
    expect(planned('/rooms', { tenant: 1, id: 2, [user]: { tenant: 1, id: 5 } })).toMatchObject({
      kind: 'create_nested',
      steps: [{ table: { name: 'rooms' }, values: [{ value: '1' }, { value: '2' }, { value: '5' }] }],
    });
    expect(planned('/rooms', { tenant: 1, id: 2, person_id: 5, [user]: { tenant: 1, id: 5 } })).toContain(
      'set_by_relationship',
    );
  });

  it('a nested create looks up a foreign key value that is not the key of its parent', () => {
    const handle = relationship('rooms', 'people', 'handle');
    expect(
      planned('/rooms', { tenant: 1, id: 2, person_id: 5, [handle]: { tenant: 1, id: 5 } }),
    ).toMatchObject({
      steps: [
        { kind: 'look_up', table: { name: 'people' } },
        { kind: 'insert', fills: [{ column: { name: 'handle' }, from: 0 }] },
      ],
    });
    expect(
      planned('/people', {
        tenant: 1,
        id: 2,
        handle: 'h',
        [relationship('people', 'rooms', 'tenant,id')]: [{ tenant: 1, id: 3 }],
      }),
    ).toContain('key_changed');
  });

  it('a nested create rejects a link table with further required columns', () => {
    const clubs =
      compiled
        .findByName('clubs')
        ?.relationships.find((compiledRelationship) => compiledRelationship.kind === 'many_to_many')?.name ??
      '';
    expect(planned('/clubs', { [clubs]: [{ id: 1 }] })).toContain(`["body","${clubs}"] missing`);
  });

  it('a nested create requires the value by which a record without a key is referenced', () => {
    expect(planned('/notes', { [relationship('notes', 'marks', 'code')]: { code: 'x' } })).toMatchObject({
      kind: 'create_nested',
    });
    expect(planned('/marks', { code: 'x', notes: [{}] })).toMatchObject({ kind: 'create_nested' });
    expect(planned('/marks', { notes: [{}] })).toContain('["body","code"] missing');
  });
});

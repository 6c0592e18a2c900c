import { compileSnapshot, nameSnapshot } from '@rowhouse/schema-model';
import { rawColumn, rawTable, uniqueIndex } from '@rowhouse/schema-model/testing';
import { describe, expect, it } from 'vitest';
import {
  ALL,
  type CallOptions,
  digest,
  plan,
  PLAN_OPTIONS,
  program,
  rejection,
  resultOf,
  run,
} from '../../test/blog.js';
import { authorizePlan, parseRequest, planRequest, toResponse, toStatements } from '../index.js';

const QUERY: CallOptions = { scopes: ['query'] };

describe('_explain', () => {
  it('_explain runs EXPLAIN of the statements of the list', () => {
    const steps = program(
      'GET /posts?_explain=true&title__like=a%25&_count=exact&include=comments.user,tags',
      QUERY,
    );
    expect(steps.first.statements.map((statement) => statement.sql)).toEqual([
      'EXPLAIN FORMAT=TRADITIONAL SELECT `id`, `title`, `content`, `user_id`, `published`, `created_at` FROM `posts` WHERE `title` LIKE ? ORDER BY `id` ASC LIMIT ?',
      'EXPLAIN FORMAT=TRADITIONAL SELECT COUNT(*) FROM `posts` WHERE `title` LIKE ?',
    ]);
    expect(steps.next([])).toBeNull();
    expect(program('GET /posts?_explain=1&_aggregate=count', QUERY).first.statements[0]?.sql).toBe(
      'EXPLAIN FORMAT=TRADITIONAL SELECT COUNT(*) FROM `posts` LIMIT ?',
    );
    expect(
      program('POST /_search/posts', { ...QUERY, body: { _explain: true, limit: 1 } }).first.statements[0]
        ?.sql,
    ).toContain('EXPLAIN');
    expect(plan('GET /posts?_explain=false').kind).toBe('list');
  });

  it('the response to _explain contains the SQL, the values and the plan steps', () => {
    const { response } = run(
      'GET /posts?_explain=true&title=x&sort=user.username&include=user,comments.user',
      () => ({
        rows: [
          [
            '1',
            'SIMPLE',
            't',
            'ref',
            'user_id,title',
            'title',
            '4',
            'const',
            '5',
            'Using where; Using union(title,user_id)',
          ],
          ['1', 'SIMPLE', 's1', 'eq_ref', 'PRIMARY', 'PRIMARY', '4', 'pabc.t.user_id', '1', null],
        ],
      }),
      QUERY,
    );
    expect(JSON.parse(String(response.body))).toEqual({
      statements: [
        {
          sql: expect.stringMatching(/^SELECT .* LEFT JOIN/),
          params: ['x', '1001'],
          plan: [
            {
              id: 1,
              select: 'SIMPLE',
              table: 't',
              access: 'ref',
              possible_keys: ['user_id', 'title'],
              key: 'title',
              ref: ['const'],
              rows: 5,
              notes: ['Using where', 'Using union(title,user_id)'],
            },
            {
              id: 1,
              select: 'SIMPLE',
              table: 's1',
              access: 'eq_ref',
              possible_keys: ['PRIMARY'],
              key: 'PRIMARY',
              ref: ['t.user_id'],
              rows: 1,
              notes: [],
            },
          ],
        },
      ],
      include: ['user', 'comments', 'comments.user'],
    });
    expect(response).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
    });
  });

  it('_explain requires the scope query and the rights of the list', () => {
    expect(rejection('GET /posts?_explain=true')).toBe(
      '403 auth.scope The key does not have the scope "query", which _explain requires.',
    );
    expect(rejection('GET /posts?_explain=true', { scopes: ['read', 'schema', 'query:write'] })).toContain(
      '403 auth.scope',
    );
    const rights = { ...ALL, tables: { posts: ['read'], users: ['write'] } } as const;
    expect(rejection('GET /posts?_explain=true&user.id=1', { ...QUERY, rights })).toBe(
      '403 auth.scope The key does not have the scope "read" on users.',
    );
  });

  it.each([
    'posts?_explain=',
    'posts?_explain=yes',
    'recent-posts?_explain=true',
    'posts?_explain=true&nope=1',
    'posts/1?_explain=true',
  ])('_explain rejects the value %s', (query) => {
    expect(rejection(`GET /${query}`, QUERY)).toContain('422 params.invalid');
  });

  it('the response to _explain does not name indexes over hidden columns', () => {
    const raw = rawTable(
      'users',
      [
        rawColumn('id', 'int(11)', { autoIncrement: true }),
        rawColumn('name', 'varchar(10)'),
        rawColumn('password', 'varchar(10)'),
      ],
      {
        indexes: [uniqueIndex('by_password', ['password']), uniqueIndex('by_name', ['name'])],
      },
    );
    const compiled = compileSnapshot(nameSnapshot({ engine: 'mysql', tables: [raw] }, null), 1, {
      ...ALL,
      hiddenColumns: { users: ['password'] },
    });
    const request = parseRequest(
      { method: 'GET', rawPath: '/users', rawQuery: '_explain=true', headers: {}, body: undefined },
      compiled,
      { prefix: '/v1/-' },
    );
    const planned = authorizePlan(planRequest(request, PLAN_OPTIONS), ALL, ['query']);
    const [statement] = toStatements(planned, { insertReturning: false }, digest).first.statements;
    if (statement === undefined) throw new Error('no statement');
    const cells = [
      '1',
      'SIMPLE',
      'users',
      null,
      'index',
      'by_password,by_name',
      'by_password',
      '12',
      'func',
      '9',
      '33.33',
      'Using union(by_password,by_name); Using index',
    ];
    const body = String(toResponse(planned, [resultOf(statement, { rows: [cells] })], digest).body);
    expect(body).not.toContain('password');
    expect(JSON.parse(body).statements[0].plan).toEqual([
      {
        id: 1,
        select: 'SIMPLE',
        table: 'users',
        access: 'index',
        possible_keys: ['(hidden)', 'by_name'],
        key: '(hidden)',
        ref: ['func'],
        rows: 9,
        filtered: 33.33,
        notes: ['Using union((hidden),by_name)', 'Using index'],
      },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { firstStatement, program, run } from '../../../test/blog.js';

const isShort = (endpoint: string): boolean => firstStatement(endpoint).isShort === true;

describe('a short read', () => {
  it.each([
    'GET /posts/5',
    'GET /posts/5?include=comments',
    'GET /posts?limit=20',
    'GET /posts?limit=60&page=1',
    'GET /posts?id__lt=500&sort=-id&limit=20',
    'GET /posts?id__between=1,9&limit=20',
    'GET /posts?id__gte=5&id__lt=9&sort=id&limit=20',
    'GET /posts?limit=20&_cursor=',
    'GET /posts?limit=20&_offset=40',
    'GET /posts?limit=20&include=user',
    'GET /posts?limit=20&_count=exact',
  ])('isShort is true for the read %s', (endpoint) => {
    expect(isShort(endpoint)).toBe(true);
  });

  // For each of these requests, the server examines more rows than it returns, or the result is too long for
  // a connection on which other statements wait.
  it.each([
    'GET /posts',
    'GET /posts?limit=101',
    'GET /posts?limit=20&_offset=81',
    'GET /posts?limit=70',
    'GET /posts?published=true&limit=20',
    'GET /posts?user_id=5&limit=20',
    'GET /posts?id__ne=5&limit=20',
    'GET /posts?id__not_between=1,9&limit=20',
    'GET /posts?title__like=a%25&limit=20',
    'GET /posts?sort=title&limit=20',
    'GET /posts?sort=user.username&limit=20',
    'GET /posts?_distinct=title&limit=20',
    'GET /posts?user.username=x&limit=20',
    'GET /types?limit=5',
    'GET /countries?limit=5',
    'GET /logs?limit=5',
    'GET /recent_posts?limit=5',
    'GET /posts?_q=word&limit=5',
  ])('isShort is false for the read %s', (endpoint) => {
    let short = false;
    try {
      short = isShort(endpoint);
    } catch (rejected) {
      expect(rejected).toMatchObject({ status: 422 });
    }
    expect(short).toBe(false);
  });

  it('isShort is true for an include of to-one records by their primary key', () => {
    const answer = run('GET /posts?include=user,comments&limit=5&_select=id,title', ({ role }) =>
      role.kind === 'records'
        ? {
            rows: [
              [1, 'a', 7],
              [2, 'b', 8],
            ],
          }
        : { rows: [] },
    );
    expect(
      answer.statements.map((statement) => [
        statement.role.kind === 'include' ? statement.role.path : statement.role.kind,
        statement.isShort === true,
      ]),
    ).toEqual([
      ['records', true],
      ['user', true],
      ['comments', false],
    ]);
    const narrowed = run(
      'GET /posts?include=user&limit=5&_select=id,title&include[user][username]=x',
      ({ role }) => (role.kind === 'records' ? { rows: [[1, 'a', 7]] } : { rows: [] }),
    );
    expect(narrowed.statements[1]?.isShort).toBe(false);
  });

  it('isShort is false for a write', () => {
    for (const [call, body] of [
      ['POST /tags', { name: 'x' }],
      ['PATCH /tags/1', { name: 'x' }],
      ['DELETE /tags/1', undefined],
    ] as const) {
      expect(program(call, { body }).first.statements.some((statement) => statement.isShort === true)).toBe(
        false,
      );
    }
  });
});

import { describe, expect, it } from 'vitest';
import { ALL, plan, rejection, run, type FakeDatabase, type CallOptions } from '../../../test/blog.js';

const answers =
  (provided: Record<string, (string | number | null)[][]>): FakeDatabase =>
  ({ role }) => ({ rows: provided[role.kind === 'include' ? role.path : role.kind] ?? [] });
const RECORDS = [
  [1, 'a'],
  [2, 'b'],
];

/** Returns the second statement, which counts related records. */
function counted(query: string): { sql: string; params: readonly unknown[] } {
  const { sql, params } = run(`GET /posts?_select=id,title&${query}`, answers({ records: RECORDS }))
    .statements[1] ?? { sql: '', params: [] };
  return { sql, params };
}

/** Returns the order of the records and the bound values. */
function sorted(query: string): unknown[] {
  const { sql, params } = run(`GET /posts?_select=id&${query}`, answers({})).statements[0] ?? {
    sql: '',
    params: [],
  };
  return [/ORDER BY .*/.exec(sql)?.[0], ...params];
}

function hintOf(endpoint: string, options: CallOptions = {}): string | undefined {
  try {
    plan(endpoint, options);
    return 'accepted';
  } catch (error) {
    return (error as { hint?: string }).hint;
  }
}

describe('included counts', () => {
  it('include=count adds the number of related records, or 0', () => {
    const { response } = run(
      'GET /posts?_select=id&include=count:comments',
      answers({ records: [[1], [2]], count_comments: [[1, 3]] }),
    );
    expect(response.body).toBe('[{"id":1,"count_comments":3},{"id":2,"count_comments":0}]');
    const single = run(
      'GET /posts/1?_select=id&include=n:count:tags',
      answers({ records: [[1, 't', 'c', 7, 0, '2026-01-01 00:00:00']], n: [[1, '12']] }),
    ).response;
    expect(single.body).toBe('{"id":1,"n":12}');
  });

  it('included counts are read only for the records of the page', () => {
    expect(counted('include=count:comments')).toEqual({
      sql: 'SELECT f.`post_id`, COUNT(*) FROM `comments` AS f WHERE f.`post_id` IN (?, ?) GROUP BY f.`post_id`',
      params: ['1', '2'],
    });
    expect(counted('include=count:tags').sql).toBe(
      'SELECT l.`post_id`, COUNT(*) FROM `post_tags` AS l JOIN `tags` AS f ON l.`tag_id` = f.`id` WHERE l.`post_id` IN (?, ?) GROUP BY l.`post_id`',
    );
    // Texts that a collation considers equal may differ here.
    expect(
      run(
        'GET /countries?include=count:cities',
        answers({
          records: [
            ['nl', 'x'],
            ['be', 'y'],
          ],
        }),
      ).statements[1]?.sql,
    ).toContain('GROUP BY n.`code`');
  });

  it('filters on an included count limit the records that are counted', () => {
    expect(
      counted('include=mine:count:comments&include[mine][user_id]=5&include[mine][created_after]=2026-01-01'),
    ).toEqual({
      sql: 'SELECT f.`post_id`, COUNT(*) FROM `comments` AS f WHERE f.`post_id` IN (?, ?) AND f.`user_id` = ? AND f.`created_at` > ? GROUP BY f.`post_id`',
      params: ['1', '2', '5', '2026-01-01 00:00:00'],
    });
    expect(counted('include=count:comments&include[count_comments][user.username]=ann').sql).toContain(
      'AND EXISTS (SELECT 1 FROM `users` AS e1',
    );
    const both = run(
      'GET /posts?_select=id&include=comments,count:comments&include[comments][_select]=id&include[comments][limit]=1',
      answers({
        records: [[1]],
        comments: [
          [9, 1],
          [8, 1],
        ],
        count_comments: [[1, 2]],
      }),
    );
    expect(both.response.body).toBe('[{"id":1,"comments":[{"id":9}],"count_comments":2}]');
  });

  it('a list can be sorted by a filtered count over a link table', () => {
    expect(sorted('include=count:comments&sort=-count_comments')).toEqual([
      'ORDER BY (SELECT COUNT(*) FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id`) DESC, `id` DESC LIMIT ?',
      '1001',
    ]);
    expect(sorted('include=n:count:tags&sort=n:desc,title&limit=5&_offset=2')).toEqual([
      'ORDER BY (SELECT COUNT(*) FROM `post_tags` AS l1 JOIN `tags` AS e1 ON e1.`id` = l1.`tag_id` WHERE l1.`post_id` = `posts`.`id`) DESC, `title` ASC, `id` ASC LIMIT ? OFFSET ?',
      '6',
      '2',
    ]);
    expect(
      sorted(
        'include=mine:count:comments&include[mine][user_id]=5&sort=user.username,mine:nulls_last&title=x',
      ),
    ).toEqual([
      'ORDER BY s1.`username` ASC, (SELECT COUNT(*) FROM `comments` AS e1 WHERE e1.`post_id` = t.`id` AND e1.`user_id` = ?) ASC, t.`id` ASC LIMIT ?',
      'x',
      '5',
      '1001',
    ]);
  });

  it('a cursor continues a list that is sorted by a count', () => {
    const call =
      'GET /posts?_select=id&include=n:count:comments&include[n][user_id]=5&sort=-n&limit=1&title__like=a%25';
    const first = run(
      `${call}&_cursor=`,
      answers({
        records: [
          [7, 3],
          [6, 3],
        ],
        n: [[7, 3]],
      }),
    );
    const count =
      '(SELECT COUNT(*) FROM `comments` AS e1 WHERE e1.`post_id` = `posts`.`id` AND e1.`user_id` = ?)';
    expect(first.statements[0]).toMatchObject({
      sql: `SELECT \`id\`, ${count} FROM \`posts\` WHERE \`title\` LIKE ? ORDER BY 2 DESC, \`id\` DESC LIMIT ?`,
      params: ['5', 'a%', '2'],
    });
    expect(first.response.body).toBe('[{"id":7,"n":3}]');
    const next = first.response.headers['X-Next-Cursor'] ?? '';
    const second = run(`${call}&_cursor=${next}`, answers({}));
    expect(second.statements[0]).toMatchObject({
      sql: `SELECT \`id\`, ${count} FROM \`posts\` WHERE \`title\` LIKE ? AND ((${count} < CAST(? AS UNSIGNED)) OR (${count} = CAST(? AS UNSIGNED) AND \`id\` < ?)) ORDER BY 2 DESC, \`id\` DESC LIMIT ?`,
      params: ['5', 'a%', '5', '3', '5', '3', '7', '2'],
    });
    for (const other of ['include[n][user_id]=6', 'include[n][user_id__gt]=5'])
      expect(rejection(`${call.replace('include[n][user_id]=5', other)}&_cursor=${next}`)).toContain(
        '["query","_cursor"] cursor',
      );
    expect(
      rejection(
        `${call.replace('n:count:comments', 'n:count:tags').replace('[user_id]', '[id]')}&_cursor=${next}`,
      ),
    ).toContain('["query","_cursor"] cursor');
  });

  it('a sort by a count requires that the count is included', () => {
    expect(sorted('include=title:count:comments&sort=title')[0]).toContain('ORDER BY (SELECT COUNT(*)');
    expect(sorted('include=count:comments&sort=title')[0]).toBe('ORDER BY `title` ASC, `id` ASC LIMIT ?');
    const hint = 'To sort by the number of related records, use include=count:comments&sort=-count_comments.';
    for (const sort of [
      'count_comments',
      '-count_comments',
      'count_comments:desc',
      'comments.count',
      'comments.count.desc',
      '-count(comments)',
      'comments(count)',
      'count:comments',
      'comments_count',
      '-comments_count',
      'comments',
      'comments.id',
    ]) {
      expect([sort, hintOf(`GET /posts?sort=${sort}`)]).toEqual([sort, hint]);
    }
    expect(hintOf('GET /posts?sort=count_user')).not.toBe(hint);
    for (const query of [
      'include=comments&sort=count_comments',
      'include=count:comments,n:count:tags&sort=n,-n',
      'include=count:user.posts&sort=count_posts',
      'include=count:comments&_distinct=id&sort=count_comments',
      'include=count:comments&include[count_comments][sort]=id',
      'include=user&include[posts][sort]=count_comments',
    ]) {
      expect([query, rejection(`GET /posts?${query}`)]).toEqual([
        query,
        expect.stringContaining('422 params.invalid'),
      ]);
    }
  });

  it("the count notation of another API is rejected with a hint to this API's notation", () => {
    const tree = 'To filter by the number of related records, use _filter={"comments":{"count__gte":1}}.';
    for (const query of [
      'include=count:comments&count_comments__gte=2',
      'comments_count=2',
      '_filter={"count_comments__gte":2}',
      '_filter={"not":{"comments_count__lt":2}}',
    ])
      expect([query, hintOf(`GET /posts?${query}`)]).toEqual([query, tree]);
    expect(hintOf('GET /posts?user_count=2')).toContain('posts has id, ');
    expect(hintOf('GET /posts?include=comments_count')).toBe(
      'To count related records, use include=count:comments.',
    );
    expect(hintOf('GET /posts?include=user.posts_count')).toBe(
      'To count related records, use include=count:user.posts.',
    );
    expect(hintOf('GET /posts?include=count:comments&sort=-count_coments')).toBe(
      'Did you mean count_comments?',
    );
    expect(hintOf('GET /posts?include=count:comments&sort=-user.count_coments')).toContain('users has id, ');
  });

  it('a sort by more counts than a statement can contain is rejected', () => {
    const list = Array.from({ length: 1000 }, (_, index) => index).join(',');
    const filters = Array.from({ length: 15 }, () => `include[n][id__not_in]=${list}`);
    const call = (many: number, rest: string): string =>
      rejection(`GET /posts?include=n:count:comments&${filters.slice(0, many).join('&')}&${rest}`);
    expect([call(15, 'sort=n'), call(14, 'sort=n&_cursor='), call(15, '_cursor=&sort=id')]).toEqual([
      'accepted',
      'accepted',
      'accepted',
    ]);
    expect([
      call(15, 'sort=n,title,-user_id&_cursor='),
      rejection(
        `GET /posts?include=${Array.from({ length: 8 }, (_, index) => `n${index}:count:comments`).join(',')}&sort=${Array.from({ length: 8 }, (_, index) => `n${index}`).join(',')}&comments.id=1&tags.id=1&user.id=1`,
      ),
    ]).toEqual([expect.stringContaining('too_many'), expect.stringContaining('too_many')]);
  });

  it('include=count works on included records', () => {
    const { response } = run(
      'GET /posts?_select=id&include=count:user.comments,many:count:user.posts&include[user][_select]=username',
      answers({
        records: [
          [1, 7],
          [2, 7],
        ],
        user: [['ann', 7, 7]],
        'user.count_comments': [[7, 4]],
        'user.many': [[7, 2]],
      }),
    );
    expect(response.body).toBe(
      '[{"id":1,"user":{"username":"ann","count_comments":4,"many":2}},{"id":2,"user":{"username":"ann","count_comments":4,"many":2}}]',
    );
  });

  it('the ETag of a record depends on its counts', () => {
    const tagOf = (count: number): string =>
      run(
        'GET /tags/1?include=count:posts',
        answers({ records: [[1, 'a', null]], count_posts: [[1, count]] }),
      ).response.headers['ETag'] ?? '';
    expect(tagOf(1)).not.toBe(tagOf(2));
    expect(tagOf(1).split('.').slice(0, 2)).toEqual(tagOf(2).split('.').slice(0, 2));
  });

  it('a count of a table that the key may not read is rejected', () => {
    expect(plan('GET /posts?include=count:tags').touches.map((touch) => touch.table)).toEqual([
      'posts',
      'tags',
      'post_tags',
    ]);
    const rights = { ...ALL, tables: { posts: ['read'], comments: ['write'] } } as const;
    expect(rejection('GET /posts?include=count:comments', { rights })).toContain('403 auth.scope');
    expect(rejection('GET /posts?include=count:tags', { rights })).toContain('unknown_relationship');
  });

  it('a count replaces a column of the same name in the response', () => {
    expect(
      run(
        'GET /posts?_select=id,title&include=title:count:comments',
        answers({ records: [[1]], title: [[1, 3]] }),
      ).response.body,
    ).toBe('[{"id":1,"title":3}]');
  });

  it.each([
    'include=count:user',
    'include=count:nope',
    'include=sum:comments',
    'include=count:',
    'include=:count:comments',
    'include=count:*',
    'include=count:comments.user.nope',
    'include=a:b:c:d',
    'include=comments:count:comments,comments',
    'include=n:count:comments,n:count:tags',
    'include=count:comments&include[comments][user_id]=1',
    'include=count:user.posts.user.posts.user.posts',
    'include=count:comments&include[count_comments][limit]=1',
    'include=count:comments&include[count_comments][sort]=id',
    'include=count:comments&include[count_comments][_select]=id',
    'include=count:comments&include[count_comments][_omit]=id',
    `include=${Array.from({ length: 21 }, (_, index) => `n${index}:count:comments`).join(',')}`,
  ])('the count of an include is rejected: %s', (query) => {
    expect(rejection(`GET /posts?${query}`)).toContain('422 params.invalid');
  });

  it('counts are rejected in streams, groups and distinct lists', () => {
    expect(rejection('GET /posts?include=count:comments', { headers: { accept: 'text/csv' } })).toContain(
      '["query","include"] conflict',
    );
    for (const query of ['_aggregate=count', '_distinct=id'])
      expect(rejection(`GET /posts?include=count:comments&${query}`)).toContain('422');
  });

  it('a count that is included and sorted by is read once', () => {
    expect(plan('GET /posts?include=count:comments,count:comment')).toMatchObject({
      include: [{ name: 'count_comments', isCount: true }],
    });
  });

  it.each([
    ['_select=id,comments(count)', 'To count related records, use include=count:comments.'],
    ['_select=id,count(comments)', 'To count related records, use include=count:comments.'],
    [
      '_select=id,comments(*)',
      'To include related records, use include=comments. To choose their columns, use include[comments][_select].',
    ],
    [
      '_select=id,user(username',
      'To include related records, use include=user. To choose their columns, use include[user][_select].',
    ],
    ['include=count:user', 'Filter by user__exists.'],
    ['include=n:count:comments,n:count:tags', 'Rename the count: n:count:tags.'],
  ])('the rejection of the count %s has the hint %s', (query, hint) => {
    expect(hintOf(`GET /posts?${query}`)).toBe(hint);
  });
});

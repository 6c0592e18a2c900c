import { describe, expect, it } from 'vitest';
import { ALL, firstStatement, plan, program, rejection, run } from '../../../test/blog.js';

const sqlOf = (query: string, table = 'posts'): string => {
  const { sql, params } = firstStatement(`GET /${table}?${query}`);
  return `${sql.replace(/^SELECT /, '').replaceAll('`', '')} ${JSON.stringify(params)}`;
};
const having = (value: unknown): string => `_having=${encodeURIComponent(JSON.stringify(value))}`;

describe('aggregates', () => {
  it.each([
    ['_aggregate=count', 'COUNT(*) FROM posts LIMIT ? ["1001"]'],
    [
      '_aggregate=count&_group=user_id',
      'user_id, COUNT(*) FROM posts GROUP BY user_id ORDER BY 1 ASC LIMIT ? ["1001"]',
    ],
    [
      '_aggregate=count,n:sum:user_id&_group=published,created_at:month&_having={"n__gt":100}&sort=-n&limit=5',
      'c0, c1, c2, c3 FROM (SELECT (published <> 0) AS c0, DATE_FORMAT(created_at, \'%Y-%m\') AS c1, COUNT(*) AS c2, SUM(user_id) AS c3 FROM posts GROUP BY (published <> 0), DATE_FORMAT(created_at, \'%Y-%m\')) AS g WHERE c3 > CAST(? AS DECIMAL(65,0)) ORDER BY 4 DESC, 1 ASC, 2 ASC LIMIT ? ["100","6"]',
    ],
    [
      '_aggregate=n:count,max:id,count_distinct:user_id&page=2&limit=10&title__like=a%25',
      'COUNT(*), MAX(id), COUNT(DISTINCT user_id) FROM posts WHERE title LIKE ? LIMIT ? OFFSET ? ["a%","11","10"]',
    ],
    [
      '_aggregate=count&_group=user.username&user.bio__isnull=true',
      's1.username, COUNT(*) FROM posts AS t LEFT JOIN users AS s1 ON t.user_id = s1.id WHERE EXISTS (SELECT 1 FROM users AS e1 WHERE e1.id = t.user_id AND e1.bio IS NULL) GROUP BY s1.username ORDER BY 1 ASC LIMIT ? ["1001"]',
    ],
    [
      '_aggregate=count&_group=user_id,title&sort=-title:nulls_first,count:nulls_first&_count=exact',
      'c0, c1, c2 FROM (SELECT user_id AS c0, title AS c1, COUNT(*) AS c2 FROM posts GROUP BY user_id, title) AS g ORDER BY c1 IS NULL DESC, 2 DESC, 3 ASC, 1 ASC LIMIT ? ["1001"]',
    ],
    [
      '_aggregate=count:*,count:title,min:created_at&order=desc&_group=user_id',
      'user_id, COUNT(*), COUNT(title), MIN(created_at) FROM posts GROUP BY user_id ORDER BY 1 DESC LIMIT ? ["1001"]',
    ],
  ])('planAggregate creates the expected SQL for the request %s', (query, expected) => {
    expect(sqlOf(query)).toBe(expected);
  });

  it('aggregates over bits and booleans are computed as numbers', () => {
    expect(
      sqlOf('_aggregate=sum:flag,avg:bits,max:bits,sum:price,sum:mass,count_distinct:flag', 'types'),
    ).toBe(
      'SUM(flag <> 0), CAST(AVG(bits + 0) AS DECIMAL(65,4)), MAX(bits + 0), SUM(price), SUM(mass), COUNT(DISTINCT (flag <> 0)) FROM types LIMIT ? ["1001"]',
    );
  });

  it('an aggregate can group dates by year, quarter, month, week, day and hour', () => {
    expect(
      sqlOf('_aggregate=count&_group=at:year,at:quarter,at:week,at:day,h:at:hour,day:month', 'types'),
    ).toContain(
      "GROUP BY YEAR(at), CONCAT(DATE_FORMAT(at, '%Y-Q'), QUARTER(at)), DATE_FORMAT(at, '%x-W%v'), DATE_FORMAT(at, '%Y-%m-%d'), DATE_FORMAT(at, '%Y-%m-%dT%H:00:00'), DATE_FORMAT(day, '%Y-%m')",
    );
  });

  it('members of an aggregate have default names that an alias replaces', () => {
    const shape = firstStatement(
      'GET /posts?_group=user.username,created_at:month,who:user_id&_aggregate=count,sum:user.id,total:sum:id,`sum`:count',
    ).shape;
    expect(shape?.columns.map((column) => `${column.name} ${column.kind}`)).toEqual([
      'user_username string',
      'created_at_month string',
      'who integer',
      'count integer',
      'sum_user_id decimal',
      'total decimal',
      'sum integer',
    ]);
  });

  it('a column that is named like an aggregate function needs backquotes', () => {
    expect(sqlOf('_aggregate=sum:count:*', 'types')).toBe('COUNT(*) FROM types LIMIT ? ["1001"]');
    expect(sqlOf('_aggregate=max:year', 'types')).toBe('MAX(year) FROM types LIMIT ? ["1001"]');
    expect(sqlOf('_aggregate=count&_group=year:`day`', 'types')).toContain('GROUP BY day ORDER');
    expect(rejection('GET /types?_aggregate=count&_group=year:day')).toContain('not_groupable');
  });

  it('_having filters groups by conditions on their aggregates', () => {
    expect(
      sqlOf(
        `_aggregate=count,avg:id,last:max:created_at&_group=title&${having({ or: [{ count__in: [1, 2] }, { not: { title__like: 'a%' } }], avg_id__lte: 2.5, last__gt: '2026-01-01' })}`,
      ),
    ).toContain(
      'WHERE ((c1 IN (CAST(? AS DECIMAL(65,0)), CAST(? AS DECIMAL(65,0))) OR NOT (c0 LIKE ?)) AND c2 <= CAST(? AS DECIMAL(65,1)) AND c3 > ?)',
    );
  });

  it('_count=exact with an aggregate returns the number of groups', () => {
    expect(
      program('GET /posts?_aggregate=count&_group=user.username&_count=exact').first.statements[1]?.sql,
    ).toBe(
      'SELECT COUNT(*) FROM (SELECT s1.`username` AS c0, COUNT(*) AS c1 FROM `posts` AS t LEFT JOIN `users` AS s1 ON t.`user_id` = s1.`id` GROUP BY s1.`username`) AS g',
    );
    expect(
      program(`GET /posts?_aggregate=count&_group=title&_count=exact&${having({ count: 2 })}`).first
        .statements[1]?.sql,
    ).toBe(
      'SELECT COUNT(*) FROM (SELECT `title` AS c0, COUNT(*) AS c1 FROM `posts` GROUP BY `title`) AS g WHERE c1 = CAST(? AS DECIMAL(65,0))',
    );
  });

  it('an aggregate over a hidden column is rejected as unknown', () => {
    expect(
      plan('GET /comments?_aggregate=max:post.id&_group=user.username&post.tags.name=x').touches.map(
        (touch) => touch.table,
      ),
    ).toEqual(['comments', 'posts', 'tags', 'post_tags', 'users']);
    const rights = { ...ALL, tables: { posts: ['read'], users: ['write'] } } as const;
    for (const query of [
      '_aggregate=count&_group=user.username',
      '_aggregate=max:user.id',
      '_aggregate=count&user.id=1',
    ]) {
      expect(rejection(`GET /posts?${query}`, { rights })).toBe(
        '403 auth.scope The key does not have the scope "read" on users.',
      );
    }
    const hidden = { rights: { ...ALL, hiddenColumns: { users: ['email'] } } };
    for (const query of [
      '_group=email&_aggregate=count',
      '_aggregate=count:email',
      '_aggregate=count&email=x',
      `_aggregate=count&${having({ email: 'x' })}`,
      '_aggregate=count&sort=email',
    ]) {
      expect(rejection(`GET /users?${query}`, hidden)).toContain('422');
    }
    expect(rejection('GET /posts?_group=user.email&_aggregate=count', hidden)).toContain('422');
  });

  it('Prefer: numbers=string returns aggregates as strings', () => {
    const rows = (): ReturnType<Parameters<typeof run>[1]> => ({
      rows: [
        [1, '2026-01', 3, '12345678901234567890', '1.5000'],
        [0, '2026-02', 1, '2', null],
      ],
    });
    const call = 'GET /posts?_group=published,created_at:month&_aggregate=count,sum:id,avg:id&limit=1';
    const { response } = run(call, rows);
    expect(response.body).toBe(
      '[{"published":true,"created_at_month":"2026-01","count":3,"sum_id":12345678901234567890,"avg_id":1.5000}]',
    );
    expect(response.headers).toMatchObject({
      'X-Has-More': 'true',
      Link: expect.stringContaining('page=2&limit=1>; rel="next"'),
    });
    expect(run(call, rows, { headers: { prefer: 'numbers=string' } }).response.body).toContain(
      '"sum_id":"12345678901234567890"',
    );
  });

  it.each([
    '_group=user_id',
    '_having={"count":1}',
    '_aggregate=',
    '_aggregate=sum',
    '_aggregate=sum:nope',
    '_aggregate=nope:id',
    '_aggregate=sum:title',
    '_aggregate=count,count',
    '_aggregate=count&_group=count:user_id',
    '_aggregate=count&_group=comments.id',
    '_aggregate=max:comments.id',
    '_aggregate=count&_group=nope.id',
    '_aggregate=count&_group=title:month',
    '_aggregate=count&_group=created_at:nope:month',
    '_aggregate=count&_group=created_at:month:month:x',
    '_aggregate=count&_group=',
    '_aggregate=a:b:c:d',
    '_aggregate=count&_select=id',
    '_aggregate=count&include=user',
    '_aggregate=count&_cursor=',
    '_aggregate=count&_distinct=id',
    '_aggregate=count&_omit=id',
    '_aggregate=count&_count=x',
    '_aggregate=count&sort=id',
    '_aggregate=count&sort=nope',
    '_aggregate=count&_having={"id":1}',
    '_aggregate=count&_having={"count":"x"}',
    '_aggregate=count&_having=[]',
    '_aggregate=count&_having={"comments":{"id":1}}',
    '_aggregate=count&_group=title,title',
    '_aggregate=x.y:count',
    '_aggregate=count&_group=user.posts.user.posts.user.id',
    `_aggregate=count&_group=${Array.from({ length: 9 }, (_, index) => `g${index}:id`).join(',')}`,
    `_aggregate=${Array.from({ length: 21 }, (_, index) => `a${index}:count`).join(',')}`,
  ])('planAggregate rejects the malformed request %s', (query) => {
    expect(rejection(`GET /posts?${encodeURI(query)}`)).toContain('422 params.invalid');
  });

  it.each([
    'min:flag',
    'max:state',
    'min:marks',
    'max:data',
    'min:raw',
    'sum:day',
    'sum:year',
    'avg:name',
    'count_distinct:data',
    'sum:place',
  ])('planAggregate rejects the expression %s', (term) => {
    expect(rejection(`GET /types?_aggregate=${term}`)).toContain('not_computable');
  });

  it.each(['data', 'place', 'day:hour', 'name:year', 'span:hour'])(
    'planAggregate rejects a group by the expression %s',
    (term) => {
      expect(rejection(`GET /types?_aggregate=count&_group=${term}`)).toContain('not_groupable');
    },
  );

  it('_aggregate is accepted by searches, and rejected by single records and writes', () => {
    const body = {
      _aggregate: ['count', 'top:max:id'],
      _group: ['user_id'],
      _having: { count__gte: 2 },
      sort: ['-top'],
      title__ne: 'x',
    };
    expect(firstStatement('POST /_search/posts', { body }).sql).toContain(
      'WHERE c1 >= CAST(? AS DECIMAL(65,0)) ORDER BY 3 DESC, 1 ASC LIMIT ?',
    );
    expect(rejection('GET /posts?_aggregate=count&_group=id', { options: { requireLimit: true } })).toContain(
      'missing',
    );
    expect(rejection('GET /posts?_aggregate=count', { options: { requireLimit: true } })).toBe('accepted');
    expect(rejection('GET /posts/1?_aggregate=count')).toContain('422');
    expect(rejection('DELETE /posts?_aggregate=count&id=1')).toContain('422');
  });
});

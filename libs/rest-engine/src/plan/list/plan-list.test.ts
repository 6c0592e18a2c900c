import { describe, expect, it } from 'vitest';
import { ALL, firstStatement, plan, rejection, run } from '../../../test/blog.js';

function whereOf(query: string, table = 'types'): string {
  const { sql, params } = firstStatement(`GET /${table}?_select=id&${query}`);
  const where = / WHERE (.*) ORDER BY/.exec(sql)?.[1] ?? '';
  return `${where} ${JSON.stringify(params.slice(0, -1), (_key, value: unknown) => (value instanceof Uint8Array ? [...value] : value))}`;
}

describe('windows', () => {
  it.each([
    ['', { limit: 1000, offset: 0, style: 'all' }],
    ['page=3', { limit: 20, offset: 40, style: 'page' }],
    ['page=2&limit=50', { limit: 50, offset: 50 }],
    ['limit=0', { limit: 0 }],
    ['_offset=7&limit=5', { limit: 5, offset: 7, style: 'offset' }],
    ['page=100&limit=1000', { offset: 99_000 }],
  ])('planWindow returns the limit and the offset for the request %s', (query, window) => {
    expect(plan(`GET /posts?${query}`)).toMatchObject({ window });
  });

  it('a list limit above the maximum is rejected with limit.page_rows', () => {
    expect(rejection('GET /posts?limit=1001')).toContain('422 limit.page_rows');
    expect(rejection('GET /posts?limit=1001&nope=1')).toContain('422 params.invalid');
  });

  it.each([
    'page=0',
    'page=-1',
    'page=x',
    'limit=1.5',
    'limit=',
    'page=101&limit=1000',
    'page=1&_offset=1',
    '_offset=100001',
    'limit=%201',
  ])('planWindow rejects the request %s', (query) => {
    expect(rejection(`GET /posts?${query}`)).toContain('422 params.invalid');
  });

  it('a list without a limit is rejected if the database requires one', () => {
    expect(rejection('GET /posts', { options: { requireLimit: true } })).toContain(
      '["query","limit"] missing',
    );
    expect(rejection('GET /posts?page=1', { options: { requireLimit: true } })).toBe('accepted');
  });
});

describe('filters', () => {
  it.each([
    ['tiny=5', '`tiny` = ? ["5"]'],
    ['tiny=-007', '`tiny` = ? ["-7"]'],
    ['big__gt=18446744073709551615', '`big` > ? ["18446744073709551615"]'],
    ['price=1.50', '`price` = CAST(? AS DECIMAL(65,2)) ["1.5"]'],
    ['price__lt=0.001', '`price` < CAST(? AS DECIMAL(65,3)) ["0.001"]'],
    ['ratio=1.1', '`ratio` = ? [1.100000023841858]'],
    ['mass=1e3', '`mass` = ? [1000]'],
    ['flag=true', '`flag` <> 0 []'],
    ['flag__ne=true', '`flag` = 0 []'],
    ['bits=65535', '`bits` = CAST(? AS DECIMAL(20,0)) ["65535"]'],
    ['name=5', '`name` = ? ["5"]'],
    ['name=null', '`name` = ? ["null"]'],
    ['name__isnull=true', '`name` IS NULL []'],
    ['name__isnull=0', '`name` IS NOT NULL []'],
    ['state=3', '`state` = ? ["3"]'],
    ['state=2', '`state` = ? ["old"]'],
    ['marks=c,a', '`marks` = ? ["a,c"]'],
    ['day=2026-02-28', '`day` = ? ["2026-02-28"]'],
    ['at__gte=2026-01-01T01:30:00%2B02:00', '`at` >= ? ["2025-12-31 23:30:00"]'],
    ['stamp__after=2026-01-01', '`stamp` > ? ["2026-01-01 00:00:00"]'],
    ['at__on=2026-01-01', '`at` BETWEEN ? AND ? ["2026-01-01 00:00:00","2026-01-01 23:59:59.999999"]'],
    ['day__month=2', 'MONTH(`day`) = ? ["2"]'],
    ['span__lt=100:00', '`span` < ? ["100:00:00"]'],
    ['year=2026', '`year` = ? ["2026"]'],
    ['raw=AQI%3D', '`raw` = ? [[1,2]]'],
    ['address=1.2.3.4', '`address` = ? ["0000:0000:0000:0000:0000:ffff:0102:0304"]'],
    ['tiny__in=1,2,3', '`tiny` IN (?, ?, ?, ?) ["1","2","3","3"]'],
    ['name__in="a,b",c', '`name` IN (?, ?) ["a,b","c"]'],
    ['name__not_in=["x","y"]', '`name` NOT IN (?, ?) ["x","y"]'],
    ['tiny__between=1,9', '`tiny` BETWEEN ? AND ? ["1","9"]'],
    ['name__like=a%25', '`name` LIKE ? ["a%"]'],
    ['name__contains=5%25_', '`name` LIKE ? ["%5\\\\%\\\\_%"]'],
    ['name__ilike=A%25', '`name` LIKE ? ["A%"]'],
    ['code__iexact=a', 'LOWER(CONVERT(`code` USING utf8mb4)) LIKE LOWER(?) COLLATE utf8mb4_bin ["a"]'],
    ['tiny__like=1%25', 'CAST(`tiny` AS CHAR) LIKE ? ["1%"]'],
    ['name__not_like=x', '`name` NOT LIKE ? ["x"]'],
    ['limit__eq=5', '`limit` = ? ["5"]'],
    ['`limit`=5', '`limit` = ? ["5"]'],
    ['score__gt__lt=5', '`score__gt` < ? ["5"]'],
    ['`score__gt`=5', '`score__gt` = ? ["5"]'],
    ['tiny__gt=1&tiny__gt=2', '`tiny` > ? AND `tiny` > ? ["1","2"]'],
  ])('the list filter has the expected SQL: %s', (query, expected) => {
    expect(whereOf(query)).toBe(expected);
  });

  it('a filter value for a text column is never bound as a number', () => {
    for (const query of ['name=0', 'code__gt=1', 'note__in=1,2', 'uuid=0']) {
      for (const param of firstStatement(`GET /types?${query}`).params) expect(typeof param).toBe('string');
    }
  });

  it.each([
    'tiny=x',
    'tiny=1.5',
    'tiny=',
    'tiny=null',
    'tiny=1e-3',
    'big=18446744073709551616',
    'price=1,5',
    'ratio=NaN',
    'flag=yes',
    'flag__gt=0',
    'flag__in=2',
    'state=nope',
    'state__gt=new',
    'marks=z',
    'day=2026-02-30',
    'at=now',
    'at=2026-01-01T25:00:00',
    'span=900:00:00',
    'year=26x',
    'raw=%25',
    'guid=1',
    'address=1',
    'data=1',
    'data__like=x',
    'place=1',
    'tiny__in=',
    'name__in="a',
    'name__in=[1',
    'tiny__between=1',
    'tiny__between=1,2,3',
    'name__isnull=maybe',
    'name__year=1',
    'raw__like=a',
    'user.name=x',
    'name__nope=1',
  ])('the list filter is rejected: %s', (query) => {
    expect(rejection(`GET /types?${query}`)).toContain('422 params.invalid');
  });

  it('a filter with the notation of another API is rejected with a hint', () => {
    for (const [query, hint] of [
      ['tiny=null', 'tiny__isnull=true'],
      ['tiny=gte.5', 'tiny__gte'],
      ['select=id', '_select'],
      ['per_page=5', 'limit'],
      ['Tiny=1', 'tiny'],
      ['tiny__gtr=1', 'gt'],
    ] as const) {
      try {
        plan(`GET /types?${query}`);
      } catch (error) {
        expect((error as { hint?: string }).hint).toContain(hint);
      }
    }
    expect.assertions(6);
  });

  it('created_after with a date includes records from the start of the day', () => {
    expect(whereOf('created_after=2026-01-02', 'posts')).toBe('`created_at` > ? ["2026-01-02 00:00:00"]');
    expect(whereOf('created_after=2026-01-02T00:00:00-05:00', 'posts')).toBe(
      '`created_at` > ? ["2026-01-02 05:00:00"]',
    );
    expect(rejection('GET /tags?created_after=2026-01-02')).toContain('["query","created_after"]');
    expect(rejection('GET /posts?created_after=soon')).toContain('["query","created_after"]');
  });

  it('a list with too many comparisons or values is rejected', () => {
    expect(rejection(`GET /types?${Array.from({ length: 201 }, () => 'tiny__gt=1').join('&')}`)).toContain(
      'too_many',
    );
    expect(rejection(`GET /types?tiny__in=${Array.from({ length: 1001 }, () => '1').join(',')}`)).toContain(
      'too_many',
    );
  });
});

describe('sort', () => {
  const orderOf = (query: string, table = 'posts'): string =>
    / ORDER BY (.*) LIMIT/.exec(firstStatement(`GET /${table}?${query}`).sql)?.[1] ?? '';

  it.each([
    ['', '`id` ASC'],
    ['order=desc', '`id` DESC'],
    ['sort=title', '`title` ASC, `id` ASC'],
    ['sort=created_at&order=DESC', '`created_at` DESC, `id` DESC'],
    ['sort=-created_at,title', '`created_at` DESC, `title` ASC, `id` ASC'],
    ['sort=-title,content&order=desc', '`title` DESC, `content` DESC, `id` DESC'],
    ['sort=created_at_desc', '`created_at` DESC, `id` DESC'],
    ['sort=title:asc', '`title` ASC, `id` ASC'],
    ['sort=%2Btitle&order=desc', '`title` ASC, `id` ASC'],
    ['sort=-id', '`id` DESC'],
    ['sort=user.username', 's1.`username` ASC, t.`id` ASC'],
    ['sort=users.username,-user.id', 's1.`username` ASC, s1.`id` DESC, t.`id` DESC'],
  ])('the list sort has the expected SQL: %s', (query, expected) => {
    expect(orderOf(query)).toBe(expected);
  });

  it.each([
    'sort=nope',
    'sort=',
    'sort=title,title',
    'sort=title,-title',
    'order=up',
    'sort=comments.id',
    'sort=user.nope',
    'sort=nope.id',
    `sort=${'id,'.repeat(9)}title`,
  ])('the list sort is rejected: %s', (query) => {
    expect(rejection(`GET /posts?${query}`)).toContain('422 params.invalid');
  });

  it.each([
    ['sort=name:nulls_last', '`name` IS NULL ASC, `name` ASC, `id` ASC'],
    ['sort=-name:nulls_first', '`name` IS NULL DESC, `name` DESC, `id` DESC'],
    [
      'sort=name:desc:nulls_first,-day:NULLS_FIRST',
      '`name` IS NULL DESC, `name` DESC, `day` IS NULL DESC, `day` DESC, `id` DESC',
    ],
    ['sort=name_desc:nulls_first', '`name` IS NULL DESC, `name` DESC, `id` DESC'],
    ['sort=name:nulls_first&order=desc', '`name` IS NULL DESC, `name` DESC, `id` DESC'],
    ['sort=%2Bname:nulls_last&order=desc', '`name` IS NULL ASC, `name` ASC, `id` ASC'],
    ['sort=`score__gt`:nulls_last', '`score__gt` IS NULL ASC, `score__gt` ASC, `id` ASC'],
    [
      '_distinct=name,day&sort=name:nulls_last,-day:nulls_first',
      '`name` IS NULL ASC, `name` ASC, `day` IS NULL DESC, `day` DESC',
    ],
  ])('the list sort with a position of NULL has the expected SQL: %s', (query, expected) => {
    expect(orderOf(query, 'types')).toBe(expected);
  });

  it(':nulls_first keeps the order of an index when NULLs already have that position', () => {
    expect(orderOf('sort=name:nulls_first,-day:nulls_last', 'types')).toBe(
      '`name` ASC, `day` DESC, `id` DESC',
    );
    expect(orderOf('sort=id:nulls_last', 'types')).toBe('`id` ASC');
    expect(orderOf('sort=-title:nulls_first')).toBe('`title` DESC, `id` DESC');
    // The test includes the IS NULL key because a record without a user has a NULL user name.
    expect(orderOf('sort=user.username:nulls_last')).toBe(
      's1.`username` IS NULL ASC, s1.`username` ASC, t.`id` ASC',
    );
    // Views report whether a column is nullable, but the plan does not trust this.
    expect(orderOf('sort=id:nulls_last', 'recent-posts')).toBe('`id` IS NULL ASC, `id` ASC');
  });

  it.each([
    'sort=name:nulls',
    'sort=name:nulls_last:desc',
    'sort=:nulls_last',
    'sort=nope:nulls_last',
    'sort=name,name:nulls_last',
    'sort=data:nulls_last',
    'sort=`name:nulls_last`',
    'sort=name:nulls_last:nulls_first',
  ])('the list sort with a position of NULL is rejected: %s', (query) => {
    expect(rejection(`GET /types?${query}`)).toContain('422 params.invalid');
  });

  it('the position of NULL also applies to included records', () => {
    const { statements } = run(
      'GET /posts?_select=id&include=tags&include[tags][sort]=-description:nulls_first,name:nulls_last',
      ({ role }) => ({ rows: role.kind === 'records' ? [[1]] : [] }),
    );
    expect(/ ORDER BY (.*) LIMIT/.exec(statements[1]?.sql ?? '')?.[1]).toBe(
      'l.`post_id`, f.`description` IS NULL DESC, f.`description` DESC, f.`name`, f.`id`',
    );
  });

  it('a list joins each to-one path once and requires the right to read its table', () => {
    const { sql } = firstStatement('GET /comments?sort=post.user.username,post.title&user_id=1');
    expect(sql).toContain(
      'FROM `comments` AS t LEFT JOIN `posts` AS s1 ON t.`post_id` = s1.`id` LEFT JOIN `users` AS s2 ON s1.`user_id` = s2.`id` WHERE t.`user_id` = ? ORDER BY s2.`username`',
    );
    expect(plan('GET /posts?sort=user.username').touches).toContainEqual({ table: 'users', verb: 'read' });
  });
});

describe('select and include', () => {
  it('_select and _omit determine the selected columns', () => {
    expect(firstStatement('GET /tags?_select=name,id').sql).toMatch(/^SELECT `name`, `id` FROM/);
    expect(firstStatement('GET /tags?_omit=description').sql).toMatch(/^SELECT `id`, `name` FROM/);
    expect(firstStatement('GET /tags?_select=*').sql).toBe(firstStatement('GET /tags').sql);
    for (const query of [
      '_select=nope',
      '_select=',
      '_omit=id,name,description',
      '_omit=_etag',
      '_select=id,,name',
    ])
      expect(rejection(`GET /tags?${query}`)).toContain('422');
  });

  it('include combines several dotted paths into one tree', () => {
    expect(plan('GET /posts?include=comments.user,comments,tags')).toMatchObject({
      include: [
        { path: 'comments', perParentMax: 100, children: [{ path: 'comments.user', perParentMax: 1 }] },
        { path: 'tags' },
      ],
    });
  });

  it.each([
    'include=nope',
    'include=',
    'include=user.nope',
    'include=user,',
    'include=user.posts.user.posts.user.posts',
    'include[comments][limit]=5',
  ])('planList rejects the request %s', (query) => {
    expect(rejection(`GET /posts?${query}`)).toContain('422 params.invalid');
  });

  it('an include requires rights on all of its tables, including link tables', () => {
    const { touches } = plan('GET /posts?include=tags,comments.user');
    expect(touches).toEqual([
      { table: 'posts', verb: 'read' },
      { table: 'tags', verb: 'read' },
      { table: 'post_tags', verb: 'read' },
      { table: 'comments', verb: 'read' },
      { table: 'users', verb: 'read' },
    ]);
  });
});

describe('rights', () => {
  it('a request without a right is rejected with the missing scope and the table', () => {
    const readOnly = { ...ALL, verbs: ['read'] as const };
    expect(rejection('DELETE /posts/1', { rights: readOnly })).toBe(
      '403 auth.scope The key does not have the scope "delete" on posts.',
    );
    expect(rejection('POST /tags', { rights: readOnly, body: { name: 'x' } })).toContain('403 auth.scope');
    expect(
      rejection('POST /tags', {
        rights: { ...ALL, verbs: ['write'] },
        body: { name: 'x' },
        headers: { prefer: 'tx=rollback' },
      }),
    ).toContain('"read" on tags');
  });

  it('an include is rejected if its link table may not be read', () => {
    const rights = { ...ALL, tables: { posts: ['read'], tags: ['read'], post_tags: ['write'] } } as const;
    expect(rejection('GET /posts?include=tags', { rights })).toBe(
      '403 auth.scope The key does not have the scope "read" on post_tags.',
    );
  });

  it('a request reports an invisible table or column as unknown', () => {
    const rights = { ...ALL, tables: { posts: ['read'] } } as const;
    expect(rejection('GET /users', { rights })).toContain('404 table.not_found');
    expect(rejection('GET /posts?include=user', { rights })).toContain('unknown_relationship');
    const hidden = { ...ALL, hiddenColumns: { users: ['email'] } };
    for (const query of ['email=x', 'sort=email', '_select=email'])
      expect(rejection(`GET /users?${query}`, { rights: hidden })).toContain('422');
    expect(firstStatement('GET /users', { rights: hidden }).sql).not.toContain('email');
  });
});

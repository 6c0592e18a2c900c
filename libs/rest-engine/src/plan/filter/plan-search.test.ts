import { describe, expect, it } from 'vitest';
import { ALL, firstStatement, program, rejection, run } from '../../../test/blog.js';

describe('_distinct', () => {
  it('_distinct returns the listed columns in the given order', () => {
    expect(firstStatement('GET /posts?_distinct=user_id,published&id__gt=1').sql).toBe(
      'SELECT DISTINCT `user_id`, (`published` <> 0) AS truth_4 FROM `posts` WHERE `id` > ? ORDER BY `user_id` ASC, truth_4 ASC LIMIT ?',
    );
    expect(firstStatement('GET /posts?_distinct=user_id&sort=-user_id').sql).toContain(
      'ORDER BY `user_id` DESC LIMIT',
    );
    expect(program('GET /posts?_distinct=user_id&_count=exact').first.statements[1]?.sql).toBe(
      'SELECT COUNT(*) FROM (SELECT DISTINCT `user_id` FROM `posts`) AS d',
    );
  });

  it.each([
    '_distinct=nope',
    '_distinct=',
    '_distinct=id&_select=id',
    '_distinct=id&include=user',
    '_distinct=id&_cursor=',
    '_distinct=id&sort=title',
    '_distinct=id&sort=user.id',
  ])('_q or _distinct is rejected in the request %s', (query) => {
    expect(rejection(`GET /posts?${query}`)).toContain('422 params.invalid');
  });
});

describe('_count=estimated', () => {
  it('_count=estimated reads statistics only for a list without filters', () => {
    const countOf = (query: string): { sql?: string; params?: readonly unknown[] } =>
      program(`GET /tags?${query}`).first.statements[1] ?? {};
    expect(countOf('_count=estimated')).toMatchObject({
      sql: expect.stringContaining('information_schema.TABLES') as string,
      params: ['tags'],
    });
    expect(countOf('_count=estimated&name=x').sql).toBe(countOf('_count=exact&name=x').sql);
    expect(countOf('_count=estimated&_distinct=name').sql).toContain('DISTINCT');
    expect(rejection('GET /tags?_count=about')).toContain('["query","_count"] enum');
  });
});

describe('POST /_search/{table}', () => {
  it('POST /_search returns the list that GET with the same parameters returns', () => {
    const body = {
      title__like: 'a%',
      id__in: [1, 2],
      published: true,
      limit: 5,
      page: 2,
      sort: ['-id'],
      include: ['user', 'tags'],
      'include[tags][limit]': 3,
      _filter: { not: { id: 7 } },
    };
    const address = `title__like=a%25&id__in=1,2&published=true&limit=5&page=2&sort=-id&include=user,tags&include[tags][limit]=3&_filter=${encodeURIComponent('{"not":{"id":7}}')}`;
    expect(firstStatement('POST /_search/posts', { body })).toEqual(firstStatement(`GET /posts?${address}`));
    const { response } = run(
      'POST /_search/tags',
      () => ({
        rows: [
          [1, 'a', null],
          [2, 'b', null],
        ],
      }),
      { body: { limit: 1 } },
    );
    expect(response).toMatchObject({ status: 200, headers: { 'X-Has-More': 'true' } });
    expect(response.headers['Link']).toBeUndefined();
  });

  it('POST /_search rejects unknown members of its body', () => {
    expect(rejection('POST /_search/posts', { body: {}, rights: { ...ALL, verbs: ['write'] } })).toContain(
      '403 auth.scope',
    );
    expect(rejection('GET /_search/posts', { body: {} })).toContain('405');
    expect(rejection('POST /_search/nope', { body: {} })).toContain('404');
    expect(rejection('POST /_search/posts/1', { body: {} })).toContain('404');
    for (const body of [[], 5, { nope: 1 }, { title: null }, { id: { gt: 5 } }, { limit: '1', page: -1 }])
      expect(rejection('POST /_search/posts', { body })).toContain('422');
    expect(rejection('POST /_search/posts?limit=1', { body: {} })).toContain('422');
    expect(rejection('POST /_search/posts')).toContain('422 body.invalid');
  });
});

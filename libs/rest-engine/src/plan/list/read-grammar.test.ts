import { describe, expect, it } from 'vitest';
import { firstStatement, plan, rejection } from '../../../test/blog.js';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const search = (body: object): string => rejection('POST /_search/posts', { body });

describe('limits of conditions', () => {
  it('the conditions of a list bind at most as many values as a statement accepts', () => {
    const lists = (count: number): object => ({
      _filter: { and: numbers(count).map(() => ({ id__in: numbers(1000) })) },
    });
    expect(search(lists(58))).toBe('accepted');
    expect(search(lists(59))).toBe('422 params.invalid ["body"] too_many');
    expect(
      search({
        _filter: {
          or: [
            { 'user.id__in': numbers(1000) },
            ...numbers(60).map(() => ({ not: { id__not_in: numbers(900) } })),
          ],
        },
      }),
    ).toContain('too_many');
    expect(firstStatement('POST /_search/posts', { body: lists(58) }).params).toHaveLength(58 * 1024 + 1);
  });

  it('a path in filters, sorts and groups follows up to five relationships', () => {
    const path = 'a.a.a.a.a.a'.replaceAll('a', 'post').replace(/post$/, 'id');
    expect(rejection('GET /comments?post.comments.post.comments.post.id=1')).toBe('accepted');
    expect(rejection('GET /comments?post.comments.post.comments.post.user.id=1')).toContain('too_deep');
    expect(rejection(`GET /comments?sort=${path}`)).toContain('unknown_relationship');
    expect(rejection(`GET /comments?sort=post.${path}`)).toContain('too_deep');
    expect(rejection(`GET /comments?_aggregate=count&_group=post.${path}`)).toContain('too_deep');
  });
});

describe('a repeated parameter', () => {
  it('a repeated filter is detected by its meaning and not by its text', () => {
    for (const query of [
      'title=a&title__eq=b',
      '%60title%60=a&title=b',
      'user.id=1&user.id__eq=2',
      'include=user&include[user][id]=1&include[user][id__eq]=2',
      'include=user&include[user][_select]=id&include[%60user%60][_select]=id',
    ]) {
      expect([query, rejection(`GET /posts?${query}`)]).toEqual([query, expect.stringContaining('repeated')]);
    }
    for (const query of [
      'title__like=a&title__like=b',
      'title=a&title__ne=b',
      'include=user,comments&include[user][id]=1&include[comments][id]=1',
    ])
      expect([query, rejection(`GET /posts?${query}`)]).toEqual([query, 'accepted']);
    // A column whose name is `user.id` is not the column `id` of the relationship `user`.
    expect(rejection('GET /posts?%60user.id%60=1&user.id=2')).toBe(
      '422 params.invalid ["query","`user.id`"] unknown_parameter',
    );
  });
});

describe('parameters in a body', () => {
  it('the body of a search may contain lists of names as arrays', () => {
    const body = {
      include: ['user', 'comments'],
      'include[comments][_select]': ['id', 'content'],
      'include[comments][sort]': ['-id'],
      'include[user][_omit]': ['bio'],
      'include[comments][limit]': 3,
      'include[comments][_filter]': { id__gt: 1 },
    };
    expect(plan('POST /_search/posts', { body })).toMatchObject({
      include: [
        { path: 'user' },
        {
          path: 'comments',
          perParentMax: 3,
          select: [{ name: 'id' }, { name: 'content' }],
          sort: [{ direction: 'DESC' }],
          where: [{ kind: 'compare' }],
        },
      ],
    });
  });

  it('POST /_search reports faults with their location in the body', () => {
    expect(search({ nope: 1 })).toBe('422 params.invalid ["body","nope"] unknown_parameter');
    expect(search({ id: 'x', _filter: { title: 5 } })).toBe(
      '422 params.invalid ["body","id"] int_parsing; ["body","_filter","title"] filter_value',
    );
    expect(search({ page: 0, _select: ['nope'] })).toContain('["body","page"]');
    expect(search({ 'x[]': 1 })).toContain('["body","x[]"]');
    expect(rejection('GET /posts?nope=1')).toContain('["query","nope"]');
  });
});

describe('created_after', () => {
  it('created_after accepts a date and a time, and explains a plus sign that was lost', () => {
    const at = (text: string): unknown => firstStatement(`GET /posts?created_after=${text}`).params[0];
    expect([
      at('2026-01-31'),
      at('2026-01-31T12:00:00Z'),
      at('2026-01-31T12:00:00.5%2B02:00'),
      at('2026-01-31%2012:00'),
    ]).toEqual([
      '2026-01-31 00:00:00',
      '2026-01-31 12:00:00',
      '2026-01-31 10:00:00.5',
      '2026-01-31 12:00:00',
    ]);
    for (const text of ['2026-13-01', '31.1.2026', 'now', '', '2026-01-31T25:00:00Z'])
      expect([text, rejection(`GET /posts?created_after=${text}`)]).toEqual([
        text,
        expect.stringContaining('["query","created_after"]'),
      ]);
    try {
      plan('GET /posts?created_after=2026-01-31T12:00:00+02:00');
    } catch (error) {
      expect(String((error as { hint?: string }).hint)).toContain('%2B');
    }
    expect(rejection('GET /posts?created_after=2026-01-31T12:00:00+02:00')).toContain('datetime_parsing');
    expect(rejection('GET /tags?created_after=2026-01-31')).toContain('unknown_parameter');
  });
});

describe('suffixes that are not operators', () => {
  it('an unknown operator suffix of a filter counts as part of the column name', () => {
    expect(rejection('GET /types?score__count=1')).toContain('unknown_parameter');
    expect(rejection('GET /types?name__count=1')).toContain('unknown_operator');
    expect(rejection('GET /types?score__gt__eq=1')).toBe('accepted');
    expect(rejection('GET /types?name__empty=1')).toContain('not_served');
  });
});

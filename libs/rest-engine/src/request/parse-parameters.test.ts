import { describe, expect, it } from 'vitest';
import { plan, rejection } from '../../test/blog.js';
import { parseJson } from './parse-json.js';
import { parseMembers, parseParameters } from './parse-parameters.js';

const members = (names: readonly string[]) =>
  parseMembers(parseJson(JSON.stringify(Object.fromEntries(names.map((name) => [name, 'x'])))));

describe('parseMembers', () => {
  it('a repeated equality filter of an include is rejected', () => {
    expect(() => members(['title', '`title`'])).toThrow(
      expect.objectContaining({ code: 'params.invalid', hint: 'Send several values as `title`__in=a,b.' }),
    );
    expect(() => members(['include[tags][limit]', 'include[`tags`][limit]'])).toThrow(
      expect.objectContaining({ code: 'params.invalid' }),
    );
    expect(() => members(['include[tags][name]', 'include[tags][`name`]'])).toThrow(
      expect.objectContaining({ code: 'params.invalid' }),
    );
    expect(
      members([
        'title__ne',
        '`title`__ne',
        'user.title',
        'data->a',
        'data->b',
        'include[tags][title]',
        'include[user][title]',
      ]).filters.length,
    ).toBe(5);
  });

  it.each([
    ['filters', (position: number) => `id__z${position}`],
    ['includes', (position: number) => `include[a${position}][limit]`],
  ])('parseMembers reads at most a thousand %s and ignores the rest', (_kind, toName) => {
    const names = Array.from({ length: 90_000 }, (_, position) => toName(position));
    expect(() => members(names.slice(0, 1_000))).not.toThrow();
    // Parsing stops after the first name beyond the limit, so the faults do not report the later names.
    expect(
      rejection('POST /_search/posts', { body: Object.fromEntries(names.map((name) => [name, 'x'])) }),
    ).toBe(`422 params.invalid ["body","${toName(1_000)}"] too_many`);
  });
});

describe('sort', () => {
  it('parseParameters stops at the first sort key beyond the limit', () => {
    const sort = Array.from({ length: 20_000 }, () => 'id,title').join(',');
    expect(rejection('POST /_search/posts', { body: { sort } })).toBe(
      `422 params.invalid ${'["body","sort"] repeated; '.repeat(7)}["body","sort"] too_many`,
    );
  });
});

describe('limits of a search', () => {
  it('a search has at most 100,000 JSON values, in members or in a filter text', () => {
    const values = Array.from({ length: 100_000 }, (_, position) => position);
    expect(rejection('POST /_search/posts', { body: { id__in: values } })).toBe(
      '422 body.invalid ["body"] too_many_values',
    );
    expect(rejection('POST /_search/posts', { body: { _filter: JSON.stringify({ id__in: values }) } })).toBe(
      '422 params.invalid ["body","_filter"] too_many_values',
    );
    expect(rejection('POST /_search/posts', { body: { _filter: { id__in: values.slice(0, 1_000) } } })).toBe(
      'accepted',
    );
  });

  it.each(['sort', '_select', '_omit', 'include', '_aggregate', '_cursor', 'include[comments][_select]'])(
    'the query parameter %s has at most 262,144 characters',
    (name) => {
      expect(
        rejection('POST /_search/posts', { body: { include: 'comments', [name]: 'id,'.repeat(90_000) } }),
      ).toBe(`422 params.invalid ["body","${name}"] too_long`);
    },
  );

  it('a list filter has at most a thousand values, and no more are split', () => {
    expect(rejection('POST /_search/posts', { body: { id__in: '1,'.repeat(3_000_000) } })).toBe(
      '422 params.invalid ["body","id__in"] too_many',
    );
  });
});

describe('conditions and includes', () => {
  const many = <T>(toItem: (position: number) => T): T[] =>
    Array.from({ length: 90_000 }, (_, position) => toItem(position));

  it('a request with names of megabytes is rejected', () => {
    for (const name of [
      'a.'.repeat(2_000_000),
      `include[${'a.'.repeat(2_000_000)}`,
      '['.repeat(4_000_000),
      `title->${'a.'.repeat(2_000_000)}`,
    ]) {
      expect(rejection('POST /_search/posts', { body: { [name]: 'x' } })).toContain('422 params.invalid');
    }
  });

  it.each([
    [
      'where',
      '["body","where"] too_long',
      () => ({ where: many((position) => `id = ${position}`).join(' AND ') }),
    ],
    [
      'where of names in dots',
      '["body","where"] where_parsing',
      () => ({ where: `a${'.eq.a'.repeat(50_000)} x` }),
    ],
    ['_filter', '["body"] too_many', () => ({ _filter: { or: many((id) => ({ id })).slice(0, 40_000) } })],
    ['include', '["body","include"] too_long', () => ({ include: many((position) => `user_${position}`) })],
    [
      '_aggregate',
      '["body","_aggregate"] too_long',
      () => ({ _aggregate: many((position) => `n${position}:sum:id`) }),
    ],
    [
      '_group',
      '["body","_group"] too_long',
      () => ({ _aggregate: 'count', _group: many((position) => `n${position}:id`) }),
    ],
  ])(
    'a long %s is rejected at the first part beyond the limit, without repeating the input',
    (_name, fault, makeBody) => {
      expect(rejection('POST /_search/posts', { body: makeBody() })).toBe(`422 params.invalid ${fault}`);
    },
  );
});

describe('a member of filters', () => {
  it.each([
    ['filters[views__gte]', { path: ['views'], operator: 'gte', jsonPath: null }],
    ['filters[title]', { path: ['title'], operator: 'eq' }],
    ['filters[limit]', { path: ['limit'], operator: 'eq' }],
    ['filters[user.username__like]', { path: ['user', 'username'], operator: 'like' }],
    ['filters[data->a.0__gte]', { path: ['data'], operator: 'gte', jsonPath: '$."a"[0]' }],
    ['filters[`br[ack][et`__in]', { path: ['br[ack][et'], operator: 'in' }],
  ])('parseQueryKey reads %s as a comparison', (key, filter) => {
    expect(parseParameters(`${encodeURIComponent(key)}=1`, 'filters').filters).toEqual([
      expect.objectContaining({ ...filter, key, value: '1' }),
    ]);
  });

  it.each(['filters[]', 'filters[a b]', 'filters[a][b]', 'filters[date__empty]', 'filters[a]]'])(
    'parseQueryKey rejects %s and names it in the error',
    (key) => {
      expect(() => parseParameters(`${encodeURIComponent(key)}=1`, 'list')).toThrow(
        expect.objectContaining({ faults: [expect.objectContaining({ loc: ['query', key] })] }),
      );
    },
  );
});

describe('bracket notations of other data APIs', () => {
  it.each([
    ['status[]', 'Send several values as status__in=a,b.'],
    ['filter[title][_eq]', 'Write a filter as title__eq=…, or as a tree in _filter.'],
    ['filter[title][_icontains]', 'Write a filter as title__icontains=…, or as a tree in _filter.'],
    ['filter[user][name][_eq]', 'Write a filter as user=…, or as a tree in _filter.'],
    ['filters[title][$contains]', 'Write a filter as title__contains=…, or as a tree in _filter.'],
    ['deep[comments][_limit]', 'Write options of an include as include[comments][limit].'],
    ['fields[]', 'Use _select instead, with names separated by commas.'],
    ['sort[]', 'Use sort instead, with names separated by commas.'],
  ])("the rejection of the bracket notation %s has a hint with this API's notation", (key, hint) => {
    expect(() => members([key])).toThrow(expect.objectContaining({ code: 'params.invalid', hint }));
  });
});

describe('notations of other data APIs', () => {
  it.each([
    [
      '/posts?order=created_at.desc',
      'List the columns in sort, with - for descending order: sort=-created_at.',
    ],
    [
      '/posts?order=created_at.desc.nullslast,title',
      'List the columns in sort, with - for descending order: sort=-created_at:nulls_last,title.',
    ],
    ['/posts?order=-title', 'List the columns in sort, with - for descending order: sort=-title.'],
    [
      '/posts?order=title%20DESC%20NULLS%20FIRST,%20id',
      'List the columns in sort, with - for descending order: sort=-title:nulls_first,id.',
    ],
    ['/posts?order=up', 'List the columns in sort, with - for descending order: sort=-created_at,id.'],
    [
      `/posts?order=${'a.desc,'.repeat(50)}`,
      'List the columns in sort, with - for descending order: sort=-created_at,id.',
    ],
    [
      '/posts?order=desc.nullslast',
      'Put the order of NULL into each sort key: sort=-created_at:nulls_first,id.',
    ],
    [
      '/posts?order=desc:nulls_last&sort=title',
      'Put the order of NULL into each sort key: sort=-created_at:nulls_first,id.',
    ],
    [
      '/posts?sort=title.desc',
      'Use -title. NULL sorts before all values, and after them in descending order. To ' +
        'change that, add :nulls_first or :nulls_last.',
    ],
    ['/posts?sort=title.asc.nullslast', 'Use title:nulls_last.'],
    ['/posts?sort=title.desc.nullslast', 'Use -title:nulls_last.'],
    ['/posts?sort=-title.nullslast', 'Use -title:nulls_last.'],
    ['/posts?sort=title%20desc%20nulls%20first', 'Use -title:nulls_first.'],
    ['/posts?sort=title:desc_nulls_last', 'Use -title:nulls_last.'],
    ['/posts?sort=title.desc:nulls_first', 'Use -title:nulls_first.'],
    ['/posts?sort=title:nullslast', 'Use title:nulls_last.'],
    ['/posts?sort=-title_nulls_last', 'Use -title:nulls_last.'],
    ['/posts?sort=user.username.nulls-first', 'Use user.username:nulls_first.'],
    ['/posts?sort=titel:nulls_last', 'Did you mean title?'],
    ['/posts?sort=titel:desc', 'Did you mean title?'],
    ['/posts?or=(id.eq.1,id.eq.2)', 'Use where or _filter instead.'],
    ['/posts?search=hello', 'Use _q instead.'],
    [
      '/posts?comments.count__gte=2',
      'To filter by the number of related records, use _filter={"comments":{"count__gte":1}}.',
    ],
    ['/posts?comments.search=2', 'comments has id, content, user_id, post_id, created_at.'],
    ['/posts?author=2', 'posts has id, title, content, user_id, published, created_at.'],
    ['/posts?include=user(username', 'To choose columns of included records, use include[user][_select].'],
    ['/posts?include=nobody(username', undefined],
    ['/posts/1/comments', 'To read related records, use /posts/1?include=comments.'],
    ['/posts/1/nothing', undefined],
  ])('the rejection of the notation %s of another API has a hint', (address, hint) => {
    expect(() => plan(`GET ${address}`)).toThrow(expect.objectContaining({ hint }));
  });

  it('limit=-1 is rejected as negative', () => {
    expect(rejection('GET /posts?limit=-1')).toBe('422 params.invalid ["query","limit"] greater_than_equal');
    expect(rejection('GET /posts?limit=x')).toBe('422 params.invalid ["query","limit"] int_parsing');
  });
});

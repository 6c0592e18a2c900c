import { describe, expect, it } from 'vitest';
import { plan, rejection, type CallOptions } from '../../../test/blog.js';
import { createStreamSource, type StreamSource } from './stream-statement.js';

const csv = { headers: { accept: 'text/csv' } } as const;

function source(query: string, options: CallOptions = csv): StreamSource {
  const planned = plan(`GET /${query}`, options);
  if (planned.kind !== 'list' && planned.kind !== 'aggregate') throw new Error('no list');
  return createStreamSource(planned);
}

describe('the statements of a stream', () => {
  it('each statement of a stream continues after the last record of the previous one', () => {
    const tags = source('tags?_select=name&_offset=7&name__ne=x');
    expect(tags.isInParts).toBe(true);
    expect(tags.part(null, 1000)).toMatchObject({
      sql: 'SELECT `name`, `id` FROM `tags` WHERE `name` <> ? ORDER BY `id` ASC LIMIT ? OFFSET ?',
      params: ['x', '1000', '7'],
    });
    const position = tags.positionOf(['n', '12']);
    expect(tags.part(position, 5000)).toMatchObject({
      sql: 'SELECT `name`, `id` FROM `tags` WHERE `name` <> ? AND ((`id` > ?)) ORDER BY `id` ASC LIMIT ?',
      params: ['x', '12', '5000'],
    });
    // All parts of a stream have the same shape object, because the stream's writer is created for that
    // shape.
    expect(tags.part(position, 5000).shape).toBe(tags.shape);
  });

  it('a stream keeps the requested sort order', () => {
    const types = source('types?sort=-state,price&_select=id');
    const position = types.positionOf(['9', 'old', null]);
    expect(types.part(position, 10).params).toEqual(['2', '2', '2', '9', '10']);
    expect(source('posts?sort=user.username&_select=title').part(null, 10).sql).toContain('LEFT JOIN');
  });

  it('a stream uses a single statement if its records cannot be found again by a key', () => {
    for (const query of [
      'logs',
      'recent-posts',
      'tags?_distinct=name',
      'types?sort=ratio',
      'posts?_group=user_id&_aggregate=count',
    ])
      expect([query, source(query).isInParts]).toEqual([query, false]);
    expect(source('logs').part(null, 100).params).toEqual(['100']);
    const groups = source('posts?_group=user_id&_aggregate=count,last:max:id&_count=exact&title__ne=x');
    expect(groups.part(null, 100).params).toEqual(['x', '100']);
    expect([groups.shape.columns.map((column) => column.name), groups.count === null]).toEqual([
      ['user_id', 'count', 'last'],
      false,
    ]);
    expect(plan('GET /posts?_group=user_id&_aggregate=count', csv)).toMatchObject({
      format: 'csv',
      window: { limit: Number.MAX_SAFE_INTEGER },
    });
  });

  it('a stream may start at a cursor', () => {
    expect(source('tags?limit=250000').part(null, 3).sql).toContain('LIMIT ?');
    expect(plan('GET /tags?limit=250000', csv)).toMatchObject({ window: { limit: 250_000, offset: 0 } });
    expect(plan('GET /tags', { ...csv, options: { requireLimit: true } })).toMatchObject({
      window: { limit: Number.MAX_SAFE_INTEGER },
    });
    expect(plan('GET /tags?page=3', csv)).toMatchObject({ window: { limit: 20, offset: 40 } });
    expect(source('tags?_count=exact&name=x').count).toMatchObject({
      sql: 'SELECT COUNT(*) FROM `tags` WHERE `name` = ?',
      params: ['x'],
    });
    expect(source('tags').count).toBeNull();
  });

  it.each([
    'posts?include=user',
    'posts?include=user&include[user][_select]=id',
    'tags?_offset=100001',
    'tags?page=2&limit=200000',
    'tags?page=1&_offset=2',
    'tags?_cursor=&_offset=2',
    'tags?limit=-1',
  ])('planList rejects the stream %s', (query) => {
    expect(rejection(`GET /${query}`, csv)).toContain('422 params.invalid');
  });

  it('_explain rejects a stream', () => {
    expect(rejection('GET /tags?_explain=true', csv)).toContain('406 request.not_acceptable');
    expect(rejection('GET /tags?_explain=false', csv)).toBe('accepted');
  });

  it('a search can be streamed', () => {
    expect(plan('POST /_search/tags', { ...csv, body: { name: 'x' } })).toMatchObject({
      kind: 'list',
      format: 'csv',
    });
  });
});

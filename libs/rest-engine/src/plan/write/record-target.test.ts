import { describe, expect, it } from 'vitest';
import { rejection } from '../../../test/blog.js';

describe('a table that requires If-Match', () => {
  const options = { requireIfMatch: ['tags', 'comments'] };
  const body = { name: 'x' };

  it.each<[string, unknown, Record<string, string>]>([
    ['PUT /tags/1', body, {}],
    ['PATCH /tags/1', {}, {}],
    ['DELETE /tags/1', undefined, {}],
    ['PATCH /tags?id=1', body, {}],
    ['DELETE /tags?id=1', undefined, {}],
    ['POST /tags?_on_conflict=name', body, {}],
    ['POST /tags?_on_conflict=name', body, { prefer: 'resolution=merge-duplicates' }],
    ['POST /posts', { title: 't', content: 'c', user_id: 1, comments: [{ id: 5 }] }, {}],
  ])('a write without If-Match gets 428 if the table requires it: %s', (endpoint, provided, headers) => {
    expect(rejection(endpoint, { body: provided, headers, options })).toContain(
      '428 record.precondition_required',
    );
    expect(rejection(endpoint, { body: provided, headers })).toBe('accepted');
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['PUT /tags/1', body, { 'if-match': '*' }],
    ['DELETE /tags/1', undefined, { 'if-match': '"1.x"' }],
    ['POST /tags', body, {}],
    ['GET /tags/1', undefined, {}],
    ['POST /tags?_on_conflict=name', body, { prefer: 'resolution=ignore-duplicates' }],
    ['PATCH /posts/1', { title: 'x' }, {}],
    [
      'POST /posts',
      { title: 't', content: 'c', user_id: 1, comments: [{ content: 'c', user_id: 1 }], tags: [{ id: 1 }] },
      {},
    ],
  ])('a write is accepted without If-Match where it is not required: %s', (endpoint, provided, headers) => {
    expect(rejection(endpoint, { body: provided, headers, options })).toBe('accepted');
  });
});

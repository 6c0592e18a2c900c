import { expect, it } from 'vitest';
import { attachUses, type KeyUse } from './attach-uses.js';
import { makeSnapshot, makeTable } from './testing/make-schema.js';

const current = makeSnapshot(
  { ...makeTable('blog_posts', ['id int']), path: 'blog-posts' },
  makeTable('tags', ['id int']),
);
const use = (keyId: string, route: string, requests: number, day = 1): KeyUse => ({
  keyId,
  keyName: keyId.startsWith('console') ? 'Console' : keyId,
  isConsole: keyId.startsWith('console'),
  route,
  requests,
  lastUsedAt: `2026-01-0${day}T00:00:00.000Z`,
});

it('attachUses lists the API keys that called removed or changed routes, busiest first', () => {
  const impact = {
    added: [],
    removed: ['GET /tags', 'blog_posts.title', 'blog_posts?include=tags'],
    changed: ['tags.id'],
    usedBy: [],
  };
  const uses = [
    use('a', 'GET /blog-posts', 3, 1),
    use('a', 'PATCH /blog-posts/{id}', 4, 2),
    use('b', 'POST /blog-posts', 9),
    use('c', 'DELETE /blog-posts/{id}', 5),
    use('d', 'GET /tags/{id}', 1),
  ];
  expect(attachUses(impact, current, uses).usedBy).toEqual([
    {
      what: 'blog_posts.title',
      keys: [
        { id: 'b', name: 'b', requests: 9, lastUsedAt: '2026-01-01T00:00:00.000Z' },
        { id: 'a', name: 'a', requests: 7, lastUsedAt: '2026-01-02T00:00:00.000Z' },
      ],
    },
    {
      what: 'blog_posts?include=tags',
      keys: [{ id: 'a', name: 'a', requests: 3, lastUsedAt: '2026-01-01T00:00:00.000Z' }],
    },
    { what: 'tags.id', keys: [{ id: 'd', name: 'd', requests: 1, lastUsedAt: '2026-01-01T00:00:00.000Z' }] },
  ]);
  expect(attachUses(impact, current, []).usedBy).toEqual([]);
});

it('attachUses reports all console keys as one entry', () => {
  const impact = { added: [], removed: [], changed: ['tags.id'], usedBy: [] };
  const uses = [
    use('console-1', 'GET /tags', 2, 1),
    use('b', 'GET /tags', 4),
    use('console-2', 'POST /tags', 3, 2),
  ];
  expect(attachUses(impact, current, uses).usedBy[0]?.keys).toEqual([
    { id: 'console-1', name: 'Console', requests: 5, lastUsedAt: '2026-01-02T00:00:00.000Z' },
    { id: 'b', name: 'b', requests: 4, lastUsedAt: '2026-01-01T00:00:00.000Z' },
  ]);
});

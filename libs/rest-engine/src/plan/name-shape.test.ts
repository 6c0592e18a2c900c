import { expect, it } from 'vitest';
import { readShape } from './plan-by-shape.js';

const read = (
  rawPath: string,
  rawQuery = '',
  headers: Record<string, string> = {},
  method = 'GET',
): ReturnType<typeof readShape> => readShape({ method, rawPath, rawQuery, headers, body: undefined });

it('the values are separated from the shape', () => {
  expect(read('/posts', 'id__lt=5&sort=-id&title=&limit=20')).toEqual({
    name: 'l/posts?id__lt=&sort=-id&title=&limit=20&',
    rawKey: null,
    values: ['5', ''],
    cursor: null,
  });
  expect(read('/posts', 'limit=20&_cursor=aB_-.c&id=1')).toEqual({
    name: 'l/posts?limit=20&_cursor=&id=&',
    rawKey: null,
    values: ['1'],
    cursor: 'aB_-.c',
  });
  expect(read('/posts/5')).toEqual({ name: 'r/posts?', rawKey: '5', values: [], cursor: null });
  expect(read('/posts', '', {}, 'HEAD')).toEqual(read('/posts'));
});

it.each([
  ['/posts/1,2'],
  ['/_tables/posts'],
  ['/posts/%31'],
  ['/posts/'],
  ['/posts/1/2'],
  ['/posts', 'limit'],
  ['/posts', 'a%5Fb=1'],
  ['/posts', 'include[user][limit]=1'],
  ['/posts', 'page=2'],
  ['/posts', `${'a'.repeat(400)}=1`],
  ['/posts/1', 'id=1'],
  ['/posts/1', '_cursor='],
  ['/posts', '_cursor=&_cursor='],
  ['/posts', '_cursor=a%2e'],
  ['/posts', '', { accept: 'text/csv' }],
  ['/posts', '', { prefer: 'numbers=string' }],
  ['/posts', '', {}, 'POST'],
] satisfies readonly Parameters<typeof read>[])(
  'the request has no shape: %s %s',
  (...request: Parameters<typeof read>) => {
    expect(read(...request)).toBeNull();
  },
);

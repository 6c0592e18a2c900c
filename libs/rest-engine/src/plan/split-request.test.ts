import { expect, it } from 'vitest';
import { splitRead } from './plan-by-shape.js';

const split = (
  rawPath: string,
  rawQuery = '',
  headers: Record<string, string> = {},
  method = 'GET',
): ReturnType<typeof splitRead> => splitRead({ method, rawPath, rawQuery, headers, body: undefined });

it('splitRead separates the key, the filter values and the cursor from the request shape', () => {
  expect(split('/posts', 'id__lt=5&sort=-id&title=&limit=20')).toEqual({
    shape: 'l/posts?id__lt=&sort=-id&title=&limit=20&',
    rawKey: null,
    values: ['5', ''],
    cursor: null,
  });
  expect(split('/posts', 'limit=20&_cursor=aB_-.c&id=1')).toEqual({
    shape: 'l/posts?limit=20&_cursor=&id=&',
    rawKey: null,
    values: ['1'],
    cursor: 'aB_-.c',
  });
  expect(split('/posts/5')).toEqual({ shape: 'r/posts?', rawKey: '5', values: [], cursor: null });
  expect(split('/posts', '', {}, 'HEAD')).toEqual(split('/posts'));
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
] satisfies readonly Parameters<typeof split>[])(
  'splitRead returns null for the path %s and the query %s',
  (...request: Parameters<typeof split>) => {
    expect(split(...request)).toBeNull();
  },
);

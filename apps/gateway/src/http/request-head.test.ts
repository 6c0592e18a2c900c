import { describe, expect, it } from 'vitest';
import { toOriginForm } from './request-head.js';

describe('toOriginForm', () => {
  it.each([
    ['/v1/-/posts?a=http://x/', '/v1/-/posts?a=http://x/'],
    ['http://evil.example/v1/-/posts?limit=1', '/v1/-/posts?limit=1'],
    ['HTTPS://a:99', '/'],
    ['http://a?b=c', '/?b=c'],
    ['*', '/*'],
    ['file:///v1/-/posts', '/file:///v1/-/posts'],
    ['evil.example:80', '/evil.example:80'],
    ['', '/'],
    ['?x', '?x'],
  ])('toOriginForm converts the target %s to a path', (target, path) => {
    expect(toOriginForm(target)).toBe(path);
  });
});

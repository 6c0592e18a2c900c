import { expect, it } from 'vitest';
import { readTablePath } from './usage-breakdown-service.js';

it.each([
  ['GET /posts', 'posts'],
  ['DELETE /post-tags/{id}', 'post-tags'],
  ['POST /query', null],
  ['POST /_batch', null],
  ['GET /{table}', null],
  ['', null],
])('the route %s has the table path %s', (route, path) => {
  expect(readTablePath(route)).toBe(path);
});

import { expect, it } from 'vitest';
import { nameRoute } from './name-route.js';

it.each([
  ['GET /posts/{id}', 'GET /posts/{id}'],
  ['GET /{table}', 'GET (unknown table)'],
  ['', ''],
])('the route %j is shown as %j', (route, name) => {
  expect(nameRoute(route)).toBe(name);
});

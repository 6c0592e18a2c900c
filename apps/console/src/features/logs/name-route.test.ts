import { expect, it } from 'vitest';
import { nameRoute } from './name-route.js';

it.each([
  ['GET /posts/{id}', 'GET /posts/{id}'],
  ['GET /{table}', 'GET (unknown table)'],
  ['', ''],
])('the logs page shows the route %j as %j', (route, name) => {
  expect(nameRoute(route)).toBe(name);
});

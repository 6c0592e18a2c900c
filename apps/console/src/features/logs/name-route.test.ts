import { expect, it } from 'vitest';
import { nameRoute } from './name-route.js';

it.each([['GET /posts/{id}', 'GET /posts/{id}'], ['GET /{table}', 'GET of a table that is not there'], ['', '']])('reads %j as %j', (route, name) => {
  expect(nameRoute(route)).toBe(name);
});

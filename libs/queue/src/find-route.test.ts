import { expect, it } from 'vitest';
import { findRoute } from './find-route.js';

const ROUTES = [
  ['/', 'home'],
  ['/api/queues', 'list'],
  ['/api/queues/:name/metrics', 'metrics'],
  ['/api/queues/:name/:job', 'job'],
] as const;

it.each([
  ['/', 'home', {}],
  ['/api/queues', 'list', {}],
  ['/api/queues/wake/metrics', 'metrics', { name: 'wake' }],
  ['/api/queues/wa%20ke/7', 'job', { name: 'wa ke', job: '7' }],
  ['/api/queues/%/7', 'job', { name: '%', job: '7' }],
])('the request path matches a route of the queue board: %s', (path, target, params) => {
  expect(findRoute(ROUTES, path)).toEqual({ target, params });
});

it.each(['', '/api', '/api/queues/', '/api/queues//7', '/api/queues/a/b/c'])(
  'the request path matches no route of the queue board: %s',
  (path) => {
    expect(findRoute(ROUTES, path)).toBeNull();
  },
);

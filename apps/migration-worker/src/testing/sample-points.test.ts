import { expect, it } from 'vitest';
import { samplePoints } from './sample-points.js';

it('takes every point once, on one engine or the other', () => {
  const points = ['a', 'b', 'c'];
  expect([samplePoints(points, 0, 2, ''), samplePoints(points, 1, 2, '')]).toEqual([['a', 'c'], ['b']]);
  expect(samplePoints(points, 0, 1, '')).toEqual(points);
});

it('takes all of them where that is asked for', () => {
  expect(samplePoints(['a', 'b'], 1, 2, 'all')).toEqual(['a', 'b']);
});

import { expect, it } from 'vitest';
import { samplePoints } from './sample-points.js';

const POINTS = ['a', 'b', 'c', 'd', 'e'];

it('every sampled kill point is tested once, on one of the two engines', () => {
  const sample = ['a', 'c', 'e'];
  expect([samplePoints(POINTS, sample, 0, 2, false), samplePoints(POINTS, sample, 1, 2, false)]).toEqual([
    ['a', 'e'],
    ['c'],
  ]);
  expect(samplePoints(POINTS, sample, 0, 1, false)).toEqual(sample);
});

it('all kill points are tested on request', () => {
  expect(samplePoints(POINTS, ['a'], 1, 2, true)).toEqual(POINTS);
});

it('an unknown kill point is rejected', () => {
  expect(() => samplePoints(POINTS, ['a', 'x'], 0, 1, false)).toThrow(/no point: x/);
});

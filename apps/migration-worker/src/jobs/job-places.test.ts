import { expect, it } from 'vitest';
import { createJobPlaces } from './job-places.js';

it('gives a place to each job, once, as long as there are some', () => {
  const places = createJobPlaces({ atWorkMax: 2, waitingMax: 2 });
  expect(['a', 'a', 'b', 'c'].map((id) => places.take(id))).toEqual([true, false, true, false]);
  places.leave('a');
  expect(places.take('c')).toBe(true);
});

it('gives the places of those that wait to others, up to a bound, and only for as long', () => {
  const places = createJobPlaces({ atWorkMax: 2, waitingMax: 1 });
  for (const id of ['a', 'b']) {
    places.take(id);
    places.setWaiting(id, true);
  }
  expect(['c', 'd'].map((id) => places.take(id))).toEqual([true, false]);
  places.setWaiting('a', false);
  places.leave('c');
  expect(places.take('d')).toBe(true);
  places.leave('b');
  expect(places.take('e')).toBe(false);
  places.leave('a');
  expect(places.take('e')).toBe(true);
});

it('knows nothing of a job that has left', () => {
  const places = createJobPlaces({ atWorkMax: 1, waitingMax: 1 });
  places.take('a');
  places.leave('a');
  places.setWaiting('a', true);
  expect(['b', 'c'].map((id) => places.take(id))).toEqual([true, false]);
});

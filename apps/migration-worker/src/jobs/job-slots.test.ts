import { expect, it } from 'vitest';
import { createJobPlaces } from './job-places.js';

it('each job gets one slot while slots are free', () => {
  const places = createJobPlaces({ atWorkMax: 2, waitingMax: 2 });
  expect(['a', 'a', 'b', 'c'].map((id) => places.take(id))).toEqual([true, false, true, false]);
  places.leave('a');
  expect(places.take('c')).toBe(true);
});

it('waiting jobs give up their slots, up to a limit, and only while they wait', () => {
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

it('a job that has left has no slot', () => {
  const places = createJobPlaces({ atWorkMax: 1, waitingMax: 1 });
  places.take('a');
  places.leave('a');
  places.setWaiting('a', true);
  expect(['b', 'c'].map((id) => places.take(id))).toEqual([true, false]);
});

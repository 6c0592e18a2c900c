import { expect, it } from 'vitest';
import { createJobSlots } from './job-slots.js';

it('each job gets one slot while slots are free', () => {
  const jobSlots = createJobSlots({ atWorkMax: 2, waitingMax: 2 });
  expect(['a', 'a', 'b', 'c'].map((id) => jobSlots.take(id))).toEqual([true, false, true, false]);
  jobSlots.leave('a');
  expect(jobSlots.take('c')).toBe(true);
});

it('at most a limited number of waiting jobs give up their slots', () => {
  const jobSlots = createJobSlots({ atWorkMax: 2, waitingMax: 1 });
  for (const id of ['a', 'b']) {
    jobSlots.take(id);
    jobSlots.setWaiting(id, true);
  }
  expect(['c', 'd'].map((id) => jobSlots.take(id))).toEqual([true, false]);
  jobSlots.setWaiting('a', false);
  jobSlots.leave('c');
  expect(jobSlots.take('d')).toBe(true);
  jobSlots.leave('b');
  expect(jobSlots.take('e')).toBe(false);
  jobSlots.leave('a');
  expect(jobSlots.take('e')).toBe(true);
});

it('a job gives back its slot when it ends', () => {
  const jobSlots = createJobSlots({ atWorkMax: 1, waitingMax: 1 });
  jobSlots.take('a');
  jobSlots.leave('a');
  jobSlots.setWaiting('a', true);
  expect(['b', 'c'].map((id) => jobSlots.take(id))).toEqual([true, false]);
});

import { expect, it } from 'vitest';
import { createFairRoom } from './fair-room.js';

it('one owner gets half of the capacity, and every other owner a part of the rest', () => {
  const room = createFairRoom(12);
  const fill = (owner: string): number => {
    let taken = 0;
    while (room.take(owner, 1)) taken += 1;
    return taken;
  };
  expect([room.spare('a'), fill('a'), room.spare('a'), fill('b'), fill('c')]).toEqual([6, 6, 0, 3, 2]);
});

it('nothing is reserved beyond the capacity, and released bytes are available again', () => {
  const room = createFairRoom(12);
  expect([room.take('a', 13), room.take('a', 12), room.take('b', 1), room.spare('a')]).toEqual([false, true, false, -6]);
  room.give('a', 12);
  expect([room.take('b', 1), room.spare('a'), room.spare('b')]).toEqual([true, 5.5, 5]);
});

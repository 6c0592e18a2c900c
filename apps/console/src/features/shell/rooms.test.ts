import { expect, it } from 'vitest';
import { findRoom, ROOMS } from './rooms.js';

it('finds the room of an address, however deep', () => {
  expect(findRoom('/projects/prj_1/development')?.label).toBe('Overview');
  expect(findRoom('/projects/prj_1/development/')?.label).toBe('Overview');
  expect(findRoom('/projects/prj_1/development/api/posts')?.label).toBe('API');
  expect(findRoom('/projects/prj_1/development/cellar')).toBeNull();
});

it('names no room and no address twice', () => {
  for (const member of ['to', 'label'] as const) expect(new Set(ROOMS.map((room) => room[member])).size).toBe(ROOMS.length);
});

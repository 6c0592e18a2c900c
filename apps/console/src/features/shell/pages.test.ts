import { expect, it } from 'vitest';
import { findRoom, ROOMS } from './rooms.js';

it('the page of a URL is found at any depth', () => {
  expect(findRoom('/projects/prj_1/development')?.label).toBe('Overview');
  expect(findRoom('/projects/prj_1/development/')?.label).toBe('Overview');
  expect(findRoom('/projects/prj_1/development/api/posts')?.label).toBe('API');
  expect(findRoom('/projects/prj_1/development/cellar')).toBeNull();
});

it('no two pages share a name or a path', () => {
  for (const member of ['to', 'label'] as const) expect(new Set(ROOMS.map((room) => room[member])).size).toBe(ROOMS.length);
});

import { expect, it } from 'vitest';
import { findPage, PAGES } from './pages.js';

it('the console finds the page of a URL at any path depth', () => {
  expect(findPage('/projects/prj_1/development')?.label).toBe('Overview');
  expect(findPage('/projects/prj_1/development/')?.label).toBe('Overview');
  expect(findPage('/projects/prj_1/development/api/posts')?.label).toBe('API reference');
  expect(findPage('/projects/prj_1/development/cellar')).toBeNull();
});

it('no two console pages share a name or a path', () => {
  for (const member of ['to', 'label'] as const)
    expect(new Set(PAGES.map((page) => page[member])).size).toBe(PAGES.length);
});

import type { ApiReference } from '@rowhouse/emitters/reference';
import { describe, expect, it } from 'vitest';
import { toReadable } from './color-scheme.js';
import { readRoute, toHash } from './page-route.js';
import { findEntries, listSearchEntries } from './search-entries.js';

const REFERENCE = {
  groups: [
    {
      name: 'posts',
      isTable: true,
      fields: [{ name: 'title', type: 'string(255)' }],
      operations: [{ id: 'listPosts', method: 'GET', path: '/posts', summary: 'List posts' }],
    },
    { name: 'old posts', isTable: true, fields: [], operations: [] },
    { name: 'Database', isTable: false, fields: [{ name: 'items', type: 'any' }], operations: [] },
  ],
} as unknown as ApiReference;

describe('the docs page', () => {
  it('the fragment of the URL leads to a table, an operation or a field', () => {
    for (const route of [
      { group: null, operation: null, field: null },
      { group: 'a/b %', operation: null, field: null },
      { group: 'posts', operation: 'listPosts', field: null },
      { group: 'posts', operation: null, field: 'x/y' },
    ])
      expect(readRoute(toHash(route))).toEqual(route);
    for (const hash of ['', '#key', '#/', '#/%zz/']) expect(() => readRoute(hash)).not.toThrow();
  });

  it('the search finds tables, columns and operations by each word', () => {
    const entries = listSearchEntries(REFERENCE);
    const find = (text: string): string[] => findEntries(entries, text).map(({ label }) => label);
    expect(find('posts')).toEqual(['posts', 'posts.title', 'old posts', 'List posts']);
    expect(find('GET posts')).toEqual(['List posts']);
    expect(find('title string')).toEqual(['posts.title']);
    expect(find('items')).toEqual([]);
  });

  it('an accent color is adjusted until text in it has a contrast of 4.5', () => {
    expect(toReadable('#1f6249', 'light')).toBe('#1f6249');
    expect(toReadable('#ffff00', 'light')).not.toBe('#ffff00');
    expect(toReadable('#000000', 'dark')).toBe('#909090');
    expect(toReadable('#ffffff', 'light')).toBe('#676767');
  });
});

import { expect, it } from 'vitest';
import { rankEntries } from './palette.js';
import type { PaletteEntry } from './use-palette-entries.js';

const entry = (label: string, group: string): PaletteEntry => ({
  id: label,
  label,
  group,
  run: () => undefined,
});
const ENTRIES = [
  entry('Open post_tags', 'Tables'),
  entry('Schema', 'Pages'),
  entry('posts', 'Tables'),
  entry('Keys', 'Pages'),
];

it('the command palette finds an entry by other words for it', () => {
  const entries = [...ENTRIES, { ...entry('Sign out', 'Action'), terms: 'log out logout' }];
  expect(rankEntries(entries, 'log out').map((e) => e.label)).toEqual(['Sign out']);
});

it('the command palette keeps the order of its entries if nothing is typed', () => {
  expect(rankEntries(ENTRIES, ' ').map((e) => e.label)).toEqual([
    'Open post_tags',
    'Schema',
    'posts',
    'Keys',
  ]);
});

it('the command palette lists entries that start with the text first', () => {
  expect(rankEntries(ENTRIES, 'post').map((e) => e.label)).toEqual(['posts', 'Open post_tags']);
  expect(rankEntries(ENTRIES, 'tables tags').map((e) => e.label)).toEqual(['Open post_tags']);
  expect(rankEntries(ENTRIES, 'nothing')).toEqual([]);
});

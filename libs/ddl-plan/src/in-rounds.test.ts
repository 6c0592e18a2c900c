import { expect, it } from 'vitest';
import { placeInRounds } from './in-rounds.js';

const place = (needs: Record<string, readonly string[]>): string[] => placeInRounds(new Map(Object.entries(needs).map(([name, others]) => [name, new Set(others)]))).map(({ name, missing }) => [name, ...missing].join(' '));

it('each name follows what it needs, and ties are ordered by name', () => {
  expect(place({ c: ['a'], b: ['a'], a: [], d: ['c', 'b'], z: ['nobody', 'z'] })).toEqual(['a', 'z', 'b', 'c', 'd']);
});

it('the first name of a cycle is placed early and lists what it misses', () => {
  expect(place({ a: ['c'], b: ['a'], c: ['b'], d: [] })).toEqual(['d', 'a c', 'b', 'c']);
  expect(place({ x: ['y'], y: ['x'], p: ['q'], q: ['p'] })).toEqual(['p q', 'q', 'x y', 'y']);
});

it('a long chain is placed in order, whatever its names', () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `n${(at * 7_919) % 5_000}`);
  expect(place(Object.fromEntries(names.map((name, at) => [name, at === 0 ? [] : [names[at - 1] ?? '']])))).toEqual(names);
});

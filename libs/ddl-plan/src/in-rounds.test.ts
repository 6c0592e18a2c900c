import { expect, it } from 'vitest';
import { placeInRounds } from './in-rounds.js';

const place = (needs: Record<string, readonly string[]>): string[] => placeInRounds(new Map(Object.entries(needs).map(([name, others]) => [name, new Set(others)]))).map(({ name, missing }) => [name, ...missing].join(' '));

it('puts each behind what it needs, by name where several are free', () => {
  expect(place({ c: ['a'], b: ['a'], a: [], d: ['c', 'b'], z: ['nobody', 'z'] })).toEqual(['a', 'z', 'b', 'c', 'd']);
});

it('lets the first of a circle go ahead, and tells what it misses', () => {
  expect(place({ a: ['c'], b: ['a'], c: ['b'], d: [] })).toEqual(['d', 'a c', 'b', 'c']);
  expect(place({ x: ['y'], y: ['x'], p: ['q'], q: ['p'] })).toEqual(['p q', 'q', 'x y', 'y']);
});

it('puts a long chain in its order, whatever its names', () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `n${(at * 7_919) % 5_000}`);
  expect(place(Object.fromEntries(names.map((name, at) => [name, at === 0 ? [] : [names[at - 1] ?? '']])))).toEqual(names);
});

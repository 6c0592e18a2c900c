import { expect, it } from 'vitest';
import { placeInRounds } from './create-order.js';

const location = (needs: Record<string, readonly string[]>): string[] =>
  placeInRounds(new Map(Object.entries(needs).map(([name, others]) => [name, new Set(others)]))).map(
    ({ name, missing }) => [name, ...missing].join(' '),
  );

it('placeInRounds puts each name after the names it needs and sorts the rest by name', () => {
  expect(location({ c: ['a'], b: ['a'], a: [], d: ['c', 'b'], z: ['nobody', 'z'] })).toEqual([
    'a',
    'z',
    'b',
    'c',
    'd',
  ]);
});

it('placeInRounds puts the first name of a cycle early and lists what it still needs', () => {
  expect(location({ a: ['c'], b: ['a'], c: ['b'], d: [] })).toEqual(['d', 'a c', 'b', 'c']);
  expect(location({ x: ['y'], y: ['x'], p: ['q'], q: ['p'] })).toEqual(['p q', 'q', 'x y', 'y']);
});

it('placeInRounds orders a long chain by its needs, whatever its names', () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `n${(index * 7_919) % 5_000}`);
  expect(
    location(
      Object.fromEntries(names.map((name, index) => [name, index === 0 ? [] : [names[index - 1] ?? '']])),
    ),
  ).toEqual(names);
});

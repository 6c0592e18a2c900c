import { expect, it } from 'vitest';
import { createIntruderWatch } from './suspect-sessions.js';
import type { HalfOpenLogin } from './list-sessions.js';

const BOUNDS = { all: 100, address: 20 };
let lastId = 0;
const open = (count: number, client: (index: number) => string): HalfOpenLogin[] =>
  Array.from({ length: count }, (_, index) => ({ id: (lastId += 1), client: client(index) }));
const idsOf = (sessions: readonly HalfOpenLogin[]): number[] => sessions.map(({ id }) => id);

it('an address over the limit of half-open logins is cut to the limit, and others keep theirs', () => {
  const watch = createIntruderWatch();
  const flood = open(90, (index) => `192.0.2.1:${index}`);
  const others = open(5, (index) => `192.0.2.2:${index}`);
  expect(watch.find([...flood, ...others], BOUNDS)).toEqual([]);
  expect(watch.find([...flood, ...others], BOUNDS)).toEqual(idsOf(flood).slice(0, 70));
});

it('a flood that reopens its half-open logins immediately is ended at the first check', () => {
  const flood = open(900, (index) => `192.0.2.1:${index}`);
  const others = open(5, (index) => `192.0.2.2:${index}`);
  expect(createIntruderWatch().find([...others, ...flood], BOUNDS)).toEqual(idsOf(flood).slice(0, 805));
});

it('an IPv6 network of 64 bits counts as one client address', () => {
  const flood = open(30, (index) => `2001:db8::${(index + 1).toString(16)}`);
  const mapped = open(10, (index) => `::ffff:192.0.2.1:${index}`);
  const watch = createIntruderWatch();
  watch.find([...flood, ...mapped], BOUNDS);
  expect(watch.find([...flood, ...mapped], BOUNDS)).toEqual(idsOf(flood).slice(0, 10));
});

it('logins that end before the next check do not count against their address', () => {
  const watch = createIntruderWatch();
  for (let check = 0; check < 3; check += 1)
    expect(
      watch.find(
        open(80, (index) => `192.0.2.1:${index}`),
        BOUNDS,
      ),
    ).toEqual([]);
});

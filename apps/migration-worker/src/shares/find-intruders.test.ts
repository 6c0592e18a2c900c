import { expect, it } from 'vitest';
import { createIntruderWatch } from './find-intruders.js';
import type { HalfOpenLogin } from './list-sessions.js';

const BOUNDS = { all: 100, address: 20 };
let lastId = 0;
const open = (count: number, client: (at: number) => string): HalfOpenLogin[] => Array.from({ length: count }, (_, at) => ({ id: (lastId += 1), client: client(at) }));
const idsOf = (sessions: readonly HalfOpenLogin[]): number[] => sessions.map(({ id }) => id);

it('an address keeps as many half-open logins as the limit at the second check, and others keep theirs', () => {
  const watch = createIntruderWatch();
  const flood = open(90, (at) => `192.0.2.1:${at}`);
  const others = open(5, (at) => `192.0.2.2:${at}`);
  expect(watch.find([...flood, ...others], BOUNDS)).toEqual([]);
  expect(watch.find([...flood, ...others], BOUNDS)).toEqual(idsOf(flood).slice(0, 70));
});

it('a flood that reopens its logins immediately is ended at the first check, down to the limit for all addresses', () => {
  const flood = open(900, (at) => `192.0.2.1:${at}`);
  const others = open(5, (at) => `192.0.2.2:${at}`);
  expect(createIntruderWatch().find([...others, ...flood], BOUNDS)).toEqual(idsOf(flood).slice(0, 805));
});

it('an IPv6 network of 64 bits counts as one address', () => {
  const flood = open(30, (at) => `2001:db8::${(at + 1).toString(16)}`);
  const mapped = open(10, (at) => `::ffff:192.0.2.1:${at}`);
  const watch = createIntruderWatch();
  watch.find([...flood, ...mapped], BOUNDS);
  expect(watch.find([...flood, ...mapped], BOUNDS)).toEqual(idsOf(flood).slice(0, 10));
});

it('logins that end before the next check never count against an address', () => {
  const watch = createIntruderWatch();
  for (let look = 0; look < 3; look += 1) expect(watch.find(open(80, (at) => `192.0.2.1:${at}`), BOUNDS)).toEqual([]);
});

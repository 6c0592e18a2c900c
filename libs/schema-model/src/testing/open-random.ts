/** A source of pseudorandom values. For a given seed, the values are the same on every machine. */
export interface Random {
  /** Returns a random whole number n with 0 <= n < below. */
  integer(below: number): number;
  /** Returns true with the probability `chance`, which is from 0 to 1. */
  maybe(chance: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/**
 * Creates a random source. `index` selects one of many sources for the same seed. The values are computed as
 * in mulberry32.
 */
export function openRandom(seed: number, index?: number): Random {
  const own = index === undefined ? 0 : Math.imul(index + 1, 0xc2b2ae35);
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ own) >>> 0;
  /** Returns a random number that is at least 0 and less than 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    integer,
    maybe: (chance) => next() < chance,
    pick: <T>(choices: readonly T[]): T => choices[integer(choices.length)] as T,
  };
}

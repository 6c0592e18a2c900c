/** A source of pseudorandom values. For a given seed, the values are the same on every machine. */
export interface Random {
  /** Returns a random whole number n with 0 <= n < bound. */
  below(bound: number): number;
  /** Returns a random whole number from `min` to `max`, including both. */
  between(min: number, max: number): number;
  chance(percent: number): boolean;
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Uint8Array;
}

/** Creates a source of random values. The same seed always results in the same sequence. */
export function createRandom(seed: string): Random {
  let state = hashText(seed);
  const next = (): number => {
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (bound: number): number => Math.floor((next() / 2 ** 32) * Math.max(1, bound));
  return {
    below,
    between: (min, max) => min + below(max - min + 1),
    chance: (percent) => below(100) < percent,
    pick<T>(items: readonly T[]): T {
      return items[below(items.length)] as T;
    },
    bytes: (length) => Uint8Array.from({ length }, () => below(256)),
  };
}

function hashText(text: string): number {
  let hash = 0x811c_9dc5;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x0100_0193);
  return hash >>> 0;
}

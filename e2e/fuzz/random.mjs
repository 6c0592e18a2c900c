// @ts-check
/**
 * A seeded source: the same seed and index give the same request on every machine.
 * @param {number} seed
 * @param {number} index
 */
export function openRandom(seed, index) {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>> 0;
  /** In [0, 1). The mixing step is that of mulberry32. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  /** @param {number} below */
  const integer = (below) => Math.floor(next() * below);
  return {
    integer,
    /** @param {number} chance */
    maybe: (chance) => next() < chance,
    /** @template T @param {readonly T[]} choices @returns {T} */
    pick: (choices) => /** @type {T} */ (choices[integer(choices.length)]),
  };
}

/** @typedef {ReturnType<typeof openRandom>} Random */

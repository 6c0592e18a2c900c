// @ts-check
/**
 * Creates a seeded generator of numbers in [0, 1).
 * It uses xorshift, which is sufficient to vary request paths.
 * @param {number} seed
 */
export function makeRandom(seed) {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4_294_967_296;
  };
}

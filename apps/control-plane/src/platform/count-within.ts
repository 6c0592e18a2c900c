/**
 * Returns how many of the first entries fit within `bytesMax`, but at least one if there are any. Large
 * entries make shorter pages.
 */
export function countWithin(sizes: readonly { readonly bytes: number | string }[], bytesMax: number): number {
  let left = bytesMax;
  for (const [at, { bytes }] of sizes.entries()) {
    left -= Number(bytes);
    if (left < 0) return Math.max(1, at);
  }
  return sizes.length;
}

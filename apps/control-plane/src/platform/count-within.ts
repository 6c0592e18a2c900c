/** How many of the first are within `bytesMax` together: one at least, where there are any. What is long is told in shorter pages. */
export function countWithin(sizes: readonly { readonly bytes: number | string }[], bytesMax: number): number {
  let left = bytesMax;
  for (const [at, { bytes }] of sizes.entries()) {
    left -= Number(bytes);
    if (left < 0) return Math.max(1, at);
  }
  return sizes.length;
}

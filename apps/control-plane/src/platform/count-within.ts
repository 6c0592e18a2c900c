/**
 * Returns how many of the first entries fit within `bytesMax`, but at least one if there are any. Large
 * entries make shorter pages.
 */
export function countWithin(sizes: readonly { readonly bytes: number | string }[], bytesMax: number): number {
  let remaining = bytesMax;
  for (const [index, { bytes }] of sizes.entries()) {
    remaining -= Number(bytes);
    if (remaining < 0) return Math.max(1, index);
  }
  return sizes.length;
}

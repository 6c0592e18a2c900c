import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';

/** The maximum total size of the long column per page, in bytes. */
const PAGE_BYTES_MAX = 8 * 1024 * 1024;

export interface PageOfRows<T> {
  readonly rows: T[];
  /** Whether no more rows exist. False when there may be more. */
  readonly isLast: boolean;
}

/**
 * Returns the first rows of an ordered query: at most `rowsMax`, and as many as fit within 8 MiB of
 * `longColumn`, but at least one if there are any.
 */
export async function readPage<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  longColumn: string,
  rowsMax: number,
): Promise<PageOfRows<T>> {
  const sizes = await query
    .clone()
    .select(`LENGTH(${longColumn})`, 'bytes')
    .limit(rowsMax)
    .getRawMany<{ bytes: string }>();
  const count = countWithin(sizes, PAGE_BYTES_MAX);
  return {
    rows: count === 0 ? [] : await query.take(count).getMany(),
    isLast: count === sizes.length && count < rowsMax,
  };
}

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

import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { countWithin } from './count-within.js';

/** Of the long column of one page's rows. */
const PAGE_BYTES_MAX = 8 * 1024 * 1024;

export interface PageOfRows<T> {
  readonly rows: T[];
  /** False: there may be more. */
  readonly isLast: boolean;
}

/** The first rows of an ordered query, `rowsMax` at most, and as many as have 8 MiB in `longColumn` together: one at least, where there are any. */
export async function readPage<T extends ObjectLiteral>(query: SelectQueryBuilder<T>, longColumn: string, rowsMax: number): Promise<PageOfRows<T>> {
  const sizes = await query.clone().select(`LENGTH(${longColumn})`, 'bytes').limit(rowsMax).getRawMany<{ bytes: string }>();
  const count = countWithin(sizes, PAGE_BYTES_MAX);
  return { rows: count === 0 ? [] : await query.take(count).getMany(), isLast: count === sizes.length && count < rowsMax };
}

import type { ColumnRef, Draft } from '../types.js';
import { listRefs, listValueConditions } from './draft-references.js';

/**
 * The maximum discounts of `assign`: for words that select a
 * path, and for a second column or value on the same path.
 */
const [NAMED_GAIN, SHARED_GAIN] = [0.35, 0.5];
/** The minimum extra cost of a column without a mention of its rows, when no word selects the path. */
const JOINED_MIN = 0.3;
/** The minimum cost of a label. */
const LABEL_MIN = 0.1;
/** Tolerates differences of floating-point sums in another order. */
const ROUNDING = 1e-9;

/**
 * Returns a lower bound on the cost of all assignments of a draft. It uses the
 * closest link of each name and subtracts all possible discounts. It is cheap to
 * compute and avoids expanding interpretations that are too expensive to matter.
 */
export function findFloor(draft: Draft, cost: number): number {
  const refs = listRefs(draft);
  const values = listValueConditions(draft);
  const isTied = draft.mentions.some((mention) => mention.tie.length > 0);
  let floor = cost - ROUNDING;
  for (const { links, tie } of draft.mentions) floor += findLeast(links) - (tie.length > 0 ? NAMED_GAIN : 0);
  for (const ref of refs)
    floor += findLeastOf(ref) - (isTied ? Math.max(0, NAMED_GAIN - JOINED_MIN + 0.05) : 0);
  for (const { links } of values) floor += findLeast(links);
  // The first column or value on a path has no discount.
  // The cost of a value is at least as high as its discount.
  const sharing = refs.filter((ref) => ref.isChildColumn !== true).length - (values.length > 0 ? 0 : 1);
  return floor - Math.max(0, sharing) * (isTied ? SHARED_GAIN : SHARED_GAIN - JOINED_MIN);
}

function findLeastOf(ref: ColumnRef): number {
  return ref.isName === true ? Math.min(LABEL_MIN, findLeast(ref.links)) : findLeast(ref.links);
}

function findLeast(links: readonly { readonly cost: number }[]): number {
  return links.reduce((minimum, link) => Math.min(minimum, link.cost), links[0]?.cost ?? 0);
}

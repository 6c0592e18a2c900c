import type { ColumnRef, Draft } from '../types.js';
import { listRefs, listValueConditions } from './draft-references.js';

/**
 * The maximum discounts that `assign` may give: for words that select one of several
 * join paths, and for each further column or value on the same path.
 */
const [SELECTED_PATH_GAIN, SHARED_PATH_GAIN] = [0.35, 0.5];
/** The minimum extra cost of a column in a joined table when no word selects the path to it. */
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
export function findLowerBound(draft: Draft, cost: number): number {
  const refs = listRefs(draft);
  const values = listValueConditions(draft);
  const hasConnectingWords = draft.mentions.some((mention) => mention.tie.length > 0);
  let bound = cost - ROUNDING;
  for (const { links, tie } of draft.mentions)
    bound += findLowestCost(links) - (tie.length > 0 ? SELECTED_PATH_GAIN : 0);
  for (const ref of refs)
    bound +=
      findLowestColumnCost(ref) -
      (hasConnectingWords ? Math.max(0, SELECTED_PATH_GAIN - JOINED_MIN + 0.05) : 0);
  for (const { links } of values) bound += findLowestCost(links);
  // The first column or value on a path gets no discount. A value costs at least as much as its discount,
  // so only columns are counted here.
  const sharing = refs.filter((ref) => ref.isChildColumn !== true).length - (values.length > 0 ? 0 : 1);
  return (
    bound - Math.max(0, sharing) * (hasConnectingWords ? SHARED_PATH_GAIN : SHARED_PATH_GAIN - JOINED_MIN)
  );
}

function findLowestColumnCost(ref: ColumnRef): number {
  return ref.isName === true ? Math.min(LABEL_MIN, findLowestCost(ref.links)) : findLowestCost(ref.links);
}

function findLowestCost(links: readonly { readonly cost: number }[]): number {
  return links.reduce((minimum, link) => Math.min(minimum, link.cost), links[0]?.cost ?? 0);
}

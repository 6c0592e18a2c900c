import type { ColumnRef, Draft } from '../types.js';
import { listRefs, listValueConditions } from './draft-references.js';

/**
 * The maximum reductions in cost that `assign` may apply: for words that select one of several join paths,
 * and for each further column or value on the same path.
 */
const [SELECTED_PATH_GAIN, SHARED_PATH_GAIN] = [0.35, 0.5];
/** The minimum additional cost of a column in a joined table if no word selects the path to it. */
const JOINED_MIN = 0.3;
/** The minimum cost of a label. */
const LABEL_MIN = 0.1;
/** The tolerance for sums of floating-point numbers in another order. */
const ROUNDING = 1e-9;

/**
 * Returns a lower bound for the costs of all assignments of a draft. It is computed from the link with the
 * lowest cost of each name and all possible reductions. It takes little time, and avoids expanding
 * interpretations whose costs are too high.
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
  // The first column or value on a path has no reduction. A value costs at least as much as its reduction, so
  // only columns are counted here.
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

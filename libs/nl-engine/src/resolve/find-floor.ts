import type { ColumnRef, Draft } from '../types.js';
import { listRefs, listValueConditions } from './list-refs.js';

/** What a tie that names a way takes off it, and what a second column or value there takes off: the most that `assign` gives. */
const [NAMED_GAIN, SHARED_GAIN] = [0.35, 0.5];
/** The least that a column costs beside its name when its rows have not been spoken of, where no word names the way. */
const AWAY_MIN = 0.3;
/** The least that what rows are called costs. */
const LABEL_MIN = 0.1;
/** Sums in another order differ by as much at most. */
const ROUNDING = 1e-9;

/**
 * What every way to take the names of a draft costs at least, given what its reading costs: each name by its closest link, and all that may be
 * gained. It is cheap to tell, and spares going into readings that are too far off to matter.
 */
export function findFloor(draft: Draft, cost: number): number {
  const refs = listRefs(draft);
  const values = listValueConditions(draft);
  const isTied = draft.mentions.some((mention) => mention.tie.length > 0);
  let floor = cost - ROUNDING;
  for (const { links, tie } of draft.mentions) floor += findLeast(links) - (tie.length > 0 ? NAMED_GAIN : 0);
  for (const ref of refs) floor += findLeastOf(ref) - (isTied ? Math.max(0, NAMED_GAIN - AWAY_MIN + 0.05) : 0);
  for (const { links } of values) floor += findLeast(links);
  // The first column or value on a way gains nothing; a value there has cost as much as it gains.
  const sharing = refs.filter((ref) => ref.isBehind !== true).length - (values.length > 0 ? 0 : 1);
  return floor - Math.max(0, sharing) * (isTied ? SHARED_GAIN : SHARED_GAIN - AWAY_MIN);
}

function findLeastOf(ref: ColumnRef): number {
  return ref.isName === true ? Math.min(LABEL_MIN, findLeast(ref.links)) : findLeast(ref.links);
}

function findLeast(links: readonly { readonly cost: number }[]): number {
  return links.reduce((least, link) => Math.min(least, link.cost), links[0]?.cost ?? 0);
}

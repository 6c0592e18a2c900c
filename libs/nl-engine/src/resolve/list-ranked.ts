import type { Draft } from '../types.js';

/** Mentions whose rows are only counted, to say which row of their parent comes first. */
export function listRanked(draft: Draft): ReadonlySet<number> {
  return new Set(draft.mentions.flatMap((mention) => mention.conditions.flatMap((condition) => (condition.kind === 'topCount' ? [condition.mention] : []))));
}

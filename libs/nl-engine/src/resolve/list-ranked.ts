import { rememberOf } from '../grammar/reader.js';
import type { Draft } from '../types.js';

/** Returns the mentions whose rows are only counted to find the first row of their parent. */
export const listRanked = rememberOf(
  (draft: Draft): ReadonlySet<number> =>
    new Set(
      draft.mentions.flatMap((mention) =>
        mention.conditions.flatMap((condition) => (condition.kind === 'topCount' ? [condition.mention] : [])),
      ),
    ),
);

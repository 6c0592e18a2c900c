import { rememberOf } from '../grammar/reader.js';
import type { Draft } from '../types.js';

/** Mentions whose rows are only counted, to say which row of their parent comes first. */
export const listRanked = rememberOf((draft: Draft): ReadonlySet<number> => new Set(draft.mentions.flatMap((mention) => mention.conditions.flatMap((condition) => (condition.kind === 'topCount' ? [condition.mention] : [])))));

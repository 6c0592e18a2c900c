import type { Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/link-question.js';
import type { Draft } from '../types.js';
import { toRoot } from '../words/inflect.js';
import { isVerb } from '../words/verbs.js';

/** What a table costs that only a verb names. */
export const DONE_COST = 0.2;

/**
 * `the product that was ordered most often`: the one table of rows behind those in focus that has the verb's root in its name; none where there
 * are several, or where other rows have been spoken of.
 */
export function listDone(q: LinkedQuestion, { mentions, focus }: Draft, verb: string): readonly Table[] {
  if (!isVerb(verb) || mentions.length !== 1) return [];
  const bare = verb.replace(/(?:ed|ing)$/, '');
  const roots = new Set([verb, bare, `${bare}e`].map(toRoot));
  return (mentions[focus]?.links ?? []).filter(({ cost }) => cost < 0.5).flatMap(({ table }) => {
    const done = (q.lexicon.graph.edges.get(table) ?? []).filter((edge) => !edge.isToOne && edge.to !== table && (q.lexicon.tableWords.get(edge.to) ?? []).some((word) => roots.has(toRoot(word)))).map((edge) => edge.to);
    return new Set(done).size === 1 ? done.slice(0, 1) : [];
  });
}

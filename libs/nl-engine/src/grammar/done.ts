import type { Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Draft } from '../types.js';
import { toRoot } from '../words/inflect.js';
import { isVerb } from '../words/verbs.js';

/** The cost of a table named only by a verb. */
export const DONE_COST = 0.2;

/**
 * Finds the table that a verb names, as in `the product that was ordered most often`.
 * It is the only child table of the rows in focus whose name has the verb's root.
 *
 * Returns an empty list when there are several such tables,
 * or when the question has already named other rows.
 */
export function listDone(q: LinkedQuestion, { mentions, focus }: Draft, verb: string): readonly Table[] {
  if (!isVerb(verb) || mentions.length !== 1) return [];
  const unqualified = verb.replace(/(?:ed|ing)$/, '');
  const roots = new Set([verb, unqualified, `${unqualified}e`].map(toRoot));
  return (mentions[focus]?.links ?? [])
    .filter(({ cost }) => cost < 0.5)
    .flatMap(({ table }) => {
      const done = (q.lexicon.graph.edges.get(table) ?? [])
        .filter(
          (edge) =>
            !edge.isToOne &&
            edge.to !== table &&
            (q.lexicon.tableWords.get(edge.to) ?? []).some((word) => roots.has(toRoot(word))),
        )
        .map((edge) => edge.to);
      return new Set(done).size === 1 ? done.slice(0, 1) : [];
    });
}

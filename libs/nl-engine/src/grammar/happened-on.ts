import type { LinkedQuestion } from '../link/linked-question.js';
import { isCalendar } from '../resolve/fits-literal.js';
import type { ColumnLink } from '../types.js';
import { isVerb, listDateWords } from '../words/verbs.js';

/**
 * Returns the date and year columns that a past-tense verb may refer to. Columns with a word for the event
 * cost least. Returns an empty list when the word is not such a verb.
 */
export function listHappenedOn(q: LinkedQuestion, verb: string): readonly ColumnLink[] {
  const words =
    listDateWords(verb) ??
    (isVerb(verb) && /ed$/.test(verb) ? [verb, verb.slice(0, -2), verb.slice(0, -1)] : null);
  if (words === null) return [];
  return q.lexicon.dateColumns.map((link) => {
    const isNamed = (q.lexicon.columnWords.get(link.column) ?? []).some((word) => words.includes(word));
    return { ...link, cost: (isNamed ? 0 : link.cost + 0.3) + (isCalendar(link.column) ? 0 : 0.1) };
  });
}

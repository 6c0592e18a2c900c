import type { Table } from '@rowhouse/schema-model';
import type { LinkedQuestion } from '../../link/linked-question.js';
import type { ColumnLink, Draft } from '../../types.js';
import { toRoot } from '../../words/inflect.js';
import { isVerb, listDateWords } from '../../words/verbs.js';
import { isCalendar } from '../../resolve/column-kinds.js';

/** The cost of a link from a verb to a table, such as from `ordered` to orders. */
export const VERB_TABLE_COST = 0.2;

/**
 * Returns the child table of the current rows whose name has the root of the verb, such as `orders` for `the
 * product that was ordered most often`.
 *
 * Returns an empty list if there are several such tables, or if the question mentions more than one table.
 */
export function listTablesOfVerb(
  q: LinkedQuestion,
  { mentions, focus }: Draft,
  verb: string,
): readonly Table[] {
  if (!isVerb(verb) || mentions.length !== 1) return [];
  const stem = verb.replace(/(?:ed|ing)$/, '');
  const roots = new Set([verb, stem, `${stem}e`].map(toRoot));
  return (mentions[focus]?.links ?? [])
    .filter(({ cost }) => cost < 0.5)
    .flatMap(({ table }) => {
      const childTables = (q.lexicon.graph.edges.get(table) ?? [])
        .filter(
          (edge) =>
            !edge.isToOne &&
            edge.to !== table &&
            (q.lexicon.tableWords.get(edge.to) ?? []).some((word) => roots.has(toRoot(word))),
        )
        .map((edge) => edge.to);
      return new Set(childTables).size === 1 ? childTables.slice(0, 1) : [];
    });
}

/**
 * Returns the date columns whose names contain a form of the verb, such as `closed_at` for `closed` and
 * `starts_at` for `starting`.
 */
export function listDatesOfVerb({ lexicon }: LinkedQuestion, verb: string): readonly ColumnLink[] {
  if (!isVerb(verb) || !/(?:ed|en|wn|ught|id|nt|ld|de|ft|ing)$/.test(verb)) return [];
  const isStated = (word: string): boolean =>
    word === verb || (verb.endsWith('ing') && toRoot(word) === toRoot(verb));
  return lexicon.dateColumns.filter(({ table, column }) =>
    (lexicon.columnWords.get(column) ?? []).some(
      (word) => isStated(word) && lexicon.tableWords.get(table)?.includes(word) !== true,
    ),
  );
}

/**
 * Returns all columns with dates or years, with their costs after a verb in the past tense. Columns whose
 * names contain a word for this event cost least. Returns an empty list if the word is not such a verb.
 */
export function listDatesOfEvent(q: LinkedQuestion, verb: string): readonly ColumnLink[] {
  const words =
    listDateWords(verb) ??
    (isVerb(verb) && /ed$/.test(verb) ? [verb, verb.slice(0, -2), verb.slice(0, -1)] : null);
  if (words === null) return [];
  return q.lexicon.dateColumns.map((link) => {
    const isNamed = (q.lexicon.columnWords.get(link.column) ?? []).some((word) => words.includes(word));
    return { ...link, cost: (isNamed ? 0 : link.cost + 0.3) + (isCalendar(link.column) ? 0 : 0.1) };
  });
}

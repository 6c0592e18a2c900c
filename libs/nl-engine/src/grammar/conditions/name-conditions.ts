import type { LinkedQuestion } from '../../link/linked-question.js';
import { findLabel } from '../../resolve/find-label.js';
import type { ColumnLink, Condition, Draft } from '../../types.js';
import { readColumns, toRef } from '../nouns/column-phrases.js';
import { matchPhrase, type Parsed, phraseSet } from '../reader.js';
import { readPredicate } from './predicates.js';

/** Parses a column that must be NULL, as in `without a bio` and `have no email`. */
export function readMissingColumn(q: LinkedQuestion, from: number): Parsed<Condition>[] {
  const position = matchPhrase(q, from, phraseSet('no|without|without a|without an|without any'));
  return position < 0
    ? []
    : readColumns(q, position).flatMap((column) => {
        const links = column.value.links.filter(
          (link) =>
            link.column.nullable &&
            link.isPart !== true &&
            !isCalledAsTable(link, q) &&
            !(q.tables[column.value.position] ?? []).some(
              (span) => span.to === column.position && span.links.some((table) => table.cost < 0.3),
            ),
        );
        return links.length === 0
          ? []
          : [
              {
                position: column.position,
                cost: column.cost + 0.1,
                value: { kind: 'null' as const, column: { ...toRef(column.value), links }, negated: false },
              },
            ];
      });
}

/**
 * Reports whether a column has the same name as its table. `no devices` then refers to rows instead of the
 * column.
 */
function isCalledAsTable({ table, column }: ColumnLink, { lexicon }: LinkedQuestion): boolean {
  return lexicon.columnWords.get(column)?.join(' ') === lexicon.tableWords.get(table)?.join(' ');
}

/**
 * Parses the value after `named`. The condition may apply to the name, title or label column of any table.
 */
export function readNamed(q: LinkedQuestion, position: number): Parsed<Condition>[] {
  const links = ['name', 'title'].flatMap((word, rank) =>
    (q.lexicon.columns.get(word) ?? [])
      .filter((link) => link.isPart !== true)
      .map((link) => ({ ...link, cost: link.cost + rank * 0.1 })),
  );
  for (const table of q.lexicon.snapshot.tables) {
    for (const column of findLabel(table))
      if (links.every((link) => link.column !== column)) links.push({ table, column, cost: 0.2 });
    const own = table.columns.find(
      (column) => column.name.toLowerCase() === table.name.toLowerCase().replace(/s$/, ''),
    );
    if (own !== undefined && links.every((link) => link.table !== table))
      links.push({ table, column: own, cost: 0.1 });
  }
  return links.length === 0 ? [] : readPredicate(q, position, { links, owner: null, position }, 0);
}

const TEXT_SEARCH_PHRASES = phraseSet(
  ['contain', 'contains', 'containing', 'include', 'includes', 'including', 'has', 'have', 'with']
    .flatMap((verb) =>
      ['word', 'words', 'string', 'substring', 'letter', 'letters', 'phrase'].map(
        (kind) => `${verb} the ${kind}`,
      ),
    )
    .concat([
      'ending in',
      'ending with',
      'ends in',
      'ends with',
      'end in',
      'end with',
      'starting with',
      'starts with',
      'start with',
      'beginning with',
      'begins with',
      'begin with',
    ])
    .join('|'),
);

/**
 * Parses a text search that names no column, as in `products containing the word "blue"`. It applies to a
 * returned text column if there is one, and to the label of the rows otherwise.
 */
export function readTextSearch(
  q: LinkedQuestion,
  position: number,
  { mentions, targets }: Draft,
): Parsed<Condition>[] {
  if (matchPhrase(q, position, TEXT_SEARCH_PHRASES) < 0) return [];
  const visible =
    mentions.length > 0
      ? []
      : targets.flatMap((target) =>
          target.kind === 'column' && target.fn === null
            ? target.column.links.filter((link) => link.column.valueKind === 'string')
            : [],
        );
  const read =
    visible.length > 0
      ? readPredicate(q, position, { links: visible, owner: null, position }, 0)
      : readNamed(q, position);
  return read
    .filter((parsed) => parsed.value.kind === 'like')
    .map((parsed) => ({ ...parsed, cost: parsed.cost + (visible.length > 0 ? 0 : 0.3) }));
}

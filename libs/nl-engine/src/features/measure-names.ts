import { memoizeByObject, type Column, type Table } from '@rowhouse/schema-model';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import { isKey } from '../resolve/column-kinds.js';
import { toRoot, toSingular } from '../words/inflect.js';
import { isVerb, ASKING_VERBS } from '../words/verbs.js';
import { listUsedNames } from './statement-parts.js';
import { DETAIL_WORDS } from './measure-shown.js';

/** Returns features of words that name a table or column which the statement does not use. */
export function measureNames(candidate: Candidate, q: LinkedQuestion) {
  const usedNames = listUsedNames(candidate);
  const roots = namesByRootOf(q.lexicon);
  const joinColumns = listJoinColumns(candidate);
  let [verbTables, verbColumns, passedTables, inflected] = [0, 0, 0, 0];
  for (const [index, token] of q.tokens.entries()) {
    if (token.kind !== 'word') continue;
    if (
      token.lemma !== toSingular(token.lower) &&
      q.lexicon.shortForms.get(toSingular(token.lower)) !== token.lemma
    )
      inflected += 1;
    if (ignoresTable(q, index, usedNames)) passedTables += 1;
    if (!isVerb(token.lower) || token.isCapital || ASKING_VERBS.has(token.lower)) continue;
    const named = roots.get(toRoot(token.lower)) ?? [];
    // A verb may select the foreign key of a join, as in `problems reported by staff`.
    if (named.some(({ column }) => column !== null && joinColumns.has(column))) continue;
    if (named.some(({ table, column }) => (column === null ? usedNames.has(table) : usedNames.has(column))))
      continue;
    if (named.some(({ column }) => column === null)) verbTables += 1;
    // A verb that names only a date column or a key needs no condition, as in `placed an order`.
    if (
      named.some(
        ({ table, column }) =>
          column !== null &&
          usedNames.has(table) &&
          !isKey(table, column) &&
          !q.lexicon.dateColumns.some((link) => link.column === column),
      )
    )
      verbColumns += 1;
  }
  return {
    verbTables,
    verbColumns,
    passedTables,
    inflected,
    lostDetails: countIgnoredDetails(candidate, q, usedNames),
  };
}

/** Returns the columns of the foreign keys in the joins of a statement. */
function listJoinColumns({ assignment: { paths, columns, values } }: Candidate): ReadonlySet<Column> {
  const edges = [...paths, ...[...columns.values(), ...values.values()].map((bound) => bound.path)].flat();
  return new Set(
    edges.flatMap(({ from, to, fromColumns, toColumns }) => [
      ...from.columns.filter((column) => fromColumns.includes(column.name)),
      ...to.columns.filter((column) => toColumns.includes(column.name)),
    ]),
  );
}

interface NamedObject {
  readonly table: Table;
  readonly column: Column | null;
}

/** Maps the root of each word in names of tables and columns to these tables and columns. */
const namesByRootOf = memoizeByObject(
  ({ snapshot, tableWords, columnWords }: Lexicon): ReadonlyMap<string, readonly NamedObject[]> => {
    const roots = new Map<string, NamedObject[]>();
    const add = (word: string, entry: NamedObject): void => {
      const root = toRoot(word);
      const list = roots.get(root);
      if (list === undefined) roots.set(root, [entry]);
      else list.push(entry);
    };
    for (const table of snapshot.tables) {
      const own = tableWords.get(table) ?? [];
      for (const word of own) add(word, { table, column: null });
      for (const column of table.columns)
        for (const word of columnWords.get(column) ?? [])
          if (!own.includes(word)) add(word, { table, column });
    }
    return roots;
  },
);

/** The cost of a link below which a word is considered the name of the table. */
const NEAR_COST = 0.3;

/**
 * Reports whether the token names a table that the statement does not use. Usually, the statement uses a
 * column of another table with the same name.
 */
function ignoresTable(q: LinkedQuestion, index: number, usedNames: ReadonlySet<Column | Table>): boolean {
  const named = (q.tables[index] ?? []).flatMap((span) => span.links.filter((link) => link.cost < NEAR_COST));
  return named.length > 0 && !named.some((link) => usedNames.has(link.table));
}

/**
 * Counts words that ask for all details, as in `all investor information`, if the statement does not return
 * all columns.
 */
function countIgnoredDetails(
  { assignment, params }: Candidate,
  q: LinkedQuestion,
  usedNames: ReadonlySet<Column | Table>,
): number {
  if (assignment.draft.targets.some((target) => target.kind === 'everything')) return 0;
  const wordsOfUsedTables = new Set(
    [...usedNames].flatMap((entry) => ('columns' in entry ? [] : (q.lexicon.columnWords.get(entry) ?? []))),
  );
  // A detail word can be part of the name of a returned column, as in `the role detail`.
  const usedTokens = new Set(
    [...assignment.columns.keys()].flatMap((ref) =>
      (q.columns[ref.position] ?? [])
        .filter(({ links }) => links === ref.links)
        .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, step) => from + step)),
    ),
  );
  // A capitalized detail word can be part of a compared text, as in `Info. Systems`.
  const texts = params.flatMap((param) => (typeof param === 'string' ? [param.toLowerCase()] : []));
  return q.tokens.filter(
    (token, index) =>
      DETAIL_WORDS.has(token.lemma) &&
      !wordsOfUsedTables.has(token.lemma) &&
      !usedTokens.has(index) &&
      !(token.isCapital && texts.some((text) => text.includes(token.lower))),
  ).length;
}

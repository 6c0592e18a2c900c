import { memoizeByObject, type Column, type Table } from '@rowhouse/schema-model';
import type { Lexicon } from '../lexicon/lexicon.js';
import type { LinkedQuestion } from '../link/linked-question.js';
import type { Candidate } from '../ranked-candidates.js';
import { isKey } from '../resolve/column-kinds.js';
import { toRoot, toSingular } from '../words/inflect.js';
import { isVerb, ASKING_VERBS } from '../words/verbs.js';
import { listUsedNames } from './statement-parts.js';
import { DETAIL_WORDS } from './measure-shown.js';

/** Returns features of the words, depending on whether they were taken as names. */
export function measureNames(candidate: Candidate, q: LinkedQuestion) {
  const touched = listUsedNames(candidate);
  const roots = namesByRootOf(q.lexicon);
  const methods = listMethods(candidate);
  let [verbTables, verbColumns, passedTables, inflected] = [0, 0, 0, 0];
  for (const [index, token] of q.tokens.entries()) {
    if (token.kind !== 'word') continue;
    if (
      token.lemma !== toSingular(token.lower) &&
      q.lexicon.shortForms.get(toSingular(token.lower)) !== token.lemma
    )
      inflected += 1;
    if (passesTable(q, index, touched)) passedTables += 1;
    if (!isVerb(token.lower) || token.isCapital || ASKING_VERBS.has(token.lower)) continue;
    const named = roots.get(toRoot(token.lower)) ?? [];
    // In `problems reported by staff`, the path uses the foreign key with that verb.
    if (named.some(({ column }) => column !== null && methods.has(column))) continue;
    if (named.some(({ table, column }) => (column === null ? touched.has(table) : touched.has(column))))
      continue;
    if (named.some(({ column }) => column === null)) verbTables += 1;
    // In `placed an order`, the verb only says that orders exist when they have a date or key with that name.
    if (
      named.some(
        ({ table, column }) =>
          column !== null &&
          touched.has(table) &&
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
    lostDetails: losesDetails(candidate, q, touched),
  };
}

/** Returns the columns of the foreign keys that a statement joins over. */
function listMethods({ assignment: { paths, columns, values } }: Candidate): ReadonlySet<Column> {
  const edges = [...paths, ...[...columns.values(), ...values.values()].map((bound) => bound.path)].flat();
  return new Set(
    edges.flatMap(({ from, to, fromColumns, toColumns }) => [
      ...from.columns.filter((column) => fromColumns.includes(column.name)),
      ...to.columns.filter((column) => toColumns.includes(column.name)),
    ]),
  );
}

interface Rooted {
  readonly table: Table;
  readonly column: Column | null;
}

/** Returns the tables and columns of a schema by the roots of their words. */
const namesByRootOf = memoizeByObject(
  ({ snapshot, tableWords, columnWords }: Lexicon): ReadonlyMap<string, readonly Rooted[]> => {
    const roots = new Map<string, Rooted[]>();
    const add = (word: string, entry: Rooted): void => {
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

/** The maximum cost at which a word counts as the table's name. */
const NEAR_COST = 0.3;

/**
 * Returns whether a word is the name of an unused table while the
 * statement only uses a column of that name in another table.
 */
function passesTable(q: LinkedQuestion, index: number, touched: ReadonlySet<Column | Table>): boolean {
  const named = (q.tables[index] ?? []).flatMap((span) => span.links.filter((link) => link.cost < NEAR_COST));
  return named.length > 0 && !named.some((link) => touched.has(link.table));
}

/**
 * Returns whether the question asks for all details, as in
 * `all investor information`, and the statement shows only names.
 */
function losesDetails(
  { assignment, params }: Candidate,
  q: LinkedQuestion,
  touched: ReadonlySet<Column | Table>,
): number {
  if (assignment.draft.targets.some((target) => target.kind === 'everything')) return 0;
  const message = new Set(
    [...touched].flatMap((entry) => ('columns' in entry ? [] : (q.lexicon.columnWords.get(entry) ?? []))),
  );
  // `the role detail` may be a synonym of a shown column, such as the description.
  const read = new Set(
    [...assignment.columns.keys()].flatMap((ref) =>
      (q.columns[ref.position] ?? [])
        .filter(({ links }) => links === ref.links)
        .flatMap(({ from, to }) => Array.from({ length: to - from }, (_, step) => from + step)),
    ),
  );
  // In `Info. Systems`, the word is part of a compared text.
  const texts = params.flatMap((param) => (typeof param === 'string' ? [param.toLowerCase()] : []));
  return q.tokens.filter(
    (token, index) =>
      DETAIL_WORDS.has(token.lemma) &&
      !message.has(token.lemma) &&
      !read.has(index) &&
      !(token.isCapital && texts.some((text) => text.includes(token.lower))),
  ).length;
}

import type { Column, Table } from '@rowhouse/schema-model';
import type { Lexicon } from '../lexicon/build-lexicon.js';
import type { LinkedQuestion } from '../link/link-question.js';
import type { Candidate } from '../ranked-candidates.js';
import { isKey } from '../resolve/is-key.js';
import { toRoot, toSingular } from '../words/inflect.js';
import { isVerb } from '../words/verbs.js';
import { ASKING_VERBS } from './asking-verbs.js';
import { listTouched } from './list-touched.js';
import { DETAIL_WORDS } from './measure-shown.js';

/** What speaks against a statement in the words that it took for names, and in those that it did not. */
export function measureNames(candidate: Candidate, q: LinkedQuestion): Readonly<Record<string, number>> {
  const touched = listTouched(candidate);
  const roots = getRoots(q.lexicon);
  const ways = listWays(candidate);
  let [verbTables, verbColumns, passedTables, bent] = [0, 0, 0, 0];
  for (const [at, token] of q.tokens.entries()) {
    if (token.kind !== 'word') continue;
    if (token.lemma !== toSingular(token.lower) && q.lexicon.shortForms.get(toSingular(token.lower)) !== token.lemma) bent += 1;
    if (passesTable(q, at, touched)) passedTables += 1;
    if (!isVerb(token.lower) || token.isCapital || ASKING_VERBS.has(token.lower)) continue;
    const named = roots.get(toRoot(token.lower)) ?? [];
    // `problems reported by staff`: the key that says who it was is the way.
    if (named.some(({ column }) => column !== null && ways.has(column))) continue;
    if (named.some(({ table, column }) => (column === null ? touched.has(table) : touched.has(column)))) continue;
    if (named.some(({ column }) => column === null)) verbTables += 1;
    // `placed an order`, where orders have the day that they were placed on, or the key of who did it: the verb says no more than that there are some.
    if (named.some(({ table, column }) => column !== null && touched.has(table) && !isKey(table, column) && !q.lexicon.dateColumns.some((link) => link.column === column))) verbColumns += 1;
  }
  const [first] = q.tokens;
  const [target] = candidate.assignment.draft.targets;
  const isWho = first?.lower === 'who' && target?.kind === 'rows' && candidate.assignment.draft.mentions[target.mention]?.links === q.lexicon.people;
  return { verbTables, verbColumns, passedTables, bent, whoGuessed: isWho ? q.lexicon.people.length - 1 : 0, lostDetails: losesDetails(candidate, q, touched) };
}

/** Columns of the keys that a statement goes along. */
function listWays({ assignment: { paths, columns, values } }: Candidate): ReadonlySet<Column> {
  const edges = [...paths, ...[...columns.values(), ...values.values()].map((bound) => bound.path)].flat();
  return new Set(edges.flatMap(({ from, to, fromColumns, toColumns }) => [...from.columns.filter((column) => fromColumns.includes(column.name)), ...to.columns.filter((column) => toColumns.includes(column.name))]));
}

interface Rooted { readonly table: Table; readonly column: Column | null }

const known = new WeakMap<Lexicon, ReadonlyMap<string, readonly Rooted[]>>();

/** Names of the schema by the roots of their words. */
function getRoots(lexicon: Lexicon): ReadonlyMap<string, readonly Rooted[]> {
  const found = known.get(lexicon) ?? listRoots(lexicon);
  known.set(lexicon, found);
  return found;
}

function listRoots({ snapshot, tableWords, columnWords }: Lexicon): ReadonlyMap<string, readonly Rooted[]> {
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
    for (const column of table.columns) for (const word of columnWords.get(column) ?? []) if (!own.includes(word)) add(word, { table, column });
  }
  return roots;
}

/** Up to here a word is the table's name. */
const NEAR_COST = 0.3;

/** A word that is a table's name, though the statement only has a column of another table that is called so. */
function passesTable(q: LinkedQuestion, at: number, touched: ReadonlySet<Column | Table>): boolean {
  const named = (q.tables[at] ?? []).flatMap((span) => span.links.filter((link) => link.cost < NEAR_COST));
  return named.length > 0 && !named.some((link) => touched.has(link.table));
}

/** `all investor information`, and only their names are shown. */
function losesDetails({ assignment, params }: Candidate, q: LinkedQuestion, touched: ReadonlySet<Column | Table>): number {
  if (assignment.draft.targets.some((target) => target.kind === 'everything')) return 0;
  const said = new Set([...touched].flatMap((entry) => ('columns' in entry ? [] : q.lexicon.columnWords.get(entry) ?? [])));
  // `the role detail`, where it is read as the description: another word for a column that is shown.
  const read = new Set([...assignment.columns.keys()].flatMap((ref) => (q.columns[ref.at] ?? []).filter(({ links }) => links === ref.links).flatMap(({ from, to }) => Array.from({ length: to - from }, (_, step) => from + step))));
  // `Info. Systems`: a part of a text that rows are looked for by.
  const texts = params.flatMap((param) => (typeof param === 'string' ? [param.toLowerCase()] : []));
  return q.tokens.filter((token, at) => DETAIL_WORDS.has(token.lemma) && !said.has(token.lemma) && !read.has(at) && !(token.isCapital && texts.some((text) => text.includes(token.lower)))).length;
}

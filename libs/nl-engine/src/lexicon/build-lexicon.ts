import { type Column, doSteps, type Snapshot, type Steps, type Table } from '@rowhouse/schema-model';
import { findLabel } from '../resolve/find-label.js';
import { isCalendar, isNumeric } from '../resolve/fits-literal.js';
import { buildGraphSteps } from '../resolve/table-graph.js';
import type { ColumnLink, TableLink } from '../types.js';
import { toRoot, toSingular } from '../words/inflect.js';
import { groupByColumn, indexValues } from './index-values.js';
import type { Lexicon, LexiconInput, Synonym } from './lexicon.js';
import { listAmounts } from './list-amounts.js';
import { listBeginnings } from './list-beginnings.js';
import { listFirstNames } from './list-first-names.js';
import { listColumnPhrases, listTablePhrases, PART_COST, type Phrase, toPhraseKey } from './name-phrases.js';
import { push } from './push.js';
import { listShortForms, splitName } from './split-name.js';
import { createPace, type YieldCheck } from './yield-check.js';

/** The work of splitting a name, relative to a phrase with work 1. */
const NAME_WORK = 5;

/**
 * The maximum number of partial names in a schema. Further columns are only found by their whole names.
 */
const PARTS_MAX = 150_000;

/** Builds a lexicon at once. See `buildLexiconSteps` for a version that yields. */
export function buildLexicon(input: LexiconInput): Lexicon {
  return doSteps(buildLexiconSteps(input));
}

/** Builds a lexicon in steps of about a millisecond, since hundreds of tables take seconds. */
export function* buildLexiconSteps({ snapshot, values, synonyms }: LexiconInput): Steps<Lexicon> {
  const shouldYield = createPace();
  const known = yield* collectKnownWords(snapshot, shouldYield);
  const { tableWords, columnWords } = yield* splitNames(snapshot, known, shouldYield);
  const { columns, tables, words } = yield* listPhrases(snapshot, tableWords, columnWords, shouldYield);
  addSynonyms(snapshot, synonyms, tables, columns);
  const index = yield* indexValues(snapshot, values, shouldYield);
  const shortForms = yield* listAllShortForms(snapshot, known, shouldYield);
  const people = yield* listPeople(tableWords, shouldYield);
  const beginnings = yield* listBeginnings(snapshot, tableWords, columnWords, shouldYield);
  const amounts = yield* listAmounts(snapshot, columnWords, shouldYield);
  const graph = yield* buildGraphSteps(snapshot, shouldYield);
  return {
    snapshot,
    graph,
    columns: yield* retainBest(columns, shouldYield),
    tables: yield* retainBest(tables, shouldYield),
    values: index,
    valuesOf: yield* groupByColumn(index, shouldYield),
    dateColumns: yield* listDateColumns(snapshot, beginnings, shouldYield),
    beginnings,
    amounts,
    shortForms,
    acts: listActs(tableWords),
    people,
    firstNames: yield* listFirstNames(people, values, shouldYield),
    tableWords,
    columnWords,
    words,
    near: new Map(),
  };
}

function* splitNames(
  snapshot: Snapshot,
  known: ReadonlySet<string>,
  shouldYield: YieldCheck,
): Steps<Pick<Lexicon, 'tableWords' | 'columnWords'>> {
  const tableWords = new Map<Table, readonly string[]>();
  const columnWords = new Map<Column, readonly string[]>();
  for (const table of snapshot.tables) {
    tableWords.set(table, splitName(table.name, known));
    for (const column of table.columns) {
      columnWords.set(column, splitName(column.name, known));
      if (shouldYield(NAME_WORK)) yield;
    }
  }
  return { tableWords, columnWords };
}

interface Phrases {
  readonly columns: Map<string, ColumnLink[]>;
  readonly tables: Map<string, TableLink[]>;
  readonly words: ReadonlySet<string>;
}

function* listPhrases(
  snapshot: Snapshot,
  tableWords: Lexicon['tableWords'],
  columnWords: Lexicon['columnWords'],
  shouldYield: YieldCheck,
): Steps<Phrases> {
  const columns = new Map<string, ColumnLink[]>();
  const tables = new Map<string, TableLink[]>();
  const words = new Set<string>();
  const sharers = yield* listSharers(tableWords, shouldYield);
  const budget = { parts: PARTS_MAX };
  for (const table of snapshot.tables) {
    const own = tableWords.get(table) ?? [];
    own.forEach((word) => words.add(word));
    for (const phrase of listTablePhrases(own, table.foreignKeys.length > 1))
      push(tables, toPhraseKey(phrase.words), {
        table,
        cost:
          phrase.cost -
          (phrase.hasHead === true && sharers.get(toPhraseKey(phrase.words))?.size === 1
            ? LONE_PART_GAIN
            : 0),
      });
    columnWordsOf(table, columnWords)
      .flat()
      .forEach((word) => words.add(word));
    for (const column of table.columns) addRunTogether(columns, words, table, column);
    const [first, last] = findLabel(table);
    if (first !== undefined && last !== undefined)
      push(columns, toPhraseKey(['full', 'name']), { table, column: first, cost: 0 });
    yield* addColumns(columns, table, columnWordsOf(table, columnWords), own, budget, shouldYield);
  }
  return { columns, tables, words };
}

/** Returns the tables by each phrase that may refer to them. */
function* listSharers(
  tableWords: Lexicon['tableWords'],
  shouldYield: YieldCheck,
): Steps<ReadonlyMap<string, ReadonlySet<Table>>> {
  const sharers = new Map<string, Set<Table>>();
  for (const [table, words] of tableWords) {
    for (const phrase of listTablePhrases(words, table.foreignKeys.length > 1)) {
      const key = toPhraseKey(phrase.words);
      sharers.set(key, (sharers.get(key) ?? new Set()).add(table));
    }
    if (shouldYield(NAME_WORK)) yield;
  }
  return sharers;
}

function columnWordsOf(
  table: Table,
  columnWords: ReadonlyMap<Column, readonly string[]>,
): (readonly string[])[] {
  return table.columns.map((column) => columnWords.get(column) ?? []);
}

/** Also accepts a name as one word, such as `username`, when the name was split. */
function addRunTogether(
  columns: Map<string, ColumnLink[]>,
  words: Set<string>,
  table: Table,
  column: Column,
): void {
  const whole = toSingular(column.name.toLowerCase());
  if (!/^\p{L}{5,}$/u.test(whole)) return;
  words.add(whole);
  push(columns, whole, { table, column, cost: 0 });
}

/**
 * The first is the discount for a partial name if no other column of the table shares it.
 * The second is the extra cost when that part lacks the last word of the name.
 */
const [LONE_PART_GAIN, HEADLESS_COST] = [0.6, 0.15];

function* addColumns(
  columns: Map<string, ColumnLink[]>,
  table: Table,
  named: readonly (readonly string[])[],
  tableWords: readonly string[],
  budget: { parts: number },
  shouldYield: YieldCheck,
): Steps<void> {
  const own: { readonly column: Column; readonly phrases: readonly (Phrase & { readonly key: string })[] }[] =
    [];
  for (const [index, column] of table.columns.entries()) {
    const phrases = listColumnPhrases(named[index] ?? [], tableWords, budget.parts > 0).map((phrase) => ({
      ...phrase,
      key: toPhraseKey(phrase.words),
    }));
    own.push({ column, phrases });
    if (shouldYield(phrases.length)) yield;
  }
  const sharers = new Map<string, Set<Column>>();
  for (const { column, phrases } of own)
    for (const { key } of phrases) sharers.set(key, (sharers.get(key) ?? new Set()).add(column));
  for (const { column, phrases } of own) {
    for (const { key, words, cost, hasHead } of phrases) {
      if (cost < PART_COST) push(columns, key, { table, column, cost });
      else {
        budget.parts -= 1;
        const isKeyless = hasHead !== true && /id$/i.test(column.name);
        const isLone =
          cost < 1.5 &&
          !isKeyless &&
          sharers.get(key)?.size === 1 &&
          !words.every((word) => tableWords.includes(word));
        push(columns, key, {
          table,
          column,
          cost: cost - (isLone ? LONE_PART_GAIN : 0) + (isLone && hasHead !== true ? HEADLESS_COST : 0),
          isPart: true,
        });
      }
    }
    if (shouldYield(phrases.length)) yield;
  }
}

/** Collects whole words from names with separators. They help to split names without separators. */
function* collectKnownWords(snapshot: Snapshot, shouldYield: YieldCheck): Steps<ReadonlySet<string>> {
  const none: ReadonlySet<string> = new Set();
  const tables: string[] = [];
  const others: string[] = [];
  for (const table of snapshot.tables) {
    tables.push(...splitName(table.name, none));
    for (const name of [table.name, ...table.columns.map((column) => column.name)]) {
      const split = splitName(name, none);
      if (split.length > 1) others.push(...split);
      if (shouldYield(NAME_WORK)) yield;
    }
  }
  const known = new Set<string>();
  for (const word of [...tables, ...others]) if (word.length > 2) known.add(word);
  return known;
}

function* listAllShortForms(
  snapshot: Snapshot,
  known: ReadonlySet<string>,
  shouldYield: YieldCheck,
): Steps<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const table of snapshot.tables) {
    for (const name of [table.name, ...table.columns.map((column) => column.name)]) {
      for (const [short, long] of listShortForms(name, known)) found.set(short, long);
      if (shouldYield(NAME_WORK)) yield;
    }
  }
  return found;
}

function listActs(
  tableWords: ReadonlyMap<Table, readonly string[]>,
): ReadonlyMap<string, readonly TableLink[]> {
  const acts = new Map<string, TableLink[]>();
  for (const [table, words] of tableWords)
    if (words.length === 1) push(acts, toRoot(words[0] ?? ''), { table, cost: 0.25 });
  return acts;
}

const PEOPLE = [
  'user',
  'person',
  'employee',
  'customer',
  'student',
  'member',
  'author',
  'client',
  'staff',
  'player',
  'teacher',
  'professor',
  'artist',
  'driver',
  'patient',
  'doctor',
  'physician',
  'guest',
  'reviewer',
  'scientist',
  'instructor',
  'singer',
  'pilot',
  'actor',
  'candidate',
  'visitor',
  'account',
];

/** The cost of taking the rows of a table for people because it has a first and a last name. */
const NAMED_PEOPLE_COST = 0.8;

function* listPeople(tableWords: Lexicon['tableWords'], shouldYield: YieldCheck): Steps<TableLink[]> {
  const people: TableLink[] = [];
  for (const [table, words] of tableWords) {
    const position = PEOPLE.indexOf(words.at(-1) ?? '');
    if (position >= 0) people.push({ table, cost: 0.1 + 0.02 * position });
    else if (findLabel(table).length === 2) people.push({ table, cost: NAMED_PEOPLE_COST });
    if (shouldYield(NAME_WORK)) yield;
  }
  return people;
}

/** The extra cost of another time column when the creation time of the rows is known. */
const LATER_COST = 0.6;

function* listDateColumns(
  snapshot: Snapshot,
  beginnings: readonly ColumnLink[],
  shouldYield: YieldCheck,
): Steps<ColumnLink[]> {
  const isDate = (column: Column): boolean =>
    isCalendar(column) ||
    column.valueKind === 'year' ||
    (isNumeric(column) &&
      /year|^(?:born|died|founded|established|built)$/i.test(column.name) &&
      !/num|count|id$|experience|work/i.test(column.name));
  const begins = new Set(beginnings.map(({ column }) => column));
  const started = new Set(beginnings.map(({ table }) => table));
  const found: ColumnLink[] = [];
  for (const table of snapshot.tables) {
    for (const column of table.columns) {
      if (isDate(column))
        found.push({
          table,
          column,
          cost: begins.has(column)
            ? Math.min(costOfDate(column), BEGINNING_COST)
            : started.has(table) && isCalendar(column)
              ? Math.max(costOfDate(column), LATER_COST)
              : costOfDate(column),
        });
    }
    if (shouldYield(table.columns.length)) yield;
  }
  return found;
}

const BEGINNING_COST = 0.15;

/** Returns the extra cost of a date column. A date without a name most likely means a creation date. */
function costOfDate({ name }: Column): number {
  if (
    /creat|^date$|^year$|_date$|_at$|^time$|date_of|added|placed|posted|ordered/i.test(name) &&
    !/updat|modif|delet|birth|expir|end|due/i.test(name)
  )
    return /creat|^date$|^year$/i.test(name) ? 0 : 0.15;
  return /updat|modif|delet|birth|expir/i.test(name) ? 0.7 : 0.3;
}

function addSynonyms(
  snapshot: Snapshot,
  synonyms: readonly Synonym[],
  tables: Map<string, TableLink[]>,
  columns: Map<string, ColumnLink[]>,
): void {
  for (const synonym of synonyms) {
    const table = snapshot.tables.find((entry) => entry.name === synonym.table);
    const key = toPhraseKey(splitName(synonym.phrase, new Set()));
    if (table === undefined || key === '') continue;
    const column = table.columns.find((entry) => entry.name === synonym.column);
    if (synonym.column === null) push(tables, key, { table, cost: 0 });
    else if (column !== undefined) push(columns, key, { table, column, cost: 0 });
  }
}

/** Keeps the cheapest link for each table or column under the same key. */
function* retainBest<T extends { readonly table: Table; readonly cost: number; readonly column?: Column }>(
  map: Map<string, T[]>,
  shouldYield: YieldCheck,
): Steps<Map<string, T[]>> {
  for (const [key, list] of map) {
    const best = new Map<Table | Column, T>();
    for (const link of list) {
      const target = link.column ?? link.table;
      const known = best.get(target);
      if (known === undefined || link.cost < known.cost) best.set(target, link);
    }
    map.set(
      key,
      [...best.values()].sort((a, b) => a.cost - b.cost),
    );
    if (shouldYield(list.length)) yield;
  }
  return map;
}

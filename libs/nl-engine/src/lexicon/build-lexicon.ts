import { type Column, doSteps, type Snapshot, type Steps, type Table } from '@rowhouse/schema-model';
import { findLabel } from '../resolve/find-label.js';
import { buildGraphSteps } from '../resolve/table-graph.js';
import type { ColumnLink, TableLink } from '../types.js';
import { toRoot, toSingular } from '../words/inflect.js';
import { groupByColumn, indexValues } from './index-values.js';
import type { Lexicon, LexiconInput, Synonym } from './lexicon.js';
import { pushTo } from './multimap.js';
import { listColumnPhrases, listTablePhrases, PART_COST, type Phrase, toPhraseKey } from './name-phrases.js';
import { listFirstNames, listPeople } from './people.js';
import { listAmounts, listCreationTimes, listDateColumns } from './special-columns.js';
import { listShortForms, splitName } from './split-name.js';
import { createYieldCheck, NAME_WORK, type YieldCheck } from './yield-check.js';

/**
 * The maximum number of parts of column names in a lexicon. If there are more, the remaining columns are
 * found only by their complete names.
 */
const PARTS_MAX = 150_000;

/** Builds a lexicon without pauses. `buildLexiconSteps` builds it with pauses. */
export function buildLexicon(input: LexiconInput): Lexicon {
  return doSteps(buildLexiconSteps(input));
}

/**
 * Builds a lexicon in steps of about a millisecond each. For hundreds of tables, this takes seconds in total.
 */
export function* buildLexiconSteps({ snapshot, values, synonyms }: LexiconInput): Steps<Lexicon> {
  const shouldYield = createYieldCheck();
  const known = yield* collectKnownWords(snapshot, shouldYield);
  const { tableWords, columnWords } = yield* splitNames(snapshot, known, shouldYield);
  const { columns, tables, words } = yield* listPhrases(snapshot, tableWords, columnWords, shouldYield);
  addSynonyms(snapshot, synonyms, tables, columns);
  const index = yield* indexValues(snapshot, values, shouldYield);
  const shortForms = yield* listAllShortForms(snapshot, known, shouldYield);
  const people = yield* listPeople(tableWords, shouldYield);
  const creationTimes = yield* listCreationTimes(snapshot, tableWords, columnWords, shouldYield);
  const amounts = yield* listAmounts(snapshot, columnWords, shouldYield);
  const graph = yield* buildGraphSteps(snapshot, shouldYield);
  return {
    snapshot,
    graph,
    columns: yield* retainBest(columns, shouldYield),
    tables: yield* retainBest(tables, shouldYield),
    values: index,
    valuesOf: yield* groupByColumn(index, shouldYield),
    dateColumns: yield* listDateColumns(snapshot, creationTimes, shouldYield),
    creationTimes,
    amounts,
    shortForms,
    tablesByVerbRoot: listVerbTables(tableWords),
    people,
    firstNames: yield* listFirstNames(people, values, shouldYield),
    tableWords,
    columnWords,
    words,
    corrections: new Map(),
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
  const sharers = yield* listTablesByPhrase(tableWords, shouldYield);
  const budget = { parts: PARTS_MAX };
  for (const table of snapshot.tables) {
    const own = tableWords.get(table) ?? [];
    own.forEach((word) => words.add(word));
    for (const phrase of listTablePhrases(own, table.foreignKeys.length > 1))
      pushTo(tables, toPhraseKey(phrase.words), {
        table,
        cost:
          phrase.cost -
          (phrase.hasHead === true && sharers.get(toPhraseKey(phrase.words))?.size === 1
            ? UNIQUE_PART_GAIN
            : 0),
      });
    columnWordsOf(table, columnWords)
      .flat()
      .forEach((word) => words.add(word));
    for (const column of table.columns) addUnsplitName(columns, words, table, column);
    const [first, last] = findLabel(table);
    if (first !== undefined && last !== undefined)
      pushTo(columns, toPhraseKey(['full', 'name']), { table, column: first, cost: 0 });
    yield* addColumns(columns, table, columnWordsOf(table, columnWords), own, budget, shouldYield);
  }
  return { columns, tables, words };
}

/** Maps each phrase to the tables to which it may refer. */
function* listTablesByPhrase(
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

/** Adds the name of a column to the index without splitting it into words, such as `username`. */
function addUnsplitName(
  columns: Map<string, ColumnLink[]>,
  words: Set<string>,
  table: Table,
  column: Column,
): void {
  const whole = toSingular(column.name.toLowerCase());
  if (!/^\p{L}{5,}$/u.test(whole)) return;
  words.add(whole);
  pushTo(columns, whole, { table, column, cost: 0 });
}

/**
 * The reduction in cost if only one column of a table contains this part of a name, and the additional cost
 * if this part does not include the last word of the name.
 */
const [UNIQUE_PART_GAIN, WITHOUT_LAST_WORD_COST] = [0.6, 0.15];

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
      if (cost < PART_COST) pushTo(columns, key, { table, column, cost });
      else {
        budget.parts -= 1;
        const isKeyless = hasHead !== true && /id$/i.test(column.name);
        const isUnique =
          cost < 1.5 &&
          !isKeyless &&
          sharers.get(key)?.size === 1 &&
          !words.every((word) => tableWords.includes(word));
        pushTo(columns, key, {
          table,
          column,
          cost:
            cost -
            (isUnique ? UNIQUE_PART_GAIN : 0) +
            (isUnique && hasHead !== true ? WITHOUT_LAST_WORD_COST : 0),
          isPart: true,
        });
      }
    }
    if (shouldYield(phrases.length)) yield;
  }
}

/**
 * Collects the words in names with separators, such as `club_name`. They help to split names without
 * separators, such as `clubname`.
 */
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

function listVerbTables(
  tableWords: ReadonlyMap<Table, readonly string[]>,
): ReadonlyMap<string, readonly TableLink[]> {
  const tablesByVerbRoot = new Map<string, TableLink[]>();
  for (const [table, words] of tableWords)
    if (words.length === 1) pushTo(tablesByVerbRoot, toRoot(words[0] ?? ''), { table, cost: 0.25 });
  return tablesByVerbRoot;
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
    if (synonym.column === null) pushTo(tables, key, { table, cost: 0 });
    else if (column !== undefined) pushTo(columns, key, { table, column, cost: 0 });
  }
}

/**
 * For each key, keeps only the link with the lowest cost to each table or column, and sorts the links by
 * cost.
 */
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

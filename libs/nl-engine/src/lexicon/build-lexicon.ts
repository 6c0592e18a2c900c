import type { Column, Snapshot, Table } from '@rowhouse/schema-model';
import { isCalendar, isNumeric } from '../resolve/fits-literal.js';
import type { ColumnLink, TableLink, ValueLink } from '../types.js';
import { findLabel } from '../resolve/find-label.js';
import { buildGraph, type TableGraph } from '../resolve/table-graph.js';
import { listColumnPhrases, listTablePhrases, PART_COST, toPhraseKey } from './name-phrases.js';
import { toRoot, toSingular } from '../words/inflect.js';
import { listAmounts } from './list-amounts.js';
import { listBeginnings } from './list-beginnings.js';
import { listFirstNames } from './list-first-names.js';
import { listShortForms, splitName } from './split-name.js';

/** Distinct values of one text column, as the worker collected them. */
export interface ColumnValues {
  readonly table: string;
  readonly column: string;
  readonly values: readonly string[];
}

/** A word of the project's own for a table, or for a column of it. */
export interface Synonym {
  readonly phrase: string;
  readonly table: string;
  readonly column: string | null;
}

export interface LexiconInput {
  readonly snapshot: Snapshot;
  readonly values: readonly ColumnValues[];
  readonly synonyms: readonly Synonym[];
}

/** Everything the linker looks words up in. Made once per snapshot and value index. */
export interface Lexicon {
  readonly snapshot: Snapshot;
  readonly graph: TableGraph;
  readonly columns: ReadonlyMap<string, readonly ColumnLink[]>;
  readonly tables: ReadonlyMap<string, readonly TableLink[]>;
  readonly values: ReadonlyMap<string, readonly ValueLink[]>;
  /** People by the first word of a name of several (`Ann Lee`), in lower case. */
  readonly firstNames: ReadonlyMap<string, readonly ValueLink[]>;
  /** Keys of all values of the columns that are indexed. */
  readonly valuesOf: ReadonlyMap<Column, ReadonlySet<string>>;
  /** Words of each table's name. */
  readonly tableWords: ReadonlyMap<Table, readonly string[]>;
  readonly columnWords: ReadonlyMap<Column, readonly string[]>;
  /** Tables by the root of their one word: `commented` finds `comments`. */
  readonly acts: ReadonlyMap<string, readonly TableLink[]>;
  /** Tables whose rows are people. */
  readonly people: readonly TableLink[];
  /** Columns that a bare year or date may be meant for. */
  readonly dateColumns: readonly ColumnLink[];
  /** Times at which rows came to be: what `newest` goes by. */
  readonly beginnings: readonly ColumnLink[];
  /** Of tables whose rows say how much there is of something: the column that holds it. */
  readonly amounts: ReadonlyMap<Table, Column>;
  /** Short forms that names have (`qty`), and the words that they stand for. */
  readonly shortForms: ReadonlyMap<string, string>;
  /** Words of questions that were looked for among the schema's: what they were taken for, or nothing. */
  readonly near: Map<string, string>;
  /** Every word that a name has; `null`-safe test for what the schema knows. */
  readonly words: ReadonlySet<string>;
}

const VALUE_WORDS_MAX = 8;
/** Of a schema: beyond so many, columns are called by their names alone. */
const PARTS_MAX = 150_000;

export function buildLexicon({ snapshot, values, synonyms }: LexiconInput): Lexicon {
  const known = collectKnownWords(snapshot);
  const tableWords = new Map(snapshot.tables.map((table) => [table, splitName(table.name, known)]));
  const columnWords = new Map(snapshot.tables.flatMap((table) => table.columns.map((column) => [column, splitName(column.name, known)] as const)));
  const columns = new Map<string, ColumnLink[]>();
  const tables = new Map<string, TableLink[]>();
  const words = new Set<string>();
  const sharers = listSharers(tableWords);
  const budget = { parts: PARTS_MAX };
  for (const table of snapshot.tables) {
    const own = tableWords.get(table) ?? [];
    own.forEach((word) => words.add(word));
    for (const phrase of listTablePhrases(own, table.foreignKeys.length > 1)) push(tables, toPhraseKey(phrase.words), { table, cost: phrase.cost - (phrase.hasHead === true && sharers.get(toPhraseKey(phrase.words))?.size === 1 ? LONE_PART_GAIN : 0) });
    columnWordsOf(table, columnWords).flat().forEach((word) => words.add(word));
    for (const column of table.columns) addRunTogether(columns, words, table, column);
    const [first, last] = findLabel(table);
    if (first !== undefined && last !== undefined) push(columns, toPhraseKey(['full', 'name']), { table, column: first, cost: 0 });
    addColumns(columns, table, columnWordsOf(table, columnWords), own, budget);
  }
  addSynonyms(snapshot, synonyms, tables, columns);
  const index = indexValues(snapshot, values);
  const shortForms = new Map(snapshot.tables.flatMap((table) => [table.name, ...table.columns.map((column) => column.name)]).flatMap((name) => listShortForms(name, known)));
  const people = listPeople(tableWords);
  const [beginnings, amounts] = [listBeginnings(snapshot, tableWords, columnWords), listAmounts(snapshot, columnWords)];
  return { snapshot, graph: buildGraph(snapshot), columns: keepBest(columns), tables: keepBest(tables), values: index, valuesOf: groupByColumn(index), dateColumns: listDateColumns(snapshot, beginnings), beginnings, amounts, shortForms, acts: listActs(tableWords), people, firstNames: listFirstNames(people, values), tableWords, columnWords, words, near: new Map() };
}

/** Tables by each phrase that may stand for them. */
function listSharers(tableWords: ReadonlyMap<Table, readonly string[]>): ReadonlyMap<string, ReadonlySet<Table>> {
  const sharers = new Map<string, Set<Table>>();
  for (const [table, words] of tableWords) for (const phrase of listTablePhrases(words, table.foreignKeys.length > 1)) {
    const key = toPhraseKey(phrase.words);
    sharers.set(key, (sharers.get(key) ?? new Set()).add(table));
  }
  return sharers;
}

function columnWordsOf(table: Table, columnWords: ReadonlyMap<Column, readonly string[]>): (readonly string[])[] {
  return table.columns.map((column) => columnWords.get(column) ?? []);
}

/** `username`: said as one word, though its name was taken apart. */
function addRunTogether(columns: Map<string, ColumnLink[]>, words: Set<string>, table: Table, column: Column): void {
  const whole = toSingular(column.name.toLowerCase());
  if (!/^\p{L}{5,}$/u.test(whole)) return;
  words.add(whole);
  push(columns, whole, { table, column, cost: 0 });
}

/** What a part of a name that no other column of its table shares is nearer by; without the last word it says less. */
const [LONE_PART_GAIN, HEADLESS_COST] = [0.6, 0.15];

function addColumns(columns: Map<string, ColumnLink[]>, table: Table, named: readonly (readonly string[])[], tableWords: readonly string[], budget: { parts: number }): void {
  const own = table.columns.map((column, at) => ({ column, phrases: listColumnPhrases(named[at] ?? [], tableWords, budget.parts > 0).map((phrase) => ({ ...phrase, key: toPhraseKey(phrase.words) })) }));
  const sharers = new Map<string, Set<Column>>();
  for (const { column, phrases } of own) for (const { key } of phrases) sharers.set(key, (sharers.get(key) ?? new Set()).add(column));
  for (const { column, phrases } of own) {
    for (const { key, words, cost, hasHead } of phrases) {
      if (cost < PART_COST) push(columns, key, { table, column, cost });
      else {
        budget.parts -= 1;
        const isKeyless = hasHead !== true && /id$/i.test(column.name);
        const isLone = cost < 1.5 && !isKeyless && sharers.get(key)?.size === 1 && !words.every((word) => tableWords.includes(word));
        push(columns, key, { table, column, cost: cost - (isLone ? LONE_PART_GAIN : 0) + (isLone && hasHead !== true ? HEADLESS_COST : 0), isPart: true });
      }
    }
  }
}

/** Whole words of names that have breaks, so that names without can be taken apart. */
function collectKnownWords(snapshot: Snapshot): ReadonlySet<string> {
  const none: ReadonlySet<string> = new Set();
  const names = snapshot.tables.flatMap((table) => [table.name, ...table.columns.map((column) => column.name)]);
  const tables = snapshot.tables.flatMap((table) => splitName(table.name, none));
  return new Set([...tables, ...names.flatMap((name) => { const split = splitName(name, none); return split.length > 1 ? split : []; })].filter((word) => word.length > 2));
}

function listActs(tableWords: ReadonlyMap<Table, readonly string[]>): ReadonlyMap<string, readonly TableLink[]> {
  const acts = new Map<string, TableLink[]>();
  for (const [table, words] of tableWords) if (words.length === 1) push(acts, toRoot(words[0] ?? ''), { table, cost: 0.25 });
  return acts;
}

const PEOPLE = ['user', 'person', 'employee', 'customer', 'student', 'member', 'author', 'client', 'staff', 'player', 'teacher', 'professor', 'artist', 'driver', 'patient', 'doctor', 'physician', 'guest', 'reviewer', 'scientist', 'instructor', 'singer', 'pilot', 'actor', 'candidate', 'visitor', 'account'];

/** Rows with a first and a last name are people, whatever they are called. */
const NAMED_PEOPLE_COST = 0.8;

function listPeople(tableWords: ReadonlyMap<Table, readonly string[]>): TableLink[] {
  return [...tableWords].flatMap(([table, words]) => {
    const place = PEOPLE.indexOf(words.at(-1) ?? '');
    if (place < 0) return findLabel(table).length === 2 ? [{ table, cost: NAMED_PEOPLE_COST }] : [];
    return [{ table, cost: 0.1 + 0.02 * place }];
  });
}

/** What another time of rows costs where it is known at which they came to be. */
const LATER_COST = 0.6;

function listDateColumns(snapshot: Snapshot, beginnings: readonly ColumnLink[]): ColumnLink[] {
  const isDate = (column: Column): boolean => isCalendar(column) || column.valueKind === 'year' || (isNumeric(column) && /year|^(?:born|died|founded|established|built)$/i.test(column.name) && !/num|count|id$|experience|work/i.test(column.name));
  return snapshot.tables.flatMap((table) => {
    const begins = beginnings.filter((link) => link.table === table).map(({ column }) => column);
    return table.columns.filter(isDate).map((column) => ({ table, column, cost: begins.includes(column) ? Math.min(costOfDate(column), BEGINNING_COST) : begins.length > 0 && isCalendar(column) ? Math.max(costOfDate(column), LATER_COST) : costOfDate(column) }));
  });
}

const BEGINNING_COST = 0.15;

/** Without a word about which, the day something came to be is meant. */
function costOfDate({ name }: Column): number {
  if (/creat|^date$|^year$|_date$|_at$|^time$|date_of|added|placed|posted|ordered/i.test(name) && !/updat|modif|delet|birth|expir|end|due/i.test(name)) return /creat|^date$|^year$/i.test(name) ? 0 : 0.15;
  return /updat|modif|delet|birth|expir/i.test(name) ? 0.7 : 0.3;
}

function addSynonyms(snapshot: Snapshot, synonyms: readonly Synonym[], tables: Map<string, TableLink[]>, columns: Map<string, ColumnLink[]>): void {
  for (const synonym of synonyms) {
    const table = snapshot.tables.find((entry) => entry.name === synonym.table);
    const key = toPhraseKey(splitName(synonym.phrase, new Set()));
    if (table === undefined || key === '') continue;
    const column = table.columns.find((entry) => entry.name === synonym.column);
    if (synonym.column === null) push(tables, key, { table, cost: 0 });
    else if (column !== undefined) push(columns, key, { table, column, cost: 0 });
  }
}

/** What people say for how a column of genders is filled. */
const GENDERS: Readonly<Record<string, readonly string[]>> = {
  m: ['male', 'man', 'boy', 'men'], f: ['female', 'woman', 'girl', 'women'], male: ['m', 'man', 'boy', 'men'], female: ['f', 'woman', 'girl', 'women'],
};

function indexValues(snapshot: Snapshot, values: readonly ColumnValues[]): ReadonlyMap<string, readonly ValueLink[]> {
  const index = new Map<string, ValueLink[]>();
  const byName = new Map(snapshot.tables.map((table) => [table.name, table]));
  const add = (table: Table, column: Column, value: string): void => {
    const key = toValueKey(value);
    if (key !== '' && key.split(' ').length <= VALUE_WORDS_MAX) push(index, key, { table, column, value, cost: 0 });
  };
  const addAll = (table: Table, column: Column, value: string): void => {
    add(table, column, value);
    if (/(?:sex|gender)$/i.test(column.name)) for (const word of GENDERS[value.toLowerCase().trim()] ?? []) push(index, word, { table, column, value, cost: 0.05 });
  };
  for (const table of snapshot.tables) {
    for (const column of table.columns) for (const label of column.labels ?? []) addAll(table, column, label);
  }
  for (const entry of values) {
    const table = byName.get(entry.table);
    const column = table?.columns.find((one) => one.name === entry.column);
    if (table !== undefined && column !== undefined && column.labels === null) for (const value of entry.values) addAll(table, column, value);
  }
  return index;
}

function groupByColumn(index: ReadonlyMap<string, readonly ValueLink[]>): ReadonlyMap<Column, ReadonlySet<string>> {
  const found = new Map<Column, Set<string>>();
  for (const [key, links] of index) {
    for (const { column } of links) {
      const known = found.get(column);
      if (known === undefined) found.set(column, new Set([key]));
      else known.add(key);
    }
  }
  return found;
}

/** How a value is looked up: lower case, marks between words do not count. */
export function toValueKey(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}%+#&]+/gu, ' ').trim();
}

function push<T>(map: Map<string, T[]>, key: string, entry: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [entry]);
  else list.push(entry);
}

/** Of several phrases that make one key for the same thing, the closest. */
function keepBest<T extends { readonly table: Table; readonly cost: number; readonly column?: Column }>(map: Map<string, T[]>): Map<string, T[]> {
  for (const [key, list] of map) {
    const best = new Map<Table | Column, T>();
    for (const link of list) {
      const target = link.column ?? link.table;
      const known = best.get(target);
      if (known === undefined || link.cost < known.cost) best.set(target, link);
    }
    map.set(key, [...best.values()].sort((a, b) => a.cost - b.cost));
  }
  return map;
}

import type { Table } from '@rowhouse/schema-model';
import { estimateTokens, renderTable } from './render-table.js';

export interface ChosenTables {
  /** The description of the chosen tables, in the order of the schema. */
  readonly text: string;
  readonly names: readonly string[];
  /** Whether the text contains all tables with all columns. */
  readonly isComplete: boolean;
}

const COLUMNS_MAX = 60;
const SEEDS_MAX = 8;

/**
 * Selects the tables for the prompt. If not all of them fit, it selects the tables that the question
 * mentions, the tables that connect these, and tables related to them by foreign keys.
 *
 * @param holders tables whose rows contain a value of the question
 */
export function chooseTables(
  tables: readonly Table[],
  question: string,
  tokensMax: number,
  holders: ReadonlySet<string> = new Set(),
): ChosenTables {
  const words = new Set(foldWords(question));
  const whole = tables.map((table) => renderTable(table, { columnsMax: Number.POSITIVE_INFINITY, words }));
  const text = whole.join('\n\n');
  if (estimateTokens(text) <= tokensMax)
    return { text, names: tables.map((table) => table.name), isComplete: true };
  const rendered = new Map(
    tables.map((table) => [table.name, renderTable(table, { columnsMax: COLUMNS_MAX, words })]),
  );
  const chosen = new Set<string>();
  let tokens = 0;
  for (const name of orderTables(tables, words, holders)) {
    const cost = estimateTokens(rendered.get(name) ?? '') + 1;
    if (tokens + cost > tokensMax) continue;
    tokens += cost;
    chosen.add(name);
  }
  const names = tables.map((table) => table.name).filter((name) => chosen.has(name));
  return { text: names.map((name) => rendered.get(name) ?? '').join('\n\n'), names, isComplete: false };
}

/** Returns all tables, with the most relevant first. */
function orderTables(
  tables: readonly Table[],
  words: ReadonlySet<string>,
  holders: ReadonlySet<string>,
): string[] {
  const scores = new Map(
    tables.map((table) => [table.name, scoreTable(table, words) + (holders.has(table.name) ? 3 : 0)]),
  );
  const score = (name: string): number => scores.get(name) ?? 0;
  const ranked = tables.map((table) => table.name).sort((a, b) => score(b) - score(a));
  const near = listNeighbours(tables);
  const seeds = ranked.filter((name) => score(name) > 0).slice(0, SEEDS_MAX);
  const order = new Set<string>();
  for (const [index, seed] of seeds.entries()) {
    order.add(seed);
    // Two tables can only be joined with the tables between them.
    for (const other of seeds.slice(0, index))
      for (const name of findShortestPath(near, seed, other)) order.add(name);
  }
  for (const seed of seeds)
    for (const name of [...(near.get(seed) ?? [])].sort((a, b) => score(b) - score(a))) order.add(name);
  // If the question mentions no table, tables with many relationships come first.
  for (const name of ranked.sort(
    (a, b) => score(b) - score(a) || (near.get(b)?.size ?? 0) - (near.get(a)?.size ?? 0),
  ))
    order.add(name);
  return [...order];
}

function scoreTable(table: Table, words: ReadonlySet<string>): number {
  const count = (text: string): number => new Set(foldWords(text).filter((word) => words.has(word))).size;
  const name = foldWords(table.name);
  const named = count(table.name);
  // A question that contains the complete name of a table ranks it higher than one that contains a part.
  const whole = named > 0 && name.every((word) => words.has(word)) ? 4 : 0;
  const columns = table.columns.reduce(
    (sum, column) =>
      sum +
      Math.min(1, count(column.name)) +
      0.5 * Math.min(1, count(column.comment)) +
      Math.min(2, (column.labels ?? []).filter((label) => count(label) > 0).length),
    0,
  );
  return 3 * named + whole + Math.min(4, columns) + 0.5 * count(table.comment);
}

function listNeighbours(tables: readonly Table[]): ReadonlyMap<string, ReadonlySet<string>> {
  const near = new Map(tables.map((table) => [table.name, new Set<string>()]));
  for (const table of tables) {
    for (const { referencedTable } of table.foreignKeys) {
      if (!near.has(referencedTable) || referencedTable === table.name) continue;
      near.get(table.name)?.add(referencedTable);
      near.get(referencedTable)?.add(table.name);
    }
  }
  return near;
}

const WAY_TABLES_MAX = 4;

/**
 * Returns the tables on the shortest path between two tables, without these two. Returns an empty list if no
 * path exists, or if it is too long.
 */
function findShortestPath(
  near: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): string[] {
  const before = new Map<string, string | null>([[from, null]]);
  let edge = [from];
  for (let length = 0; length <= WAY_TABLES_MAX && edge.length > 0 && !before.has(to); length += 1) {
    const next: string[] = [];
    for (const at of edge) {
      for (const name of near.get(at) ?? []) {
        if (before.has(name)) continue;
        before.set(name, at);
        next.push(name);
      }
    }
    edge = next;
  }
  const method: string[] = [];
  for (let at = before.get(to) ?? null; at !== null && at !== from; at = before.get(at) ?? null)
    method.push(at);
  return method;
}

/**
 * Returns the words of a name or sentence in lower case and without plural endings, so that names in a
 * question can be recognized.
 */
export function foldWords(text: string): string[] {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 || /\p{N}/u.test(word))
    .map(toSingular);
}

function toSingular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

import type { Snapshot, Steps, Table } from '@rowhouse/schema-model';
import type { YieldCheck } from '../lexicon/yield-check.js';
import { pushTo } from '../lexicon/multimap.js';

/**
 * A join from one table to another, by a foreign key. If no foreign key is declared, it is a join by matching
 * column names.
 */
export interface Edge {
  readonly from: Table;
  readonly to: Table;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
  /** Whether each row of `from` has at most one row of `to`. */
  readonly isToOne: boolean;
  readonly isDeclared: boolean;
}

export interface TableGraph {
  /** The joins that begin at each table. */
  readonly edges: ReadonlyMap<Table, readonly Edge[]>;
  /**
   * Returns up to six join paths, with the shortest first. If the tables are the same, the only path is
   * empty. Returns an empty list if every path has more than four joins, or if the budget is exceeded.
   */
  findPaths(from: Table, to: Table, budget: PathBudget): readonly (readonly Edge[])[];
}

/** Limits the work for all searches for join paths in one question. */
export class PathBudget {
  #joins = JOINS_MAX;

  /** Whether the limit was exceeded. Paths are then missing, so the result is not reliable. */
  get isSpent(): boolean {
    return this.#joins < 0;
  }

  /** The number of joins that may still be visited. Negative after the limit was exceeded. */
  get left(): number {
    return this.#joins;
  }

  spend(joins: number): void {
    this.#joins -= joins;
  }
}

const PATH_LENGTH_MAX = 4;
const PATHS_MAX = 6;
/**
 * The maximum number of joins that the searches for one question visit, which takes about 0.1 seconds.
 * Without this limit, hundreds of tables that refer to each other would take minutes.
 */
const JOINS_MAX = 1_000_000;
/**
 * The work for scanning all tables once, or for checking one table as a candidate. Scanning one column is one
 * unit of work.
 */
const CANDIDATE_WORK = 60;

/** Adds a join between two tables by these columns, in both directions. */
type AddEdges = (
  from: Table,
  fromColumns: readonly string[],
  to: Table,
  toColumns: readonly string[],
  isDeclared: boolean,
) => void;

/** Builds the graph in steps. Each step processes a few tables. */
export function* buildGraphSteps(snapshot: Snapshot, shouldYield: YieldCheck): Steps<TableGraph> {
  const edges = new Map<Table, Edge[]>(snapshot.tables.map((table) => [table, []]));
  const byName = new Map(snapshot.tables.map((table) => [table.name, table]));
  const add: AddEdges = (from, fromColumns, to, toColumns, isDeclared) => {
    edges.get(from)?.push({ from, to, fromColumns, toColumns, isToOne: true, isDeclared });
    edges.get(to)?.push({
      from: to,
      to: from,
      fromColumns: toColumns,
      toColumns: fromColumns,
      isToOne: isUniqueOn(from, fromColumns),
      isDeclared,
    });
  };
  for (const table of snapshot.tables) {
    for (const key of table.foreignKeys) {
      const target = byName.get(key.referencedTable);
      if (target !== undefined) add(table, key.columns, target, key.referencedColumns, true);
    }
    if (shouldYield(1 + table.foreignKeys.length)) yield;
  }
  yield* guessEdges(snapshot, edges, add, shouldYield);
  const cachedPaths = new Map(snapshot.tables.map((table) => [table, new Map<Table, SearchResult>()]));
  const cachedDistances = new Map<Table, Distances>();

  function search(from: Table, to: Table): SearchResult {
    const start = cachedDistances.get(from) ?? measureDistances(edges, from);
    cachedDistances.set(from, start);
    const count = { edges: start.edges };
    const shortest = start.distances.get(to);
    return {
      paths:
        shortest === undefined
          ? []
          : searchPaths(edges, from, to, listDistances(edges, to, shortest, count), count),
      edges: count.edges,
    };
  }

  return {
    edges,
    findPaths(from, to, budget) {
      if (from === to) return EMPTY_PATH;
      if (budget.isSpent) return NO_PATHS;
      const found = cachedPaths.get(from)?.get(to) ?? search(from, to);
      cachedPaths.get(from)?.set(to, found);
      // Cached distances and paths also use the budget. The result for a question therefore does not depend on
      // earlier questions.
      budget.spend(found.edges);
      return budget.isSpent ? NO_PATHS : found.paths;
    },
  };
}

/**
 * Guesses joins between tables without a foreign key from column names. `books.author_id` joins `author.id`,
 * and `trips.start_station_id` joins `station.id`. A column with the name of another table's primary key
 * joins that table.
 */
function* guessEdges(
  snapshot: Snapshot,
  edges: ReadonlyMap<Table, readonly Edge[]>,
  add: AddEdges,
  shouldYield: YieldCheck,
): Steps<void> {
  const byColumn = new Map<string, Table[]>();
  for (const table of snapshot.tables) {
    for (const column of table.columns)
      for (const name of listSuffixes(column.name)) pushTo(byColumn, name, table);
    if (shouldYield(table.columns.length)) yield;
  }
  for (const target of snapshot.tables) {
    const [key, ...more] = target.primaryKey ?? [];
    if (key === undefined || more.length > 0) continue;
    const ids = [`${target.name.toLowerCase()}_id`, `${target.name.toLowerCase().replace(/s$/, '')}_id`];
    const keyNames = new Set([key.toLowerCase(), ...ids, `${target.name.toLowerCase()}id`]);
    if (key.toLowerCase() === 'id' || key.toLowerCase() === 'name' || key.toLowerCase() === 'code')
      keyNames.delete(key.toLowerCase());
    const candidates = new Set([...keyNames].flatMap((name) => byColumn.get(name) ?? []));
    for (const source of snapshot.tables.filter((table) => candidates.has(table))) {
      if (shouldYield(CANDIDATE_WORK)) yield;
      if (
        source === target ||
        (edges.get(source) ?? []).some((edge) => edge.to === target && edge.isDeclared)
      )
        continue;
      const exact = source.columns.find((entry) => keyNames.has(entry.name.toLowerCase()));
      const roles = source.columns.filter((entry) =>
        ids.some((name) => entry.name.toLowerCase().endsWith(`_${name}`)),
      );
      for (const column of [...(exact === undefined ? [] : [exact]), ...roles]) {
        const isOwnKey = source.primaryKey?.length === 1 && source.primaryKey[0] === column.name;
        if (
          !isOwnKey &&
          source.foreignKeys.every(
            (entry) => !entry.columns.includes(column.name) || entry.referencedTable === source.name,
          )
        )
          add(source, [column.name], target, [key], false);
      }
    }
    if (shouldYield(CANDIDATE_WORK)) yield;
  }
}

/**
 * Returns a column name and all its suffixes that end with `_id`, such as `station_id` for
 * `start_station_id`.
 */
function listSuffixes(column: string): readonly string[] {
  const name = column.toLowerCase();
  const words = name.endsWith('_id') ? name.split('_') : [];
  return [name, ...words.slice(1, -1).map((_, index) => words.slice(index + 1).join('_'))];
}

function isUniqueOn(table: Table, columns: readonly string[]): boolean {
  const covers = (names: readonly (string | null)[]): boolean =>
    names.length > 0 && names.every((name) => name !== null && columns.includes(name));
  return (
    covers(table.primaryKey ?? []) ||
    table.indexes.some((index) => index.unique && covers(index.columns.map((column) => column.name)))
  );
}

interface SearchResult {
  readonly paths: readonly (readonly Edge[])[];
  /** The number of joins that the search visited. */
  readonly edges: number;
}

interface Distances {
  readonly distances: ReadonlyMap<Table, number>;
  /** The number of joins that were visited to measure them. */
  readonly edges: number;
}

function measureDistances(edges: ReadonlyMap<Table, readonly Edge[]>, from: Table): Distances {
  const count = { edges: 0 };
  const distances = listDistances(edges, from, PATH_LENGTH_MAX, count);
  return { distances, edges: count.edges };
}

const EMPTY_PATH: readonly (readonly Edge[])[] = [[]];
const NO_PATHS: readonly (readonly Edge[])[] = [];

/**
 * Returns the number of joins between a table and each table that can be reached with at most `stepsMax`
 * joins.
 */
function listDistances(
  edges: ReadonlyMap<Table, readonly Edge[]>,
  start: Table,
  stepsMax: number,
  count: { edges: number },
): ReadonlyMap<Table, number> {
  const distances = new Map([[start, 0]]);
  let frontier = [start];
  for (let step = 1; step <= stepsMax && frontier.length > 0; step += 1) {
    const next: Table[] = [];
    for (const table of frontier) {
      const own = edges.get(table) ?? [];
      count.edges += own.length;
      // The edges contain every join in both directions, so a distance from `start` is also the distance to
      // it.
      for (const { to } of own) {
        if (distances.has(to)) continue;
        distances.set(to, step);
        next.push(to);
      }
    }
    frontier = next;
  }
  return distances;
}

/**
 * @param distances the number of joins to the target table, for all tables that are at most as distant as the
 * start
 */
function searchPaths(
  edges: ReadonlyMap<Table, readonly Edge[]>,
  from: Table,
  to: Table,
  distances: ReadonlyMap<Table, number>,
  count: { edges: number },
): readonly (readonly Edge[])[] {
  const shortest = distances.get(from) ?? PATH_LENGTH_MAX;
  let frontier: (readonly Edge[])[] = [[]];
  const found: (readonly Edge[])[] = [];
  for (let step = 0; step < PATH_LENGTH_MAX; step += 1) {
    const next: (readonly Edge[])[] = [];
    for (const path of frontier) {
      const at = path.at(-1)?.to ?? from;
      const own = edges.get(at) ?? [];
      count.edges += own.length;
      for (const edge of own) {
        // Tables through which the path would be too long are skipped, because a table may have a thousand
        // neighbors.
        if (step + 1 + (distances.get(edge.to) ?? Number.POSITIVE_INFINITY) > shortest + 1) continue;
        if (edge.to !== from && path.every((earlier) => earlier.to !== edge.to)) next.push([...path, edge]);
      }
    }
    const done = next.filter((path) => path.at(-1)?.to === to);
    found.push(...done);
    // Paths with one join more than the shortest are included, because words in the question may select them.
    if (found.length > 0 && (found[0]?.length ?? 0) < step + 1) break;
    frontier = next.filter((path) => path.at(-1)?.to !== to).slice(0, 400);
  }
  return found.slice(0, PATHS_MAX);
}

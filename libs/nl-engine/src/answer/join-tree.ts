import type { Column, Table } from '@rowhouse/schema-model';
import type { Edge, TableGraph } from '../resolve/table-graph.js';

interface Join {
  readonly source: string;
  readonly target: string;
  readonly edge: Edge;
}

/** The row sets of a statement and their joins, without row sets that only provide their join key. */
export class JoinTree {
  readonly #graph: TableGraph;
  readonly #tables = new Map<string, Table>();
  readonly #used = new Map<string, Set<Column | null>>();
  readonly #joins: Join[] = [];

  constructor(graph: TableGraph) {
    this.#graph = graph;
  }

  add(name: string, table: Table | undefined): void {
    if (table !== undefined) this.#tables.set(name, table);
  }

  /**
   * Adds the row sets along a path that starts at `source`.
   * The last one gets the name `last`. Returns its name.
   */
  addPath(near: string, path: readonly Edge[], last: string): string {
    let at = near;
    for (const [step, edge] of path.entries()) {
      const target = step === path.length - 1 ? last : `${last}/${step}`;
      if (!this.#tables.has(target)) {
        this.#tables.set(target, edge.to);
        this.#joins.push({ source: at, target, edge });
      }
      at = target;
    }
    return at;
  }

  /** Records that the statement uses a column of a row set. Null means that it uses the rows. */
  use(name: string, column: Column | null): void {
    this.#used.set(name, (this.#used.get(name) ?? new Set()).add(column));
  }

  write(): string {
    const joins = new Set(this.#joins);
    for (let isDone = false; !isDone;) {
      isDone = true;
      for (const name of this.#tables.keys()) {
        const own = [...joins].filter((join) => join.source === name || join.target === name);
        const [join] = own;
        if (join === undefined || own.length > 1 || !this.#isLent(name, join)) continue;
        joins.delete(join);
        this.#passOn(name, join);
        isDone = false;
      }
    }
    const found = [...joins].map(({ edge }) =>
      [`${edge.from.name}.${edge.fromColumns.join()}`, `${edge.to.name}.${edge.toColumns.join()}`]
        .sort()
        .join('='),
    );
    return [...new Set(found)].sort().join(' ');
  }

  /** Moves the uses of a removed table's key to the joined column of the adjacent table. */
  #passOn(name: string, { source: near, target, edge }: Join): void {
    if ((this.#used.get(name)?.size ?? 0) === 0) return;
    const [other, table, columns] =
      target === name ? [near, edge.from, edge.fromColumns] : [target, edge.to, edge.toColumns];
    for (const column of table.columns) if (columns.includes(column.name)) this.use(other, column);
  }

  /** Returns whether the row set has exactly one row for each adjacent row, and only its join key is used. */
  #isLent(name: string, { source: near, target, edge }: Join): boolean {
    const isFar = target === name;
    const keys = isFar ? edge.toColumns : edge.fromColumns;
    if ([...(this.#used.get(name) ?? [])].some((column) => column === null || !keys.includes(column.name)))
      return false;
    if (isFar) return edge.isToOne && edge.isDeclared;
    const back = (this.#graph.edges.get(edge.to) ?? []).find(
      (other) =>
        other.to === edge.from &&
        other.fromColumns.join() === edge.toColumns.join() &&
        other.toColumns.join() === edge.fromColumns.join(),
    );
    return back?.isToOne === true && back.isDeclared && this.#tables.has(near);
  }
}

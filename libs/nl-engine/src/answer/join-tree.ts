import type { Column, Table } from '@rowhouse/schema-model';
import type { Edge, TableGraph } from '../resolve/table-graph.js';

interface Join {
  readonly near: string;
  readonly far: string;
  readonly edge: Edge;
}

/** The row sets of a statement and how they hang together, without those that only lend the key they are joined by. */
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

  /** Adds the row sets along a path behind `near`; the last one is known as `last`. Answers its name. */
  addPath(near: string, path: readonly Edge[], last: string): string {
    let at = near;
    for (const [step, edge] of path.entries()) {
      const far = step === path.length - 1 ? last : `${last}/${step}`;
      if (!this.#tables.has(far)) {
        this.#tables.set(far, edge.to);
        this.#joins.push({ near: at, far, edge });
      }
      at = far;
    }
    return at;
  }

  /** A column of a row set says something; null: its rows do. */
  use(name: string, column: Column | null): void {
    this.#used.set(name, (this.#used.get(name) ?? new Set()).add(column));
  }

  write(): string {
    const joins = new Set(this.#joins);
    for (let isDone = false; !isDone;) {
      isDone = true;
      for (const name of this.#tables.keys()) {
        const own = [...joins].filter((join) => join.near === name || join.far === name);
        const [join] = own;
        if (join === undefined || own.length > 1 || !this.#isLent(name, join)) continue;
        joins.delete(join);
        this.#passOn(name, join);
        isDone = false;
      }
    }
    const found = [...joins].map(({ edge }) => [`${edge.from.name}.${edge.fromColumns.join()}`, `${edge.to.name}.${edge.toColumns.join()}`].sort().join('='));
    return [...new Set(found)].sort().join(' ');
  }

  /** What was said of the key of a table that is gone is said of the column beside it that is joined to that key. */
  #passOn(name: string, { near, far, edge }: Join): void {
    if ((this.#used.get(name)?.size ?? 0) === 0) return;
    const [other, table, columns] = far === name ? [near, edge.from, edge.fromColumns] : [far, edge.to, edge.toColumns];
    for (const column of table.columns) if (columns.includes(column.name)) this.use(other, column);
  }

  /** Is there one row of it for each row beside it, and is nothing of it used but what joins it? */
  #isLent(name: string, { near, far, edge }: Join): boolean {
    const isFar = far === name;
    const keys = isFar ? edge.toColumns : edge.fromColumns;
    if ([...this.#used.get(name) ?? []].some((column) => column === null || !keys.includes(column.name))) return false;
    if (isFar) return edge.isToOne && edge.isDeclared;
    const back = (this.#graph.edges.get(edge.to) ?? []).find((other) => other.to === edge.from && other.fromColumns.join() === edge.toColumns.join() && other.toColumns.join() === edge.fromColumns.join());
    return back?.isToOne === true && back.isDeclared && this.#tables.has(near);
  }
}

import type { Column, Table } from '@rowhouse/schema-model';
import type { Edge, TableGraph } from '../resolve/table-graph.js';

interface Join {
  readonly source: string;
  readonly target: string;
  readonly edge: Edge;
}

/**
 * The joined tables of a statement, in a form that is the same for equivalent statements. Tables that only
 * provide their join key are removed. Each node is one occurrence of a table.
 */
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
   * Adds a node for each table on a path that begins at an existing node. The last node gets the name `last`,
   * which is also returned.
   */
  addPath(nodeName: string, path: readonly Edge[], last: string): string {
    let node = nodeName;
    for (const [step, edge] of path.entries()) {
      const target = step === path.length - 1 ? last : `${last}/${step}`;
      if (!this.#tables.has(target)) {
        this.#tables.set(target, edge.to);
        this.#joins.push({ source: node, target, edge });
      }
      node = target;
    }
    return node;
  }

  /**
   * Records that the statement uses a column of a node. If the column is null, it uses the rows themselves.
   */
  use(name: string, column: Column | null): void {
    this.#used.set(name, (this.#used.get(name) ?? new Set()).add(column));
  }

  toText(): string {
    const joins = new Set(this.#joins);
    for (let isDone = false; !isDone;) {
      isDone = true;
      for (const name of this.#tables.keys()) {
        const own = [...joins].filter((join) => join.source === name || join.target === name);
        const [join] = own;
        if (join === undefined || own.length > 1 || !this.#onlyProvidesKey(name, join)) continue;
        joins.delete(join);
        this.#moveUses(name, join);
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

  /** Replaces uses of a removed node's key with uses of the joined column in the adjacent node. */
  #moveUses(name: string, { source: nodeName, target, edge }: Join): void {
    if ((this.#used.get(name)?.size ?? 0) === 0) return;
    const [other, table, columns] =
      target === name ? [nodeName, edge.from, edge.fromColumns] : [target, edge.to, edge.toColumns];
    for (const column of table.columns) if (columns.includes(column.name)) this.use(other, column);
  }

  /**
   * Reports whether a node has exactly one row for each row of the adjacent node, and the statement uses only
   * its join key.
   */
  #onlyProvidesKey(name: string, { source: nodeName, target, edge }: Join): boolean {
    const isTarget = target === name;
    const keys = isTarget ? edge.toColumns : edge.fromColumns;
    if ([...(this.#used.get(name) ?? [])].some((column) => column === null || !keys.includes(column.name)))
      return false;
    if (isTarget) return edge.isToOne && edge.isDeclared;
    const back = (this.#graph.edges.get(edge.to) ?? []).find(
      (other) =>
        other.to === edge.from &&
        other.fromColumns.join() === edge.toColumns.join() &&
        other.toColumns.join() === edge.fromColumns.join(),
    );
    return back?.isToOne === true && back.isDeclared && this.#tables.has(nodeName);
  }
}

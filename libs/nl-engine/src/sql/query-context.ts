import type { Assignment, Bound } from '../resolve/assignment.js';
import type { Edge } from '../resolve/table-graph.js';
import type { Condition } from '../types.js';
import { quoteName } from '@rowhouse/schema-model';
import { joinOn, type Part, type Scope } from './sql-parts.js';

/**
 * Returns the SQL condition that restricts a mention to its first row. Returns null if that is not possible.
 */
export type RenderTop = (
  ctx: QueryContext,
  scope: Scope,
  mention: number,
  condition: Condition & { readonly kind: 'top' | 'topCount' },
) => Part | null;

/** The state that all parts of a statement share: the aliases of tables and the joins of the outer SELECT. */
export class QueryContext {
  readonly assignment: Assignment;
  readonly main: Scope = { joins: [], aliases: new Map() };
  /**
   * The mentions whose tables are joined in the outer SELECT. All other mentions only filter rows, in
   * subqueries.
   */
  readonly joined: ReadonlySet<number>;
  #next = 0;
  #isBroken = false;

  /**
   * `renderTop` is passed as a parameter, because it renders conditions and importing it would cause a
   * circular import.
   */
  readonly renderTop: RenderTop;

  constructor(assignment: Assignment, renderTop: RenderTop) {
    this.assignment = assignment;
    this.renderTop = renderTop;
    this.joined = findJoinedMentions(assignment);
  }

  /**
   * Whether a part of the statement could not be written. The complete statement must then be discarded,
   * because it would have another meaning.
   */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  break(): void {
    this.#isBroken = true;
  }

  alias(scope: Scope, key: string): string {
    const known = scope.aliases.get(key);
    if (known !== undefined) return known;
    this.#next += 1;
    const alias = `t${this.#next}`;
    scope.aliases.set(key, alias);
    return alias;
  }

  joinMention(mention: number): void {
    const parent = this.assignment.draft.mentions[mention]?.parent ?? 0;
    this.joinPath(
      this.main,
      this.alias(this.main, String(parent)),
      this.assignment.paths[mention] ?? [],
      String(mention),
    );
  }

  /**
   * Joins the tables of a path to the table with the alias `alias`. Stores the last alias under `key` and
   * returns it.
   */
  joinPath(scope: Scope, alias: string, path: readonly Edge[], key: string, from = 0): string {
    const known = scope.aliases.get(key);
    if (known !== undefined) return known;
    let source = alias;
    for (const [index, edge] of path.entries()) {
      const target = this.alias(scope, index === path.length - 1 ? key : `${key}/${index + from}`);
      scope.joins.push(`JOIN ${quoteName(edge.to.name)} AS ${target} ON ${joinOn(source, target, edge)}`);
      source = target;
    }
    return source;
  }

  /**
   * Returns the FROM clause of a subquery along a path, its join condition with the outer row, and its last
   * alias.
   */
  openPath(
    inner: Scope,
    outerAlias: string,
    path: readonly Edge[],
    key = `#${this.#next}`,
  ): { readonly from: string; readonly on: string; readonly last: string } {
    const [first, ...rest] = path;
    if (first === undefined) throw new Error('a mention without a way to its parent');
    const alias = this.alias(inner, rest.length === 0 ? key : `${key}/0`);
    const last = rest.length === 0 ? alias : this.joinPath(inner, alias, rest, key, 1);
    return { from: `${quoteName(first.to.name)} AS ${alias}`, on: joinOn(outerAlias, alias, first), last };
  }

  /** Returns the alias of the table with an assigned column in a scope. Joins this table if necessary. */
  reach(scope: Scope, bound: Bound): string {
    // Tables inside EXISTS have no alias in this scope.
    if (!scope.aliases.has(String(bound.mention))) this.break();
    if (bound.via !== null) return this.#aliasOnPath(scope, bound.mention, bound.via);
    const home = this.alias(scope, String(bound.mention));
    if (bound.path.length === 0) return home;
    return this.joinPath(scope, home, bound.path, toPathKey(bound));
  }

  column(scope: Scope, bound: Bound): string {
    return `${this.reach(scope, bound)}.${quoteName(bound.column.name)}`;
  }

  /** Returns the primary key columns of a table with the alias of a mention. */
  keyOf(scope: Scope, mention: number): readonly string[] {
    return (this.assignment.tables[mention]?.primaryKey ?? []).map(
      (name) => `${this.alias(scope, String(mention))}.${quoteName(name)}`,
    );
  }

  /** Returns the alias of a table on the path between a mention and its parent. */
  #aliasOnPath(scope: Scope, mention: number, via: number): string {
    const alias = scope.aliases.get(`${mention}/${via}`);
    if (alias === undefined) this.break();
    return alias ?? '';
  }
}

/** Returns a text that identifies a path from the rows of a mention. */
export function toPathKey(bound: Bound): string {
  return `${bound.mention}>${bound.path.map((edge) => `${edge.fromColumns.join()}:${edge.to.name}`).join('>')}`;
}

/**
 * Returns the mentions with returned columns, groups or sort columns, and all mentions between these and the
 * main mention.
 */
function findJoinedMentions({ draft, columns }: Assignment): ReadonlySet<number> {
  const joined = new Set<number>([0]);
  const addWithParents = (mention: number): void => {
    for (let index = mention; index > 0; index = draft.mentions[index]?.parent ?? 0) joined.add(index);
  };
  for (const target of draft.targets)
    addWithParents(
      target.kind === 'column'
        ? (columns.get(target.column)?.mention ?? 0)
        : target.kind === 'size'
          ? (draft.mentions[target.mention]?.parent ?? 0)
          : target.mention,
    );
  for (const group of draft.groups)
    addWithParents(group.kind === 'column' ? (columns.get(group.column)?.mention ?? 0) : group.mention);
  for (const { key } of draft.orders)
    if (key.kind === 'column') addWithParents(columns.get(key.column)?.mention ?? 0);
  return joined;
}

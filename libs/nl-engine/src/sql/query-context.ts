import type { Assignment, Bound } from '../resolve/assign.js';
import type { Edge } from '../resolve/table-graph.js';
import type { Condition } from '../types.js';
import { findJoined } from './find-joined.js';
import { quote } from './quote.js';
import { joinOn, type Part, type Scope } from './scope.js';

/** A mention's rows held down to the one that comes first; null where that cannot be said. */
export type RenderTop = (ctx: QueryContext, scope: Scope, mention: number, condition: Condition & { readonly kind: 'top' | 'topCount' }) => Part | null;

/** What the parts of one statement share: names for row sets, given out in the order they are asked for, and the joins of the outer SELECT. */
export class QueryContext {
  readonly assignment: Assignment;
  readonly main: Scope = { joins: [], aliases: new Map() };
  /** Mentions that are rows of the outer SELECT; the others only restrict them. */
  readonly joined: ReadonlySet<number>;
  #next = 0;
  #isBroken = false;

  /** Handed in, since what it writes has conditions of its own. */
  readonly renderTop: RenderTop;

  constructor(assignment: Assignment, renderTop: RenderTop) {
    this.assignment = assignment;
    this.renderTop = renderTop;
    this.joined = findJoined(assignment);
  }

  /** Something could not be said: the whole statement would say something else. */
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
    this.joinPath(this.main, this.alias(this.main, String(parent)), this.assignment.paths[mention] ?? [], String(mention));
  }

  /** Joins a path's tables behind `alias`; the last one is known as `key`. Answers its alias. */
  joinPath(scope: Scope, alias: string, path: readonly Edge[], key: string, from = 0): string {
    const known = scope.aliases.get(key);
    if (known !== undefined) return known;
    let near = alias;
    for (const [at, edge] of path.entries()) {
      const far = this.alias(scope, at === path.length - 1 ? key : `${key}/${at + from}`);
      scope.joins.push(`JOIN ${quote(edge.to.name)} AS ${far} ON ${joinOn(near, far, edge)}`);
      near = far;
    }
    return near;
  }

  /** `FROM` of a subquery along a path, and how it hangs on the row outside. */
  openPath(inner: Scope, outerAlias: string, path: readonly Edge[], key = `#${this.#next}`): { readonly from: string; readonly on: string; readonly last: string } {
    const [first, ...rest] = path;
    if (first === undefined) throw new Error('a mention without a way to its parent');
    const alias = this.alias(inner, rest.length === 0 ? key : `${key}/0`);
    const last = rest.length === 0 ? alias : this.joinPath(inner, alias, rest, key, 1);
    return { from: `${quote(first.to.name)} AS ${alias}`, on: joinOn(outerAlias, alias, first), last };
  }

  /** The alias under which a bound column's rows are to be had in a scope. */
  reach(scope: Scope, bound: Bound): string {
    // Rows that are only asked for with EXISTS have no name out here.
    if (!scope.aliases.has(String(bound.mention))) this.break();
    if (bound.via !== null) return this.#wayside(scope, bound.mention, bound.via);
    const home = this.alias(scope, String(bound.mention));
    if (bound.path.length === 0) return home;
    return this.joinPath(scope, home, bound.path, toPathKey(bound));
  }

  column(scope: Scope, bound: Bound): string {
    return `${this.reach(scope, bound)}.${quote(bound.column.name)}`;
  }

  /** The columns of a table's primary key under the alias of a mention's rows. */
  keyOf(scope: Scope, mention: number): readonly string[] {
    return (this.assignment.tables[mention]?.primaryKey ?? []).map((name) => `${this.alias(scope, String(mention))}.${quote(name)}`);
  }

  /** The alias of a table on the way to a mention's rows. */
  #wayside(scope: Scope, mention: number, via: number): string {
    const alias = scope.aliases.get(`${mention}/${via}`);
    if (alias === undefined) this.break();
    return alias ?? '';
  }
}

/** One key for one way from a mention's rows. */
export function toPathKey(bound: Bound): string {
  return `${bound.mention}>${bound.path.map((edge) => `${edge.fromColumns.join()}:${edge.to.name}`).join('>')}`;
}

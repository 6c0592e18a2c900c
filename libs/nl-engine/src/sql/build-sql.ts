import { isCalendar, isNumeric } from '../resolve/fits-literal.js';
import { findLabel } from '../resolve/find-label.js';
import type { Assignment, Bound } from '../resolve/assign.js';
import type { Edge } from '../resolve/table-graph.js';
import type { Aggregate, Condition, Param, Statement } from '../types.js';
import { renderCondition, type ConditionScope } from './render-condition.js';
import { findJoined } from './find-joined.js';
import { listCounted } from './list-counted.js';
import { quote } from './quote.js';
import { joinOn, type Part, type Scope } from './scope.js';
import { splitContradiction, splitExcept } from './split-contradiction.js';

/** The statement for one way to take the question; null where that way makes no sense. */
export function buildSql(assignment: Assignment): Statement | null {
  return new Builder(assignment).build();
}

class Builder {
  readonly #a: Assignment;
  #next = 0;
  /** A condition that could not be said: the whole statement would say something else. */
  #isBroken = false;
  readonly #main: Scope = { joins: [], aliases: new Map() };
  /** Mentions that are rows of the outer SELECT; the others only restrict them. */
  readonly #joined: ReadonlySet<number>;

  constructor(assignment: Assignment) {
    this.#a = assignment;
    this.#joined = findJoined(assignment);
  }

  build(): Statement | null {
    const { draft } = this.#a;
    const root = this.#a.tables[0];
    if (root === undefined || draft.mentions[0]?.negated === true) return null;
    if ([...this.#joined].some((at) => at > 0 && (draft.mentions[at]?.negated === true || draft.mentions[at]?.quantity !== null))) return null;
    const from = `${quote(root.name)} AS ${this.#alias(this.#main, '0')}`;
    for (const mention of [...this.#joined].sort((a, b) => a - b)) if (mention > 0) this.#joinMention(mention);
    const groups = this.#listGroups();
    const select = this.#listSelect(groups);
    if (select === null || select.length === 0) return null;
    const isTwinned = splitContradiction(this.#a, 0) !== null;
    if ((isTwinned && !this.#canTwin()) || [...this.#joined].some((at) => at > 0 && splitContradiction(this.#a, at) !== null)) return null;
    const where = this.#listWhere();
    const isGrouped = groups.length > 0;
    const having = this.#listHaving();
    if (isGrouped && (this.#isSizeOrder() || draft.targets.some((target) => target.kind === 'count' && !target.distinct)) && this.#isGroupedByRow(groups)) return null;
    if (draft.limit !== null && draft.orders.length === 0) return null;
    if (this.#isSizeOrder() && draft.mentions.some((mention, at) => at > 0 && !this.#joined.has(at) && mention.conditions.length === 0 && !mention.negated && mention.quantity === null)) return null;
    const orders = this.#listOrders(isGrouped);
    if (orders === null || (having.length > 0 && (!isGrouped || this.#isGroupedByRow(groups)))) return null;
    if (!isGrouped && this.#hasAggregate() && (orders.length > 0 || draft.limit !== null)) return null;
    if (this.#isBroken) return null;
    const params = [...select.flatMap((part) => part.params), ...where.flatMap((part) => part.params), ...orders.flatMap((part) => part.params)];
    const sql = [
      `SELECT ${(draft.distinct || isTwinned) && !isGrouped ? 'DISTINCT ' : ''}${select.map((part) => part.sql).join(', ')}`,
      `FROM ${[from, ...this.#main.joins].join(' ')}`,
      ...(where.length > 0 ? [`WHERE ${where.map((part) => part.sql).join(' AND ')}`] : []),
      ...(isGrouped ? [`GROUP BY ${groups.join(', ')}`] : []),
      ...(having.length === 0 ? [] : [`HAVING ${having.join(' AND ')}`]),
      ...(orders.length > 0 ? [`ORDER BY ${orders.map((part) => part.sql).join(', ')}`] : []),
      ...(draft.limit === null ? [] : [`LIMIT ${draft.limit}`]),
    ].join(' ');
    return { sql, params };
  }

  #alias(scope: Scope, key: string): string {
    const known = scope.aliases.get(key);
    if (known !== undefined) return known;
    this.#next += 1;
    const alias = `t${this.#next}`;
    scope.aliases.set(key, alias);
    return alias;
  }

  #joinMention(mention: number): void {
    const parent = this.#a.draft.mentions[mention]?.parent ?? 0;
    this.#joinPath(this.#main, this.#alias(this.#main, String(parent)), this.#a.paths[mention] ?? [], String(mention));
  }

  /** Joins a path's tables behind `alias`; the last one is known as `key`. Answers its alias. */
  #joinPath(scope: Scope, alias: string, path: readonly Edge[], key: string, from = 0): string {
    const known = scope.aliases.get(key);
    if (known !== undefined) return known;
    let near = alias;
    for (const [at, edge] of path.entries()) {
      const far = this.#alias(scope, at === path.length - 1 ? key : `${key}/${at + from}`);
      scope.joins.push(`JOIN ${quote(edge.to.name)} AS ${far} ON ${joinOn(near, far, edge)}`);
      near = far;
    }
    return near;
  }

  /** The alias under which a bound column's rows are to be had in a scope. */
  #reach(scope: Scope, bound: Bound): string {
    // Rows that are only asked for with EXISTS have no name out here.
    if (!scope.aliases.has(String(bound.mention))) this.#isBroken = true;
    if (bound.via !== null) return this.#wayside(scope, bound.mention, bound.via);
    const home = this.#alias(scope, String(bound.mention));
    if (bound.path.length === 0) return home;
    return this.#joinPath(scope, home, bound.path, `${bound.mention}>${bound.path.map((edge) => `${edge.fromColumns.join()}:${edge.to.name}`).join('>')}`);
  }

  /** The alias of a table on the way to a mention's rows. */
  #wayside(scope: Scope, mention: number, via: number): string {
    const alias = scope.aliases.get(`${mention}/${via}`);
    if (alias === undefined) this.#isBroken = true;
    return alias ?? '';
  }

  #column(scope: Scope, bound: Bound): string {
    return `${this.#reach(scope, bound)}.${quote(bound.column.name)}`;
  }

  /** Groups of one row each: their sizes say nothing. */
  #isGroupedByRow(groups: readonly string[]): boolean {
    if (this.#joined.size > 1) return this.#isGroupedByMany(groups);
    const key = (this.#a.tables[0]?.primaryKey ?? []).map((name) => `${this.#alias(this.#main, '0')}.${quote(name)}`);
    return key.length > 0 && key.every((column) => groups.includes(column));
  }

  /** The same where the rows of a joined table are the groups, and each row of the first table has many of them. */
  #isGroupedByMany(groups: readonly string[]): boolean {
    const [other, ...more] = [...this.#joined].filter((mention) => mention > 0);
    const path = this.#a.paths[other ?? 0] ?? [];
    if (other === undefined || more.length > 0 || path.some((edge) => edge.isToOne)) return false;
    const key = this.#a.tables[other]?.primaryKey ?? [];
    return key.length > 0 && key.every((name) => groups.includes(`${this.#alias(this.#main, String(other))}.${quote(name)}`));
  }

  #hasAggregate(): boolean {
    return this.#a.draft.targets.some((target) => target.kind === 'count' || target.kind === 'size' || target.kind === 'share' || (target.kind === 'column' && target.fn !== null));
  }

  #isSizeOrder(): boolean {
    return this.#a.draft.orders.some(({ key }) => key.kind === 'size' || (key.kind === 'count' && key.mention === 0));
  }

  /** Expressions to group by, without the groups that nothing asks for. */
  #listGroups(): string[] {
    const { draft } = this.#a;
    const isSized = draft.mentions[0]?.quantity !== null || (draft.mentions[0]?.conditions ?? []).some((condition) => this.#isHaving(condition)) || this.#isSizeOrder() || draft.orders.some(({ key }) => key.kind === 'column' && key.fn !== null && !this.#isSubqueried(key.column));
    if (!this.#hasAggregate() && !isSized) return [];
    const found: string[] = [];
    for (const group of draft.groups) {
      if (group.kind === 'rows') found.push(...this.#rowKey(group.mention));
      else found.push(...this.#groupColumn(this.#a.columns.get(group.column)));
    }
    for (const target of draft.targets) {
      if (target.kind === 'rows') found.push(...this.#rowKey(target.mention));
      else if (target.kind === 'column' && target.fn === null) found.push(...this.#groupColumn(this.#a.columns.get(target.column)));
    }
    return [...new Set(found)];
  }

  #isSubqueried(ref: Parameters<Assignment['columns']['get']>[0]): boolean {
    return this.#a.columns.get(ref)?.path.some((edge) => !edge.isToOne) === true;
  }

  /** A label stands for its row where rows of another table are counted: groups go by the row's key then. */
  #groupColumn(bound: Bound | undefined): string[] {
    if (bound === undefined) return [];
    const counted = listCounted(this.#a);
    const own = this.#column(this.#main, bound);
    const label = findLabel(bound.table);
    const both = label.length === 2 && label[0] === bound.column ? label.map((one) => `${this.#reach(this.#main, bound)}.${quote(one.name)}`) : [];
    const isLabel = bound.path.length === 0 && counted.size > 0 && !counted.has(bound.mention) && bound.table.primaryKey !== null;
    return isLabel ? [...(bound.table.primaryKey ?? []).map((name) => `${this.#reach(this.#main, bound)}.${quote(name)}`), own, ...both] : [own, ...both];
  }

  #rowKey(mention: number): string[] {
    const table = this.#a.tables[mention];
    if (table === undefined) return [];
    const alias = this.#alias(this.#main, String(mention));
    return [...(table.primaryKey ?? []), ...findLabel(table).map((column) => column.name)].map((name) => `${alias}.${quote(name)}`);
  }

  #listSelect(groups: readonly string[]): Part[] | null {
    const { draft } = this.#a;
    const parts: Part[] = [];
    const plain = (sql: string): Part => ({ sql, params: [] });
    for (const group of draft.groups) {
      if (group.kind === 'rows') parts.push(...this.#label(group.mention).map(plain));
      else {
        const bound = this.#a.columns.get(group.column);
        if (bound !== undefined) parts.push(plain(this.#column(this.#main, bound)));
      }
    }
    if (groups.length === 0) parts.length = 0;
    for (const target of draft.targets) {
      if (target.kind === 'count') parts.push(plain(`${this.#count(target.mention, target.distinct)} AS \`count\``));
      else if (target.kind === 'size') parts.push(this.#size(target.mention, target.fn));
      else if (target.kind === 'share') parts.push(this.#share(target.mention, target.wholeConditions));
      else if (target.kind === 'rows') parts.push(...this.#label(target.mention).map(plain));
      else if (target.kind === 'everything') parts.push(plain(`${this.#alias(this.#main, String(target.mention))}.*`));
      else {
        const bound = this.#a.columns.get(target.column);
        if (bound === undefined) return null;
        const column = this.#column(this.#main, bound);
        if (target.fn !== null && target.fn !== 'count' && !isNumeric(bound.column) && !(isCalendar(bound.column) && (target.fn === 'min' || target.fn === 'max'))) return null;
        const label = target.fn === null && target.column.isName === true ? findLabel(bound.table) : [];
        if (label.length === 2 && label[0] === bound.column) {
          const alias = this.#reach(this.#main, bound);
          parts.push(...label.map((one) => plain(`${alias}.${quote(one.name)}`)));
        } else parts.push(plain(target.fn === null ? column : `${target.fn.toUpperCase()}(${target.distinct ? 'DISTINCT ' : ''}${column}) AS ${quote(`${target.fn}_${bound.column.name}`)}`));
      }
    }
    return parts.filter((part, at) => parts.findIndex((other) => other.sql === part.sql) === at);
  }

  #size(mention: number, fn: string): Part {
    const inner = this.#subquery(this.#main, mention);
    return { sql: `${fn.toUpperCase()}((SELECT COUNT(*) ${inner.sql})) AS ${quote(`${fn}_count`)}`, params: inner.params };
  }

  /** The part of the whole's rows that everything else holds for. */
  #share(mention: number, wholeConditions: number): Part {
    const own = (this.#a.draft.mentions[mention]?.conditions ?? []).slice(wholeConditions);
    const tests = [...this.#ownConditions(this.#main, mention, own), ...this.#restrictions(this.#main, this.#joined)];
    if (tests.length === 0) this.#isBroken = true;
    return { sql: `100 * AVG(CASE WHEN ${tests.map((part) => part.sql).join(' AND ')} THEN 1 ELSE 0 END) AS \`percentage\``, params: tests.flatMap((part) => part.params) };
  }

  #label(mention: number): string[] {
    const table = this.#a.tables[mention];
    return table === undefined ? [] : findLabel(table).map((column) => `${this.#alias(this.#main, String(mention))}.${quote(column.name)}`);
  }

  #count(mention: number, distinct: boolean): string {
    const table = this.#a.tables[mention];
    const key = table?.primaryKey ?? [];
    const spreads = [...this.#joined].some((other) => other !== mention && this.#a.draft.mentions[other]?.parent === mention && (this.#a.paths[other] ?? []).some((edge) => !edge.isToOne));
    const isFanned = mention !== 0 && (this.#a.paths[mention] ?? []).some((edge, at, path) => at > 0 && !edge.isToOne && path.slice(0, at).some((earlier) => earlier.isToOne));
    if ((distinct || spreads) && key.length === 1 && !isFanned) return `COUNT(DISTINCT ${this.#alias(this.#main, String(mention))}.${quote(key[0] ?? '')})`;
    return 'COUNT(*)';
  }

  #listWhere(): Part[] {
    const share = this.#a.draft.targets.find((target) => target.kind === 'share');
    if (share !== undefined) return this.#ownConditions(this.#main, share.mention, (this.#a.draft.mentions[share.mention]?.conditions ?? []).slice(0, share.wholeConditions));
    const parts: Part[] = [];
    for (const mention of this.#joined) {
      const split = splitContradiction(this.#a, mention);
      const conditions = split?.[0] ?? this.#a.draft.mentions[mention]?.conditions ?? [];
      parts.push(...this.#ownConditions(this.#main, mention, conditions.filter((condition) => !this.#isHaving(condition))));
      if (split !== null) parts.push(this.#twin(split[1]));
    }
    parts.push(...this.#restrictions(this.#main, this.#joined));
    return parts;
  }

  /** Another row of the same table that has the same of what is shown: `countries with both …`. */
  #twin(conditions: readonly Condition[]): Part {
    const table = this.#a.tables[0];
    const inner: Scope = { joins: [], aliases: new Map() };
    const alias = this.#alias(inner, '0');
    const shown = this.#a.draft.targets.flatMap((target) => (target.kind === 'column' ? [this.#a.columns.get(target.column)?.column.name ?? ''] : []));
    const same = shown.map((name) => `${alias}.${quote(name)} = ${this.#alias(this.#main, '0')}.${quote(name)}`);
    const tests = this.#ownConditions(inner, 0, conditions);
    return { sql: `EXISTS (SELECT 1 FROM ${quote(table?.name ?? '')} AS ${alias}${inner.joins.map((join) => ` ${join}`).join('')} WHERE ${[...same, ...tests.map((part) => part.sql)].join(' AND ')})`, params: tests.flatMap((part) => part.params) };
  }

  /** A twin makes sense where columns of the first table alone are shown, and none of them tells its rows apart. */
  #canTwin(): boolean {
    const { draft, columns, tables } = this.#a;
    const key = tables[0]?.primaryKey ?? [];
    return draft.orders.length === 0 && draft.targets.every((target) => target.kind === 'column' && target.fn === null && columns.get(target.column)?.mention === 0 && columns.get(target.column)?.path.length === 0 && !key.includes(columns.get(target.column)?.column.name ?? ''));
  }

  #ownConditions(scope: Scope, mention: number, only?: readonly Condition[]): Part[] {
    const conditionScope: ConditionScope = {
      columnOf: (ref) => { const bound = this.#a.columns.get(ref); return bound === undefined ? null : { bound, sql: this.#conditionColumn(scope, bound) }; },
      valueOf: (condition) => { const bound = this.#a.values.get(condition.kind === 'value' ? condition.of ?? condition : condition); return bound === undefined ? null : { bound, sql: this.#conditionColumn(scope, bound) }; },
      behind: (ref, fn) => { const bound = this.#a.columns.get(ref); return bound === undefined || bound.path.every((edge) => edge.isToOne) ? null : this.#aggregateAlong(scope, bound, fn); },
      overAll: (bound, fn, where) => this.#overAll(bound, fn, where),
      exists: (bound, test, params, negated) => this.#existsAlong(scope, bound, test, params, negated),
    };
    return (only ?? this.#a.draft.mentions[mention]?.conditions ?? []).flatMap((condition) => { const part = renderCondition(condition, conditionScope); if (part === null) this.#isBroken = true; return part === null ? [] : [part]; });
  }

  /** An aggregate over the rows at the end of a path, for one row at its start. */
  #aggregateAlong(scope: Scope, bound: Bound, fn: string): Part {
    const inner: Scope = { joins: [], aliases: new Map() };
    const { from, on, last } = this.#openPath(inner, this.#alias(scope, String(bound.mention)), bound.path);
    return { sql: `SELECT ${fn.toUpperCase()}(${last}.${quote(bound.column.name)}) FROM ${[from, ...inner.joins].join(' ')} WHERE ${on}`, params: [] };
  }

  #overAll(bound: Bound, fn: Aggregate, where: readonly Condition[]): Part | null {
    const isOwn = bound.path.length === 0 && bound.via === null;
    if (!isOwn && where.length > 0) return null;
    const inner: Scope = { joins: [], aliases: new Map() };
    const alias = this.#alias(inner, String(bound.mention));
    const tests = this.#ownConditions(inner, bound.mention, where);
    const from = [`${quote(bound.table.name)} AS ${alias}`, ...inner.joins].join(' ');
    return { sql: `SELECT ${fn.toUpperCase()}(${alias}.${quote(bound.column.name)}) FROM ${from}${tests.length === 0 ? '' : ` WHERE ${tests.map((part) => part.sql).join(' AND ')}`}`, params: tests.flatMap((part) => part.params) };
  }

  /** A column over a way that may lead to many rows is asked for with EXISTS, and has no name in this scope. */
  #conditionColumn(scope: Scope, bound: Bound): string | null {
    return bound.path.some((edge) => !edge.isToOne) && !scope.aliases.has(`${bound.mention}>${bound.path.map((edge) => `${edge.fromColumns.join()}:${edge.to.name}`).join('>')}`) ? null : this.#column(scope, bound);
  }

  #existsAlong(scope: Scope, bound: Bound, test: (column: string) => string, params: readonly Param[], negated: boolean): Part {
    const inner: Scope = { joins: [], aliases: new Map() };
    const home = this.#alias(scope, String(bound.mention));
    const { from, on, last } = this.#openPath(inner, home, bound.path);
    return { sql: `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${[from, ...inner.joins].join(' ')} WHERE ${on} AND ${test(`${last}.${quote(bound.column.name)}`)})`, params };
  }

  /** Mentions that hang on rows of this scope and are no rows of it: each restricts them. Who has none at all has not the most. */
  #restrictions(scope: Scope, inside: ReadonlySet<number>): Part[] {
    const { mentions, orders, targets, limit } = this.#a.draft;
    const parts: Part[] = [];
    for (const [at, mention] of mentions.entries()) {
      if (inside.has(at) || !inside.has(mention.parent) || orders.some(({ key, direction }) => key.kind === 'count' && key.mention === at && (direction === 'asc' || limit === null)) || targets.some((target) => target.kind === 'size' && target.mention === at)) continue;
      const part = this.#restriction(scope, at);
      const last = parts.at(-1);
      if (mention.isAlternative && last !== undefined) parts[parts.length - 1] = { sql: `(${last.sql} OR ${part.sql})`, params: [...last.params, ...part.params] };
      else parts.push(part);
    }
    return parts;
  }

  #restriction(outer: Scope, mention: number): Part {
    const { quantity, negated } = this.#a.draft.mentions[mention] ?? { quantity: null, negated: false };
    const split = splitContradiction(this.#a, mention);
    if (split !== null && quantity === null && !negated) {
      const both = split.map((conditions) => this.#subquery(outer, mention, conditions));
      return { sql: both.map((part) => `EXISTS (SELECT 1 ${part.sql})`).join(' AND '), params: both.flatMap((part) => part.params) };
    }
    const except = quantity === null && !negated ? splitExcept(this.#a, mention) : null;
    if (except !== null) {
      const [has, hasNot] = except.map((conditions) => this.#subquery(outer, mention, conditions));
      if (has !== undefined && hasNot !== undefined) return { sql: `EXISTS (SELECT 1 ${has.sql}) AND NOT EXISTS (SELECT 1 ${hasNot.sql})`, params: [...has.params, ...hasNot.params] };
    }
    const inner = this.#subquery(outer, mention);
    if (quantity !== null) return { sql: `${negated ? 'NOT ' : ''}((SELECT COUNT(*) ${inner.sql}) ${quantity.op} ${quantity.count})`, params: inner.params };
    return { sql: `${negated ? 'NOT ' : ''}EXISTS (SELECT 1 ${inner.sql})`, params: inner.params };
  }

  /** `FROM … WHERE …` of a mention's rows behind one row of its parent. */
  #subquery(outer: Scope, mention: number, only?: readonly Condition[]): Part {
    const inner: Scope = { joins: [], aliases: new Map() };
    const parent = this.#alias(outer, String(this.#a.draft.mentions[mention]?.parent ?? 0));
    const { from, on } = this.#openPath(inner, parent, this.#a.paths[mention] ?? [], String(mention));
    const own = this.#ownConditions(inner, mention, only);
    const rest = this.#restrictions(inner, new Set([mention]));
    const tests = [...own, ...rest];
    return { sql: `FROM ${[from, ...inner.joins].join(' ')} WHERE ${[on, ...tests.map((part) => part.sql)].join(' AND ')}`, params: tests.flatMap((part) => part.params) };
  }

  #openPath(inner: Scope, outerAlias: string, path: readonly Edge[], key = `#${this.#next}`): { from: string; on: string; last: string } {
    const [first, ...rest] = path;
    if (first === undefined) throw new Error('a mention without a way to its parent');
    const alias = this.#alias(inner, rest.length === 0 ? key : `${key}/0`);
    const last = rest.length === 0 ? alias : this.#joinPath(inner, alias, rest, key, 1);
    return { from: `${quote(first.to.name)} AS ${alias}`, on: joinOn(outerAlias, alias, first), last };
  }

  /** What has to hold for a group. */
  #listHaving(): string[] {
    const quantity = this.#a.draft.mentions[0]?.quantity ?? null;
    const conditions = (this.#a.draft.mentions[0]?.conditions ?? []).flatMap((condition) => {
      const bound = condition.kind === 'aggregate' ? this.#a.columns.get(condition.column) : undefined;
      return condition.kind === 'aggregate' && bound !== undefined && this.#isHaving(condition) ? [`${condition.fn.toUpperCase()}(${this.#column(this.#main, bound)}) ${condition.op} ${condition.value.value}`] : [];
    });
    return [...(quantity === null ? [] : [`COUNT(*) ${quantity.op} ${quantity.count}`]), ...conditions];
  }

  /** An aggregate of the rows themselves is one of each group. */
  #isHaving(condition: Condition): boolean {
    return condition.kind === 'aggregate' && this.#a.columns.get(condition.column)?.path.every((edge) => edge.isToOne) === true;
  }

  #listOrders(isGrouped: boolean): Part[] | null {
    const parts: Part[] = [];
    for (const { key, direction } of this.#a.draft.orders) {
      const way = direction === 'desc' ? ' DESC' : '';
      if (key.kind === 'size' || (key.kind === 'count' && (key.mention === 0 || (isGrouped && this.#joined.has(key.mention))))) {
        if (!isGrouped) return null;
        parts.push({ sql: `COUNT(*)${way}`, params: [] });
      } else if (key.kind === 'count') {
        const inner = this.#subquery(this.#main, key.mention);
        parts.push({ sql: `(SELECT COUNT(*) ${inner.sql})${way}`, params: inner.params });
      } else {
        const bound = this.#a.columns.get(key.column);
        if (bound === undefined) return null;
        parts.push({ sql: `${this.#orderColumn(bound, key.fn, isGrouped)}${way}`, params: [] });
      }
    }
    return parts;
  }

  #orderColumn(bound: Bound, fn: string | null, isGrouped: boolean): string {
    if (fn !== null && !isGrouped && bound.path.some((edge) => !edge.isToOne)) return `(${this.#aggregateAlong(this.#main, bound, fn).sql})`;
    const column = this.#column(this.#main, bound);
    return fn === null ? column : `${fn.toUpperCase()}(${column})`;
  }
}

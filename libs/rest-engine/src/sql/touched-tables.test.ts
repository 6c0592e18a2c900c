import { AppError } from '@rowhouse/errors';
import type { CompiledTable, ValueKind } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { ALL, compile, digest, PLAN_OPTIONS, resultOf } from '../../test/blog.js';
import { CASES } from '../../test/plan-cases.js';
import {
  authorizePlan,
  parseJson,
  parseRequest,
  planRequest,
  toStatements,
  type Authorized,
  type Plan,
  type PlanOptions,
  type ResultSet,
  type Statement,
} from '../index.js';
import type { Cell } from '../values/cell.js';

const OPTIONS: PlanOptions = { ...PLAN_OPTIONS, regexEnabled: true };
const CELLS: Readonly<Partial<Record<ValueKind, Cell>>> = {
  integer: '1',
  decimal: '1',
  boolean: 1,
  float: 1,
  double: 1,
  year: 2026,
  string: 'x',
  datetime: '2026-01-01 00:00:00',
  timestamp: '2026-01-01 00:00:00',
  date: '2026-01-01',
  time: '00:00:00',
  enum: 'new',
  set: 'a',
  uuid: 'u',
  inet: '::1',
};

interface Call {
  readonly method: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

function planOf({ method, rawPath, rawQuery, headers = {}, body }: Call): Authorized<Plan> {
  const value = body === undefined ? undefined : parseJson(JSON.stringify(body));
  return authorizePlan(
    planRequest(
      parseRequest({ method, rawPath, rawQuery, headers, body: value }, compile(), { prefix: '' }),
      OPTIONS,
    ),
    ALL,
    ['query'],
  );
}

/** Returns every statement that the plan may run, for a database in which each statement finds one row. */
function collectStatements(plan: Authorized<Plan>, insertReturning: boolean): Statement[] {
  const steps = toStatements(plan, { insertReturning }, digest);
  const results: ResultSet[] = [];
  const answer = (statement: Statement): ResultSet => {
    const { shape } = statement;
    const rows =
      shape === null ? [] : [shape.columns.map((column) => CELLS[column.kind] ?? new Uint8Array([1]))];
    return resultOf(statement, { rows, affectedRows: 1, insertId: '1' });
  };
  try {
    for (let round = steps.first as typeof steps.first | null; round !== null; round = steps.next(results))
      results.push(...round.statements.map(answer));
  } catch (error) {
    // If a record's version does not match, the program ends, and its later statements are never sent.
    if (!(error instanceof AppError)) throw error;
  }
  return results.map((result) => result.statement);
}

/**
 * Returns entries such as `read posts` for everything that the statements do with tables, according to their
 * SQL.
 */
function readTouches(plan: Plan, statements: readonly Statement[]): Set<string> {
  const found = new Set<string>();
  const written = new Set(plan.touches.filter((touch) => touch.verb === 'write').map((touch) => touch.table));
  for (const { sql, role } of statements) {
    const text = sql.replace(/^EXPLAIN FORMAT=TRADITIONAL /, '');
    const change = /^(INSERT INTO|UPDATE|DELETE FROM) `((?:[^`]|``)+)`/.exec(text);
    if (change !== null) found.add(`${change[1] === 'DELETE FROM' ? 'delete' : 'write'} ${change[2] ?? ''}`);
    const reads = [...text.matchAll(/(?:\bFROM|\bJOIN) `((?:[^`]|``)+)`/g)]
      .map((match) => match[1] ?? '')
      .filter((table) => change?.[2] !== table);
    // A statement that reads back written rows is not counted as a read. For an API key without the right to
    // read, it only returns the record's key.
    const isBack = role.kind === 'records' || role.kind === 'written' || role.kind === 'include';
    for (const table of reads) if (!isBack || !written.has(table)) found.add(`read ${table}`);
  }
  return found;
}

function expectAuthorized(plan: Authorized<Plan>, label: string): number {
  const allowed = plan.touches.map((touch) => `${touch.verb} ${touch.table}`);
  let statements = 0;
  for (const insertReturning of [true, false]) {
    const sent = collectStatements(plan, insertReturning);
    statements += sent.length;
    expect(allowed, `${label}\n${sent.map((statement) => statement.sql).join('\n')}`).toEqual(
      expect.arrayContaining([...readTouches(plan, sent)]),
    );
  }
  return statements;
}

describe('statements', () => {
  it.each(
    Object.values(CASES)
      .flat()
      .map((item) => [`${item.call} ${JSON.stringify(item.body ?? '')}`, item] as const),
  )('the statement of %s uses only tables for which it was authorized', (label, item) => {
    const space = item.call.indexOf(' ');
    const [rawPath = '', ...query] = item.call.slice(space + 1).split('?');
    const plan = planOf({
      method: item.call.slice(0, space),
      rawPath,
      rawQuery: query.join('?'),
      ...(item.headers === undefined ? {} : { headers: item.headers }),
      body: item.body,
    });
    expect(expectAuthorized(plan, label)).toBeGreaterThan(0);
  });

  it('random requests over relationships use only tables for which they were authorized', () => {
    const counts: Record<string, number> = {};
    let widest = 0;
    const make = createCalls(20_261_121);
    for (let round = 0; round < 2_000; round += 1) {
      const request = make();
      let plan: Authorized<Plan>;
      try {
        plan = planOf(request);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        continue;
      }
      expectAuthorized(plan, JSON.stringify(request));
      counts[plan.kind] = (counts[plan.kind] ?? 0) + 1;
      widest = Math.max(widest, plan.touches.length);
    }
    for (const kind of ['list', 'aggregate', 'explain', 'read', 'update_many', 'delete_many'])
      expect(counts[kind] ?? 0, JSON.stringify(counts)).toBeGreaterThan(15);
    expect(widest).toBeGreaterThan(5);
  }, 60_000);
});

/** Creates random requests with valid names, so that most of them can be planned. */
function createCalls(seed: number): () => Call {
  let state = seed;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * bound);
  };
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;
  const some = (maximum: number, make: () => string): string[] =>
    Array.from({ length: below(maximum + 1) }, make);
  const TABLES = ['users', 'posts', 'comments', 'tags', 'post_tags', 'countries', 'cities'].map(
    (name) => compile().findByName(name) as CompiledTable,
  );

  function walk(
    table: CompiledTable,
    depth: number,
    isToOne: boolean,
  ): { path: string[]; end: CompiledTable } {
    const relationships = table.relationships.filter(
      (relationship) => !isToOne || relationship.kind === 'to_one',
    );
    if (depth === 0 || relationships.length === 0) return { path: [], end: table };
    const step = pick(relationships);
    const { path, end } = walk(step.target, depth - 1, isToOne);
    return { path: [step.name, ...path], end };
  }
  const columnOf = (table: CompiledTable): string => pick(table.shown).name;
  const column = (table: CompiledTable, depth: number, isToOne = false): string => {
    const { path, end } = walk(table, below(depth + 1), isToOne);
    return [...path, columnOf(end)].join('.');
  };
  const tree = (table: CompiledTable, depth: number): unknown => {
    const roll = below(6);
    if (depth === 0 || roll === 0) return { [`${column(table, 2)}__isnull`]: true };
    if (roll === 1) return { [pick(['and', 'or'])]: [tree(table, depth - 1), tree(table, depth - 1)] };
    if (roll === 2) return { not: tree(table, depth - 1) };
    const { path, end } = walk(table, 1, false);
    if (path.length === 0) return { [`${columnOf(table)}__isnull`]: false };
    const inner = tree(end, depth - 1);
    return {
      [path.join('.')]: pick([
        inner,
        { some: inner },
        { none: inner },
        { every: inner },
        { count__gte: 1 },
        { ...(inner as object), count: 0 },
      ]),
    };
  };
  const filters = (table: CompiledTable): string[] => [
    ...some(2, () => `${column(table, 2)}__isnull=${pick(['true', 'false'])}`),
    ...(below(3) === 0 ? [`_filter=${encodeURIComponent(JSON.stringify(tree(table, 3)))}`] : []),
    ...(below(4) === 0
      ? [`where=${encodeURIComponent(`${column(table, 2)} IS NULL OR NOT ${columnOf(table)} IS NULL`)}`]
      : []),
  ];
  const includes = (table: CompiledTable): string[] => {
    if (below(2) === 0) return [];
    const { path, end } = walk(table, 1 + below(3), false);
    if (path.length === 0) return [];
    const key = path.join('.');
    return [
      `include=${key}`,
      ...some(1, () => `include[${key}][${column(end, 2)}__isnull]=false`),
      ...some(1, () => `include[${key}][_filter]=${encodeURIComponent(JSON.stringify(tree(end, 2)))}`),
    ];
  };

  return () => {
    const table = pick(TABLES);
    const rawPath = `/${table.path}`;
    const query = (...parts: readonly (readonly string[])[]): string => parts.flat().join('&');
    switch (below(8)) {
      case 0:
        return {
          method: 'GET',
          rawPath: `${rawPath}/1${table.name === 'post_tags' ? ',1' : ''}`,
          rawQuery: query(includes(table)),
        };
      case 1:
        return { method: 'DELETE', rawPath, rawQuery: query(filters(table)) };
      case 2:
        return {
          method: 'PATCH',
          rawPath,
          rawQuery: query(filters(table)),
          body: { [columnOf(table)]: null },
        };
      case 3:
      case 4: {
        const groups = some(2, () => `g${below(1e6)}:${column(table, 2, true)}`);
        return {
          method: 'GET',
          rawPath,
          rawQuery: query(
            [`_aggregate=n:count,m:count:${column(table, 2, true)}`],
            groups.length === 0 ? [] : [`_group=${groups.join(',')}`],
            ['_having={"n__gt":0}', `_count=${pick(['exact', 'estimated'])}`],
            below(3) === 0 ? ['_explain=true'] : [],
            filters(table),
          ),
        };
      }
      default:
        return {
          method: 'GET',
          rawPath,
          rawQuery: query(
            includes(table),
            filters(table),
            [`sort=${column(table, 2, true)}`],
            some(1, () => '_count=exact'),
            some(1, () => '_cursor='),
            below(4) === 0 ? ['_explain=true'] : [],
          ),
        };
    }
  };
}

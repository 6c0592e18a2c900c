import type { RunStatement } from '@rowhouse/mysql';
import { guardQuery, type GuardedRead, type GuardedWrite } from '@rowhouse/query-engine';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileBlog, explainWith, tenantWith } from '../../test/support/cost-stage.js';
import { admitQuery } from './admit-query.js';
import type { CostedStatement, QueryCosts } from './query-costs.js';

const TABLES = ['posts', 'users'];
const compiled = compileBlog();
const tenant = tenantWith();
const { run } = explainWith(() => []);
const BOUNDS = { statementMsMax: 10_000, rowsMax: null };

function guard(text: string): GuardedRead | GuardedWrite {
  return guardQuery(text, {
    tables: TABLES,
    hiddenNames: [],
    schemaName: 'p1',
    writes: { writable: TABLES, deletable: TABLES, hasReturning: true },
  }) as GuardedRead | GuardedWrite;
}

/**
 * Returns the checked statements of a query, on the session that runs it. Returns null when no check is
 * needed.
 */
async function ask(text: string): Promise<CostedStatement | null> {
  const requests: CostedStatement[] = [];
  const costs: QueryCosts = {
    budgetOf: () => 0,
    isCheap: () => false,
    admit: async (of: unknown, statement: CostedStatement, on: unknown) => {
      expect([of, on]).toEqual([tenant, run]);
      requests.push(statement);
      return { spills: false };
    },
  };
  await admitQuery(costs, tenant, guard(text), compiled, run, BOUNDS);
  return requests[0] ?? null;
}

/**
 * Returns the session settings before a query and its remaining time of 10 s, after an admission of the given
 * duration.
 */
async function settle(reported: {
  readonly spills: boolean;
  readonly tookMs: number;
  readonly rowsMax?: number;
  readonly engine?: 'mysql';
}): Promise<{ settings: string; values: readonly unknown[]; remainingMs: number }> {
  const seen: { settings: string; values: readonly unknown[] } = { settings: '', values: [] };
  let nowMs = 5_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const costs: QueryCosts = {
    budgetOf: () => 0,
    isCheap: () => false,
    admit: async () => {
      nowMs += reported.tookMs;
      return { spills: reported.spills };
    },
  };
  const session = ((settings: string, values: readonly unknown[]) =>
    Promise.resolve(Object.assign(seen, { settings, values }))) as unknown as RunStatement;
  const remainingMs = await admitQuery(
    costs,
    tenantWith({ engine: reported.engine ?? 'mariadb' }),
    guard('SELECT * FROM posts'),
    compiled,
    session,
    { ...BOUNDS, rowsMax: reported.rowsMax ?? null },
  );
  return { ...seen, remainingMs };
}

describe("the cost of a user's query", () => {
  it.each([
    'SELECT * FROM posts',
    'UPDATE posts SET published = 1 WHERE title = 5',
    'DELETE FROM posts WHERE title = 5',
    'INSERT INTO posts (title) SELECT username FROM users',
  ])('admitQuery runs EXPLAIN for the query %s', async (text) => {
    expect((await ask(text))?.sql).toContain(text);
  });

  it.each(['EXPLAIN SELECT * FROM posts', "INSERT INTO posts (title) VALUES ('x')"])(
    'admitQuery does not run EXPLAIN for the query %s',
    async (text) => {
      expect(await ask(text)).toBeNull();
    },
  );

  it('SQL queries that differ only in values share one cost estimate', async () => {
    const [costedStatement, other, counted] = [
      await ask('SELECT * FROM posts WHERE id = 5'),
      await ask('SELECT * FROM posts WHERE id = 6'),
      await ask('SELECT COUNT(*) FROM posts'),
    ];
    expect(costedStatement?.shape).toBe(other?.shape);
    expect([
      costedStatement?.isPlain(),
      counted?.isPlain(),
      (await ask('DELETE FROM posts WHERE title = 5'))?.isPlain(),
    ]).toEqual([true, false, false]);
  });

  it('admitQuery finds tables by their aliases', async () => {
    const statement = await ask('SELECT p.id FROM posts p JOIN users ON users.id = p.user_id');
    expect(['p', 'users', 'x'].map((alias) => statement?.tableOf(alias)?.name ?? null)).toEqual([
      'posts',
      'users',
      null,
    ]);
  });

  it.each([
    [
      'SELECT * FROM posts p WHERE p.published = 1 AND p.created_at > 5 ORDER BY p.title',
      'CREATE INDEX `posts_published_created_at` ON `posts` (`published`, `created_at`)',
    ],
    [
      'SELECT * FROM posts p WHERE p.published = 1 ORDER BY p.title',
      'CREATE INDEX `posts_published_title` ON `posts` (`published`, `title`)',
    ],
    ['SELECT * FROM posts p WHERE p.id = 1 AND p.published = 1', null],
    ['SELECT * FROM posts p WHERE p.content = 1', null],
    ['SELECT * FROM posts p ORDER BY p.title', null],
  ])('admitQuery proposes an index for %s', async (text, index) => {
    const statement = await ask(text);
    expect([statement?.proposeIndex('p'), statement?.proposeIndex('unknown')]).toEqual([index, null]);
  });
});

describe("the session of a user's query", () => {
  afterEach(() => void vi.restoreAllMocks());

  it('the time limit of a query is reduced by the duration of its admission', async () => {
    expect(await settle({ spills: false, tookMs: 60 })).toEqual({
      settings: 'SET SESSION max_statement_time = ?',
      values: [9.94],
      remainingMs: 9_940,
    });
    expect(await settle({ spills: false, tookMs: 60, rowsMax: 11, engine: 'mysql' })).toEqual({
      settings: 'SET SESSION sql_select_limit = ?, max_execution_time = ?',
      values: [11, 9_940],
      remainingMs: 9_940,
    });
    expect(await settle({ spills: false, tookMs: 20_000 })).toEqual({
      settings: 'SET SESSION max_statement_time = ?',
      values: [0.001],
      remainingMs: 1,
    });
  });

  it('admitQuery turns the join buffer off when it would fill the disk', async () => {
    expect(await settle({ spills: false, tookMs: 20 })).toEqual({
      settings: '',
      values: [],
      remainingMs: 9_980,
    });
    expect(await settle({ spills: true, tookMs: 0, engine: 'mysql' })).toEqual({
      settings: 'SET SESSION optimizer_switch = ?, max_execution_time = ?',
      values: ['block_nested_loop=off', 10_000],
      remainingMs: 10_000,
    });
  });
});

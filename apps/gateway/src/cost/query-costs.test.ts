import { ConnectionLostError, DatabaseFault } from '@rowhouse/mysql';
import { createMetrics } from '@rowhouse/runtime';
import { beforeEach, describe, expect, it } from 'vitest';
import { compileBlog, explainWith, tenantWith, type ExplainRow } from '../../test/support/cost-stage.js';
import { createQueryCosts, type CostedStatement, type QueryCosts } from './query-costs.js';

const BUDGET = 10_000;
const compiled = compileBlog();
const tenant = tenantWith();

let nowMs: number;
let costs: QueryCosts;
let registry: ReturnType<typeof createMetrics>;

beforeEach(() => {
  nowMs = 1_000;
  registry = createMetrics('test');
  costs = createQueryCosts({ rowsExaminedMax: BUDGET, registry, nowMs: () => nowMs });
});

function statementOf(changes: Partial<CostedStatement> = {}): CostedStatement {
  const sql = 'SELECT COUNT(*) FROM posts WHERE published = 1';
  return {
    compiled,
    sql,
    shape: sql,
    params: [],
    isPlain: () => false,
    tableOf: (alias) => compiled.findByName(alias),
    proposeIndex: () => null,
    ...changes,
  };
}
const reportRows = (rows: number) => explainWith(() => [{ rows }]);
const countOf = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name}\\S* (\\d+)`, 'm').exec(await registry.metrics())?.[1]);

describe('the budget', () => {
  it('the cost budget of a key overrides those of the database and the installation', () => {
    const budgets = [{}, { ofDatabase: 500 }, { ofKey: 70, ofDatabase: 500 }].map((provided) =>
      costs.budgetOf(tenantWith(provided)),
    );
    expect(budgets).toEqual([BUDGET, 500, 70]);
  });

  it('admit rejects a statement that EXPLAIN estimates above the budget', async () => {
    await costs.admit(tenant, statementOf(), reportRows(BUDGET).run);
    await expect(costs.admit(tenant, statementOf(), reportRows(BUDGET + 1).run)).rejects.toMatchObject({
      code: 'limit.query_cost',
      extra: { rows_expected: BUDGET + 1, rows_examined_max: BUDGET },
    });
    await costs.admit(tenantWith({ ofKey: BUDGET + 1 }), statementOf(), reportRows(BUDGET + 1).run);
    expect([
      await countOf('gateway_statements_explained_total'),
      await countOf('gateway_statements_too_dear_total'),
    ]).toEqual([3, 1]);
  });
});

describe('the known cost of a shape', () => {
  it('a query shape far below the budget is not checked again for five minutes', async () => {
    const engine = reportRows(BUDGET / 4);
    await costs.admit(tenant, statementOf(), engine.run);
    await costs.admit(tenant, statementOf({ params: ['other'] }), engine.run);
    expect(costs.isCheap(tenant, compiled, statementOf().shape)).toBe(true);
    nowMs += 300_000;
    await costs.admit(tenant, statementOf(), engine.run);
    expect(engine.requests).toHaveLength(1);
    nowMs += 1;
    await costs.admit(tenant, statementOf(), engine.run);
    expect(engine.requests).toHaveLength(2);
  });

  it('a query shape near the budget is checked each time', async () => {
    const engine = reportRows(BUDGET / 4 + 1);
    for (let iteration = 0; iteration < 2; iteration += 1)
      await costs.admit(tenant, statementOf(), engine.run);
    expect(engine.requests).toHaveLength(2);
    expect(costs.isCheap(tenantWith({ ofKey: 2 * BUDGET }), compiled, statementOf().shape)).toBe(true);
  });

  it('admit returns whether joins would buffer more than 100,000 rows', async () => {
    const product = (rows: number) =>
      explainWith(() => [{ rows }, { rows: 1, notes: 'Using join buffer (hash join)' }]);
    const wide = tenantWith({ ofKey: 10_000_000 });
    const engine = product(100_001);
    expect([
      await costs.admit(wide, statementOf(), engine.run),
      await costs.admit(wide, statementOf(), engine.run),
    ]).toEqual([{ spills: true }, { spills: true }]);
    expect(engine.requests).toHaveLength(1);
    expect(await costs.admit(wide, statementOf({ shape: 'another' }), product(100_000).run)).toEqual({
      spills: false,
    });
  });

  it('a cached query cost applies to one schema version and one set of rights', async () => {
    await costs.admit(tenant, statementOf(), reportRows(1_000).run);
    expect(costs.isCheap(tenant, compileBlog(), statementOf().shape)).toBe(false);
  });

  it('the least recently checked query shape is dropped above the limit', async () => {
    const { run } = reportRows(1_000);
    const shapeOf = (no: number): string => `shape ${no}`;
    for (let no = 0; no < 512; no += 1) await costs.admit(tenant, statementOf({ shape: shapeOf(no) }), run);
    expect(costs.isCheap(tenant, compiled, shapeOf(0))).toBe(true);
    await costs.admit(tenant, statementOf({ shape: shapeOf(512) }), run);
    expect([0, 1, 512].map((no) => costs.isCheap(tenant, compiled, shapeOf(no)))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('the question to the engine', () => {
  it.each([
    ['mariadb', 'EXPLAIN EXTENDED '],
    ['mysql', 'EXPLAIN FORMAT=TRADITIONAL '],
  ] as const)('the query plan is requested with the EXPLAIN syntax of %s', async (engine, prefix) => {
    const { run, requests } = reportRows(1_000);
    await costs.admit(tenantWith({ engine }), statementOf(), run);
    expect(requests).toEqual([prefix + statementOf().sql]);
  });

  it('the size of a table is read once when the plan only shows the rows of a LIMIT', async () => {
    const cutShort: ExplainRow = { rows: 5, access: 'index' };
    const { run, requests } = explainWith((sql) => [
      sql.endsWith('SELECT 1 FROM `posts`') ? { rows: 50_000, notes: '' } : cutShort,
    ]);
    for (let iteration = 0; iteration < 2; iteration += 1)
      await expect(costs.admit(tenant, statementOf(), run)).rejects.toMatchObject({
        extra: { rows_expected: 50_000 },
      });
    expect(requests.filter((sql) => sql.endsWith('SELECT 1 FROM `posts`'))).toHaveLength(1);
  });

  it('the size of a table that the key cannot see is not read', async () => {
    const { run, requests } = explainWith(() => [{ rows: 5, access: 'index', table: 'secrets' }]);
    await costs.admit(tenant, statementOf({ tableOf: () => null }), run);
    expect(requests).toHaveLength(1);
  });
});

describe('a statement that cannot be explained', () => {
  const failing = (error: unknown) =>
    explainWith(() => {
      throw error;
    });

  it('a statement that cannot be explained is admitted and explained again the next time', async () => {
    const { run, requests } = failing(new DatabaseFault(1054, '42S22', 'Unknown column'));
    for (let iteration = 0; iteration < 2; iteration += 1) await costs.admit(tenant, statementOf(), run);
    expect(requests).toHaveLength(2);
  });

  it('a statement over a view that hides its tables is admitted without further checks', async () => {
    const { run, requests } = failing(new DatabaseFault(1345, 'HY000', 'EXPLAIN/SHOW can not be issued'));
    for (let iteration = 0; iteration < 2; iteration += 1) await costs.admit(tenant, statementOf(), run);
    expect(requests).toHaveLength(1);
  });

  it('admit rejects when the session is lost during EXPLAIN', async () => {
    const lost = new ConnectionLostError('ECONNRESET');
    await expect(costs.admit(tenant, statementOf(), failing(lost).run)).rejects.toBe(lost);
  });
});

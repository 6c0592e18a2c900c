import type { RunStatement } from '@rowhouse/mysql';
import {
  authorizePlan,
  parseRequest,
  planRequest,
  toStatements,
  type Plan,
  type Statement,
} from '@rowhouse/rest-engine';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ALL_RIGHTS,
  compileBlog,
  explainWith,
  PLAN_OPTIONS,
  tenantWith,
} from '../../test/support/cost-stage.js';
import { admitPlan, admitPlanOn, withAdmission, type CostServices } from './admit-plan.js';
import type { CostedStatement } from './query-costs.js';

const compiled = compileBlog();
const tenant = tenantWith();
const { run } = explainWith(() => []);

let requests: { readonly statement: CostedStatement; readonly on: RunStatement }[];
/** The shapes of statements that are known to be cheap. */
let cheap: Set<string>;
beforeEach(() => {
  requests = [];
  cheap = new Set();
});

const services = {
  costs: {
    isCheap: (_tenant: unknown, _compiled: unknown, shape: string) => cheap.has(shape),
    admit: async (_tenant: unknown, statement: CostedStatement, on: RunStatement) =>
      void requests.push({ statement, on }),
  },
} as unknown as CostServices;

function planOf(
  endpoint: string,
  method = 'GET',
): { readonly plan: Plan; readonly statements: readonly Statement[] } {
  const [rawPath = '', rawQuery = ''] = endpoint.split('?');
  const request = parseRequest({ method, rawPath, rawQuery, headers: {}, body: undefined }, compiled, {
    prefix: '/v1/-',
  });
  const plan = planRequest(request, PLAN_OPTIONS);
  const authorized = authorizePlan(plan, ALL_RIGHTS, ['query']);
  return { plan, statements: toStatements(authorized, { insertReturning: true }, () => '').first.statements };
}

/** Returns the checked statements of a call, or null when the call does not wait. */
async function ask(endpoint: string, method = 'GET'): Promise<CostedStatement[] | null> {
  const { plan, statements } = planOf(endpoint, method);
  const admitting = admitPlanOn(services, tenant, plan, statements, run);
  if (admitting === null) return null;
  await admitting;
  for (const { on } of requests) expect(on).toBe(run);
  return requests.map(({ statement }) => statement);
}

describe('the cost of a list', () => {
  it.each(['/posts', '/posts?id=5', '/posts/5', '/posts?sort=-id', '/posts?_count=estimated'])(
    'admitPlan does not check the indexed list %s',
    async (endpoint) => {
      expect(await ask(endpoint)).toBeNull();
      const { plan, statements } = planOf(endpoint);
      expect(admitPlan(services, tenant, plan, statements)).toBeNull();
    },
  );

  it('admitPlan checks the statement that counts the rows of a list', async () => {
    const [records, count, ...more] = (await ask('/posts?title=x&_count=exact')) ?? [];
    expect([records?.sql, count?.sql, more]).toEqual([
      expect.stringMatching(/^SELECT .* LIMIT/s),
      expect.stringContaining('COUNT(*)'),
      [],
    ]);
    expect([records?.isPlain(), count?.isPlain(), records?.compiled]).toEqual([true, false, compiled]);
  });

  it('a list whose statements are all known to be cheap is not checked', async () => {
    const [records, count] = (await ask('/posts?title=x&_count=exact')) ?? [];
    requests = [];
    cheap.add(records?.shape ?? '');
    expect((await ask('/posts?title=x&_count=exact'))?.map(({ sql }) => sql)).toEqual([count?.sql]);
    requests = [];
    cheap.add(count?.shape ?? '');
    expect(await ask('/posts?title=y&_count=exact')).toBeNull();
  });

  it('list requests that differ only in values share one cost estimate', async () => {
    await ask('/posts?title=x');
    await ask('/posts?title=y');
    expect(requests.map(({ statement }) => statement.shape)).toEqual([
      requests[0]?.statement.shape,
      requests[0]?.statement.shape,
    ]);
    expect(requests.map(({ statement }) => statement.params[0])).toEqual(['x', 'y']);
  });

  it('a list that counts or removes duplicates is not estimated as a plain SELECT', async () => {
    expect(
      (await ask('/posts?_distinct=title'))?.map((costedStatement) => costedStatement.isPlain()),
    ).toEqual([false]);
    requests = [];
    expect(
      (await ask('/posts?_aggregate=count&title=x'))?.map((costedStatement) => costedStatement.isPlain()),
    ).toEqual([false]);
  });

  it("admitPlan proposes an index only for the list's own table", async () => {
    const [costedStatement] = (await ask('/posts?title=x')) ?? [];
    expect(['t', 'posts', 'users'].map((alias) => costedStatement?.proposeIndex(alias))).toEqual([
      'CREATE INDEX `posts_title` ON `posts` (`title`)',
      'CREATE INDEX `posts_title` ON `posts` (`title`)',
      null,
    ]);
    expect(['t', 'users'].map((alias) => costedStatement?.tableOf(alias)?.name ?? null)).toEqual([
      'posts',
      null,
    ]);
    requests = [];
    const [related] = (await ask('/posts?user.username=ann')) ?? [];
    expect(['t', 'anything'].map((alias) => related?.tableOf(alias)?.name ?? null)).toEqual([
      'posts',
      'users',
    ]);
  });
});

describe('the cost of a filtered write', () => {
  it('admitPlan checks the statement that locks the records of a filtered write', async () => {
    const [found, ...more] = (await ask('/posts?title=x', 'DELETE')) ?? [];
    expect([found?.sql, found?.isPlain(), more]).toEqual([expect.stringContaining('FOR UPDATE'), false, []]);
    requests = [];
    expect(await ask('/posts?id=5', 'DELETE')).toBeNull();
  });

  it('withAdmission checks an idempotent write after its record is inserted', async () => {
    const { plan, statements } = planOf('/posts?title=x', 'DELETE');
    const steps: string[] = [];
    const guard = withAdmission(services, tenant, plan, statements, {
      begin: async () => void steps.push(`begun, ${requests.length} asked`),
      end: async () => void steps.push(`ended, ${requests.length} asked`),
    });
    await guard.begin(run);
    await guard.end(run, {} as never);
    expect(steps).toEqual(['begun, 0 asked', 'ended, 1 asked']);
  });
});

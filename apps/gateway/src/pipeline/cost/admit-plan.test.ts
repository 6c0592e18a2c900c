import type { RunStatement } from '@rowhouse/mysql';
import { parseRequest, planRequest, toStatements, type Plan, type Statement } from '@rowhouse/rest-engine';
import { beforeEach, describe, expect, it } from 'vitest';
import { compileBlog, explainWith, tenantWith } from '../../../test/cost-stage.js';
import type { Gateway } from '../gateway.js';
import { admitPlan, admitPlanOn, withAdmission } from './admit-plan.js';
import type { CostedStatement } from './query-costs.js';

const compiled = compileBlog();
const tenant = tenantWith();
const { run } = explainWith(() => []);

let asked: { readonly statement: CostedStatement; readonly on: RunStatement }[];
/** Shapes that are known to be cheap. */
let cheap: Set<string>;
beforeEach(() => {
  asked = [];
  cheap = new Set();
});

const gateway = {
  costs: {
    isCheap: (_tenant: unknown, _compiled: unknown, shape: string) => cheap.has(shape),
    admit: async (_tenant: unknown, statement: CostedStatement, on: RunStatement) => void asked.push({ statement, on }),
  },
} as unknown as Gateway;

function planOf(call: string, method = 'GET'): { readonly plan: Plan; readonly statements: readonly Statement[] } {
  const [rawPath = '', rawQuery = ''] = call.split('?');
  const request = parseRequest({ method, rawPath, rawQuery, headers: {}, body: undefined }, compiled, { prefix: '/v1/-' });
  const plan = planRequest(request, { unknownFields: 'reject', requireLimit: false, regexEnabled: true, storedColumnsAt: () => null, sealText: (text) => text, makeUuid: () => '' });
  return { plan, statements: toStatements(plan, { insertReturning: true }, () => '').first.statements };
}

/** What is asked about of a call; null: it has nothing to wait for. */
async function ask(call: string, method = 'GET'): Promise<CostedStatement[] | null> {
  const { plan, statements } = planOf(call, method);
  const admitting = admitPlanOn(gateway, tenant, plan, statements, run);
  if (admitting === null) return null;
  await admitting;
  for (const { on } of asked) expect(on).toBe(run);
  return asked.map(({ statement }) => statement);
}

describe('a list', () => {
  it.each(['/posts', '/posts?id=5', '/posts/5', '/posts?sort=-id', '/posts?_count=estimated'])('that an index leads to has nothing to wait for: %s', async (call) => {
    expect(await ask(call)).toBeNull();
    const { plan, statements } = planOf(call);
    expect(admitPlan(gateway, tenant, plan, statements)).toBeNull();
  });

  it('is asked about with all that counts its rows', async () => {
    const [records, count, ...more] = (await ask('/posts?title=x&_count=exact')) ?? [];
    expect([records?.sql, count?.sql, more]).toEqual([expect.stringMatching(/^SELECT .* LIMIT/s), expect.stringContaining('COUNT(*)'), []]);
    expect([records?.isPlain(), count?.isPlain(), records?.compiled]).toEqual([true, false, compiled]);
  });

  it('is asked about no further where all of it is known to be cheap', async () => {
    const [records, count] = (await ask('/posts?title=x&_count=exact')) ?? [];
    asked = [];
    cheap.add(records?.shape ?? '');
    expect((await ask('/posts?title=x&_count=exact'))?.map(({ sql }) => sql)).toEqual([count?.sql]);
    asked = [];
    cheap.add(count?.shape ?? '');
    expect(await ask('/posts?title=y&_count=exact')).toBeNull();
  });

  it('is one shape whatever its values are', async () => {
    await ask('/posts?title=x');
    await ask('/posts?title=y');
    expect(asked.map(({ statement }) => statement.shape)).toEqual([asked[0]?.statement.shape, asked[0]?.statement.shape]);
    expect(asked.map(({ statement }) => statement.params[0])).toEqual(['x', 'y']);
  });

  it('does not go out as it is found where something is counted or left out', async () => {
    expect((await ask('/posts?_distinct=title'))?.map((one) => one.isPlain())).toEqual([false]);
    asked = [];
    expect((await ask('/posts?_aggregate=count&title=x'))?.map((one) => one.isPlain())).toEqual([false]);
  });

  it('proposes an index on its own table alone, and knows the one other that it reads', async () => {
    const [one] = (await ask('/posts?title=x')) ?? [];
    expect(['t', 'posts', 'users'].map((alias) => one?.proposeIndex(alias))).toEqual(['CREATE INDEX `posts_title` ON `posts` (`title`)', 'CREATE INDEX `posts_title` ON `posts` (`title`)', null]);
    expect(['t', 'users'].map((alias) => one?.tableOf(alias)?.name ?? null)).toEqual(['posts', null]);
    asked = [];
    const [related] = (await ask('/posts?user.username=ann')) ?? [];
    expect(['t', 'anything'].map((alias) => related?.tableOf(alias)?.name ?? null)).toEqual(['posts', 'users']);
  });
});

describe('a write by filter', () => {
  it('is asked about for the records that it finds and locks', async () => {
    const [found, ...more] = (await ask('/posts?title=x', 'DELETE')) ?? [];
    expect([found?.sql, found?.isPlain(), more]).toEqual([expect.stringContaining('FOR UPDATE'), false, []]);
    asked = [];
    expect(await ask('/posts?id=5', 'DELETE')).toBeNull();
  });

  it('that is to happen once is asked about behind its record, and only where it happens', async () => {
    const { plan, statements } = planOf('/posts?title=x', 'DELETE');
    const steps: string[] = [];
    const guard = withAdmission(gateway, tenant, plan, statements, { begin: async () => void steps.push(`begun, ${asked.length} asked`), end: async () => void steps.push(`ended, ${asked.length} asked`) });
    await guard.begin(run);
    await guard.end(run, {} as never);
    expect(steps).toEqual(['begun, 0 asked', 'ended, 1 asked']);
  });
});

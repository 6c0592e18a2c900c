import { isRoleAtLeast, type MemberResponse, type Role } from '@rowhouse/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRoutes, type ListedRoute } from '../http/list-routes.js';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../testing/test-client.js';
import { ROLE_RULES } from '../testing/role-rules.js';

const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const;
/** Routes whose response stays open. */
const STREAMS = new Set(['watchMigration']);
/**
 * Routes whose handler requires a higher role than their guard. Members may always leave, but only admins may
 * remove others.
 */
const STRICTER: Readonly<Record<string, Role>> = { removeMember: 'admin', countMemberCredentials: 'admin' };
/** Routes that revoke the object named by `{id}`. The test creates a new object for each of them. */
const ENDS = new Set(['revokeKey', 'revokeConnection']);

let plane: TestControlPlane;
let routes: ListedRoute[];
let ids: Record<string, string>;
let outsider: TestClient;
const members: Partial<Record<(typeof ROLES)[number], TestClient>> = {};

beforeAll(async () => {
  plane = await startTestControlPlane({ ROWHOUSE_OPERATOR_EMAIL: 'operator@example.test' });
  routes = listRoutes(plane.app);
  const owner = new TestClient(plane.app);
  const signup = await owner.signUp('owner@example.test', { starter: 'blog' });
  const [organization, project, database] = [
    signup.json['organization'].id,
    signup.json['project'].id,
    signup.json['databases'][0].id,
  ];
  members.owner = owner;
  for (const role of ['viewer', 'developer', 'admin'] as const) {
    const invited = await owner.post(`/api/organizations/${organization}/invitations`, {
      email: `${role}@example.test`,
      role,
    });
    const client = new TestClient(plane.app);
    await client.signUp(`${role}@example.test`, { invitation: invited.json['token'] });
    members[role] = client;
  }
  outsider = new TestClient(plane.app);
  await outsider.signUp('stranger@example.test', { starter: 'empty' });
  const migrations = await owner.get(`/api/databases/${database}/migrations`);
  ids = {
    organization,
    project,
    database,
    key: '',
    connection: '',
    migration: migrations.json['items'][0].id,
  };
  for (const on of ['key', 'connection'] as const) ids[on] = await makeAnother(on);
}, 60_000);
afterAll(() => plane?.stop());

async function makeAnother(on: 'key' | 'connection'): Promise<string> {
  const created = await (members.owner as TestClient).post(`/api/databases/${ids['database']}/${on}s`, {
    name: 'another',
    ...(on === 'key' ? {} : { role: 'read-only' }),
  });
  return created.json['id'];
}

/**
 * Calls a route with the victim's id in the parameter of its rule, unknown ids elsewhere, and an invalid
 * body.
 */
function call(client: TestClient, route: ListedRoute, id: string): Promise<TestResponse> {
  const { access } = route.spec;
  const param = access.kind === 'role' ? (access.param ?? 'id') : 'id';
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === param ? id : 'none'));
  return client.send(
    route.method as 'GET',
    path,
    route.method === 'GET' || route.method === 'DELETE' ? undefined : '[]',
  );
}

/** Returns whether the guard itself rejected the request. Later checks have other responses. */
function isRejected({ status, json }: TestResponse, on: string): boolean {
  const isHidden = status === 404 && json['detail'] === `The ${on} does not exist.`;
  return (
    status === 401 ||
    (json['code'] === 'auth.role' &&
      status === 403 &&
      String(json['detail']).startsWith('This requires the role')) ||
    isHidden ||
    (json['code'] === 'auth.role' && String(json['detail']).startsWith('Only the operator'))
  );
}

describe('access rules of control routes', () => {
  it('every control route has its documented access rule', () => {
    const declared = Object.fromEntries(
      routes.map(({ spec: { id, access } }) => [
        id,
        access.kind === 'role'
          ? `${access.least} of ${access.on}${access.deleted === true ? ', deleted too' : ''}`
          : access.kind,
      ]),
    );
    expect(declared).toEqual(ROLE_RULES);
  });

  it('access rules are enforced for anonymous callers, outsiders and every role', async () => {
    const wrong: string[] = [];
    for (const route of routes.filter(({ spec }) => !STREAMS.has(spec.id))) {
      const { access, id } = route.spec;
      const on = access.kind === 'role' ? access.on : '';
      const expectRejection = async (who: string, client: TestClient, isExpected: boolean): Promise<void> => {
        if (ENDS.has(id)) ids[on] = await makeAnother(on as 'key' | 'connection');
        const target = ids[on] ?? 'none';
        const answer = await call(client, route, target);
        if (isRejected(answer, on) !== isExpected)
          wrong.push(`${id} by ${who}: ${answer.status} ${JSON.stringify(answer.json).slice(0, 160)}`);
      };
      // These routes are skipped. For example, signing out would end the session that the other requests use.
      if (id === 'logOut' || id === 'logIn' || id === 'signUp') continue;
      await expectRejection('nobody', new TestClient(plane.app), access.kind !== 'public');
      if (access.kind === 'operator')
        for (const role of ROLES) await expectRejection(role, members[role] as TestClient, true);
      if (access.kind !== 'role') continue;
      await expectRejection('a stranger', outsider, true);
      for (const role of ROLES)
        await expectRejection(
          role,
          members[role] as TestClient,
          !isRoleAtLeast(role, STRICTER[id] ?? access.least),
        );
    }
    expect(wrong).toEqual([]);
  });

  it('ids are compared exactly, even where a collation ignores trailing spaces or case', async () => {
    const owner = members.owner as TestClient;
    const paths = {
      organization: '/api/organizations/',
      project: '/api/projects/',
      database: '/api/databases/',
      migration: '/api/migrations/',
    };
    for (const [on, path] of Object.entries(paths))
      expect(
        [(await owner.get(`${path}${ids[on]}`)).status, (await owner.get(`${path}${ids[on]}%20`)).status],
        on,
      ).toEqual([200, 404]);
    expect(
      (await owner.post('/api/projects', { name: 'astray', organization_id: `${ids['organization']} ` }))
        .status,
    ).toBe(422);
    const team = `/api/organizations/${ids['organization']}/members`;
    const viewer =
      ((await owner.get(team)).json['items'] as MemberResponse[]).find((member) => member.role === 'viewer')
        ?.account_id ?? '';
    for (const id of [viewer.toUpperCase(), `${viewer}%20`])
      expect((await owner.patch(`${team}/${id}`, { role: 'developer' })).status, id).toBe(404);
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConnectionService } from '../modules/connections/connection-service.js';
import { DeployService } from '../modules/deploys/deploy-service.js';
import { KeyService } from '../modules/keys/key-service.js';
import { ProjectService } from '../modules/projects/project-service.js';
import { SchemaService } from '../modules/schema/schema-service.js';
import { ShareService } from '../modules/shares/share-service.js';
import { ImportService } from '../modules/transfers/import-service.js';
import { startTestControlPlane, type TestControlPlane } from '../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../testing/test-client.js';

const PASSWORD = 'correct horse battery';
const TABLE = 'CREATE TABLE left_behind (id int PRIMARY KEY);';

let plane: TestControlPlane;
let owner: TestClient;
/** The test user whose access is ended in each test. */
let leaver: TestClient;
let [organizationId, projectId, databaseId, keyId, connectionId] = ['', '', '', '', ''];

beforeAll(async () => {
  plane = await startTestControlPlane();
  owner = new TestClient(plane.app);
  const { json } = await owner.signUp('owner@example.test', { starter: 'blog' });
  [organizationId, projectId, databaseId] = [
    json['organization'].id,
    json['project'].id,
    json['databases'][0].id,
  ];
  keyId = (await owner.post(`/api/databases/${databaseId}/keys`, { name: 'app' })).json['id'];
  leaver = (await join('owner')).session;
  connectionId = (
    await owner.post(`/api/databases/${databaseId}/connections`, { name: 'app', role: 'read-only' })
  ).json['id'];
}, 60_000);
afterAll(() => plane?.stop());

interface Member {
  /** A client that sends the personal access token `tokenId`. */
  readonly client: TestClient;
  readonly session: TestClient;
  readonly tokenId: string;
  readonly accountId: string;
  readonly ownOrganizationId: string;
}

async function join(role: string, session = new TestClient(plane.app)): Promise<Member> {
  const present = session.cookie === undefined ? null : (await session.get('/api/me')).json;
  const email = present?.['account'].email ?? `member-${Math.random().toString(36).slice(2)}@example.test`;
  const { token: invitation } = (
    await owner.post(`/api/organizations/${organizationId}/invitations`, { email, role })
  ).json;
  if (present === null) await session.signUp(email, { invitation, starter: 'empty' });
  else await session.post('/api/invitations/accept', { token: invitation });
  const { account, organizations } = (await session.get('/api/me')).json;
  const own = organizations.find((entry: { id: string }) => entry.id !== organizationId);
  const token = (await session.post('/api/tokens', { name: 'script' })).json;
  const client = new TestClient(plane.app);
  const { send } = client;
  client.send = (method, path, body, headers) =>
    send.call(client, method, path, body, { authorization: `Bearer ${token['token']}`, ...headers });
  return {
    client,
    session,
    tokenId: token['id'],
    accountId: account.id,
    ownOrganizationId: own.id,
  };
}

const remove = ({ accountId }: Member, by = owner): Promise<TestResponse> =>
  by.delete(`/api/organizations/${organizationId}/members/${accountId}`);

/** Reads all rows that a user without access could use or affect. */
async function readState(): Promise<unknown> {
  const rows = (sql: string): Promise<unknown[]> => plane.db.cell.query<unknown[]>(sql);
  return {
    keys: await rows(
      "SELECT id FROM api_key WHERE revoked_at IS NULL AND replaced_by IS NULL AND kind = 'api' ORDER BY id",
    ),
    connections: await rows(
      'SELECT id, created_by FROM connection_user WHERE revoked_at IS NULL ORDER BY id',
    ),
    links: await rows('SELECT id FROM share_link WHERE revoked_at IS NULL ORDER BY id'),
    revision: (await owner.get(`/api/projects/${projectId}/schema`)).json['revision'],
    migrations: (await rows('SELECT id FROM migration')).length,
    organization: (await owner.get(`/api/projects/${projectId}`)).json['organization_id'],
  };
}

/** Runs `end` after the guard has admitted a request, but before its service starts. */
function endBefore<S extends object>(
  service: S,
  method: keyof S & string,
  end: () => Promise<unknown>,
): void {
  const original = (service[method] as (...args: unknown[]) => unknown).bind(service);
  vi.spyOn(service, method as never).mockImplementationOnce((async (...args: unknown[]) => {
    await end();
    return original(...args);
  }) as never);
}

type Late = readonly [
  name: string,
  service: new (...args: never[]) => object,
  method: string,
  call: (member: Member) => Promise<TestResponse>,
];

const LATE: readonly Late[] = [
  [
    'creates a key',
    KeyService,
    'create',
    ({ client }) => client.post(`/api/databases/${databaseId}/keys`, { name: 'late' }),
  ],
  [
    'rotates a key',
    KeyService,
    'rotate',
    ({ client }) => client.post(`/api/keys/${keyId}/rotate`, { overlap_seconds: 60 }),
  ],
  [
    'creates a connection',
    ConnectionService,
    'create',
    ({ client }) => client.post(`/api/databases/${databaseId}/connections`, { name: 'late', role: 'owner' }),
  ],
  [
    'rotates a connection',
    ConnectionService,
    'rotate',
    ({ client }) => client.post(`/api/connections/${connectionId}/rotate`, { overlap_seconds: 60 }),
  ],
  [
    'shares the schema',
    ShareService,
    'create',
    ({ client }) => client.post(`/api/projects/${projectId}/share`, {}),
  ],
  [
    'takes the project along',
    ProjectService,
    'move',
    ({ client, ownOrganizationId }) =>
      client.post(`/api/projects/${projectId}/move`, { organization_id: ownOrganizationId }),
  ],
  [
    'changes the schema',
    SchemaService,
    'put',
    ({ client }) => client.put(`/api/projects/${projectId}/schema`, { sql: TABLE, mode: 'apply' }),
  ],
  [
    'deploys',
    DeployService,
    'deployFor',
    ({ client }) => client.post(`/api/projects/${projectId}/deploy`, { sql: TABLE }),
  ],
  [
    'ends its upload',
    ImportService,
    'import',
    ({ client }) =>
      client.send('POST', `/api/projects/${projectId}/schema/import`, TABLE, {
        'content-type': 'application/sql',
      }),
  ],
];

describe('access that ends during a call', () => {
  it.each(LATE)(
    'a member removed while a request runs gets 409 and changes nothing: %s',
    async (_, service, method, call) => {
      const member = await join('owner', leaver);
      const before = await readState();
      endBefore(plane.app.get(service) as never, method as never, () => remove(member));
      expect(await call(member)).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
      expect(await readState()).toEqual(before);
    },
  );

  const withToken = LATE.filter(([, service]) =>
    [KeyService, ShareService, ImportService].includes(service as never),
  );
  it.each(withToken)(
    'a token revoked while a request runs gets 409 and changes nothing: %s',
    async (_, service, method, call) => {
      const member = await join('owner', leaver);
      const before = await readState();
      endBefore(plane.app.get(service) as never, method as never, () =>
        member.session.delete(`/api/tokens/${member.tokenId}`),
      );
      expect(await call(member)).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
      expect(await readState()).toEqual(before);
    },
  );

  it('requests that waited for other requests of a removed member get 404', async () => {
    const member = await join('owner', leaver);
    const test = (): Promise<TestResponse> =>
      member.client.post(`/api/connections/${connectionId}/test`, { password: 'wrong' });
    plane.worker.ignored.add('test_connection');
    const running = Array.from({ length: 8 }, test);
    const countRunning = async (): Promise<number> =>
      (
        await plane.db.cell.query<unknown[]>(
          "SELECT id FROM task WHERE kind = 'test_connection' AND state = 'queued'",
        )
      ).length;
    await expect.poll(countRunning).toBe(8);
    const before = await readState();
    const waiting = [
      member.client.post(`/api/projects/${projectId}/share`, { data: true, database: databaseId }),
      member.client.post(`/api/databases/${databaseId}/connections`, { name: 'late', role: 'owner' }),
    ];
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await remove(member)).status).toBe(204);
    plane.worker.ignored.delete('test_connection');
    await Promise.all(running);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([404, 404]);
    expect(await readState()).toEqual(before);
  });
});

describe('credentials of people who leave', () => {
  const makeKey = async ({ client }: Member): Promise<string> =>
    (await client.post(`/api/databases/${databaseId}/keys`, { name: 'own' })).json['id'];
  const isLive = async (id: string): Promise<boolean> =>
    (await plane.db.cell.query<unknown[]>('SELECT id FROM api_key WHERE id = ? AND revoked_at IS NULL', [id]))
      .length === 1;

  it('only owners can leave an organization and keep their own keys', async () => {
    const [member, other] = [await join('admin'), await join('developer')];
    const [id, otherId] = [await makeKey(member), await makeKey(other)];
    const path = `/api/organizations/${organizationId}/members/${member.accountId}`;
    expect(await member.session.delete(`${path}?keep_credentials=true`)).toMatchObject({
      status: 403,
      json: { code: 'auth.role' },
    });
    expect((await member.session.delete(path)).status).toBe(204);
    const { json } = await other.session.get('/api/projects');
    for (const project of json['items'].filter(
      (item: { organization_id: string }) => item.organization_id === other.ownOrganizationId,
    ))
      await other.session.delete(`/api/projects/${project.id}`, { confirm: project.name });
    const { email } = (await other.session.get('/api/me')).json['account'];
    const deleted = await other.session.delete('/api/me', {
      confirm: email,
      password: PASSWORD,
      keep_credentials: true,
    });
    expect(deleted.status).toBe(204);
    expect([await isLive(id), await isLive(otherId)]).toEqual([false, false]);
  });

  it('removing a former member revokes the credentials that an earlier removal kept', async () => {
    const member = await join('developer');
    const id = await makeKey(member);
    const path = `/api/organizations/${organizationId}/members/${member.accountId}`;
    expect((await owner.delete(`${path}?keep_credentials=true`)).status).toBe(204);
    expect(await isLive(id)).toBe(true);
    const viewer = await join('viewer');
    expect((await viewer.session.delete(path)).status).toBe(403);
    expect((await owner.delete(path)).status).toBe(204);
    expect(await isLive(id)).toBe(false);
    expect((await owner.delete(path)).status).toBe(404);
  });

  it('a member who becomes a viewer loses their own API keys, unless the caller keeps them', async () => {
    const [ended, retained] = [await join('developer'), await join('developer')];
    const [id, otherId] = [await makeKey(ended), await makeKey(retained)];
    const change = ({ accountId }: Member, body: object): Promise<TestResponse> =>
      owner.patch(`/api/organizations/${organizationId}/members/${accountId}`, body);
    expect((await change(ended, { role: 'admin' })).status).toBe(200);
    expect(await isLive(id)).toBe(true);
    expect((await change(ended, { role: 'viewer' })).status).toBe(200);
    expect((await change(retained, { role: 'viewer', keep_credentials: true })).status).toBe(200);
    expect([await isLive(id), await isLive(otherId)]).toEqual([false, true]);
    const { items } = (await owner.get(`/api/organizations/${organizationId}/audit?action=member.change`))
      .json;
    expect(items.map(({ detail }: { detail: object }) => detail)).toEqual([
      { role: 'viewer' },
      { role: 'viewer', revoked: { api_keys: 1, connections: 0, share_links: 0 } },
      { role: 'admin' },
    ]);
  });

  it('moving a project revokes credentials of people outside the new organization', async () => {
    const [insider, outsider] = [await join('developer'), await join('developer')];
    const elsewhere = (await owner.post('/api/organizations', { name: 'Elsewhere' })).json['id'];
    const { email } = (await insider.session.get('/api/me')).json['account'];
    const invited = await owner.post(`/api/organizations/${elsewhere}/invitations`, {
      email,
      role: 'developer',
    });
    await insider.session.post('/api/invitations/accept', { token: invited.json['token'] });
    const [retained, ended] = [await makeKey(insider), await makeKey(outsider)];
    const link = (
      await outsider.client.post(`/api/databases/${databaseId}/connections`, { name: 'own', role: 'owner' })
    ).json['id'];
    expect((await owner.post(`/api/projects/${projectId}/move`, { organization_id: elsewhere })).status).toBe(
      200,
    );
    expect([await isLive(keyId), await isLive(retained), await isLive(ended)]).toEqual([true, true, false]);
    const connections = (await owner.get(`/api/databases/${databaseId}/connections`)).json['items'];
    expect(connections.map((row: { id: string }) => row.id)).not.toContain(link);
    await owner.post(`/api/projects/${projectId}/move`, { organization_id: organizationId });
  });
});

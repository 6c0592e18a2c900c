import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyRecordKey } from '@rowhouse/contracts';
import { createMessageSigner, formatSlot, isApiKeyForm } from '@rowhouse/credentials';
import { connectRedis } from '@rowhouse/queue';
import { Secrets } from './platform/secrets.js';
import { startTestControlPlane, type TestControlPlane } from './testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from './testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let signup: TestResponse;
let projectId: string;
let developmentId: string;

const idOf = (answer: TestResponse, environment: string): string =>
  (answer.json['databases'] as { id: string; environment: string }[]).find(
    (row) => row.environment === environment,
  )?.id ?? '';
const count = async (table: string, where: string, values: unknown[]): Promise<number> =>
  Number(
    (
      await plane.db.cell.query<{ n: string }[]>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`, values)
    )[0]?.n,
  );

beforeAll(async () => {
  plane = await startTestControlPlane();
}, 60_000);
afterAll(() => plane?.stop());

/** Signs up a new owner for the tests of one `describe` block, so that the block can run on its own. */
function useOwner(email: string): void {
  beforeAll(async () => {
    owner = new TestClient(plane.app);
    signup = await owner.signUp(email, { name: 'Olive', project: 'Blog' });
    projectId = signup.json['project']?.id;
    developmentId = idOf(signup, 'development');
  });
}

describe('sign-up', () => {
  useOwner('Owner@Example.test');

  it('a sign-up creates a live project with two databases and an API key', () => {
    expect(signup.status).toBe(201);
    expect(signup.json['migrations']).toBeUndefined();
    expect(signup.json['account']).toMatchObject({
      email: 'owner@example.test',
      name: 'Olive',
      is_operator: false,
    });
    expect(signup.json['databases'].map((row: { environment: string }) => row.environment)).toEqual([
      'development',
      'production',
    ]);
    expect(signup.json['project'].databases).toEqual(signup.json['databases']);
    for (const row of signup.json['databases'])
      expect(row).toMatchObject({
        state: 'ready',
        snapshot_number: 2,
        base_url: 'http://127.0.0.1:8',
        region: 'Frankfurt',
      });
    expect(isApiKeyForm(signup.json['api_key'])).toBe(true);
    expect(signup.json['api_key']).toMatch(/^rh_dev_/);
  });
  it('the first API key contains its routing slot and is stored only as an HMAC', async () => {
    const [row] = await plane.db.cell.query<{ slot: number; schema_name: string }[]>(
      'SELECT slot, schema_name FROM tenant_database WHERE id = ?',
      [developmentId],
    );
    expect(String(signup.json['api_key']).slice('rh_dev_'.length).slice(0, 3)).toBe(
      formatSlot(row?.slot ?? -1),
    );
    expect(row?.schema_name).toMatch(/^p[a-z2-7]{15}$/);
    expect(
      await count('api_key', 'key_hash = ?', [new Secrets(plane.config).hash(signup.json['api_key'])]),
    ).toBe(1);
  });
  it('the starter schema of a sign-up is deployed like any schema', async () => {
    const schema = await owner.get(`/api/projects/${projectId}/schema`);
    expect(schema.json['revision']).toBe(1);
    expect(schema.json['tables'].map((table: { name: string }) => table.name)).toEqual([
      'comments',
      'post_tags',
      'posts',
      'tags',
      'users',
    ]);
    expect(await count('migration', "project_id = ? AND state = 'published'", [projectId])).toBe(2);
  });
  it('the session cookie is not readable by scripts', () => {
    expect(signup.setCookie).toMatch(/^rowhouse=rhs_\w+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });
  it('a sign-up with a registered email address is rejected in any letter case', async () => {
    const secondResponse = await new TestClient(plane.app).signUp('OWNER@example.test');
    expect(secondResponse).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
  });
  it('a sign-up reports all faults at once with their location', async () => {
    const bad = await new TestClient(plane.app).post('/api/auth/signup', {
      email: 'nobody',
      starter: 'blog',
      colour: 'red',
    });
    expect(bad.status).toBe(422);
    expect(bad.json['detail']).toEqual([
      { loc: ['body', 'email'], msg: expect.any(String), type: 'invalid_format' },
      { loc: ['body', 'password'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'colour'], msg: expect.any(String), type: 'extra_forbidden' },
    ]);
  });
});

describe('sessions', () => {
  useOwner('sessions@example.test');

  it('GET /api/me returns the caller and the CSRF token of the session', async () => {
    const me = await owner.get('/api/me');
    expect(me.json).toMatchObject({
      account: { email: 'sessions@example.test' },
      organizations: [{ role: 'owner' }],
      csrf_token: signup.json['csrf_token'],
    });
  });
  it('unsafe methods are rejected without the CSRF token of the session', async () => {
    const other = new TestClient(plane.app);
    await other.post('/api/auth/login', {
      email: 'sessions@example.test',
      password: 'correct horse battery',
    });
    const mine = owner.csrf as string;
    for (const header of ['', 'wrong', other.csrf as string]) {
      const rejected = await owner.send('POST', '/api/projects', { name: 'x' }, { 'x-csrf-token': header });
      expect(rejected).toMatchObject({ status: 403, json: { code: 'auth.csrf' } });
    }
    expect(owner.csrf).toBe(mine);
  });
  it('sessions are listed and revoked individually', async () => {
    const other = new TestClient(plane.app);
    await other.post('/api/auth/login', {
      email: 'sessions@example.test',
      password: 'correct horse battery',
    });
    const list = await other.get('/api/sessions');
    const current = list.json['items'].filter((row: { is_current: boolean }) => row.is_current);
    expect(current).toHaveLength(1);
    expect((await owner.delete(`/api/sessions/${current[0].id}`)).status).toBe(204);
    expect((await other.get('/api/me')).status).toBe(401);
    expect((await owner.get('/api/me')).status).toBe(200);
  });
  it('signing out ends the session', async () => {
    const other = new TestClient(plane.app);
    await other.post('/api/auth/login', {
      email: 'sessions@example.test',
      password: 'correct horse battery',
    });
    const cookie = other.cookie as string;
    expect((await other.post('/api/auth/logout')).status).toBe(204);
    expect((await new TestClient(plane.app).get('/api/me', { cookie })).status).toBe(401);
  });
  it('a wrong password or an unknown address opens no session', async () => {
    for (const email of ['sessions@example.test', 'nobody@example.test']) {
      expect(
        await new TestClient(plane.app).post('/api/auth/login', { email, password: 'wrong' }),
      ).toMatchObject({ status: 401, json: { code: 'auth.bad_credentials' } });
    }
  });
  it('sign-in attempts are limited per email address and client address', async () => {
    const guesser = new TestClient(plane.app, '127.9.9.9');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1)
      statuses.push(
        (await guesser.post('/api/auth/login', { email: 'victim@example.test', password: `${attempt}` }))
          .status,
      );
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const rejected = await guesser.post('/api/auth/login', { email: 'victim@example.test', password: 'x' });
    expect(rejected.json['code']).toBe('limit.sign_in');
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('personal access tokens', () => {
  useOwner('tokens@example.test');

  it('a personal access token works without a CSRF token until it is revoked', async () => {
    const created = await owner.post('/api/tokens', { name: 'ci' });
    expect(created).toMatchObject({ status: 201, json: { name: 'ci', expires_at: null } });
    const machine = new TestClient(plane.app);
    const headers = { authorization: `Bearer ${created.json['token']}` };
    expect((await machine.get('/api/me', headers)).json).toMatchObject({
      account: { email: 'tokens@example.test' },
      csrf_token: '',
    });
    expect((await machine.post('/api/organizations', { name: 'Second' }, headers)).status).toBe(201);
    expect((await owner.delete(`/api/tokens/${created.json['id']}`)).status).toBe(204);
    const rejected = await machine.get('/api/me', headers);
    expect(rejected).toMatchObject({ status: 401, json: { code: 'auth.invalid_key' } });
    expect(rejected.headers['www-authenticate']).toContain('invalid_token');
  });
  it('a personal access token outside the Authorization header is ignored', async () => {
    const { json } = await owner.post('/api/tokens', { name: 'stray' });
    const machine = new TestClient(plane.app);
    expect((await machine.get(`/api/me?access_token=${json['token']}`)).status).toBe(401);
    expect(
      (await machine.post('/api/organizations', { name: 'x', access_token: json['token'] })).status,
    ).toBe(401);
    // An Authorization header with another scheme does not invalidate the cookie.
    expect((await owner.get('/api/me', { authorization: 'Basic cHJveHk6cHJveHk=' })).status).toBe(200);
    const both = await machine.get(`/api/me?access_token=other`, {
      authorization: `Bearer ${json['token']}`,
    });
    expect(both.status).toBe(200);
  });
  it('a malformed Authorization header is rejected with 400', async () => {
    expect(await new TestClient(plane.app).get('/api/me', { authorization: 'Bearer a b c' })).toMatchObject({
      status: 400,
      json: { code: 'request.bad_header' },
    });
  });
});

describe('outsiders and roles', () => {
  useOwner('roles@example.test');

  it('an outsider gets 404 for a project', async () => {
    const outsider = new TestClient(plane.app);
    await outsider.signUp('stranger@example.test', { starter: 'empty' });
    const keyId = (await owner.get(`/api/databases/${developmentId}/keys`)).json['items'][0].id;
    const paths = [
      `/api/projects/${projectId}`,
      `/api/databases/${developmentId}`,
      `/api/databases/${developmentId}/keys`,
      `/api/projects/${projectId}/schema`,
      `/api/projects/${projectId}/audit`,
    ];
    for (const path of paths)
      expect(await outsider.get(path)).toMatchObject({ status: 404, json: { code: 'resource.not_found' } });
    expect((await outsider.delete(`/api/keys/${keyId}`)).status).toBe(404);
    expect((await outsider.get('/api/projects')).json['items']).toHaveLength(1);
  });
  it('the list of projects shows when each project was last used with an API key', async () => {
    const keyId = (await owner.get(`/api/databases/${developmentId}/keys`)).json['items'][0].id as string;
    const readLast = async (): Promise<unknown> =>
      (await owner.get('/api/projects')).json['items'].find(
        (project: { id: string }) => project.id === projectId,
      ).last_call_at;
    const before = await readLast();
    await plane.db.cell.query("UPDATE api_key SET last_used_at = '2049-01-02 03:04:05' WHERE id = ?", [
      keyId,
    ]);
    expect([before, await readLast()]).toEqual([null, '2049-01-02T03:04:05.000Z']);
    await plane.db.cell.query('UPDATE api_key SET last_used_at = NULL WHERE id = ?', [keyId]);
  });
  it('a viewer can read but not write until another role is granted', async () => {
    const organizationId = signup.json['organization'].id as string;
    const viewer = new TestClient(plane.app);
    const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, {
      email: 'viewer@example.test',
      role: 'viewer',
    });
    expect(
      (await new TestClient(plane.app).signUp('another@example.test', { invitation: invited.json['token'] }))
        .status,
    ).toBe(404);
    const joined = await viewer.signUp('viewer@example.test', {
      invitation: invited.json['token'],
      starter: 'empty',
    });
    expect(joined.status).toBe(201);
    expect((await viewer.get(`/api/projects/${projectId}`)).status).toBe(200);
    expect(await viewer.post(`/api/databases/${developmentId}/keys`, { name: 'x' })).toMatchObject({
      status: 403,
      json: { code: 'auth.role' },
    });
    const member = `/api/organizations/${organizationId}/members/${joined.json['account'].id}`;
    expect((await owner.patch(member, { role: 'developer' })).json).toMatchObject({ role: 'developer' });
    expect((await viewer.post(`/api/databases/${developmentId}/keys`, { name: 'by developer' })).status).toBe(
      201,
    );
    expect((await viewer.patch(member, { role: 'owner' })).status).toBe(403);
    expect((await owner.delete(member)).status).toBe(204);
    expect((await viewer.get(`/api/projects/${projectId}`)).status).toBe(404);
  });
  it.each([false, true])(
    'removing a member revokes credentials that the member created or rotated, unless kept (kept: %s)',
    async (isRetained) => {
      const organizationId = signup.json['organization'].id as string;
      const developer = new TestClient(plane.app);
      const email = `leaver-${isRetained}@example.test`;
      const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, {
        email,
        role: 'developer',
      });
      const joined = await developer.signUp(email, { invitation: invited.json['token'], starter: 'empty' });
      const member = `/api/organizations/${organizationId}/members/${joined.json['account'].id}`;
      const database = `/api/databases/${developmentId}`;
      const ids = async (list: string): Promise<string[]> =>
        ((await owner.get(list)).json['items'] as { id: string }[]).map(({ id }) => id);
      const lists = [`${database}/keys`, `${database}/connections`];
      const others = [
        await owner.post(`${database}/keys`, { name: 'stays' }),
        await owner.post(`${database}/connections`, { name: 'stays', role: 'read-only' }),
      ];
      const rotated = [
        await owner.post(`${database}/keys`, { name: 'known' }),
        await owner.post(`${database}/connections`, { name: 'known', role: 'read-only' }),
      ];
      const taken = [
        await developer.post(`/api/keys/${rotated[0]?.json['id']}/rotate`, { overlap_seconds: 0 }),
        await developer.post(`/api/connections/${rotated[1]?.json['id']}/rotate`, { overlap_seconds: 0 }),
        await developer.post(`${database}/keys`, { name: 'own' }),
        await developer.post(`${database}/connections`, { name: 'own', role: 'read-only' }),
      ];
      expect(taken.map(({ status }) => status < 300)).toEqual([true, true, true, true]);
      expect(await owner.get(`${member}/credentials`)).toMatchObject({
        status: 200,
        json: { api_keys: 2, connections: 2, share_links: 0 },
      });
      expect((await developer.get(`${member}/credentials`)).status).toBe(200);
      const before = (await Promise.all(lists.map(ids))).flat();
      expect((await owner.delete(`${member}${isRetained ? '?keep_credentials=true' : ''}`)).status).toBe(204);
      const after = (await Promise.all(lists.map(ids))).flat();
      const removed = before.filter((id) => !after.includes(id)).sort();
      expect(removed).toEqual(isRetained ? [] : taken.map(({ json }) => json['id'] as string).sort());
      expect(after).toEqual(expect.arrayContaining(others.map(({ json }) => json['id'])));
      for (const id of after.filter((item) => !others.some(({ json }) => json['id'] === item))) {
        if (taken.some(({ json }) => json['id'] === id))
          await owner.delete(id.startsWith('key') ? `/api/keys/${id}` : `/api/connections/${id}`);
      }
      for (const { json } of others)
        await owner.delete(
          `/api/${String(json['id']).startsWith('key') ? 'keys' : 'connections'}/${json['id']}`,
        );
    },
  );
  it('removing a member revokes a connection that another member rotated with an overlap', async () => {
    const organizationId = signup.json['organization'].id as string;
    const developer = new TestClient(plane.app);
    const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, {
      email: 'knower@example.test',
      role: 'developer',
    });
    const joined = await developer.signUp('knower@example.test', {
      invitation: invited.json['token'],
      starter: 'empty',
    });
    const member = `/api/organizations/${organizationId}/members/${joined.json['account'].id}`;
    const connections = `/api/databases/${developmentId}/connections`;
    const rotated: string[] = [];
    for (const overlaps of [[3_600], [3_600, 60], [3_600, 0]]) {
      const { id } = (await developer.post(connections, { name: 'known', role: 'owner' })).json;
      for (const seconds of overlaps)
        expect((await owner.post(`/api/connections/${id}/rotate`, { overlap_seconds: seconds })).status).toBe(
          200,
        );
      rotated.push(id as string);
    }
    expect((await owner.get(`${member}/credentials`)).json).toEqual({
      api_keys: 0,
      connections: 2,
      share_links: 0,
    });
    expect((await owner.delete(member)).status).toBe(204);
    const live = ((await owner.get(connections)).json['items'] as { id: string }[])
      .map(({ id }) => id)
      .filter((id) => rotated.includes(id));
    expect(live).toEqual([rotated[2]]);
    await owner.delete(`/api/connections/${rotated[2]}`);
  });
  it('the last owner cannot leave an organization', async () => {
    const organizationId = signup.json['organization'].id as string;
    const deletedResponse = await owner.delete(
      `/api/organizations/${organizationId}/members/${signup.json['account'].id}`,
    );
    expect(deletedResponse).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
    expect((await owner.get(`/api/projects/${projectId}`)).status).toBe(200);
  });
  it('only operators can list the database servers', async () => {
    expect(await owner.get('/api/admin/servers')).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    expect((await new TestClient(plane.app).get('/api/admin/servers')).status).toBe(401);
  });
});

describe('keys', () => {
  useOwner('keys@example.test');

  it('the secret of an API key is shown once and not listed', async () => {
    const created = await owner.post(`/api/databases/${developmentId}/keys`, {
      name: 'web',
      origins: ['https://a.test'],
      rate: { per_second: 5, burst: 10 },
    });
    expect(created).toMatchObject({
      status: 201,
      json: {
        scopes: ['read', 'write', 'delete', 'query', 'schema'],
        tables: null,
        origins: ['https://a.test'],
      },
    });
    expect(created.json['secret'].slice(-4)).toBe(created.json['last4']);
    const list = await owner.get(`/api/databases/${developmentId}/keys`);
    expect(JSON.stringify(list.json)).not.toContain(created.json['secret']);
    expect(list.json['items'].map((row: { name: string }) => row.name)).toContain('web');
  });
  it('the query account of a restricted API key exists before the key is returned', async () => {
    const before = plane.worker.seen.length;
    const created = await owner.post(`/api/databases/${developmentId}/keys`, {
      name: 'narrow',
      tables: { posts: ['read', 'write'], users: ['write'] },
    });
    expect(created.status).toBe(201);
    const granted = plane.worker.seen.slice(before).filter((task) => task.kind === 'grant_rights');
    expect(granted).toHaveLength(1);
    expect(granted[0]?.payload).toMatchObject({
      database_id: developmentId,
      tables: { posts: ['read', 'write'], users: ['write'] },
    });
    expect(
      await count('api_key', 'id = ? AND rights_hash = ?', [
        created.json['id'],
        granted[0]?.payload['rights_hash'],
      ]),
    ).toBe(1);
    const without = await owner.post(`/api/databases/${developmentId}/keys`, {
      name: 'no query',
      scopes: ['read'],
      tables: { posts: ['read'] },
    });
    expect(without.status).toBe(201);
    expect(plane.worker.seen.filter((task) => task.kind === 'grant_rights')).toHaveLength(1);
  });
  it('the account of an API key with query:write exists before the key is returned', async () => {
    const before = plane.worker.seen.length;
    const created = await owner.post(`/api/databases/${developmentId}/keys`, {
      name: 'writes',
      scopes: ['read', 'write', 'query', 'query:write'],
    });
    expect(created.status).toBe(201);
    const granted = plane.worker.seen.slice(before).filter((task) => task.kind === 'grant_rights');
    expect(granted.map((task) => task.payload)).toEqual([
      {
        database_id: developmentId,
        rights_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        tables: { '': ['read', 'write'] },
        kind: 'query_write',
      },
    ]);
  });
  it('an API key for an unknown table is rejected with similar names', async () => {
    const rejected = await owner.post(`/api/databases/${developmentId}/keys`, {
      name: 'typo',
      tables: { post: ['read'] },
    });
    expect(rejected.status).toBe(422);
    expect(rejected.json['detail'][0]).toMatchObject({
      loc: ['body', 'tables', 'post'],
      type: 'unknown_table',
    });
    expect(rejected.json['hint']).toContain('posts');
  });
  it('revoking an API key reaches the gateways and caches before the response', async () => {
    const created = await owner.post(`/api/databases/${developmentId}/keys`, { name: 'short-lived' });
    const redisKey = keyRecordKey(
      plane.config.cellId,
      new Secrets(plane.config).hash(created.json['secret']).toString('hex'),
    );
    await plane.resources.redis.set(redisKey, 'a cached record');
    const listener = connectRedis(plane.redisUrl, 'listener');
    await new Promise((resolve) => {
      listener.once('ready', resolve);
    });
    const received: Record<string, unknown>[] = [];
    const signer = createMessageSigner([Buffer.from(plane.config.masterKey.reveal(), 'base64url')]);
    listener.on('message', (channel: string, text: string) => {
      const opened = signer.open(channel, text);
      received.push(opened.kind === 'signed' ? (JSON.parse(opened.text) as Record<string, unknown>) : opened);
    });
    await listener.subscribe(`{${plane.config.cellId}}:changes`);
    const [head] = await plane.db.cell.query<{ last_seq: string }[]>(
      'SELECT last_seq FROM change_log_head WHERE cell_id = ?',
      [plane.config.cellId],
    );

    expect((await owner.delete(`/api/keys/${created.json['id']}`)).status).toBe(204);

    expect(await plane.resources.redis.get(redisKey)).toBeNull();
    expect(await count('api_key', 'id = ? AND revoked_at IS NOT NULL', [created.json['id']])).toBe(1);
    expect(
      await count('change_log', "cell_id = ? AND seq = ? AND kind = 'key' AND database_id = ?", [
        plane.config.cellId,
        Number(head?.last_seq) + 1,
        developmentId,
      ]),
    ).toBe(1);
    await expect
      .poll(() => received)
      .toEqual([{ seq: Number(head?.last_seq) + 1, database_id: developmentId, kind: 'key', version: 0 }]);
    listener.disconnect();
    expect((await owner.delete(`/api/keys/${created.json['id']}`)).status).toBe(404);
  });
  it('concurrent API key changes are numbered without gaps in the change log', async () => {
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        owner.post(`/api/databases/${developmentId}/keys`, { name: `k${index}` }),
      ),
    );
    expect(created.map((answer) => answer.status)).toEqual(Array<number>(12).fill(201));
    const rows = await plane.db.cell.query<{ seq: string }[]>(
      'SELECT seq FROM change_log WHERE cell_id = ? ORDER BY seq',
      [plane.config.cellId],
    );
    expect(rows.map((row) => Number(row.seq))).toEqual(rows.map((_, index) => index + 1));
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyRecordKey } from '@rowhouse/contracts';
import { createMessageSigner, createSecretBox, isApiKeyForm, openWithPrivateKey, readSlot } from '@rowhouse/credentials';
import { connectRedis } from '@rowhouse/queue';
import { ConnectionService } from './modules/connections/connection-service.js';
import { dropExpired, endExpiredConnections } from './modules/sweeper.js';
import { Secrets } from './platform/secrets.js';
import { TaskRunner } from './platform/task-runner.js';
import { startTestControlPlane, type TestControlPlane } from './testing/start-test-control-plane.js';
import { TestClient, type TestAnswer } from './testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let signup: TestAnswer;
let projectId: string;
let developmentId: string;

const idOf = (answer: TestAnswer, environment: string): string =>
  (answer.json['databases'] as { id: string; environment: string }[]).find((row) => row.environment === environment)?.id ?? '';
const count = async (table: string, where: string, values: unknown[]): Promise<number> =>
  Number((await plane.db.cell.query<{ n: string }[]>(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`, values))[0]?.n);

beforeAll(async () => {
  plane = await startTestControlPlane();
  owner = new TestClient(plane.app);
  signup = await owner.signUp('Owner@Example.test', { name: 'Olive', project: 'Blog' });
  projectId = signup.json['project']?.id;
  developmentId = idOf(signup, 'development');
}, 60_000);
afterAll(() => plane?.stop());

describe('sign-up', () => {
  it('ends with a live project, two databases and a key', () => {
    expect(signup.status).toBe(201);
    expect(signup.json['migrations']).toBeUndefined();
    expect(signup.json['account']).toMatchObject({ email: 'owner@example.test', name: 'Olive', is_operator: false });
    expect(signup.json['databases'].map((row: { environment: string }) => row.environment)).toEqual(['development', 'production']);
    expect(signup.json['project'].databases).toEqual(signup.json['databases']);
    for (const row of signup.json['databases']) expect(row).toMatchObject({ state: 'ready', snapshot_number: 2, base_url: 'http://127.0.0.1:8' });
    expect(isApiKeyForm(signup.json['api_key'])).toBe(true);
    expect(signup.json['api_key']).toMatch(/^rh_dev_/);
  });
  it('writes the slot of the database into its key and stores the key as HMAC alone', async () => {
    const [row] = await plane.db.cell.query<{ slot: number; schema_name: string }[]>('SELECT slot, schema_name FROM tenant_database WHERE id = ?', [developmentId]);
    expect(readSlot(signup.json['api_key'])).toBe(row?.slot);
    expect(row?.schema_name).toMatch(/^p[a-z2-7]{15}$/);
    expect(await count('api_key', 'key_hash = ?', [new Secrets(plane.config).hash(signup.json['api_key'])])).toBe(1);
  });
  it('deploys the starter of the specification by the ordinary road', async () => {
    const schema = await owner.get(`/api/projects/${projectId}/schema`);
    expect(schema.json['revision']).toBe(1);
    expect(schema.json['tables'].map((table: { name: string }) => table.name)).toEqual(['comments', 'post_tags', 'posts', 'tags', 'users']);
    expect(await count('migration', "project_id = ? AND state = 'published'", [projectId])).toBe(2);
  });
  it('sets a cookie that scripts cannot read', () => {
    expect(signup.setCookie).toMatch(/^rowhouse=rhs_\w+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });
  it('refuses an address that has an account, whatever its case', async () => {
    const again = await new TestClient(plane.app).signUp('OWNER@example.test');
    expect(again).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
  });
  it('tells all faults at once, each at its place', async () => {
    const bad = await new TestClient(plane.app).post('/api/auth/signup', { email: 'nobody', starter: 'blog', colour: 'red' });
    expect(bad.status).toBe(422);
    expect(bad.json['detail']).toEqual([
      { loc: ['body', 'email'], msg: expect.any(String), type: 'invalid_format' },
      { loc: ['body', 'password'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'colour'], msg: expect.any(String), type: 'extra_forbidden' },
    ]);
  });
});

describe('sessions', () => {
  it('say who is calling and repeat the CSRF token', async () => {
    const me = await owner.get('/api/me');
    expect(me.json).toMatchObject({ account: { email: 'owner@example.test' }, organizations: [{ role: 'owner' }], csrf_token: signup.json['csrf_token'] });
  });
  it('are refused on unsafe methods without the token of this session', async () => {
    const other = new TestClient(plane.app);
    await other.post('/api/auth/login', { email: 'owner@example.test', password: 'correct horse battery' });
    const mine = owner.csrf as string;
    for (const header of ['', 'wrong', other.csrf as string]) {
      const refused = await owner.send('POST', '/api/projects', { name: 'x' }, { 'x-csrf-token': header });
      expect(refused).toMatchObject({ status: 403, json: { code: 'auth.csrf' } });
    }
    expect(owner.csrf).toBe(mine);
  });
  it('can be listed and revoked one by one', async () => {
    const other = new TestClient(plane.app);
    await other.post('/api/auth/login', { email: 'owner@example.test', password: 'correct horse battery' });
    const list = await other.get('/api/sessions');
    const current = list.json['items'].filter((row: { is_current: boolean }) => row.is_current);
    expect(current).toHaveLength(1);
    expect((await owner.delete(`/api/sessions/${current[0].id}`)).status).toBe(204);
    expect((await other.get('/api/me')).status).toBe(401);
    expect((await owner.get('/api/me')).status).toBe(200);
  });
  it('end with logout', async () => {
    const other = new TestClient(plane.app);
    await other.post('/api/auth/login', { email: 'owner@example.test', password: 'correct horse battery' });
    const cookie = other.cookie as string;
    expect((await other.post('/api/auth/logout')).status).toBe(204);
    expect((await new TestClient(plane.app).get('/api/me', { cookie })).status).toBe(401);
  });
  it('are not opened by a wrong password, nor for nobody', async () => {
    for (const email of ['owner@example.test', 'nobody@example.test']) {
      expect(await new TestClient(plane.app).post('/api/auth/login', { email, password: 'wrong' })).toMatchObject({ status: 401, json: { code: 'auth.bad_credentials' } });
    }
  });
  it('are limited per e-mail address and place', async () => {
    const guesser = new TestClient(plane.app, '127.9.9.9');
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) statuses.push((await guesser.post('/api/auth/login', { email: 'victim@example.test', password: `${attempt}` })).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const refused = await guesser.post('/api/auth/login', { email: 'victim@example.test', password: 'x' });
    expect(refused.json['code']).toBe('limit.sign_in');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('personal access tokens', () => {
  it('open the API without a CSRF token until they are revoked', async () => {
    const created = await owner.post('/api/tokens', { name: 'ci' });
    expect(created).toMatchObject({ status: 201, json: { name: 'ci', expires_at: null } });
    const machine = new TestClient(plane.app);
    const headers = { authorization: `Bearer ${created.json['token']}` };
    expect((await machine.get('/api/me', headers)).json).toMatchObject({ account: { email: 'owner@example.test' }, csrf_token: '' });
    expect((await machine.post('/api/organizations', { name: 'Second' }, headers)).status).toBe(201);
    expect((await owner.delete(`/api/tokens/${created.json['id']}`)).status).toBe(204);
    const refused = await machine.get('/api/me', headers);
    expect(refused).toMatchObject({ status: 401, json: { code: 'auth.invalid_key' } });
    expect(refused.headers['www-authenticate']).toContain('invalid_token');
  });
  it('are read from the header alone', async () => {
    const { json } = await owner.post('/api/tokens', { name: 'stray' });
    const machine = new TestClient(plane.app);
    expect((await machine.get(`/api/me?access_token=${json['token']}`)).status).toBe(401);
    expect((await machine.post('/api/organizations', { name: 'x', access_token: json['token'] })).status).toBe(401);
    // A stray member does not spoil a good header either.
    expect((await owner.get('/api/me', { authorization: 'Basic cHJveHk6cHJveHk=' })).status).toBe(200);
    const both = await machine.get(`/api/me?access_token=other`, { authorization: `Bearer ${json['token']}` });
    expect(both.status).toBe(200);
  });
  it('answer a header that cannot be read with 400', async () => {
    expect(await new TestClient(plane.app).get('/api/me', { authorization: 'Bearer a b c' })).toMatchObject({ status: 400, json: { code: 'request.bad_header' } });
  });
});

describe('strangers and roles', () => {
  it('a stranger is told that nothing is there', async () => {
    const stranger = new TestClient(plane.app);
    await stranger.signUp('stranger@example.test', { starter: 'empty' });
    const keyId = (await owner.get(`/api/databases/${developmentId}/keys`)).json['items'][0].id;
    const paths = [`/api/projects/${projectId}`, `/api/databases/${developmentId}`, `/api/databases/${developmentId}/keys`, `/api/projects/${projectId}/schema`, `/api/projects/${projectId}/audit`];
    for (const path of paths) expect(await stranger.get(path)).toMatchObject({ status: 404, json: { code: 'resource.not_found' } });
    expect((await stranger.delete(`/api/keys/${keyId}`)).status).toBe(404);
    expect((await stranger.get('/api/projects')).json['items']).toHaveLength(1);
  });
  it('a list of projects says when each was last called, by its keys', async () => {
    const keyId = (await owner.get(`/api/databases/${developmentId}/keys`)).json['items'][0].id as string;
    const readLast = async (): Promise<unknown> => (await owner.get('/api/projects')).json['items'].find((project: { id: string }) => project.id === projectId).last_call_at;
    const before = await readLast();
    await plane.db.cell.query("UPDATE api_key SET last_used_at = '2049-01-02 03:04:05' WHERE id = ?", [keyId]);
    expect([before, await readLast()]).toEqual([null, '2049-01-02T03:04:05.000Z']);
    await plane.db.cell.query('UPDATE api_key SET last_used_at = NULL WHERE id = ?', [keyId]);
  });
  it('a viewer reads and does not write; a role can be given and taken', async () => {
    const organizationId = signup.json['organization'].id as string;
    const viewer = new TestClient(plane.app);
    const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, { email: 'viewer@example.test', role: 'viewer' });
    expect((await new TestClient(plane.app).signUp('another@example.test', { invitation: invited.json['token'] })).status).toBe(404);
    const joined = await viewer.signUp('viewer@example.test', { invitation: invited.json['token'], starter: 'empty' });
    expect(joined.status).toBe(201);
    expect((await viewer.get(`/api/projects/${projectId}`)).status).toBe(200);
    expect(await viewer.post(`/api/databases/${developmentId}/keys`, { name: 'x' })).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    const member = `/api/organizations/${organizationId}/members/${joined.json['account'].id}`;
    expect((await owner.patch(member, { role: 'developer' })).json).toMatchObject({ role: 'developer' });
    expect((await viewer.post(`/api/databases/${developmentId}/keys`, { name: 'by developer' })).status).toBe(201);
    expect((await viewer.patch(member, { role: 'owner' })).status).toBe(403);
    expect((await owner.delete(member)).status).toBe(204);
    expect((await viewer.get(`/api/projects/${projectId}`)).status).toBe(404);
  });
  it('the last owner cannot go', async () => {
    const organizationId = signup.json['organization'].id as string;
    const gone = await owner.delete(`/api/organizations/${organizationId}/members/${signup.json['account'].id}`);
    expect(gone).toMatchObject({ status: 409, json: { code: 'resource.conflict' } });
    expect((await owner.get(`/api/projects/${projectId}`)).status).toBe(200);
  });
  it('only the operator sees servers', async () => {
    expect(await owner.get('/api/admin/servers')).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    expect((await new TestClient(plane.app).get('/api/admin/servers')).status).toBe(401);
  });
});

describe('keys', () => {
  it('are shown once and listed without their secret', async () => {
    const created = await owner.post(`/api/databases/${developmentId}/keys`, { name: 'web', origins: ['https://a.test'], rate: { per_second: 5, burst: 10 } });
    expect(created).toMatchObject({ status: 201, json: { scopes: ['read', 'write', 'delete', 'query', 'schema'], tables: null, origins: ['https://a.test'] } });
    expect(created.json['secret'].slice(-4)).toBe(created.json['last4']);
    const list = await owner.get(`/api/databases/${developmentId}/keys`);
    expect(JSON.stringify(list.json)).not.toContain(created.json['secret']);
    expect(list.json['items'].map((row: { name: string }) => row.name)).toContain('web');
  });
  it('narrowed to tables have their query account before they are told', async () => {
    const before = plane.worker.seen.length;
    const created = await owner.post(`/api/databases/${developmentId}/keys`, { name: 'narrow', tables: { posts: ['read', 'write'], users: ['write'] } });
    expect(created.status).toBe(201);
    const granted = plane.worker.seen.slice(before).filter((task) => task.kind === 'grant_rights');
    expect(granted).toHaveLength(1);
    expect(granted[0]?.payload).toMatchObject({ database_id: developmentId, tables: { posts: ['read', 'write'], users: ['write'] } });
    expect(await count('api_key', 'id = ? AND rights_hash = ?', [created.json['id'], granted[0]?.payload['rights_hash']])).toBe(1);
    const without = await owner.post(`/api/databases/${developmentId}/keys`, { name: 'no query', scopes: ['read'], tables: { posts: ['read'] } });
    expect(without.status).toBe(201);
    expect(plane.worker.seen.filter((task) => task.kind === 'grant_rights')).toHaveLength(1);
  });
  it('that may write by SQL have an account for it before they are told', async () => {
    const before = plane.worker.seen.length;
    const created = await owner.post(`/api/databases/${developmentId}/keys`, { name: 'writes', scopes: ['read', 'write', 'query', 'query:write'] });
    expect(created.status).toBe(201);
    const granted = plane.worker.seen.slice(before).filter((task) => task.kind === 'grant_rights');
    expect(granted.map((task) => task.payload)).toEqual([{ database_id: developmentId, rights_hash: expect.stringMatching(/^[0-9a-f]{64}$/), tables: { '': ['read', 'write'] }, kind: 'query_write' }]);
  });
  it('name the nearest tables when one is not known', async () => {
    const refused = await owner.post(`/api/databases/${developmentId}/keys`, { name: 'typo', tables: { post: ['read'] } });
    expect(refused.status).toBe(422);
    expect(refused.json['detail'][0]).toMatchObject({ loc: ['body', 'tables', 'post'], type: 'unknown_table' });
    expect(refused.json['hint']).toContain('posts');
  });
  it('are revoked in row, log, shared cache and by message before the answer', async () => {
    const created = await owner.post(`/api/databases/${developmentId}/keys`, { name: 'short-lived' });
    const redisKey = keyRecordKey(plane.config.cellId, new Secrets(plane.config).hash(created.json['secret']).toString('hex'));
    await plane.resources.redis.set(redisKey, 'a cached record');
    const listener = connectRedis(plane.redisUrl, 'listener');
    await new Promise((resolve) => {
      listener.once('ready', resolve);
    });
    const heard: Record<string, unknown>[] = [];
    const signer = createMessageSigner([Buffer.from(plane.config.masterKey.reveal(), 'base64url')]);
    listener.on('message', (channel: string, text: string) => {
      const opened = signer.open(channel, text);
      heard.push(opened.kind === 'signed' ? (JSON.parse(opened.text) as Record<string, unknown>) : opened);
    });
    await listener.subscribe(`{${plane.config.cellId}}:changes`);
    const [head] = await plane.db.cell.query<{ last_seq: string }[]>('SELECT last_seq FROM change_log_head WHERE cell_id = ?', [plane.config.cellId]);

    expect((await owner.delete(`/api/keys/${created.json['id']}`)).status).toBe(204);

    expect(await plane.resources.redis.get(redisKey)).toBeNull();
    expect(await count('api_key', 'id = ? AND revoked_at IS NOT NULL', [created.json['id']])).toBe(1);
    expect(await count('change_log', "cell_id = ? AND seq = ? AND kind = 'key' AND database_id = ?", [plane.config.cellId, Number(head?.last_seq) + 1, developmentId])).toBe(1);
    await expect.poll(() => heard).toEqual([{ seq: Number(head?.last_seq) + 1, database_id: developmentId, kind: 'key', version: 0 }]);
    listener.disconnect();
    expect((await owner.delete(`/api/keys/${created.json['id']}`)).status).toBe(404);
  });
  it('number their changes without a gap when made all at once', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, (_, index) => owner.post(`/api/databases/${developmentId}/keys`, { name: `k${index}` })));
    expect(made.map((answer) => answer.status)).toEqual(Array<number>(12).fill(201));
    const rows = await plane.db.cell.query<{ seq: string }[]>('SELECT seq FROM change_log WHERE cell_id = ? ORDER BY seq', [plane.config.cellId]);
    expect(rows.map((row) => Number(row.seq))).toEqual(rows.map((_, index) => index + 1));
  });
});

describe('databases', () => {
  it('merge settings, count a version and log it', async () => {
    const path = `/api/databases/${developmentId}`;
    const changed = await owner.patch(path, { settings: { require_limit: true, time_zone: 'Europe/Berlin' } });
    expect(changed.json['settings']).toMatchObject({ require_limit: true, time_zone: 'Europe/Berlin', docs_enabled: true });
    const again = await owner.patch(path, { settings: { docs_enabled: false } });
    expect(again.json['settings']).toMatchObject({ require_limit: true, docs_enabled: false });
    const versions = await plane.db.cell.query<{ version: string }[]>("SELECT version FROM change_log WHERE database_id = ? AND kind = 'settings' ORDER BY seq", [developmentId]);
    expect(versions.map((row) => Number(row.version))).toEqual([2, 3]);
    expect((await owner.patch(path, { settings: { time_zone: 'Mars/Olympus' } })).status).toBe(422);
  });
  it('guard only tables that exist', async () => {
    const path = `/api/databases/${developmentId}`;
    const typo = await owner.patch(path, { settings: { require_if_match: ['posts', 'user'] } });
    expect([typo.status, typo.json['detail'][0], typo.json['hint']]).toMatchObject([422, { loc: ['body', 'settings', 'require_if_match', 1], type: 'unknown_table' }, expect.stringContaining('users')]);
    const changed = await owner.patch(path, { settings: { require_if_match: ['posts'] } });
    expect([changed.status, changed.json['settings'].require_if_match]).toEqual([200, ['posts']]);
    expect((await owner.patch(path, { settings: { require_if_match: [] } })).status).toBe(200);
  });
  it('hide only columns that exist, and have every query account granted anew', async () => {
    const path = `/api/databases/${developmentId}`;
    const typo = await owner.patch(path, { settings: { hidden_columns: { user: [] } } });
    expect(typo.json['detail'][0]).toMatchObject({ loc: ['body', 'settings', 'hidden_columns', 'user'], type: 'unknown_table' });
    expect(typo.json['hint']).toContain('users');
    expect((await owner.patch(path, { settings: { hidden_columns: { users: ['emial'] } } })).json['detail'][0]).toMatchObject({ type: 'unknown_column' });
    for (const [hash, rights] of [['', null], ['a'.repeat(64), '{"posts":["read"]}']]) {
      await plane.db.cell.query(
        "INSERT INTO database_account (database_id, kind, rights_hash, cell_id, user_name, secret_sealed, rights, created_at) VALUES (?, 'query', ?, ?, ?, '', ?, UTC_TIMESTAMP(3))",
        [developmentId, hash, plane.config.cellId, `q${hash?.slice(0, 8)}${plane.config.cellId}`, rights],
      );
    }
    const before = plane.worker.seen.length;
    expect((await owner.patch(path, { settings: { hidden_columns: { users: [] } } })).status).toBe(200);
    const granted = plane.worker.seen.slice(before).map((task) => task.payload);
    expect(granted).toHaveLength(2);
    expect(granted).toContainEqual({ database_id: developmentId, rights_hash: '', tables: null });
    expect(granted).toContainEqual({ database_id: developmentId, rights_hash: 'a'.repeat(64), tables: { posts: ['read'] } });
  });
  it('can be added once per environment', async () => {
    const added = await owner.post(`/api/projects/${projectId}/databases`, { environment: 'staging' });
    expect(added).toMatchObject({ status: 201, json: { environment: 'staging', state: 'ready' } });
    expect((await owner.post(`/api/projects/${projectId}/databases`, { environment: 'staging' })).status).toBe(409);
    expect((await owner.delete(`/api/databases/${added.json['id']}`, { confirm: 'production' })).status).toBe(422);
    expect((await owner.delete(`/api/databases/${added.json['id']}`, { confirm: 'staging' })).status).toBe(204);
    expect((await owner.get(`/api/databases/${added.json['id']}`)).status).toBe(404);
  });
});

describe('connections', () => {
  it('are shown once, their password sealed to their own id', async () => {
    const created = await owner.post(`/api/databases/${developmentId}/connections`, { name: 'me', role: 'read-only' });
    expect(created.status).toBe(201);
    const { user, password, database, id } = created.json;
    expect(created.json['connection_string']).toBe(`mysql://${user}:${password}@db.example.test:3307/${database}`);
    expect(user).toMatch(/^u[a-z2-7]{20}$/);
    const task = plane.worker.seen.findLast((one) => one.kind === 'create_connection');
    const box = createSecretBox([Buffer.from(plane.config.masterKey.reveal(), 'base64url')]);
    const sealed = Buffer.from(String(task?.payload['password_sealed']), 'base64');
    expect(box.open(sealed, `connection:${id}`)).toBe(password);
    expect(() => box.open(sealed, 'connection:other')).toThrow();
    const list = await owner.get(`/api/databases/${developmentId}/connections`);
    expect(JSON.stringify(list.json)).not.toContain(password);
    expect((await owner.delete(`/api/connections/${id}`)).status).toBe(204);
    expect(plane.worker.seen.at(-1)).toMatchObject({ kind: 'revoke_connection', payload: { user_name: user } });
    expect((await owner.get(`/api/databases/${developmentId}/connections`)).json['items']).toEqual([]);
  });
  it('bring the authority along where the server is reached by TLS', async () => {
    const ca = `/api/databases/${developmentId}/ca`;
    expect(await owner.get(ca)).toMatchObject({ status: 404, json: { detail: expect.stringContaining('without TLS') } });
    const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    await plane.db.cell.query("UPDATE server SET public_tls = 'required', public_ca = ?", [pem]);
    const created = await owner.post(`/api/databases/${developmentId}/connections`, { name: 'by tls', role: 'read-only' });
    expect(created.json).toMatchObject({ tls: true, ca: pem, connection_string: expect.stringMatching(/\?ssl-mode=VERIFY_CA&ssl-ca=rowhouse-ca\.pem$/) });
    expect(plane.worker.seen.findLast((one) => one.kind === 'create_connection')?.payload).toMatchObject({ require_tls: true });
    expect(await plane.db.cell.query('SELECT requires_tls FROM connection_user WHERE id = ?', [created.json['id']])).toEqual([{ requires_tls: 1 }]);
    const file = await plane.app.inject({ method: 'GET', url: ca, headers: { cookie: owner.cookie ?? '' } });
    expect([file.statusCode, file.body, file.headers['content-disposition']]).toEqual([200, pem, 'attachment; filename="rowhouse-ca.pem"']);
    expect((await new TestClient(plane.app).get(ca)).status).toBe(401);
    await owner.delete(`/api/connections/${created.json['id']}`);
    await plane.db.cell.query("UPDATE server SET public_tls = 'off', public_ca = NULL");
    const [{ host }] = await plane.db.cell.query('SELECT public_host AS host FROM server LIMIT 1');
    await plane.db.cell.query("UPDATE server SET public_host = '{database}.db.example.org'");
    const named = (await owner.post(`/api/databases/${developmentId}/connections`, { name: 'by name', role: 'read-only' })).json;
    expect(named['host']).toBe(`${String(named['database'])}.db.example.org`);
    expect(named['connection_string']).toContain(`@${String(named['host'])}:`);
    await owner.delete(`/api/connections/${named['id']}`);
    await plane.db.cell.query('UPDATE server SET public_host = ?', [host]);
  });
  it('are at most twenty for a database, however many are asked for at once', async () => {
    const asked = await Promise.all(Array.from({ length: 23 }, (_, at) => owner.post(`/api/databases/${developmentId}/connections`, { name: `many ${at}`, role: 'read-only' })));
    const made = asked.filter(({ status }) => status === 201);
    expect(made).toHaveLength(20);
    expect(asked.filter(({ status }) => status === 409)).toHaveLength(3);
    expect(asked.find(({ status }) => status === 409)?.json).toMatchObject({ code: 'resource.conflict', hint: expect.stringContaining('Revoke one') });
    for (const { json } of made) expect((await owner.delete(`/api/connections/${json['id']}`)).status).toBe(204);
    const again = await owner.post(`/api/databases/${developmentId}/connections`, { name: 'again', role: 'read-only' });
    expect(again.status).toBe(201);
    await owner.delete(`/api/connections/${again.json['id']}`);
  });
  it('that the worker refuses are taken back', async () => {
    plane.worker.failures.set('create_connection', { code: 'db.unavailable', detail: 'The server is away.' });
    const refused = await owner.post(`/api/databases/${developmentId}/connections`, { name: 'x', role: 'owner' });
    plane.worker.failures.clear();
    expect(refused).toMatchObject({ status: 503, json: { code: 'db.unavailable', detail: 'The server is away.' } });
    expect((await owner.get(`/api/databases/${developmentId}/connections`)).json['items']).toEqual([]);
    await expect.poll(() => plane.worker.seen.at(-1)?.kind).toBe('revoke_connection');
  });
});

describe('what happens without being asked', () => {
  it('ends connections whose time is over', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const created = await owner.post(`/api/databases/${developmentId}/connections`, { name: 'brief', role: 'read-only', expires_at: soon });
    const connections = plane.app.get(ConnectionService);
    expect(await endExpiredConnections(plane.db, connections)).toEqual([]);
    await plane.db.cell.query('UPDATE connection_user SET expires_at = ? WHERE id = ?', [new Date(Date.now() - 1_000), created.json['id']]);
    expect(await endExpiredConnections(plane.db, connections)).toEqual([created.json['id']]);
    expect(await endExpiredConnections(plane.db, connections)).toEqual([]);
    await expect.poll(() => plane.worker.seen.at(-1)).toMatchObject({ kind: 'revoke_connection', payload: { connection_id: created.json['id'] } });
    expect((await owner.post(`/api/databases/${developmentId}/connections`, { name: 'late', role: 'owner', expires_at: '2020-01-01T00:00:00Z' })).status).toBe(422);
  });
  it('drops databases after their grace period, once', async () => {
    const client = new TestClient(plane.app);
    const { json } = await client.signUp('dropper@example.test', { starter: 'empty', project: 'Old' });
    await client.delete(`/api/projects/${json['project'].id}`, { confirm: 'Old' });
    const tasks = plane.app.get(TaskRunner);
    expect(await dropExpired(plane.db, tasks)).toEqual([]);
    await plane.db.cell.query('UPDATE tenant_database SET deleted_at = ? WHERE project_id = ?', [new Date(Date.now() - 8 * 86_400_000), json['project'].id]);
    expect((await dropExpired(plane.db, tasks)).sort()).toEqual(json['databases'].map((row: { id: string }) => row.id).sort());
    expect(await dropExpired(plane.db, tasks)).toEqual([]);
    await plane.db.global.query('UPDATE project SET deleted_at = ? WHERE id = ?', [new Date(Date.now() - 8 * 86_400_000), json['project'].id]);
    expect((await client.post(`/api/projects/${json['project'].id}/restore`)).status).toBe(404);
  });
});

describe('servers', () => {
  it('keep their credentials where only the worker reads them', async () => {
    const [row] = await plane.db.cell.query<{ provisioner_sealed: Buffer }[]>('SELECT provisioner_sealed FROM server WHERE name = ?', ['first']);
    expect(JSON.parse(openWithPrivateKey(plane.serverPrivateKey, row?.provisioner_sealed as Buffer))).toEqual({ user: 'p', password: 'secret-of-the-provisioner' });
  });
});

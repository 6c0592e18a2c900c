import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyRecordKey } from '@rowhouse/contracts';
import { createSecretBox } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { ConnectionService } from '../connections/connection-service.js';
import { SessionKeyService } from './session-key-service.js';
import { Secrets } from '../../platform/secrets.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

let plane: TestControlPlane;
let owner: TestClient;
let outsider: TestClient;
let signup: TestResponse;
let projectId: string;
let developmentId: string;

const login = async (email: string): Promise<TestClient> => {
  const client = new TestClient(plane.app);
  await client.post('/api/auth/login', { email, password: 'correct horse battery' });
  return client;
};
const createKey = async (body: Record<string, unknown> = {}): Promise<TestResponse['json']> =>
  (await owner.post(`/api/databases/${developmentId}/keys`, { name: 'web', ...body })).json;
const readKey = async (id: unknown): Promise<Record<string, unknown> | undefined> =>
  (await plane.db.cell.query<Record<string, unknown>[]>('SELECT * FROM api_key WHERE id = ?', [id]))[0];
const recordKeyOf = (secret: string): string =>
  keyRecordKey(plane.config.cellId, new Secrets(plane.config).hash(secret).toString('hex'));
const secondsUntil = (time: unknown): number => (new Date(String(time)).getTime() - Date.now()) / 1_000;

beforeAll(async () => {
  plane = await startTestControlPlane();
  [owner, outsider] = [new TestClient(plane.app), new TestClient(plane.app)];
  signup = await owner.signUp('owner@example.test');
  await outsider.signUp('stranger@example.test', { starter: 'empty' });
  projectId = signup.json['project'].id;
  developmentId = signup.json['databases'].find(
    (row: { environment: string }) => row.environment === 'development',
  ).id;
}, 60_000);
afterAll(() => plane?.stop());
beforeEach(() => plane.worker.failures.clear());

describe('rotating a key', () => {
  it('a rotated key accepts its new secret, and the previous one during the overlap', async () => {
    const old = await createKey({
      scopes: ['read'],
      origins: ['https://a.test'],
      rate: { per_second: 5, burst: 10 },
    });
    await plane.resources.redis.set(recordKeyOf(old['secret']), 'a cached record');
    const rotated = await owner.post(`/api/keys/${old['id']}/rotate`, { overlap_seconds: 600 });
    expect(rotated).toMatchObject({
      status: 201,
      json: {
        name: 'web',
        scopes: ['read'],
        origins: ['https://a.test'],
        rate: { per_second: 5, burst: 10 },
        expires_at: null,
        replaced_by: null,
      },
    });
    expect(rotated.json['secret']).not.toBe(old['secret']);
    expect(rotated.json['previous']).toMatchObject({ id: old['id'], replaced_by: rotated.json['id'] });
    expect(secondsUntil(rotated.json['previous'].expires_at)).toBeGreaterThan(500);
    const [before, after] = [await readKey(old['id']), await readKey(rotated.json['id'])];
    expect([before?.['revoked_at'], after?.['lineage_id']]).toEqual([null, before?.['lineage_id']]);
    expect(await plane.resources.redis.get(recordKeyOf(old['secret']))).toBeNull();
    const list = (await owner.get(`/api/databases/${developmentId}/keys`)).json['items'] as {
      id: string;
      last_used_at: unknown;
    }[];
    expect(list.filter((key) => [old['id'], rotated.json['id']].includes(key.id))).toHaveLength(2);
    const audit = (await owner.get(`/api/projects/${projectId}/audit`)).json['items'] as {
      action: string;
      target: string;
    }[];
    expect(audit).toContainEqual(expect.objectContaining({ action: 'key.rotate', target: old['id'] }));
  });
  it('the overlap of a key rotation defaults to a day and never extends the key', async () => {
    const plain = await createKey();
    expect(
      secondsUntil((await owner.post(`/api/keys/${plain['id']}/rotate`)).json['previous'].expires_at),
    ).toBeGreaterThan(86_000);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const brief = await createKey({ expires_at: soon });
    const rotated = await owner.post(`/api/keys/${brief['id']}/rotate`, {});
    expect([rotated.json['expires_at'], rotated.json['previous'].expires_at]).toEqual([soon, soon]);
  });
  it('rotating a key without an overlap revokes the previous secret at once', async () => {
    const old = await createKey();
    const rotated = await owner.post(`/api/keys/${old['id']}/rotate`, { overlap_seconds: 0 });
    expect(rotated.status).toBe(201);
    expect((await readKey(old['id']))?.['revoked_at']).not.toBeNull();
    expect((await owner.post(`/api/keys/${old['id']}/rotate`, {})).status).toBe(404);
  });
  it('only one of several concurrent key rotations succeeds', async () => {
    const old = await createKey();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => owner.post(`/api/keys/${old['id']}/rotate`, {})),
    );
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409, 409,
    ]);
    const winner = answers.find((answer) => answer.status === 201)?.json['id'];
    expect(await owner.post(`/api/keys/${old['id']}/rotate`, {})).toMatchObject({
      status: 409,
      json: { code: 'resource.conflict', replaced_by: winner },
    });
    expect((await owner.post(`/api/keys/${winner}/rotate`, {})).status).toBe(201);
  });
  it('a key rotation rejects outsiders and overlaps above the limit', async () => {
    const old = await createKey();
    expect((await outsider.post(`/api/keys/${old['id']}/rotate`, {})).status).toBe(404);
    for (const overlap of [-1, 1.5, 2_592_001, '60'])
      expect((await owner.post(`/api/keys/${old['id']}/rotate`, { overlap_seconds: overlap })).status).toBe(
        422,
      );
    expect(
      (await owner.post(`/api/keys/${old['id']}/rotate`, { expires_at: '2020-01-01T00:00:00Z' })).status,
    ).toBe(422);
    expect((await readKey(old['id']))?.['replaced_by']).toBeNull();
  });
});

describe('session keys', () => {
  const mint = (client: TestClient): Promise<TestResponse> =>
    client.post(`/api/databases/${developmentId}/session-key`);
  const isLive = async (answer: TestResponse): Promise<boolean> =>
    (await readKey(answer.json['id']))?.['revoked_at'] === null;

  it('a session key lasts a quarter of an hour and is not listed', async () => {
    const minted = await mint(owner);
    expect(minted).toMatchObject({
      status: 201,
      json: { scopes: ['read', 'write', 'delete', 'query', 'schema'] },
    });
    expect(secondsUntil(minted.json['expires_at'])).toBeGreaterThan(800);
    expect(secondsUntil(minted.json['expires_at'])).toBeLessThanOrEqual(900);
    const list = (await owner.get(`/api/databases/${developmentId}/keys`)).json['items'] as { id: string }[];
    expect(list.map((key) => key.id)).not.toContain(minted.json['id']);
    expect((await owner.delete(`/api/keys/${minted.json['id']}`)).status).toBe(404);
    expect((await owner.post(`/api/keys/${minted.json['id']}/rotate`, {})).status).toBe(404);
    expect((await mint(outsider)).status).toBe(404);
  });
  it('a session key is created for a session and rejected for a token', async () => {
    const { token } = (await owner.post('/api/tokens', { name: 'ci' })).json;
    const rejected = await new TestClient(plane.app).post(
      `/api/databases/${developmentId}/session-key`,
      undefined,
      { authorization: `Bearer ${token}` },
    );
    expect(rejected).toMatchObject({ status: 401, json: { code: 'auth.missing_session' } });
  });
  it('a session has at most two hundred session keys per database', async () => {
    const busy = await login('owner@example.test');
    const first = await mint(busy);
    const copy = (many: number): Promise<unknown> =>
      plane.db.cell.query(
        `INSERT INTO api_key (id, cell_id, database_id, lineage_id, name, key_hash, last4, kind, scopes, rights_hash, created_by, created_at, expires_at, session_id)
       WITH RECURSIVE n AS (SELECT 1 AS seq UNION ALL SELECT seq + 1 FROM n WHERE seq < ${many}) SELECT CONCAT('key_many', n.seq), k.cell_id, k.database_id, k.lineage_id, k.name, UNHEX(SHA2(CONCAT('many', n.seq), 256)), k.last4, k.kind, k.scopes, k.rights_hash, k.created_by, k.created_at, k.expires_at, k.session_id
       FROM api_key k JOIN n WHERE k.id = ?`,
        [first.json['id']],
      );
    await copy(199);
    expect(await mint(busy)).toMatchObject({
      status: 429,
      json: { code: 'limit.rate' },
      headers: { 'retry-after': '60' },
    });
    expect((await mint(owner)).status).toBe(201);
    await plane.db.cell.query("DELETE FROM api_key WHERE id LIKE 'key\\_many%'");
    await copy(900);
    await busy.post('/api/auth/logout');
    expect(
      await plane.db.cell.query(
        "SELECT COUNT(*) AS n FROM api_key WHERE id LIKE 'key\\_many%' AND revoked_at IS NULL",
      ),
    ).toEqual([{ n: '0' }]);
  });
  it('a session key ends together with its own session and no other one', async () => {
    const [leaving, revoked, staying] = [
      await login('owner@example.test'),
      await login('owner@example.test'),
      await login('owner@example.test'),
    ];
    const keys = await Promise.all([leaving, revoked, staying].map(mint));
    await plane.resources.redis.set(recordKeyOf(keys[0]?.json['secret']), 'a cached record');
    await leaving.post('/api/auth/logout');
    expect(await plane.resources.redis.get(recordKeyOf(keys[0]?.json['secret']))).toBeNull();
    const sessions = (await revoked.get('/api/sessions')).json['items'] as {
      id: string;
      is_current: boolean;
    }[];
    await owner.delete(`/api/sessions/${sessions.find((session) => session.is_current)?.id}`);
    expect(await Promise.all(keys.map(isLive))).toEqual([false, false, true]);
  });
  it('a session key has the rights of its role and ends when the role changes', async () => {
    const organizationId = signup.json['organization'].id as string;
    const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, {
      email: 'viewer@example.test',
      role: 'viewer',
    });
    const viewer = new TestClient(plane.app);
    const joined = await viewer.signUp('viewer@example.test', {
      invitation: invited.json['token'],
      starter: 'empty',
    });
    expect(
      await viewer.post(`/api/databases/${developmentId}/session-key`, { sql_writes: true }),
    ).toMatchObject({ status: 403, json: { code: 'auth.role' } });
    expect(
      (await owner.post(`/api/databases/${developmentId}/session-key`, { sql_writes: true })).json['scopes'],
    ).toContain('query:write');
    expect(plane.worker.seen.at(-1)).toMatchObject({
      kind: 'grant_rights',
      payload: { database_id: developmentId, kind: 'query_write' },
    });
    const ownDatabase = (await viewer.get('/api/projects')).json['items']
      .flatMap((project: { databases: { id: string }[] }) => project.databases)
      .find((row: { id: string }) => row.id !== developmentId);
    const [asViewer, otherServer] = [
      await mint(viewer),
      await viewer.post(`/api/databases/${ownDatabase?.id}/session-key`),
    ];
    expect(asViewer.json['scopes']).toEqual(['read', 'query', 'schema']);
    const member = `/api/organizations/${organizationId}/members/${joined.json['account'].id}`;
    await owner.patch(member, { role: 'developer' });
    expect([await isLive(asViewer), otherServer.status]).toEqual([false, 201]);
    const asDeveloper = await mint(viewer);
    expect(asDeveloper.json['scopes']).toContain('delete');
    await owner.delete(member);
    expect([await isLive(asDeveloper), (await mint(viewer)).status]).toEqual([false, 404]);
  });
  it('a session key is not created if its session or role ends during the creation', async () => {
    const organizationId = signup.json['organization'].id as string;
    const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, {
      email: 'leaver@example.test',
      role: 'developer',
    });
    const formerMember = new TestClient(plane.app);
    const joined = await formerMember.signUp('leaver@example.test', {
      invitation: invited.json['token'],
      starter: 'empty',
    });
    const otherServer = await login('leaver@example.test');
    const ends: readonly (() => Promise<TestResponse>)[] = [
      () => otherServer.post('/api/auth/logout'),
      () =>
        owner.patch(`/api/organizations/${organizationId}/members/${joined.json['account'].id}`, {
          role: 'viewer',
        }),
    ];
    for (const [index, end] of ends.entries()) {
      plane.worker.ignored.add('grant_rights');
      const minting = (index === 0 ? otherServer : formerMember).post(
        `/api/databases/${developmentId}/session-key`,
        { sql_writes: true },
      );
      await expect
        .poll(
          async () =>
            (
              await plane.db.cell.query<unknown[]>(
                "SELECT id FROM task WHERE kind = 'grant_rights' AND state = 'queued'",
              )
            ).length,
        )
        .toBe(1);
      expect((await end()).status).toBeLessThan(300);
      plane.worker.ignored.delete('grant_rights');
      expect(await minting).toMatchObject({ status: 401, json: { code: 'auth.missing_session' } });
    }
    const live = await plane.db.cell.query<unknown[]>(
      "SELECT id FROM api_key WHERE kind = 'session' AND created_by = ? AND revoked_at IS NULL AND database_id = ?",
      [joined.json['account'].id, developmentId],
    );
    expect(live).toEqual([]);
  });
  it('session keys are deleted a day after their end', async () => {
    const keys = [await mint(owner), await mint(owner)];
    await plane.db.cell.query('UPDATE api_key SET expires_at = ? WHERE id = ?', [
      new Date(Date.now() - 90_000_000),
      keys[0]?.json['id'],
    ]);
    await plane.app.get(SessionKeyService).sweep();
    expect([await readKey(keys[0]?.json['id']), (await readKey(keys[1]?.json['id']))?.['id']]).toEqual([
      undefined,
      keys[1]?.json['id'],
    ]);
  });
});

describe('a connection whose task does not succeed', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    plane.worker.ignored.clear();
  });

  it('a rejected request for a connection leaves no task and no revocation in the audit log', async () => {
    const count = async (): Promise<unknown[]> => [
      await plane.db.cell.query("SELECT id FROM task WHERE kind = 'revoke_connection'"),
      await plane.db.cell.query("SELECT id FROM audit_outbox WHERE action = 'connection.revoke'"),
    ];
    const before = await count();
    vi.spyOn(plane.app.get(TaskRunner), 'insert').mockRejectedValueOnce(
      new AppError('limit.concurrency', {}),
    );
    const rejected = await owner.post(`/api/databases/${developmentId}/connections`, {
      name: 'one too many',
      role: 'read-only',
    });
    expect(rejected.json['code']).toBe('limit.concurrency');
    expect(await count()).toEqual(before);
  });

  it('the first error of a new connection is returned although the account cannot be removed', async () => {
    const tasks = plane.app.get(TaskRunner);
    vi.spyOn(tasks, 'wait').mockRejectedValueOnce(new AppError('db.timeout', {}));
    vi.spyOn(plane.app.get(ConnectionService), 'end').mockRejectedValueOnce(new Error('away'));
    const late = await owner.post(`/api/databases/${developmentId}/connections`, {
      name: 'late',
      role: 'read-only',
    });
    expect(late.json['code']).toBe('db.timeout');
  });

  it.each(['queued', 'running'])(
    'a rotation whose task is %s at its deadline is undone or completed',
    async (state) => {
      const { id } = (
        await owner.post(`/api/databases/${developmentId}/connections`, { name: state, role: 'read-only' })
      ).json;
      await owner.post(`/api/connections/${id}/rotate`, { overlap_seconds: 3_600 });
      const readOverlap = async (): Promise<unknown> =>
        (
          await plane.db.cell.query<{ previous_until: unknown }[]>(
            'SELECT previous_until FROM connection_user WHERE id = ?',
            [id],
          )
        )[0]?.previous_until;
      const earlier = await readOverlap();
      plane.worker.ignored.add('rotate_connection');
      let taskId = '';
      vi.spyOn(plane.app.get(TaskRunner), 'wait').mockImplementationOnce(async (waitedId) => {
        taskId = waitedId;
        await plane.db.cell.query('UPDATE task SET state = ? WHERE id = ?', [state, taskId]);
        throw new AppError('db.timeout', {});
      });
      const late = await owner.post(`/api/connections/${id}/rotate`, { overlap_seconds: 60 });
      expect(late.json['code']).toBe('db.timeout');
      // A task that is running may still set the new password. The known password is then the previous one.
      expect(await readOverlap()).toEqual(state === 'queued' ? earlier : null);
      const [task] = await plane.db.cell.query<{ state: string; payload: string }[]>(
        'SELECT state, payload FROM task WHERE id = ?',
        [taskId],
      );
      expect(task?.state).toBe(state === 'queued' ? 'failed' : 'running');
      expect(JSON.stringify(task).includes('password_sealed')).toBe(state === 'running');
      await plane.db.cell.query("UPDATE task SET state = 'done' WHERE id = ?", [taskId]);
    },
  );
});

describe('creating a key or a connection', () => {
  /**
   * Sends a request that waits for this kind of work, runs `end` in the meantime, and lets the request
   * continue.
   */
  async function concurrently(
    kind: 'grant_rights' | 'create_connection' | 'rotate_connection',
    call: () => Promise<TestResponse>,
    end: () => Promise<TestResponse>,
  ): Promise<TestResponse> {
    plane.worker.ignored.add(kind);
    const calling = call();
    await expect
      .poll(
        async () =>
          (
            await plane.db.cell.query<unknown[]>("SELECT id FROM task WHERE kind = ? AND state = 'queued'", [
              kind,
            ])
          ).length,
      )
      .toBe(1);
    expect((await end()).status).toBeLessThan(300);
    plane.worker.ignored.delete(kind);
    return await calling;
  }
  const liveOf = async (
    table: 'api_key' | 'connection_user',
    databaseId: string,
    name: string,
  ): Promise<number> =>
    (
      await plane.db.cell.query<unknown[]>(
        `SELECT id FROM ${table} WHERE database_id = ? AND name = ? AND revoked_at IS NULL`,
        [databaseId, name],
      )
    ).length;

  it('creating a key or a connection fails if its creator is removed during the creation', async () => {
    const organizationId = signup.json['organization'].id as string;
    const join = async (): Promise<{ client: TestClient; leave: () => Promise<TestResponse> }> => {
      const email = `gone${Math.random().toString(36).slice(2)}@example.test`;
      const invited = await owner.post(`/api/organizations/${organizationId}/invitations`, {
        email,
        role: 'developer',
      });
      const client = new TestClient(plane.app);
      const joined = await client.signUp(email, { invitation: invited.json['token'], starter: 'empty' });
      return {
        client,
        leave: () =>
          owner.delete(`/api/organizations/${organizationId}/members/${joined.json['account'].id}`),
      };
    };
    const changed = {
      status: 409,
      json: {
        code: 'resource.conflict',
        detail: 'Your role, the project or the database changed during the request.',
      },
    };
    const [maker, connector, rotator] = [await join(), await join(), await join()];
    const key = await concurrently(
      'grant_rights',
      () =>
        maker.client.post(`/api/databases/${developmentId}/keys`, {
          name: 'left behind',
          scopes: ['read', 'query:write'],
        }),
      maker.leave,
    );
    expect([key, await liveOf('api_key', developmentId, 'left behind')]).toEqual([
      expect.objectContaining({ status: 409 }),
      0,
    ]);
    expect(key).toMatchObject(changed);
    const connection = await concurrently(
      'create_connection',
      () =>
        connector.client.post(`/api/databases/${developmentId}/connections`, {
          name: 'left behind',
          role: 'owner',
        }),
      connector.leave,
    );
    expect([connection.status, await liveOf('connection_user', developmentId, 'left behind')]).toEqual([
      409, 0,
    ]);
    const own = (
      await owner.post(`/api/databases/${developmentId}/connections`, { name: 'kept', role: 'read-only' })
    ).json;
    // The earlier overlap must not continue. At its end, the known password would become invalid, because it
    // is now the previous one.
    expect(
      (await owner.post(`/api/connections/${own['id']}/rotate`, { overlap_seconds: 3_600 })).status,
    ).toBe(200);
    const rotated = await concurrently(
      'rotate_connection',
      () => rotator.client.post(`/api/connections/${own['id']}/rotate`, { overlap_seconds: 60 }),
      rotator.leave,
    );
    expect(rotated).toMatchObject(changed);
    const [row] = await plane.db.cell.query<{ previous_until: unknown }[]>(
      'SELECT previous_until FROM connection_user WHERE id = ?',
      [own['id']],
    );
    expect(row?.previous_until).toBeNull();
  });
  it('a key is not created if its project moves or its database is deleted during the creation', async () => {
    const mover = new TestClient(plane.app);
    const created = (await mover.signUp('mover@example.test', { starter: 'empty' })).json;
    const [databaseId, otherId] = created['databases'].map((row: { id: string }) => row.id) as [
      string,
      string,
    ];
    const otherServer = (await mover.post('/api/organizations', { name: 'Elsewhere' })).json['id'];
    const make = (id: string) => () =>
      mover.post(`/api/databases/${id}/keys`, { name: 'left behind', scopes: ['read', 'query:write'] });
    const moved = await concurrently('grant_rights', make(databaseId), () =>
      mover.post(`/api/projects/${created['project'].id}/move`, { organization_id: otherServer }),
    );
    expect([moved.status, await liveOf('api_key', databaseId, 'left behind')]).toEqual([409, 0]);
    const environment = created['databases'][1].environment as string;
    const deleted = await concurrently('grant_rights', make(otherId), () =>
      mover.delete(`/api/databases/${otherId}`, { confirm: environment }),
    );
    expect([deleted.status, await liveOf('api_key', otherId, 'left behind')]).toEqual([409, 0]);
  });
});

describe('rotating a connection', () => {
  const create = async (): Promise<TestResponse['json']> =>
    (await owner.post(`/api/databases/${developmentId}/connections`, { name: 'me', role: 'read-only' })).json;
  const lastTask = (): { kind: string; payload: Record<string, unknown> } | undefined =>
    plane.worker.seen.at(-1);

  it('rotating a connection encrypts the new password, and the previous one stays valid', async () => {
    const old = await create();
    const rotated = await owner.post(`/api/connections/${old['id']}/rotate`, { overlap_seconds: 3_600 });
    expect(rotated).toMatchObject({ status: 200, json: { id: old['id'], user: old['user'] } });
    expect(rotated.json['password']).not.toBe(old['password']);
    expect(rotated.json['connection_string']).toContain(rotated.json['password']);
    expect(secondsUntil(rotated.json['previous_until'])).toBeGreaterThan(3_500);
    expect(lastTask()).toMatchObject({
      kind: 'rotate_connection',
      payload: { user_name: old['user'], keep_previous: true },
    });
    const box = createSecretBox([Buffer.from(plane.config.masterKey.reveal(), 'base64url')]);
    expect(
      box.open(
        Buffer.from(String(lastTask()?.payload['password_sealed']), 'base64'),
        `connection:${old['id']}`,
      ),
    ).toBe(rotated.json['password']);
    expect((await outsider.post(`/api/connections/${old['id']}/rotate`, {})).status).toBe(404);
  });
  it('testing a connection with a password does not store it', async () => {
    const created = await create();
    const tried = await owner.post(`/api/connections/${created['id']}/test`, {
      password: created['password'],
    });
    expect(tried).toMatchObject({ status: 200, json: { fault: null, reaches_address: true, tables: 2 } });
    expect(lastTask()).toMatchObject({
      kind: 'test_connection',
      payload: {
        user_name: created['user'],
        host: created['host'],
        port: created['port'],
        tls: false,
        ca: null,
      },
    });
    expect(JSON.stringify(lastTask()?.payload)).not.toContain(created['password']);
    for (const password of ['', 7])
      expect((await owner.post(`/api/connections/${created['id']}/test`, { password })).status).toBe(422);
    expect(
      (await outsider.post(`/api/connections/${created['id']}/test`, { password: created['password'] }))
        .status,
    ).toBe(404);
    await owner.delete(`/api/connections/${created['id']}`);
    expect(
      (await owner.post(`/api/connections/${created['id']}/test`, { password: created['password'] })).status,
    ).toBe(404);
  });
  it('the previous password of a rotated connection ends once after the overlap', async () => {
    const old = await create();
    await owner.post(`/api/connections/${old['id']}/rotate`, {});
    const service = plane.app.get(ConnectionService);
    expect(await service.endOverlaps()).toEqual([]);
    await plane.db.cell.query('UPDATE connection_user SET previous_until = ? WHERE id = ?', [
      new Date(Date.now() - 1_000),
      old['id'],
    ]);
    expect(await service.endOverlaps()).toEqual([old['id']]);
    expect(lastTask()).toMatchObject({
      kind: 'end_rotation',
      payload: { connection_id: old['id'], user_name: old['user'] },
    });
    expect(await service.endOverlaps()).toEqual([]);
    const [listed] = (
      (await owner.get(`/api/databases/${developmentId}/connections`)).json['items'] as {
        id: string;
        previous_until: unknown;
      }[]
    ).filter((row) => row.id === old['id']);
    expect(listed?.previous_until).toBeNull();
  });
  it('password overlaps of connections end oldest first, even if one server is unavailable', async () => {
    const olds = [await create(), await create()];
    const ids = olds.map((old) => old['id']).sort((item, other) => String(other).localeCompare(String(item)));
    for (const [index, id] of ids.entries()) {
      await owner.post(`/api/connections/${id}/rotate`, {});
      await plane.db.cell.query('UPDATE connection_user SET previous_until = ? WHERE id = ?', [
        new Date(Date.now() - 60_000 + index * 1_000),
        id,
      ]);
    }
    const service = plane.app.get(ConnectionService);
    plane.worker.failures.set('end_rotation', { code: 'db.unavailable', detail: 'The server is away.' });
    const seen = plane.worker.seen.length;
    await expect(service.endOverlaps()).rejects.toThrow('2 of 2');
    expect(plane.worker.seen.slice(seen).map(({ payload }) => payload['connection_id'])).toEqual(ids);
    plane.worker.failures.clear();
    expect(await service.endOverlaps()).toEqual(ids);
  });
  it('a password rotation that the worker rejects leaves the password unchanged', async () => {
    const old = await create();
    plane.worker.failures.set('rotate_connection', {
      code: 'resource.conflict',
      detail: 'One password at a time.',
    });
    expect(await owner.post(`/api/connections/${old['id']}/rotate`, {})).toMatchObject({
      status: 409,
      json: { detail: 'One password at a time.' },
    });
    const [row] = await plane.db.cell.query<{ previous_until: unknown }[]>(
      'SELECT previous_until FROM connection_user WHERE id = ?',
      [old['id']],
    );
    expect(row?.previous_until).toBeNull();
  });
  it('a revoked connection cannot be rotated', async () => {
    const old = await create();
    await owner.delete(`/api/connections/${old['id']}`);
    expect((await owner.post(`/api/connections/${old['id']}/rotate`, {})).status).toBe(404);
  });
});

describe('an added database that cannot be created', () => {
  it('a database that cannot be created is removed and frees the name of its environment', async () => {
    plane.worker.failures.set('provision_database', {
      code: 'db.unavailable',
      detail: 'The server is away.',
    });
    expect(
      await owner.post(`/api/projects/${projectId}/databases`, { environment: 'staging' }),
    ).toMatchObject({ status: 503, json: { code: 'db.unavailable' } });
    plane.worker.failures.clear();
    await expect.poll(() => plane.worker.seen.at(-1)?.kind).toBe('drop_database');
    const listed = (await owner.get(`/api/projects/${projectId}`)).json['databases'] as {
      environment: string;
    }[];
    expect(listed.map((row) => row.environment)).toEqual(['development', 'production']);
    expect(
      await owner.post(`/api/projects/${projectId}/databases`, { environment: 'staging' }),
    ).toMatchObject({ status: 201, json: { state: 'ready' } });
  });
  it('a database whose creation fails late is removed when its name is requested again', async () => {
    plane.worker.ignored.add('provision_database');
    plane.worker.failures.set('provision_database', {
      code: 'db.unavailable',
      detail: 'The server is away.',
    });
    const pendingResponse = owner.post(`/api/projects/${projectId}/databases`, { environment: 'preview' });
    await expect
      .poll(
        async () =>
          (
            await plane.db.cell.query<unknown[]>(
              "SELECT id FROM tenant_database WHERE environment = 'preview' AND project_id = ?",
              [projectId],
            )
          ).length,
      )
      .toBe(1);
    await plane.db.cell.query(
      "UPDATE tenant_database SET provision_state = 'failed' WHERE environment = 'preview' AND project_id = ?",
      [projectId],
    );
    plane.worker.failures.clear();
    plane.worker.ignored.clear();
    await pendingResponse;
    await plane.db.cell.query(
      "UPDATE tenant_database SET provision_state = 'failed' WHERE environment = 'preview' AND project_id = ?",
      [projectId],
    );
    expect(
      await owner.post(`/api/projects/${projectId}/databases`, { environment: 'preview' }),
    ).toMatchObject({ status: 201, json: { state: 'ready' } });
  });
});

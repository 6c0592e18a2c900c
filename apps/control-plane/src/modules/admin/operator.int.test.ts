import { formatSlot } from '@rowhouse/credentials';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

let plane: TestControlPlane;
let operator: TestClient;
let owner: TestClient;
let projectId: string;
let databaseId: string;
let serverId: string;

beforeAll(async () => {
  plane = await startTestControlPlane({
    ROWHOUSE_OPERATOR_EMAIL: 'operator@example.test',
    OWNER_CONNECTIONS: 'dedicated',
  });
  operator = new TestClient(plane.app);
  await operator.signUp('operator@example.test', { starter: 'empty' });
  await plane.db.global.query("UPDATE account SET is_operator = 1 WHERE email = 'operator@example.test'");
  owner = new TestClient(plane.app);
  const signup = await owner.signUp('owner@example.test', { starter: 'empty' });
  projectId = signup.json['project']?.id;
  databaseId = signup.json['databases'][0].id;
  serverId = (await operator.get('/api/admin/servers')).json['items'][0].id;
}, 60_000);
afterAll(() => plane?.stop());

const server = (rest = ''): string => `/api/admin/servers/${serverId}${rest}`;

describe('operators', () => {
  it('a database server rejects databases beyond its limit', async () => {
    const { databases } = (await operator.get(server())).json as { databases: number };
    expect(await operator.patch(server(), { databases_max: databases })).toMatchObject({
      status: 200,
      json: { databases, databases_max: databases, state: 'active' },
    });
    expect(
      await owner.post(`/api/projects/${projectId}/databases`, { environment: 'staging' }),
    ).toMatchObject({ status: 503, json: { code: 'platform.unavailable' } });
    // A project without databases is rejected too.
    expect(await owner.post('/api/projects', { name: 'No room' })).toMatchObject({
      status: 503,
      json: { code: 'platform.unavailable' },
    });
    expect(
      ((await owner.get('/api/projects')).json['items'] as { name: string }[]).map(({ name }) => name),
    ).not.toContain('No room');
    for (const port of [3307, null])
      expect(await operator.patch(server(), { admin_port: port })).toMatchObject({
        status: 200,
        json: { admin_port: port },
      });
    await operator.patch(server(), { databases_max: databases + 1 });
    expect(
      (await owner.post(`/api/projects/${projectId}/databases`, { environment: 'staging' })).status,
    ).toBe(201);
    for (const body of [
      { databases_max: -1 },
      { databases_max: 1.5 },
      { state: 'gone' },
      { host: 'elsewhere' },
    ])
      expect((await operator.patch(server(), body)).status, JSON.stringify(body)).toBe(422);
  });

  it('a new address of a server adds a change-log entry for each of its databases', async () => {
    const register = (port: number): Promise<TestResponse> =>
      operator.post('/api/admin/servers', {
        name: 'first',
        host: '127.0.0.1',
        port,
        public_host: 'db.example.test',
        public_port: 3307,
        provisioner: { user: 'p', password: 'secret-of-the-provisioner' },
        observer: { user: 'o', password: 'x' },
      });
    const readLog = (): Promise<{ seq: string; database_id: string }[]> =>
      plane.db.cell.query("SELECT seq, database_id FROM change_log WHERE kind = 'account' ORDER BY seq");
    const listIds = async (): Promise<string[]> =>
      (
        await plane.db.cell.query<{ id: string }[]>(
          'SELECT id FROM tenant_database WHERE server_id = ? AND deleted_at IS NULL',
          [serverId],
        )
      ).map(({ id }) => id);
    const before = await readLog();
    expect((await register(3306)).status).toBe(201);
    expect(await readLog()).toEqual(before);
    expect((await register(3316)).status).toBe(201);
    const added = (await readLog()).slice(before.length);
    expect(added.map((entry) => entry.database_id).toSorted()).toEqual((await listIds()).toSorted());
    const [head] = await plane.db.cell.query<{ last_seq: string }[]>('SELECT last_seq FROM change_log_head');
    expect(added.at(-1)?.seq).toEqual(head?.last_seq);
    expect((await register(3306)).status).toBe(201);
  });

  it('the database limit of a server holds under concurrency', async () => {
    await operator.patch(server(), { databases_max: 5_000 });
    const other = new TestClient(plane.app);
    const { json } = await other.signUp('at-once@example.test', { starter: 'empty' });
    const { databases } = (await operator.get(server())).json as { databases: number };
    await operator.patch(server(), { databases_max: databases + 3 });
    // A project needs capacity for two databases. If there is less, neither of them is created.
    const requests = await Promise.all([
      ...['one', 'two', 'three', 'four'].map((environment) =>
        other.post(`/api/projects/${json['project'].id}/databases`, { environment }),
      ),
      other.post('/api/projects', { name: 'Two more' }),
    ]);
    expect(requests.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
    expect((await operator.get(server())).json).toMatchObject({
      databases: databases + 3,
      databases_max: databases + 3,
    });
    await operator.patch(server(), { databases_max: 5_000 });
  });

  it('two concurrent requests for one name create one database', async () => {
    await operator.patch(server(), { databases_max: 5_000 });
    const requests = await Promise.all(
      [1, 2, 3].map(() => owner.post(`/api/projects/${projectId}/databases`, { environment: 'at-once' })),
    );
    expect(requests.map(({ status }) => status).sort((item, other) => item - other)).toEqual([201, 409, 409]);
  });

  it('the database limit of a server holds for restored projects', async () => {
    const { json } = await owner.post('/api/projects', { name: 'Comes back' });
    const id = String(json['id']);
    expect((await owner.delete(`/api/projects/${id}`, { confirm: 'Comes back' })).status).toBe(204);
    const { databases } = (await operator.get(server())).json as { databases: number };
    await operator.patch(server(), { databases_max: databases + 1 });
    expect(await owner.post(`/api/projects/${id}/restore`)).toMatchObject({
      status: 503,
      json: { code: 'platform.unavailable' },
    });
    expect([
      (await owner.get(`/api/projects/${id}`)).status,
      (await operator.get(server())).json['databases'],
    ]).toEqual([404, databases]);
    await operator.patch(server(), { databases_max: databases + 2 });
    // If two restores run at the same time, the databases count only once.
    const requests = await Promise.all([1, 2].map(() => owner.post(`/api/projects/${id}/restore`)));
    expect(
      requests.map(({ status, json: answer }) => [status, (answer['databases'] as unknown[]).length]),
    ).toEqual([
      [200, 2],
      [200, 2],
    ]);
    expect((await operator.get(server())).json).toMatchObject({ databases: databases + 2 });
    await operator.patch(server(), { databases_max: 5_000 });
  });

  it('a server can be drained and used again', async () => {
    await operator.patch(server(), { databases_max: 5_000 });
    expect(await operator.post(server('/drain'))).toMatchObject({ status: 200, json: { state: 'draining' } });
    expect((await owner.post(`/api/projects/${projectId}/databases`, { environment: 'test' })).status).toBe(
      503,
    );
    expect((await owner.get(`/api/databases/${databaseId}`)).status).toBe(200);
    expect(await operator.patch(server(), { state: 'active' })).toMatchObject({
      json: { state: 'active', databases_max: 5_000 },
    });
    expect((await owner.post(`/api/projects/${projectId}/databases`, { environment: 'test' })).status).toBe(
      201,
    );
  });

  it('probing a database server again returns the reason of a failure', async () => {
    await plane.db.cell.query('UPDATE server SET capabilities = NULL WHERE id = ?', [serverId]);
    expect(await operator.post(server('/probe'))).toMatchObject({
      status: 200,
      json: { is_probed: true, engine_version: '10.11', advice: ['Set it otherwise.'] },
    });
    plane.worker.failures.set('probe_server', { code: 'db.unavailable', detail: 'The server is away.' });
    expect(await operator.post(server('/probe'))).toMatchObject({
      status: 503,
      json: { code: 'db.unavailable' },
    });
    plane.worker.failures.clear();
    expect((await operator.get(server())).json['is_probed']).toBe(true);
    for (const rest of ['', '/probe', '/drain'])
      expect(
        (
          await (rest === ''
            ? operator.get('/api/admin/servers/srv_none')
            : operator.post(`/api/admin/servers/srv_none${rest}`))
        ).status,
      ).toBe(404);
  });

  it('an operator assigns a service plan to a database', async () => {
    const path = `/api/admin/databases/${databaseId}`;
    expect((await operator.get(path)).json).toEqual({
      database: databaseId,
      plan: 'standard',
      storage_bytes: 0,
      storage_bytes_max: 10_737_418_240,
      storage_measured_at: null,
      is_full: false,
      request_log_days: 14,
      usage_days: 100,
    });
    expect((await operator.patch(path, { plan: 'unlimited' })).json).toMatchObject({
      plan: 'unlimited',
      storage_bytes_max: null,
      usage_days: 400,
    });
    expect((await operator.patch(path, { plan: 'gold' })).status).toBe(422);
    expect((await operator.get('/api/admin/databases/db_none')).status).toBe(404);
    const audit = await owner.get(`/api/databases/${databaseId}/audit`);
    expect(audit.status).toBe(200);
  });

  it('a dedicated server only gets databases of its organization', async () => {
    const testClient = new TestClient(plane.app);
    const { json } = await testClient.signUp('dedicated@example.test', { starter: 'empty' });
    const connect = (role: string): Promise<TestResponse> =>
      testClient.post(`/api/databases/${json['databases'][0].id}/connections`, { name: role, role });
    expect(await connect('owner')).toMatchObject({
      status: 403,
      json: { code: 'auth.owner_connections_off' },
    });
    expect((await connect('read-write')).status).toBe(201);
    expect(await operator.patch(server(), { organization: json['organization'].id })).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('other organizations') as unknown },
    });
    expect((await operator.patch(server(), { organization: 'org_none' })).status).toBe(422);
    await plane.db.cell.query(
      `INSERT INTO server (id, cell_id, name, host, port, public_host, public_port, engine, capabilities, provisioner_sealed, observer_sealed, created_at)
      VALUES ('srv_own', ?, 'srv_own', '127.0.0.1', 1, '127.0.0.1', 1, 'mariadb', '{}', '', '', UTC_TIMESTAMP(3))`,
      [plane.db.cellId],
    );
    expect(
      await operator.patch('/api/admin/servers/srv_own', { organization: json['organization'].id }),
    ).toMatchObject({ status: 200, json: { organization: json['organization'].id } });
    const created = await testClient.post(`/api/projects/${json['project'].id}/databases`, {
      environment: 'staging',
    });
    expect(created.status).toBe(201);
    const serverOf = async (environment: string): Promise<unknown> =>
      (
        await plane.db.cell.query<{ server_id: string }[]>(
          'SELECT server_id FROM tenant_database WHERE project_id = ? AND environment = ?',
          [json['project'].id, environment],
        )
      )[0]?.server_id;
    expect(await serverOf('staging')).toBe('srv_own');
    await plane.db.cell.query("UPDATE tenant_database SET server_id = 'srv_own' WHERE id = ?", [
      json['databases'][0].id,
    ]);
    expect((await connect('owner')).status).toBe(201);
    expect(
      await operator.post(`/api/admin/databases/${databaseId}/move`, { server: 'srv_own' }),
    ).toMatchObject({ status: 409, json: { detail: 'This server is dedicated to another organization.' } });
    expect((await owner.post(`/api/projects/${projectId}/databases`, { environment: 'shared' })).status).toBe(
      201,
    );
    expect(
      (
        await plane.db.cell.query<{ n: string }[]>(
          "SELECT COUNT(*) AS n FROM tenant_database WHERE server_id = 'srv_own' AND project_id = ?",
          [projectId],
        )
      )[0]?.n,
    ).toBe('0');
    await plane.db.cell.query("UPDATE tenant_database SET server_id = ? WHERE server_id = 'srv_own'", [
      serverId,
    ]);
    await plane.db.cell.query("DELETE FROM server WHERE id = 'srv_own'");
  });

  it('an operator moves a database to a suitable server, one move at a time', async () => {
    const path = `/api/admin/databases/${databaseId}/move`;
    const { db } = plane;
    await db.cell.query(
      `UPDATE server SET capabilities = '{"engine":"mariadb","version":"10.11","insertReturning":true}', state = 'active' WHERE id = ?`,
      [serverId],
    );
    const addServer = (
      id: string,
      engine: string,
      capabilities: string | null,
      state = 'active',
      databasesMax = 10,
    ): Promise<unknown> =>
      db.cell.query(
        `INSERT INTO server (id, cell_id, name, host, port, public_host, public_port, engine, capabilities, state, databases_max, provisioner_sealed, observer_sealed, created_at)
       VALUES (?, ?, ?, '127.0.0.1', 1, '127.0.0.1', 1, ?, ?, ?, ?, '', '', UTC_TIMESTAMP(3))`,
        [id, db.cellId, id, engine, capabilities, state, databasesMax],
      );
    await addServer('srv_good', 'mariadb', '{"insertReturning":true}');
    await addServer('srv_other_engine', 'mysql', '{"insertReturning":true}');
    await addServer('srv_lesser', 'mariadb', '{"insertReturning":false}');
    await addServer('srv_unseen', 'mariadb', null);
    await addServer('srv_draining', 'mariadb', '{"insertReturning":true}', 'draining');
    await addServer('srv_full', 'mariadb', '{"insertReturning":true}', 'active', 0);
    expect((await operator.get(path)).status).toBe(404);
    expect((await operator.delete(path)).status).toBe(404);
    for (const server of [
      'srv_other_engine',
      'srv_lesser',
      'srv_unseen',
      'srv_draining',
      'srv_full',
      serverId,
    ])
      expect((await operator.post(path, { server })).status, server).toBe(409);
    expect((await operator.post(path, { server: 'srv_none' })).status).toBe(404);
    expect((await operator.post('/api/admin/databases/db_none/move', { server: 'srv_good' })).status).toBe(
      404,
    );
    expect((await operator.post(path, { server: 1 })).status).toBe(422);
    expect((await owner.post(path, { server: 'srv_good' })).status).toBe(403);
    // The server has capacity for one database, and another one is moving to it.
    await addServer('srv_narrow', 'mariadb', '{"insertReturning":true}', 'active', 1);
    const [{ id: second }] = await db.cell.query<[{ id: string }]>(
      'SELECT id FROM tenant_database WHERE id <> ? AND deleted_at IS NULL LIMIT 1',
      [databaseId],
    );
    expect(
      (await operator.post(`/api/admin/databases/${second}/move`, { server: 'srv_narrow' })).status,
    ).toBe(202);
    expect(await operator.post(path, { server: 'srv_narrow' })).toMatchObject({
      status: 409,
      json: { detail: 'This server is full.' },
    });
    await db.cell.query('DELETE FROM database_move WHERE database_id = ?', [second]);
    expect(await operator.post(path, { server: 'srv_good' })).toMatchObject({
      status: 202,
      json: {
        database: databaseId,
        from_server: serverId,
        to_server: 'srv_good',
        state: 'queued',
        pause_ms: null,
        is_cancelled: false,
      },
    });
    expect(await operator.post(path, { server: 'srv_good' })).toMatchObject({
      status: 409,
      json: { detail: 'The database is already being moved.' },
    });
    expect(await operator.delete(path)).toMatchObject({
      status: 202,
      json: { state: 'queued', is_cancelled: true },
    });
    await db.cell.query(`UPDATE database_move SET state = 'settling' WHERE database_id = ?`, [databaseId]);
    expect((await operator.delete(path)).status).toBe(409);
    await db.cell.query(`UPDATE database_move SET state = 'done' WHERE database_id = ?`, [databaseId]);
    expect((await operator.get(path)).json).toMatchObject({ state: 'done' });
    await db.cell.query(`DELETE FROM server WHERE id <> ?`, [serverId]);
  });

  it('the route plan lists the gateways of busy routing slots', async () => {
    const { db } = plane;
    const [{ slot }] = await db.cell.query<[{ slot: number }]>(
      'SELECT slot FROM tenant_database WHERE id = ?',
      [databaseId],
    );
    expect((await operator.get('/api/admin/routes')).json).toEqual({ gateways: [], items: [] });
    for (const name of ['gw_a', 'gw_b', 'gw_c']) {
      await db.cell.query(
        'INSERT INTO gateway_lease (cell_id, gateway_id, epoch, applied_through_seq, exceptions, renewed_at, expires_at) VALUES (?, ?, 1, 0, "[]", UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 5 MINUTE)',
        [db.cellId, name],
      );
    }
    await db.cell.query(
      'INSERT INTO usage_minute (cell_id, database_id, minute, requests) VALUES (?, ?, UTC_TIMESTAMP() - INTERVAL 1 MINUTE, 60000)',
      [db.cellId, databaseId],
    );
    const routes = async (capacity: number) =>
      (await operator.get(`/api/admin/routes?capacity=${capacity}`)).json as {
        gateways: string[];
        items: { kind: string; gateways: string[] }[];
      };
    const cold = await routes(5_000);
    expect(cold).toMatchObject({
      gateways: ['gw_a', 'gw_b', 'gw_c'],
      items: [{ slot: formatSlot(slot), requests_per_second: 100, kind: 'one' }],
    });
    expect((await routes(600)).items[0]).toEqual({
      ...cold.items[0],
      kind: 'spread',
      gateways: cold.items[0]?.gateways.slice(0, 2),
    });
    expect((await operator.get('/api/admin/routes?capacity=none')).status).toBe(422);
  });

  it('owners and outsiders have no access to operator routes', async () => {
    const calls: ((client: TestClient) => Promise<TestResponse>)[] = [
      (client) => client.get(server()),
      (client) => client.patch(server(), { databases_max: 1 }),
      (client) => client.post(server('/drain')),
      (client) => client.post(server('/probe')),
      (client) => client.get('/api/admin/routes'),
      (client) => client.get(`/api/admin/databases/${databaseId}`),
      (client) => client.patch(`/api/admin/databases/${databaseId}`, { plan: 'unlimited' }),
    ];
    for (const call of calls) {
      expect(await call(owner)).toMatchObject({ status: 403, json: { code: 'auth.role' } });
      expect((await call(new TestClient(plane.app))).status).toBe(401);
    }
    expect((await operator.get(server())).json).toMatchObject({ databases_max: 5_000, state: 'active' });
  });
});

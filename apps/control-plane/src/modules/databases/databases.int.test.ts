import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createSecretBox, hashReadRights, openWithPrivateKey } from '@rowhouse/credentials';
import { In } from 'typeorm';
import { ConnectionService } from '../connections/connection-service.js';
import { DatabaseService } from './database-service.js';
import { TransferFiles } from '../transfers/transfer-files.js';
import { dropExpired, endExpiredConnections } from '../sweeper.js';
import { ApiKey } from '../../platform-db/entities/api-key.js';
import { DatabaseAccount } from '../../platform-db/entities/database-account.js';
import { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import type { TransferFile } from '../../platform-db/entities/transfer-file.js';
import { TaskRunner } from '../../platform/task-runner.js';
import { startTestControlPlane, type TestControlPlane } from '../../testing/start-test-control-plane.js';
import { TestClient, type TestResponse } from '../../testing/test-client.js';

const PROJECTS_MAX = 3;
const DATABASES_MAX = 4;

let plane: TestControlPlane;
let owner: TestClient;
let projectId: string;
let developmentId: string;

beforeAll(async () => {
  plane = await startTestControlPlane({
    PROJECTS_PER_ACCOUNT_MAX: `${PROJECTS_MAX}`,
    DATABASES_PER_PROJECT_MAX: `${DATABASES_MAX}`,
  });
  owner = new TestClient(plane.app);
  const signup = await owner.signUp('owner@example.test', { project: 'Blog' });
  projectId = signup.json['project']?.id;
  developmentId = signup.json['databases'].find(
    (row: { environment: string }) => row.environment === 'development',
  ).id;
}, 60_000);
afterAll(() => plane?.stop());

describe('databases', () => {
  it('changed database settings are merged, versioned and logged', async () => {
    const path = `/api/databases/${developmentId}`;
    const { docs_slug: slug } = (await owner.get(path)).json;
    const changed = await owner.patch(path, {
      settings: { require_limit: true, time_zone: 'Europe/Berlin' },
    });
    expect(changed.json['settings']).toMatchObject({
      require_limit: true,
      time_zone: 'Europe/Berlin',
      docs_enabled: true,
    });
    const secondResponse = await owner.patch(path, { settings: { docs_enabled: false } });
    expect(secondResponse.json['settings']).toMatchObject({ require_limit: true, docs_enabled: false });
    // The address of documentation that was turned off is never published again.
    expect([slug, changed.json['docs_slug'] === slug]).toEqual([
      expect.stringMatching(/^[a-z2-7]{26}$/),
      true,
    ]);
    expect(secondResponse.json['docs_slug']).not.toBe(slug);
    const versions = await plane.db.cell.query<{ version: string }[]>(
      "SELECT version FROM change_log WHERE database_id = ? AND kind = 'settings' ORDER BY seq",
      [developmentId],
    );
    expect(versions.map((row) => Number(row.version))).toEqual([2, 3]);
    expect((await owner.patch(path, { settings: { time_zone: 'Mars/Olympus' } })).status).toBe(422);
  });
  it('a license has a name and either an SPDX identifier or a URL', async () => {
    const path = `/api/databases/${developmentId}`;
    const set = async (license: unknown) => owner.patch(path, { settings: { license } });
    for (const license of [
      { name: 'CC BY 4.0', identifier: 'CC-BY-4.0' },
      { name: 'Our terms', url: 'https://example.org/terms' },
      null,
    ]) {
      expect((await set(license)).json['settings'].license).toEqual(license);
    }
    const both = { name: 'x', identifier: 'MIT', url: 'https://example.org' };
    for (const license of [
      { name: 'x' },
      both,
      { name: '', identifier: 'MIT' },
      { name: 'x', url: 'javascript:alert(1)' },
      { name: 'x', identifier: 'M I T' },
    ])
      expect((await set(license)).status).toBe(422);
  });
  it('the docs page accepts a title, a text, a color and a small image', async () => {
    const path = `/api/databases/${developmentId}`;
    const set = async (page: unknown) => owner.patch(path, { settings: { docs_page: page } });
    const logo = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64')}`;
    const whole = { title: 'Partner API', intro: 'Read this first.', accent_color: '#aa3300', logo };
    expect((await set(whole)).json['settings'].docs_page).toEqual(whole);
    expect((await set({ title: 'Only a title' })).json['settings'].docs_page).toEqual({
      title: 'Only a title',
      intro: null,
      accent_color: null,
      logo: null,
    });
    for (const page of [
      { title: '' },
      { accent_color: 'red' },
      { accent_color: '#12345g' },
      { logo: 'https://example.org/logo.png' },
      { logo: 'data:image/svg+xml;base64,PHN2Zy8+' },
      { logo: `data:image/png;base64,${btoa('<svg onload=alert(1)>')}` },
      { logo: `${logo}${'A'.repeat(12_000)}` },
      { script: 'alert(1)' },
    ])
      expect([page, (await set(page)).status]).toEqual([page, 422]);
    expect((await set(null)).json['settings'].docs_page).toBeNull();
  });
  it('only existing tables can require If-Match', async () => {
    const path = `/api/databases/${developmentId}`;
    const typo = await owner.patch(path, { settings: { require_if_match: ['posts', 'user'] } });
    expect([typo.status, typo.json['detail'][0], typo.json['hint']]).toMatchObject([
      422,
      { loc: ['body', 'settings', 'require_if_match', 1], type: 'unknown_table' },
      expect.stringContaining('users'),
    ]);
    const changed = await owner.patch(path, { settings: { require_if_match: ['posts'] } });
    expect([changed.status, changed.json['settings'].require_if_match]).toEqual([200, ['posts']]);
    expect(
      (await owner.patch(path, { settings: { require_if_match: ['posts', 'posts'] } })).json['settings']
        .require_if_match,
    ).toEqual(['posts']);
    expect((await owner.patch(path, { settings: { require_if_match: [] } })).status).toBe(200);
  });
  it('only existing columns can be hidden, and every query account is updated', async () => {
    const path = `/api/databases/${developmentId}`;
    const typo = await owner.patch(path, { settings: { hidden_columns: { user: [] } } });
    expect(typo.json['detail'][0]).toMatchObject({
      loc: ['body', 'settings', 'hidden_columns', 'user'],
      type: 'unknown_table',
    });
    expect(typo.json['hint']).toContain('users');
    expect(
      (await owner.patch(path, { settings: { hidden_columns: { users: ['emial'] } } })).json['detail'][0],
    ).toMatchObject({ type: 'unknown_column' });
    for (const [hash, rights] of [
      ['', null],
      ['a'.repeat(64), '{"posts":["read"]}'],
    ]) {
      await plane.db.cell.query(
        "INSERT INTO database_account (database_id, kind, rights_hash, cell_id, user_name, secret_sealed, rights, created_at) VALUES (?, 'query', ?, ?, ?, '', ?, UTC_TIMESTAMP(3))",
        [developmentId, hash, plane.config.cellId, `q${hash?.slice(0, 8)}${plane.config.cellId}`, rights],
      );
    }
    const before = plane.worker.seen.length;
    expect((await owner.patch(path, { settings: { hidden_columns: { users: [] } } })).status).toBe(200);
    const granted = plane.worker.seen.slice(before).map((task) => task.payload);
    expect(granted).toHaveLength(2);
    const [entry] = await plane.db.cell.query<{ seq: string }[]>(
      "SELECT MAX(seq) AS seq FROM change_log WHERE database_id = ? AND kind = 'settings'",
      [developmentId],
    );
    const after = { database_id: developmentId, after_seq: Number(entry?.seq) };
    expect(granted).toContainEqual({ ...after, rights_hash: '', tables: null });
    expect(granted).toContainEqual({ ...after, rights_hash: 'a'.repeat(64), tables: { posts: ['read'] } });
    // A column that becomes visible must be granted to accounts before gateways query it.
    await plane.db.cell.query(
      "UPDATE tenant_database SET settings = JSON_SET(settings, '$.hidden_columns', JSON_OBJECT('users', JSON_ARRAY('email', 'bio'))) WHERE id = ?",
      [developmentId],
    );
    const visible = plane.worker.seen.length;
    expect((await owner.patch(path, { settings: { hidden_columns: {} } })).status).toBe(200);
    expect(
      plane.worker.seen.slice(visible).map((task) => (task.payload as { ahead?: unknown }).ahead),
    ).toEqual([{ users: [] }, { users: [] }, undefined, undefined]);
  });
  it('a hundred unknown names are reported, with similar names for ten', async () => {
    const long = (index: number): string => `${'a'.repeat(56)}${String(index).padStart(5, '0')}`;
    const sql = Array.from({ length: 100 }, (_, index) => `CREATE TABLE ${long(index)} (id int)`).join(';');
    const { json } = await owner.post(`/api/projects/${projectId}/deploy`, {
      sql,
      targets: [{ database: developmentId }],
    });
    await expect
      .poll(async () => (await owner.get(`/api/migrations/${json['migrations'][0].id}`)).json['state'])
      .toBe('published');
    const unknown = Array.from({ length: 10_000 }, (_, index) => `${long(index)}b`);
    const requestsSent: readonly (() => Promise<TestResponse>)[] = [
      () =>
        owner.post(`/api/databases/${developmentId}/keys`, {
          name: 'k',
          tables: Object.fromEntries(unknown.map((name) => [name, ['read']])),
        }),
      () => owner.patch(`/api/databases/${developmentId}`, { settings: { require_if_match: unknown } }),
      () =>
        owner.patch(`/api/databases/${developmentId}`, {
          settings: { hidden_columns: Object.fromEntries(unknown.map((name) => [name, []])) },
        }),
      () => owner.post(`/api/databases/${developmentId}/export`, { tables: unknown }),
    ];
    for (const sendRequest of requestsSent) {
      const { status, json: reported } = await sendRequest();
      expect([status, reported['detail'].length]).toEqual([422, 100]);
      // The hint lists at most three names for each of the ten faults.
      expect(reported['hint'].split(', ').length).toBeLessThanOrEqual(30);
    }
  });
  it('each environment can be added to a project only once', async () => {
    const added = await owner.post(`/api/projects/${projectId}/databases`, { environment: 'staging' });
    expect(added).toMatchObject({ status: 201, json: { environment: 'staging', state: 'ready' } });
    expect(
      (await owner.post(`/api/projects/${projectId}/databases`, { environment: 'staging' })).status,
    ).toBe(409);
    expect((await owner.delete(`/api/databases/${added.json['id']}`, { confirm: 'production' })).status).toBe(
      422,
    );
    expect((await owner.delete(`/api/databases/${added.json['id']}`, { confirm: 'staging' })).status).toBe(
      204,
    );
    expect((await owner.get(`/api/databases/${added.json['id']}`)).status).toBe(404);
  });
});

describe('the engine of a database', () => {
  const addServer = (id: string, engine: string, version: string) =>
    plane.db.cell.query(
      `INSERT INTO server (id, cell_id, name, host, port, public_host, public_port, engine, engine_version, capabilities, provisioner_sealed, observer_sealed, created_at)
     VALUES (?, ?, ?, '127.0.0.1', 1, '127.0.0.1', 1, ?, ?, '{}', '', '', UTC_TIMESTAMP(3))`,
      [id, plane.config.cellId, id, engine, version],
    );
  const engineOf = ({ status, json }: TestResponse) => [status, json['engine'], json['engine_version']];

  it('a database has the engine that its creator chose, or that of the project', async () => {
    const { json: session } = await owner.get('/api/me');
    const engines = `/api/organizations/${session['organizations'][0].id}/engines`;
    const created: string[] = [];
    await plane.db.cell.query(
      "UPDATE server SET engine_version = '10.11.6-MariaDB', capabilities = '{}' WHERE cell_id = ?",
      [plane.config.cellId],
    );
    const rejected = await owner.post(`/api/projects/${projectId}/databases`, {
      environment: 'second',
      engine: 'mysql',
    });
    expect([rejected.status, rejected.json['detail'][0]]).toMatchObject([
      422,
      { loc: ['body', 'engine'], msg: 'No database server of this installation runs MySQL.' },
    ]);
    expect(
      (await owner.post(`/api/projects/${projectId}/databases`, { environment: 'second', engine: 'oracle' }))
        .status,
    ).toBe(422);
    await addServer('srv_engine_b', 'mysql', '9.7.0');
    try {
      expect((await owner.get(engines)).json['items']).toEqual([
        { engine: 'mariadb', versions: ['10.11.6-MariaDB'], is_default: true },
        { engine: 'mysql', versions: ['9.7.0'], is_default: false },
      ]);
      const requested = await owner.post(`/api/projects/${projectId}/databases`, {
        environment: 'second',
        engine: 'mysql',
      });
      expect(engineOf(requested)).toEqual([201, 'mysql', '9.7.0']);
      await plane.db.cell.query('DELETE FROM tenant_database WHERE id = ?', [requested.json['id']]);
      const implied = await owner.post(`/api/projects/${projectId}/databases`, { environment: 'third' });
      created.push(implied.json['id']);
      expect(engineOf(implied)).toEqual([201, 'mariadb', '10.11.6-MariaDB']);
      const project = await owner.post('/api/projects', { name: 'On MySQL', engine: 'mysql' });
      expect(project.json['databases'].map((row: { engine: string }) => row.engine)).toEqual([
        'mysql',
        'mysql',
      ]);
      expect(
        engineOf(
          await owner.post(`/api/projects/${project.json['id']}/databases`, { environment: 'third' }),
        )[1],
      ).toBe('mysql');
      await owner.delete(`/api/projects/${project.json['id']}`, { confirm: 'On MySQL' });
    } finally {
      // These rows are deleted, because they would count towards the limits that later tests check.
      await plane.db.cell.query('DELETE FROM tenant_database WHERE id IN (?) OR server_id = ?', [
        [...created, ''],
        'srv_engine_b',
      ]);
      await plane.db.cell.query("DELETE FROM server WHERE id = 'srv_engine_b'");
      await plane.db.global.query("DELETE FROM project WHERE name = 'On MySQL'");
    }
  });
});

describe('a database that is being created while its project is deleted', () => {
  it.each(['made anew', 'made of a file'])(
    'a database whose project is deleted during the creation is deleted too: %s',
    async (how) => {
      const client = new TestClient(plane.app);
      const { json } = await client.signUp(`gone-${how.length}@example.test`, {
        starter: 'empty',
        project: 'Gone',
      });
      const path = `/api/projects/${json['project'].id}`;
      const databases = plane.app.get(DatabaseService);
      const insertMany = databases.insertMany.bind(databases);
      const file = { id: 'fil_x', revision: 0, rowsTotal: 0, manifest: null } as TransferFile;
      vi.spyOn(plane.app.get(TransferFiles), 'findReady').mockResolvedValue(file);
      vi.spyOn(plane.app.get(TransferFiles), 'lockReady').mockResolvedValue(file);
      vi.spyOn(databases, 'insertMany').mockImplementationOnce(async (...created) => {
        expect((await client.delete(path, { confirm: 'Gone' })).status).toBe(204);
        return insertMany(...created);
      });
      const pendingResponse =
        how === 'made anew'
          ? client.post(`${path}/databases`, { environment: 'late' })
          : client.post(`/api/databases/${json['databases'][0].id}/restore`, {
              file: 'fil_x',
              environment: 'late',
            });
      expect(await pendingResponse).toMatchObject({
        status: 409,
        json: { code: 'resource.conflict', detail: expect.stringContaining('during the request') as unknown },
      });
      vi.restoreAllMocks();
      const rows = await plane.db.cell
        .getRepository(TenantDatabase)
        .findBy({ projectId: json['project'].id });
      expect(
        new Map(rows.map((row) => [row.environment, [row.deletedAt === null, row.locationState]])),
      ).toEqual(new Map(['development', 'late', 'production'].map((name) => [name, [false, 'suspended']])));
    },
  );
});

describe('limits of an installation', () => {
  const statusesOf = async (pendingResponse: Promise<{ status: number }>[]): Promise<number[]> =>
    (await Promise.all(pendingResponse)).map(({ status }) => status).sort((item, other) => item - other);
  const makeProjects = (client: TestClient, count: number): Promise<{ status: number }>[] =>
    Array.from({ length: count }, (_, index) => client.post('/api/projects', { name: `Project ${index}` }));

  it('the number of projects per account is limited under concurrency', async () => {
    const client = new TestClient(plane.app);
    await client.signUp('many@example.test', { starter: 'empty' });
    expect(await statusesOf(makeProjects(client, PROJECTS_MAX + 1))).toEqual([201, 201, 409, 409]);
    const [first] = (await client.get('/api/projects')).json['items'] as { id: string; name: string }[];
    await client.delete(`/api/projects/${first?.id}`, { confirm: first?.name });
    // The project can still be restored.
    expect(await client.post('/api/projects', { name: 'One more' })).toMatchObject({
      status: 409,
      json: {
        code: 'resource.conflict',
        detail: `An account can create at most ${PROJECTS_MAX} projects.`,
        hint: expect.stringContaining('seven more days'),
      },
    });
    await plane.db.global.query(
      'UPDATE project SET deleted_at = UTC_TIMESTAMP(3) - INTERVAL 8 DAY WHERE id = ?',
      [first?.id],
    );
    expect((await client.post('/api/projects', { name: 'One more' })).status).toBe(201);
    const other = new TestClient(plane.app);
    await other.signUp('other@example.test', { starter: 'empty' });
    expect(await statusesOf(makeProjects(other, 1))).toEqual([201]);
  });

  it('the number of databases per project is limited under concurrency', async () => {
    const client = new TestClient(plane.app);
    const { json } = await client.signUp('several@example.test', { starter: 'empty' });
    const databases = `/api/projects/${json['project'].id}/databases`;
    const pendingResponse = ['one', 'two', 'three', 'four'].map((environment) =>
      client.post(databases, { environment }),
    );
    expect(await statusesOf(pendingResponse)).toEqual([201, 201, 409, 409]);
    expect(await client.post(databases, { environment: 'five' })).toMatchObject({
      status: 409,
      json: { code: 'resource.conflict', detail: `A project can have at most ${DATABASES_MAX} databases.` },
    });
  });
});

describe('keys', () => {
  it('a database has at most a thousand active keys and a hundred distinct sets of rights', async () => {
    const [rows, accounts] = [
      plane.db.cell.getRepository(ApiKey),
      plane.db.cell.getRepository(DatabaseAccount),
    ];
    const path = `/api/databases/${developmentId}/keys`;
    const narrow = (table: string): Promise<TestResponse> =>
      owner.post(path, { name: 'k', scopes: ['read', 'query'], tables: { [table]: ['read'] } });
    const [first] = await rows.findBy({ databaseId: developmentId, kind: 'api' });
    const created = Array.from({ length: 100 }, (_, index) => ({
      databaseId: developmentId,
      kind: 'query',
      rightsHash: index === 0 ? hashReadRights({ posts: ['read'] }) : String(index),
      cellId: plane.db.cellId,
      userName: `filler${index}`,
      secretSealed: randomBytes(8),
      rights: null,
      createdAt: new Date(),
    }));
    await accounts.insert(created);
    expect(await narrow('users')).toMatchObject({
      status: 409,
      json: { code: 'resource.conflict', hint: expect.stringContaining('Use the same tables') },
    });
    expect([(await narrow('posts')).status, (await owner.post(path, { name: 'all' })).status]).toEqual([
      201, 201,
    ]);
    await accounts.remove(created as DatabaseAccount[]);
    const copies = Array.from(
      { length: 1_000 },
      (_, index) => ({ ...first, id: `key_copy${index}`, keyHash: randomBytes(32) }) as ApiKey,
    );
    await rows.insert(copies);
    expect(await owner.post(path, { name: 'one more' })).toMatchObject({
      status: 409,
      json: { hint: 'Revoke one you no longer need.' },
    });
    expect((await owner.get(path)).json['items'].length).toBeGreaterThan(1_000);
    await rows.delete({ id: In(copies.map((copy) => copy.id)) });
    expect((await narrow('users')).status).toBe(201);
  });
});

describe('rotated and expired keys', () => {
  it('the list of API keys contains at most two thousand rotated and expired keys', async () => {
    const rows = plane.db.cell.getRepository(ApiKey);
    const path = `/api/databases/${developmentId}/keys`;
    const created = (await owner.post(path, { name: 'rotating' })).json;
    const row = await rows.findOneByOrFail({ id: created['id'] as string });
    const copy = (index: number, more: Partial<ApiKey>): ApiKey =>
      ({ ...row, id: `key_old${index}`, keyHash: randomBytes(32), ...more }) as ApiKey;
    const before = new Date(Date.now() - 86_400_000);
    const ended = Array.from({ length: 11_000 }, (_, index) =>
      copy(index, { createdAt: before, expiresAt: before }),
    );
    for (let index = 0; index < ended.length; index += 1_000)
      await rows.insert(ended.slice(index, index + 1_000));
    const listed = (await owner.get(path)).json['items'] as { id: string }[];
    expect(listed.map(({ id }) => id)).toContain(created['id']);
    expect(listed.length).toBeLessThan(2_000);
    await rows.delete({ databaseId: developmentId, expiresAt: before });
    const live = Array.from({ length: 2_000 }, (_, index) => copy(index, {}));
    await rows.insert(live.slice(0, 1_000));
    await rows.insert(live.slice(1_000));
    expect(await owner.post(`/api/keys/${created['id']}/rotate`, { overlap_seconds: 60 })).toMatchObject({
      status: 409,
      json: { code: 'resource.conflict', hint: expect.stringContaining('overlap_seconds') },
    });
    expect((await owner.post(`/api/keys/${created['id']}/rotate`, { overlap_seconds: 0 })).status).toBe(201);
    await rows.delete({ id: In(live.map(({ id }) => id)) });
  });
});

describe('connections', () => {
  it('the password of a connection is shown once and encrypted for the id of the connection', async () => {
    const created = await owner.post(`/api/databases/${developmentId}/connections`, {
      name: 'me',
      role: 'read-only',
    });
    expect(created.status).toBe(201);
    const { user, password, database, id } = created.json;
    expect(created.json['connection_string']).toBe(
      `mysql://${user}:${password}@db.example.test:3307/${database}`,
    );
    expect(user).toMatch(/^u[a-z2-7]{20}$/);
    const task = plane.worker.seen.findLast((seenTask) => seenTask.kind === 'create_connection');
    const box = createSecretBox([Buffer.from(plane.config.masterKey.reveal(), 'base64url')]);
    const sealed = Buffer.from(String(task?.payload['password_sealed']), 'base64');
    expect(box.open(sealed, `connection:${id}`)).toBe(password);
    expect(() => box.open(sealed, 'connection:other')).toThrow();
    const list = await owner.get(`/api/databases/${developmentId}/connections`);
    expect(JSON.stringify(list.json)).not.toContain(password);
    expect((await owner.delete(`/api/connections/${id}`)).status).toBe(204);
    expect(plane.worker.seen.at(-1)).toMatchObject({
      kind: 'revoke_connection',
      payload: { user_name: user },
    });
    expect((await owner.get(`/api/databases/${developmentId}/connections`)).json['items']).toEqual([]);
  });
  it('a connection response includes the certificate authority of a server with TLS', async () => {
    const ca = `/api/databases/${developmentId}/ca`;
    expect(await owner.get(ca)).toMatchObject({
      status: 404,
      json: { detail: expect.stringContaining('without TLS') },
    });
    const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    await plane.db.cell.query("UPDATE server SET public_tls = 'required', public_ca = ?", [pem]);
    const created = await owner.post(`/api/databases/${developmentId}/connections`, {
      name: 'by tls',
      role: 'read-only',
    });
    expect(created.json).toMatchObject({
      tls: true,
      ca: pem,
      connection_string: expect.stringMatching(/\?ssl-mode=VERIFY_CA&ssl-ca=rowhouse-ca\.pem$/),
    });
    expect(
      plane.worker.seen.findLast((seenTask) => seenTask.kind === 'create_connection')?.payload,
    ).toMatchObject({ require_tls: true });
    expect(
      await plane.db.cell.query('SELECT requires_tls FROM connection_user WHERE id = ?', [
        created.json['id'],
      ]),
    ).toEqual([{ requires_tls: 1 }]);
    const file = await plane.app.inject({ method: 'GET', url: ca, headers: { cookie: owner.cookie ?? '' } });
    expect([file.statusCode, file.body, file.headers['content-disposition']]).toEqual([
      200,
      pem,
      'attachment; filename="rowhouse-ca.pem"',
    ]);
    expect((await new TestClient(plane.app).get(ca)).status).toBe(401);
    await owner.delete(`/api/connections/${created.json['id']}`);
    await plane.db.cell.query("UPDATE server SET public_tls = 'off', public_ca = NULL");
    const [{ host }] = await plane.db.cell.query('SELECT public_host AS host FROM server LIMIT 1');
    await plane.db.cell.query("UPDATE server SET public_host = '{database}.db.example.org'");
    const named = (
      await owner.post(`/api/databases/${developmentId}/connections`, { name: 'by name', role: 'read-only' })
    ).json;
    expect(named['host']).toBe(`${String(named['database'])}.db.example.org`);
    expect(named['connection_string']).toContain(`@${String(named['host'])}:`);
    await owner.delete(`/api/connections/${named['id']}`);
    await plane.db.cell.query('UPDATE server SET public_host = ?', [host]);
  });
  it('a database has at most twenty connections under concurrency', async () => {
    const requests = await Promise.all(
      Array.from({ length: 23 }, (_, index) =>
        owner.post(`/api/databases/${developmentId}/connections`, {
          name: `many ${index}`,
          role: 'read-only',
        }),
      ),
    );
    const created = requests.filter(({ status }) => status === 201);
    expect(created).toHaveLength(20);
    expect(requests.filter(({ status }) => status === 409)).toHaveLength(3);
    expect(requests.find(({ status }) => status === 409)?.json).toMatchObject({
      code: 'resource.conflict',
      hint: expect.stringContaining('Revoke one'),
    });
    for (const { json } of created)
      expect((await owner.delete(`/api/connections/${json['id']}`)).status).toBe(204);
    const secondResponse = await owner.post(`/api/databases/${developmentId}/connections`, {
      name: 'again',
      role: 'read-only',
    });
    expect(secondResponse.status).toBe(201);
    await owner.delete(`/api/connections/${secondResponse.json['id']}`);
  });
  it('a connection that the worker rejects is removed', async () => {
    plane.worker.failures.set('create_connection', { code: 'db.unavailable', detail: 'The server is away.' });
    const rejected = await owner.post(`/api/databases/${developmentId}/connections`, {
      name: 'x',
      role: 'owner',
    });
    plane.worker.failures.clear();
    expect(rejected).toMatchObject({
      status: 503,
      json: { code: 'db.unavailable', detail: 'The server is away.' },
    });
    expect((await owner.get(`/api/databases/${developmentId}/connections`)).json['items']).toEqual([]);
    await expect.poll(() => plane.worker.seen.at(-1)?.kind).toBe('revoke_connection');
  });
});

describe('periodic work', () => {
  it('expired connections are revoked', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const created = await owner.post(`/api/databases/${developmentId}/connections`, {
      name: 'brief',
      role: 'read-only',
      expires_at: soon,
    });
    const connections = plane.app.get(ConnectionService);
    expect(await endExpiredConnections(plane.db, connections)).toEqual([]);
    // The check uses the time of the platform database, whatever the local clock shows.
    vi.spyOn(plane.db, 'nowMs').mockReturnValue(Date.now() + 61_000);
    expect(await endExpiredConnections(plane.db, connections)).toEqual([created.json['id']]);
    expect(await endExpiredConnections(plane.db, connections)).toEqual([]);
    vi.restoreAllMocks();
    await expect
      .poll(() => plane.worker.seen.at(-1))
      .toMatchObject({ kind: 'revoke_connection', payload: { connection_id: created.json['id'] } });
    expect(
      (
        await owner.post(`/api/databases/${developmentId}/connections`, {
          name: 'late',
          role: 'owner',
          expires_at: '2020-01-01T00:00:00Z',
        })
      ).status,
    ).toBe(422);
  });
  it('deleted databases are dropped once after their grace period', async () => {
    const client = new TestClient(plane.app);
    const { json } = await client.signUp('dropper@example.test', { starter: 'empty', project: 'Old' });
    await client.delete(`/api/projects/${json['project'].id}`, { confirm: 'Old' });
    const tasks = plane.app.get(TaskRunner);
    expect(await dropExpired(plane.db, tasks)).toEqual([]);
    await plane.db.cell.query('UPDATE tenant_database SET deleted_at = ? WHERE project_id = ?', [
      new Date(Date.now() - 8 * 86_400_000),
      json['project'].id,
    ]);
    vi.spyOn(plane.db, 'nowMs').mockReturnValue(Date.now() - 2 * 86_400_000);
    expect(await dropExpired(plane.db, tasks)).toEqual([]);
    vi.restoreAllMocks();
    expect((await dropExpired(plane.db, tasks)).sort()).toEqual(
      json['databases'].map((row: { id: string }) => row.id).sort(),
    );
    expect(await dropExpired(plane.db, tasks)).toEqual([]);
    await plane.db.global.query('UPDATE project SET deleted_at = ? WHERE id = ?', [
      new Date(Date.now() - 8 * 86_400_000),
      json['project'].id,
    ]);
    expect((await client.post(`/api/projects/${json['project'].id}/restore`)).status).toBe(404);
  });
});

describe('servers', () => {
  it('server credentials are only readable by the worker', async () => {
    const [row] = await plane.db.cell.query<{ provisioner_sealed: Buffer }[]>(
      'SELECT provisioner_sealed FROM server WHERE name = ?',
      ['first'],
    );
    expect(JSON.parse(openWithPrivateKey(plane.serverPrivateKey, row?.provisioner_sealed as Buffer))).toEqual(
      { user: 'p', password: 'secret-of-the-provisioner' },
    );
  });
});
